/** What the whole page knows: status, people, moments, whether the node is there. Views listen; nobody polls. */
import { shares } from '../lib/levels.js';
import { nextChange } from '../lib/moments.js';
import { single } from '../lib/single.js';
import { api, silence } from './api.js';
import { visiting } from './visit.js';

/**
 * Shared state. `live` is false while the node cannot be reached; `drafts` are comments that were not sent, by what they are about.
 * @type {{status: any, people: any[]|null, peers: any[]|null, moments: any[]|null, live: boolean, unread: number, drafts: Map<string, string>}}
 */
export const state = { status: null, people: null, peers: null, moments: null, locked: null, unread: 0, live: true, drafts: new Map() };

/**
 * A person's name; where another one has the same, with how the fingerprint begins, which those two can compare.
 * @param {{id: string, name: string, fingerprint?: string}} person
 */
export const nameOf = ({ id, name, fingerprint }) => (
  fingerprint && state.people?.some((other) => other.name === name && other.id !== id) ? `${name} · ${fingerprint.split(' ')[0]}` : name);

/** Who holds this device, as far as it is known. @returns {{id: string, name: string, picture?: string}} */
export const myself = () => state.people?.find((p) => p.me) ?? state.status?.visit?.me ?? { id: state.status?.person ?? '', name: state.status?.name ?? '' };

/** Whether somebody with only a phone looks on, and changes nothing. */
export const looking = () => visiting() && !shares(state.status?.current?.level);

const listeners = new Map();

/**
 * Listens to a topic: status, people, peers, moments, unread, notices, live, shared, change (raw, with kinds and targets), reset.
 * @param {string} topic @param {(value: any) => void} f @returns {() => void} stops listening
 */
export function on(topic, f) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(f);
  return () => listeners.get(topic).delete(f);
}

/** @param {string} topic @param {any} [value] */
export function emit(topic, value) {
  for (const f of [...(listeners.get(topic) ?? [])]) f(value);
}

/** Says whether the node answers. @param {boolean} live */
export function tell(live) {
  if (state.live === live) return;
  state.live = live;
  emit('live', live);
}
silence.heard = () => tell(false);

/**
 * @param {string} topic @param {() => Promise<any>} get @returns {() => Promise<void>}
 */
const loader = (topic, get) => single(async () => {
  const event = state.status?.current?.id;
  const value = await get();
  if (topic !== 'status' && event !== state.status?.current?.id) return;
  state[topic] = value;
  emit(topic, value);
});

export const load = {
  status: loader('status', api.status),
  people: loader('people', api.people),
  peers: loader('peers', api.peers),
  moments: loader('moments', api.moments),
};

/** Asks for something again without waiting; a silent node is reported by the stream, not here. @param {string[]} topics */
export function reload(...topics) {
  for (const topic of topics) load[topic]().catch(() => {});
}

/** Puts a moment the node has just answered into the list. */
export function keepMoment(moment) {
  if (state.moments) {
    const others = state.moments.filter((m) => m.id !== moment.id);
    state.moments = [moment, ...others];
  }
  emit('moments', state.moments);
  reload('moments');
}

let boundary = 0;
on('moments', (moments) => {
  clearTimeout(boundary);
  const at = nextChange(moments ?? [], Date.now());
  // A moment begins or ends by itself: the node knows, but nothing changes that it would announce.
  if (at < Date.now() + 86400000) boundary = setTimeout(() => reload('moments'), at - Date.now() + 700);
});

/** Forgets everything about the event that was on show. */
export function forget() {
  state.people = state.peers = state.moments = state.locked = null;
  state.unread = 0;
  state.drafts = new Map();
}
