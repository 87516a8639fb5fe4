/** The upload queue: two files at a time, each goes on after a break, and an outcome for every single file. */
import { query } from '../lib/paths.js';
import { offline } from './api.js';
import { kept } from './kept.js';
import { on, state } from './store.js';
import { Lost, Unreadable, ask, transfer } from './transfer.js';
import { visiting } from './visit.js';
import { watcher } from './watcher.js';

/** So many files are on their way at once, and one more may become a photo meanwhile; a browser has six connections. */
const SENDING = 2, RUNNING = 3;
/** What moved more recently than this is not cut off when the page comes back. */
const FRESH_MS = 2000;
/** A node that is busy is asked again, so often at most. */
const BUSY_MS = 5000, BUSY_TRIES = 6;
/** So many breaks in a row in which no byte came through are no matter of the connection. */
const BREAKS = 8;
/** How often the page checks whether another page left its files. */
const ADOPT_MS = 2000;
/** These end an upload; another try would end as this one. */
const FINAL = ['not-a-picture', 'too-large', 'bad-request'];
const BUSY = ['too-many', 'unavailable'];
const ACTIVE = ['waiting', 'sending', 'storing', 'paused'];

/**
 * @typedef {object} Upload
 * @property {number} id
 * @property {string} name
 * @property {number} size
 * @property {Blob|null} file null where the page was closed and the file has to be chosen again
 * @property {'waiting'|'sending'|'storing'|'paused'|'done'|'there'|'failed'|'again'} state paused: the connection is lost;
 *   there: it was shared before; again: the file has to be chosen again
 * @property {number} percent
 * @property {string} reason why it failed
 * @property {boolean} retryable
 * @property {any} photo
 */

/** @type {Upload[]} */
let queue = [];
let count = 0, adopting = 0, keeping = Promise.resolve();
const listeners = new Set();
const running = new Map();
const connection = watcher(address, resume);

export const uploads = {
  get all() { return queue; },
  /** @param {(upload: any) => void} f told of every change; null when the list itself changed */
  on(f) { listeners.add(f); },

  /**
   * Adds files; they are listed at once and sent in turn.
   * @param {Iterable<File>} files @param {string|null} moment @param {boolean} [keep] the location stays in the pictures
   */
  add(files, moment, keep = false) {
    const event = visiting() ? null : state.status?.current?.id ?? null;
    const added = [...files].map((file) => made({ file, name: file.name, size: file.size, moment, keep, event, url: null, at: Date.now() }));
    queue.push(...added);
    tell(null);
    hold();
    const stored = kept.put(added.map(({ key, name, size, moment, keep, event, url, at }) => ({ key, name, size, moment, keep, event, url, at })));
    for (const upload of added) keepBytes(upload, stored);
    next();
  },

  /** Takes files for uploads that lack theirs; @param {Iterable<File>} files @returns {number} how many fit none */
  give(files) {
    let strange = 0;
    for (const file of files) {
      const upload = queue.find((u) => u.state === 'again' && u.name === file.name && u.size === file.size);
      if (!upload) { strange++; continue; }
      Object.assign(upload, { file, state: 'waiting' });
      keepBytes(upload, Promise.resolve());
      tell(upload);
    }
    next();
    return strange;
  },

  /** Says whether the location stays in the pictures that still wait. @param {boolean} keep */
  keepLocation(keep) {
    for (const upload of queue) {
      if (upload.state !== 'waiting' || upload.keep === keep) continue;
      // What has begun has begun with the other choice.
      if (upload.url) drop(upload);
      Object.assign(upload, { keep, url: null });
      kept.set(upload.key, { keep, url: null });
    }
    tell(null);
  },

  retry(upload) {
    if (upload.state !== 'failed') return;
    Object.assign(upload, { state: 'waiting', reason: '', busy: 0, breaks: 0 });
    tell(upload);
    next();
  },

  /** Forgets what is finished, and what failed or lacks its file. */
  clear() {
    for (const upload of queue) if (['failed', 'again'].includes(upload.state)) forget(upload);
    queue = queue.filter((u) => ACTIVE.includes(u.state));
    tell(null);
    hold();
  },

  /** @returns {{total: number, done: number, there: number, failed: number, again: number, paused: number, active: number}} of those done, so many were there already */
  counts() {
    const of = (...states) => queue.filter((u) => states.includes(u.state)).length;
    return { total: queue.length, done: of('done', 'there'), there: of('there'), failed: of('failed'), again: of('again'), paused: of('paused'), active: of(...ACTIVE) };
  },

  /** Whether all that is to be sent survives the page. */
  get safe() { return queue.every((u) => !ACTIVE.includes(u.state) || u.kept); },

  /** Goes on with what a closed page left, and watches the connection. Called once. */
  start() {
    on('live', (live) => { if (live) kick(); });
    addEventListener('online', kick);
    addEventListener('offline', () => running.forEach((job) => job.cut.abort()));
    addEventListener('pagehide', () => kept.release());
    addEventListener('pageshow', (event) => { if (event.persisted) { hold(); kick(); } });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) { kick(); adopt(); } });
    return adopt();
  },
};

