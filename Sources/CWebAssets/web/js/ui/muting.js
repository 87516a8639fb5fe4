/** Whether one is told of what happens at a thing. */
import { t } from '../core/i18n.js';
import { notices } from '../core/notices.js';
import { complain, toast } from './parts.js';

/** What a menu offers about a thing: not to be told of it, or to be told again. */
export function muteDeed(thing) {
  const words = t(notices.isMuted(thing.id) ? 'notices.unmute' : 'notices.mute');
  return { sign: 'bell', words, act: () => mute(thing) };
}

async function mute(thing) {
  try {
    await notices.mute(thing, !notices.isMuted(thing.id));
    toast(t(notices.isMuted(thing.id) ? 'notices.muted_done' : 'notices.unmuted_done'));
  } catch (error) { complain(error); }
}
