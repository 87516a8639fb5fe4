// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { browse, settled } from './element.mjs';

browse({ status: () => ({ events: [] }) });
/** Streams that are open, and who listens to the page and its document. */
const open = new Set(), page = {}, view = {};
globalThis.EventSource = class {
  static CLOSED = 2;
  constructor(address) { this.address = address; this.listeners = {}; open.add(this); }
  addEventListener(type, f) { this.listeners[type] = f; }
  close() { open.delete(this); }
};
/** What this page says to the others, and how it hears them. */
const said = [];
let channel = null;
globalThis.BroadcastChannel = class {
  constructor() { channel = this; }
  postMessage(data) { said.push(data); }
};
const hear = (data) => channel.onmessage({ data });
/** What the browser keeps for all pages. @type {Map<string, string>} */
const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
let beat = () => {};
globalThis.setInterval = (f) => { beat = f; return 1; };
globalThis.addEventListener = (type, f) => { page[type] = f; };
document.addEventListener = (type, f) => { view[type] = f; };
const { startStream } = await import('../../Sources/CWebAssets/web/js/core/stream.js');
const { on, state } = await import('../../Sources/CWebAssets/web/js/core/store.js');
let resets = 0;
on('reset', () => { resets++; });
const turn = (hidden) => { document.hidden = hidden; view.visibilitychange(); };

test('a page that was opened in the background has no stream before somebody looks at it', async () => {
  document.hidden = true;
  startStream();
  assert.equal(open.size, 0, 'browsers allow six connections to one host, and each page would keep one');
  turn(false);
  assert.equal(open.size, 1);
  await settled();
  assert.equal(resets, 1, 'what changed meanwhile was not told');
});

test('a page that one went away from lets its stream go, and has one when one comes back', () => {
  page.pagehide({ persisted: true });
  assert.equal(open.size, 0, 'the browser keeps the page for Back, with its connection');
  page.pageshow({ persisted: true });
  assert.equal(open.size, 1);
  assert.equal(resets, 2);
  page.pageshow({ persisted: false });
  turn(false);
  assert.equal(open.size, 1);
  assert.equal(resets, 2);
});

test('what comes by the stream is told to the other pages, and whether the node answers', async () => {
  const [source] = open;
  let changes = 0;
  const off = on('change', () => { changes++; });
  said.length = 0;
  source.listeners.change({ data: '{"kinds":["photo"]}', lastEventId: 's.7' });
  source.listeners.reset();
  source.onopen();
  assert.deepEqual(said, [{ change: '{"kinds":["photo"]}', last: 's.7' }, { reset: true }, { live: true }]);
  hear({ hello: true });
  assert.deepEqual(said.at(-1), { live: true }, 'a new page asks');
  while (!changes) await settled();
  off();
});

test('a page whose call another page says was not answered looks for itself', () => {
  hear({ silent: true });
  assert.equal(state.live, false);
  assert.deepEqual(said.at(-1), { live: false });
  const [source] = open;
  assert.equal(source.address, '/api/v1/stream?since=s.7');
  source.onopen();
  assert.equal(state.live, true);
});

test('a page that follows has no stream, does what it hears, and goes on from there when it leads', async () => {
  const other = () => kept.set('mingle.stream', JSON.stringify({ page: 'other', until: Date.now() + 1500 }));
  other();
  beat();
  assert.equal(open.size, 0);
  assert.deepEqual(said.at(-1), { hello: true });
  hear({ live: false });
  assert.equal(state.live, false);
  const before = resets;
  hear({ live: true });
  assert.deepEqual([state.live, resets], [true, before + 1]);
  let change = null;
  const off = on('change', (all) => { change = all; });
  hear({ change: '{"kinds":["fave"],"targets":{"photo":["p1"]}}', last: 's.9' });
  while (!change) await settled();
  off();
  assert.deepEqual([...change.targets.photo], ['p1']);
  kept.delete('mingle.stream');
  beat();
  assert.deepEqual([...open].map((one) => one.address), ['/api/v1/stream?since=s.9']);
});
