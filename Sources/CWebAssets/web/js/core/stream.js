/** Changes as they happen: server-sent events, gathered for a moment and handed out as one `change`. */
import { silence } from './api.js';
import { emit, load, reload, state } from './store.js';
import { visiting } from './visit.js';

/** How long changes are gathered before anything is fetched again. */
const GATHER_MS = 150;
/** A hidden page lets its stream go after this long: browsers allow six connections to one host. */
const HIDDEN_MS = 60000;

let source = null, timer = 0, retry = 0, hidden = 0, wait = 1000;
/** Kinds that need no target: a list knows by itself which media it lacks. */
const APART = ['peers', 'people', 'status', 'nearby', 'media'];
/** What has been gathered; `targets` is null once it may be any record. */
let kinds = new Set(), targets = {};

function tell(live) {
  if (state.live === live) return;
  state.live = live;
  emit('live', live);
}

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

function changed(event) {
  let data = {};
  try { data = JSON.parse(event.data); } catch { /* a change of unknown kind is still a change */ }
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

function close() {
  source?.close();
  source = null;
  clearTimeout(retry);
}

function open() {
  close();
  source = new EventSource('/api/v1/stream');
  source.addEventListener('change', changed);
  source.addEventListener('reset', reset);
  source.onopen = () => {
    wait = 1000;
    if (!state.live) { tell(true); reset(); }
  };
  source.onerror = async () => {
    const dead = source?.readyState === EventSource.CLOSED;
    // A stream may end at any time. Only a node that does not answer counts as lost.
    await load.status().catch((error) => {
      // The page was closed, or its code is another one: the showcase says so.
      if (visiting() && error.status === 403) location.reload(); else tell(false);
    });
    if (!dead) return;
    clearTimeout(retry);
    retry = setTimeout(open, wait);
    wait = Math.min(wait * 1.7, 10000);
  };
}

/** Somebody looks at the page again: nothing was told meanwhile. */
function resume() {
  if (document.hidden || source) return;
  open();
  reset();
}

/** Opens the stream and keeps it open while somebody looks. Of pages that wait in the background, each would keep a connection. */
export function startStream() {
  if (!document.hidden) open();
  // A node that is stopping may hold the stream open and answer nothing else.
  silence.heard = () => {
    if (!state.live) return;
    tell(false);
    if (!document.hidden) open();
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(close, HIDDEN_MS); else resume();
  });
  // A page that one went away from may be kept for the way back, with all that it holds open.
  addEventListener('pagehide', close);
  addEventListener('pageshow', (event) => { if (event.persisted) resume(); });
}