const made = (fields) => ({ id: ++count, key: `${Date.now().toString(36)}-${count}-${Math.random().toString(36).slice(2)}`, state: 'waiting', percent: 0, reason: '', retryable: true, photo: null, kept: false, busy: 0, breaks: 0, offset: 0, ...fields });

/** @param {Upload|null} upload */
function tell(upload) {
  for (const f of listeners) f(upload);
}

/** This page is the one that sends, as long as it has something to send. */
const hold = () => kept.hold(queue.some((u) => ACTIVE.includes(u.state) || u.state === 'again'));

/** Copies a file's bytes for later, one file after the other. */
function keepBytes(upload, stored) {
  keeping = keeping.then(async () => {
    await stored;
    if (ACTIVE.includes(upload.state) && upload.file) upload.kept = await kept.keep(upload.key, upload.file);
  });
}

/** Takes over what pages left that are gone. */
async function adopt() {
  clearTimeout(adopting);
  const { entries, others } = await kept.adopt();
  if (entries.length) {
    queue.push(...entries.map((entry) => made({ ...entry, state: entry.file ? 'waiting' : 'again' })));
    tell(null);
    hold();
    next();
  }
  if (others) adopting = setTimeout(adopt, ADOPT_MS);
}

function next() {
  if (connection.lost) return;
  const sending = queue.filter((u) => u.state === 'sending').length;
  queue.filter((u) => u.state === 'waiting').slice(0, Math.max(0, Math.min(SENDING - sending, RUNNING - running.size))).forEach(send);
}

async function send(upload) {
  const job = { cut: new AbortController(), at: Date.now() };
  running.set(upload, job);
  upload.state = 'sending';
  tell(upload);
  const ended = await outcome(upload, job);
  running.delete(upload);
  Object.assign(upload, ended);
  if (['done', 'there'].includes(ended.state)) kept.remove(upload.key);
  if (ended.state === 'failed' && !ended.retryable) forget(upload);
  if (ended.state === 'gone') queue = queue.filter((u) => u !== upload);
  tell(ended.state === 'gone' ? null : upload);
  if (ended.state === 'paused' && !ended.busy) connection.lose(upload.breaks);
  next();
  hold();
}

/** Sends one file, and says in which state that leaves it. */
async function outcome(upload, job) {
  try {
    const photo = await transfer({
      file: upload.file, url: upload.url, signal: job.cut.signal,
      begin: query('/api/v1/uploads', { name: upload.name, target: upload.moment, keep_location: upload.keep, event: upload.event }),
      began: (url) => { upload.url = url; return kept.set(upload.key, { url }); },
      mayGoOn: (offset) => {
        if (offset > upload.offset) Object.assign(upload, { offset, breaks: 0 });
        return kept.mine(upload.key);
      },
      moved: (bytes) => { job.at = Date.now(); progress(upload, bytes); },
      sent: () => { Object.assign(upload, { state: 'storing', percent: 100 }); tell(upload); next(); },
    });
    if (!photo) return { state: 'gone' };
    return { state: photo.already_shared ? 'there' : 'done', percent: 100, photo };
  } catch (error) {
    if (error instanceof Lost) {
      if (++upload.breaks < BREAKS) return { state: 'paused' };
      return { state: 'failed', reason: offline().message, retryable: true, breaks: 0 };
    }
    if (error instanceof Unreadable) {
      const file = upload.kept ? await kept.file(upload.key) : null;
      return { state: file ? 'waiting' : 'again', file, kept: false };
    }
    if (BUSY.includes(error.kind) && upload.busy < BUSY_TRIES) {
      setTimeout(() => { if (upload.state === 'paused') { upload.state = 'waiting'; next(); } }, BUSY_MS);
      return { state: 'paused', busy: upload.busy + 1 };
    }
    return { state: 'failed', reason: error.message, retryable: !FINAL.includes(error.kind) };
  }
}

function progress(upload, bytes) {
  upload.percent = Math.floor(bytes / upload.size * 100);
  tell(upload);
}

/** Something that the node answers to, of what there is to send. */
function address() {
  return queue.find((u) => u.state === 'paused' && u.url)?.url ?? (visiting() ? '/api/v1/visit' : '/api/v1/status');
}

function resume() {
  for (const upload of queue) if (upload.state === 'paused') { upload.state = 'waiting'; tell(upload); }
  next();
}

/** Something says that the connection is back, or may be. */
function kick() {
  for (const job of running.values()) if (Date.now() - job.at > FRESH_MS) job.cut.abort();
  connection.kick();
}

function drop(upload) {
  ask('DELETE', upload.url).catch(() => {});
}

function forget(upload) {
  if (upload.url) drop(upload);
  kept.remove(upload.key);
}
