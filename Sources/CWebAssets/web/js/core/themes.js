/** The themes of the event's clips, which hosts make. They are read once, and anew when one changes. */
import { call } from './api.js';
import { on, state } from './store.js';

/** @type {{event: string, themes: Promise<import('../lib/themes.js').Theme[]>|null}} */
let read = { event: '', themes: null };

/** All themes; none while the node is away. */
export function themes() {
  const event = state.status?.current?.id ?? '';
  if (read.event !== event) read = { event, themes: null };
  read.themes ??= call('GET', 'themes?limit=500').then((answer) => answer.themes ?? [], () => { read.themes = null; return []; });
  return read.themes;
}

on('change', ({ kinds }) => { if (kinds.has('theme')) read.themes = null; });
