/** Changes as they happen: server-sent events of one page for all of the browser, gathered and handed out as one `change`. */
import { query } from '../lib/paths.js';
import { silence } from './api.js';
import { createLease } from './lease.js';
import { emit, load, reload, state, tell } from './store.js';
import { visiting } from './visit.js';

/** The id of no change: asked for what comes after it, the node says that anything may have changed. */
const NONE = '0';
/** How long changes are gathered before anything is fetched again. */
const GATHER_MS = 150;
/** A hidden page takes no part after this long: browsers allow six connections to one host, and its calls are for nobody. */
const HIDDEN_MS = 60000;

let source = null, timer = 0, retry = 0, hidden = 0, wait = 1000, resting = true, isOver = false;
/** The id of the change that came last; null while nothing can have been missed. */
let last = null;
/** Kinds that need no target: a list knows by itself which media it lacks. */
const APART = ['peers', 'people', 'status', 'nearby', 'media'];
/** What has been gathered; `targets` is null once it may be any record. */
let kinds = new Set(), targets = {};

function flush() {
  timer = 0;
  const change = { kinds, targets };
  kinds = new Set();
  targets = {};
  const has = (...names) => names.some((name) => change.kinds.has(name));
  reload('status');
  if (state.people && has('person', 'people', 'profile', 'peers', 'member', 'participation')) reload('people');
  if (state.peers && has('peers')) reload('peers');
  if (state.moments && (!change.targets || change.targets.moment || has('people', 'profile'))) reload('moments');
  emit('change', change);
}

/** @param {string} text */
function changed(text) {
  let data = {};
  try { data = JSON.parse(text); } catch { /* a change of unknown kind is still a change */ }
  (data.kinds ?? []).forEach((kind) => kinds.add(kind));
  if (targets && data.targets) {
    for (const [kind, ids] of Object.entries(data.targets)) targets[kind] = new Set([...targets[kind] ?? [], ...ids]);
  } else if (!data.kinds?.every((kind) => APART.includes(kind))) targets = null;
  timer ||= setTimeout(flush, GATHER_MS);
}

/** Everything may have changed. */
function reset() {
  reload('status', ...['people', 'peers', 'moments'].filter((topic) => state[topic]));
  emit('reset');
}

/** The node answers. */
function awake() {
  if (state.live) return;
  tell(true);
  reset();
}

function lost() {
  tell(false);
  if (lease.leads()) lease.say({ live: false });
}

function close() {
  source?.close();
  source = null;
  clearTimeout(retry);
}

/** What the page that leads does with what comes: the others do the same. */
function listen() {
  source.addEventListener('change', (event) => {
    last = event.lastEventId || last;
    changed(event.data);
    lease.say({ change: event.data, last });
  });
  source.addEventListener('reset', () => { reset(); lease.say({ reset: true }); });
  source.onopen = () => {
    wait = 1000;
    awake();
    lease.say({ live: true });
  };
}

function open() {
  close();
  source = new EventSource(query('/api/v1/stream', { since: last }));
  listen();
  source.onerror = async () => {
    const dead = source?.readyState === EventSource.CLOSED;
    // A stream may end at any time. Only a node that does not answer counts as lost.
    await load.status().catch((error) => {
      // The page was closed, its code is another one, or a host removed the guest: the page that comes says so.
      if (visiting() && error.status === 403) location.reload(); else lost();
    });
    if (!dead || !source) return;
    clearTimeout(retry);
    retry = setTimeout(open, wait);
    wait = Math.min(wait * 1.7, 10000);
  };
}

/** Another page leads. What comes between its end and the beginning of this page's stream is asked for. */
function follow() {
  close();
  last ??= NONE;
  lease.say({ hello: true });
}

/** What another page says. @param {{change?: string, last?: string, reset?: true, live?: boolean, hello?: true, silent?: true}} message */
function hear(message) {
  if (message.hello && lease.leads()) lease.say({ live: state.live });
  if (message.silent && lease.leads()) silent();
  if (message.change) { last = message.last ?? last; changed(message.change); }
  if (message.reset) reset();
  if (message.live === true) awake();
  if (message.live === false) tell(false);
}

/** A call found no answer. A node that is stopping may hold the stream open and answer nothing else. */
function silent() {
  if (!state.live) return;
  lost();
  if (source) open(); else lease.say({ silent: true });
}

const lease = createLease({ lead: open, follow, hear });

function begin() {
  resting = false;
  lease.start();
}

function rest() {
  resting = true;
  lease.stop();
  close();
}

/** Somebody looks at the page again: nothing was told meanwhile. */
function resume() {
  if (isOver || document.hidden || !resting) return;
  last = null;
  begin();
  reset();
}

/** Asks for nothing more, as one is about to leave the event; or goes on. @param {boolean} ends */
export function endStream(ends) {
  isOver = ends;
  if (ends) rest(); else resume();
}

/** Takes part in the stream while somebody looks at the page. */
export function startStream() {
  if (!document.hidden) begin();
  silence.heard = silent;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(rest, HIDDEN_MS); else resume();
  });
  // A page that one went away from may be kept for the way back, with all that it holds open.
  addEventListener('pagehide', rest);
  addEventListener('pageshow', (event) => { if (event.persisted) resume(); });
}
