/** The upload queue: two files at a time, progress by XMLHttpRequest, and an outcome for every single file. */
import { query } from '../lib/paths.js';
import { offline, problemFrom } from './api.js';
import { on } from './store.js';

const PARALLEL = 2;
/** No byte moved for so long: give up and say so; the file can be sent again. */
const STALL_MS = 30000;

/** As `add` makes them; `state` is waiting, sending, storing, done, there (it was shared before) or failed. */
let queue = [];
let count = 0;
const listeners = new Set();

export const uploads = {
  get all() { return queue; },
  /** @param {(upload: any) => void} f told of every change; null when the list itself changed */
  on(f) { listeners.add(f); },

  /**
   * Adds files; they are listed at once and sent in turn.
   * @param {Iterable<File>} files @param {string|null} moment @param {boolean} [keep] the location stays in the pictures
   */
  add(files, moment, keep = false) {
    for (const file of files) {
      queue.push({ id: ++count, file, moment, keep, state: 'waiting', percent: 0, reason: '', retryable: true, photo: null });
    }
    tell(null);
    next();
  },

  /** Says whether the location stays in the pictures that still wait. @param {boolean} keep */
  keepLocation(keep) {
    for (const upload of queue) if (upload.state === 'waiting') upload.keep = keep;
    tell(null);
  },

  retry(upload) {
    if (upload.state !== 'failed') return;
    Object.assign(upload, { state: 'waiting', percent: 0, reason: '' });
    tell(upload);
    next();
  },

  /** Forgets what is finished. */
  clear() {
    queue = queue.filter((u) => ['waiting', 'sending', 'storing'].includes(u.state));
    tell(null);
  },

  /** @returns {{total: number, done: number, there: number, failed: number, active: number}} of those done, so many were there already */
  counts() {
    const of = (...states) => queue.filter((u) => states.includes(u.state)).length;
    return { total: queue.length, done: of('done', 'there'), there: of('there'), failed: of('failed'), active: of('waiting', 'sending', 'storing') };
  },
};

/** @param {Upload|null} upload */
function tell(upload) {
  for (const f of listeners) f(upload);
}

function next() {
  const busy = queue.filter((u) => u.state === 'sending' || u.state === 'storing').length;
  queue.filter((u) => u.state === 'waiting').slice(0, PARALLEL - busy).forEach(send);
}

function send(upload) {
  const request = new XMLHttpRequest();
  let watch = 0;
  const alive = () => {
    clearTimeout(watch);
    watch = setTimeout(() => request.abort(), STALL_MS);
  };
  const end = (fields) => {
    clearTimeout(watch);
    Object.assign(upload, fields);
    tell(upload);
    next();
  };
  const lost = () => end({ state: 'failed', reason: offline().message, retryable: true, lost: true });
  upload.state = 'sending';
  request.open('PUT', query('/api/v1/photos', { name: upload.file.name, target: upload.moment, keep_location: upload.keep }));
  request.upload.onprogress = (event) => {
    alive();
    upload.percent = event.total ? Math.floor((event.loaded / event.total) * 100) : 0;
    tell(upload);
  };
  request.upload.onload = () => { upload.state = 'storing'; upload.percent = 100; tell(upload); };
  request.onload = () => {
    if (request.status >= 200 && request.status < 300) {
      let photo = null;
      try { photo = JSON.parse(request.responseText); } catch { /* stored all the same */ }
      end({ state: photo?.already_shared ? 'there' : 'done', percent: 100, photo });
    } else {
      const problem = problemFrom(request.responseText, request.status);
      const final = ['not-a-picture', 'too-large', 'bad-request'].includes(problem.kind);
      end({ state: 'failed', reason: problem.message, retryable: !final });
    }
  };
  request.onerror = lost;
  request.onabort = lost;
  request.send(upload.file);
  alive();
  tell(upload);
}

// When the node is back, what failed because it was away is sent again by itself.
on('live', (live) => {
  if (live) queue.filter((u) => u.lost).forEach((u) => { u.lost = false; uploads.retry(u); });
});
