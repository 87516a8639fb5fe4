/** What concerns the person: how much of it is new, what was read, and of what one wants to hear nothing more. */
import { single } from '../lib/single.js';
import { isRead, told } from '../lib/notices.js';
import { api } from './api.js';
import { memory } from './dom.js';
import { emit, looking, on, state } from './store.js';
import { visiting } from './visit.js';

/** So many of the latest are looked at where the node keeps nothing of what was read: at a door. */
const LATEST = 200;
/** Kinds of changes that concern nobody. */
const APART = ['peers', 'status', 'nearby', 'media', 'profile', 'profile_picture'];

/** The newest page, as it was read last. @type {any[]} */
let latest = [];
/** Things of which one hears nothing more. @type {{id: string, title: string, kind: string}[]} */
let muted = [];

/** What a guest's browser remembers: the guest has no keys at the door by which the node could keep it. */
const key = () => `read.${state.status?.person ?? ''}`;
const own = () => ({ until: '', things: {}, muted: [], ...memory.get(key()) });

/** One page, the latest first. @param {string|null} [before] */
async function list(before) {
  if (!visiting()) {
    const page = await api.notifications(before);
    if (!before) ({ notifications: latest, muted } = page);
    return page;
  }
  const page = await api.notifications(before, LATEST), marks = own();
  const notifications = told(page.notifications, marks);
  if (before) return { ...page, notifications };
  ({ muted } = marks);
  latest = notifications;
  return { ...page, notifications, muted, unread: notifications.filter((one) => !one.read).length };
}

function count(unread) {
  if (state.unread === unread) return;
  state.unread = unread;
  emit('unread', unread);
}

/** Reads what is new. */
const refresh = single(async () => {
  if (looking() || !state.status?.current) { count(0); return; }
  try {
    const page = await list();
    count(page.unread);
    emit('notices', page);
  } catch { /* the stream reports a silent node */ }
});

/** Marks what happened at a thing as read, or everything. @param {string|null} target */
async function read(target) {
  if (!visiting()) await api.readNotifications(target);
  else {
    const marks = own(), now = new Date().toISOString(), until = latest[0]?.time > now ? latest[0].time : now;
    memory.set(key(), target ? { ...marks, things: { ...marks.things, [target]: until } } : { ...marks, until, things: {} });
  }
  await refresh();
}

/** @param {{id: string, title: string, kind: string}} thing @param {boolean} quiet */
async function mute({ id, title, kind }, quiet) {
  if (!visiting()) await api.muteNotifications(id, quiet);
  else {
    const marks = own(), others = marks.muted.filter((one) => one.id !== id);
    memory.set(key(), { ...marks, muted: quiet ? [...others, { id, title, kind }] : others });
  }
  await refresh();
}

export const notices = {
  list,
  read,
  mute,
  /** Whether one wants to hear nothing more of a thing. @param {string} id */
  isMuted: (id) => muted.some((one) => one.id === id),
  /** A photo or a moment was opened: what happened there is read by that. @param {string} id */
  opened: (id) => { if (latest.some((one) => one.thing.id === id && !isRead(one))) read(id).catch(() => {}); },
};

/** Keeps the number of what is new up to date. */
export function watch() {
  on('change', ({ kinds }) => { if ([...kinds].some((kind) => !APART.includes(kind))) refresh(); });
  on('reset', refresh);
  refresh();
}
