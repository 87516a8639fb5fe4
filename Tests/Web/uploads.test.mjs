// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { beforeEach } from 'node:test';
import { format } from '../../Sources/CWebAssets/web/js/lib/message.js';
import { browse, settled } from './element.mjs';
import { FakeNode } from './fake-node.mjs';

const words = JSON.parse(readFileSync(new URL('../../Sources/CWebAssets/web/i18n/en.json', import.meta.url), 'utf8'));
const node = new FakeNode();
/** What the page does when the browser tells of something. */
const heard = {};
browse({});
globalThis.addEventListener = (name, f) => { heard[name] = f; };
globalThis.XMLHttpRequest = node.requests();
const { uploads } = await import('../../Sources/CWebAssets/web/js/core/uploads.js');
const { kept } = await import('../../Sources/CWebAssets/web/js/core/kept.js');
const { CHUNK, Lost, ask } = await import('../../Sources/CWebAssets/web/js/core/transfer.js');

/** What is kept for the next page, and by which page. */
const store = new Map();
Object.assign(kept, {
  put: async (entries) => { for (const entry of entries) store.set(entry.key, { ...entry, mine: true }); },
  keep: async (key) => store.has(key),
  set: async (key, fields) => Object.assign(store.get(key) ?? {}, fields),
  mine: async (key) => store.get(key)?.mine ?? false,
  remove: async (key) => { store.delete(key); },
  adopt: async () => ({ entries: [...store.values()].filter((e) => !e.mine && (e.mine = true)), others: false }),
  hold() {}, release() {},
});
await uploads.start();

const file = (name, size = 10) => Object.assign(new Blob([new Uint8Array(size).fill(name.length)]), { name });
const until = async (is) => { for (let i = 0; !is(); i++) { assert.ok(i < 100000, 'it never happens'); await settled(); } };
const ended = () => until(() => !uploads.counts().active && !store.size);
const states = () => uploads.all.map((u) => u.state);

beforeEach(() => { node.reset(); store.clear(); uploads.clear(); });

test('what was there already is told apart from what was added', async () => {
  node.there.add('2.jpg');
  uploads.add(['1.jpg', '2.jpg', '3.jpg'].map((name) => file(name)), null);
  await ended();
  assert.deepEqual(states(), ['done', 'there', 'done']);
  assert.deepEqual(uploads.counts(), { total: 3, done: 3, failed: 0, again: 0, paused: 0, active: 0, there: 1 });
  assert.equal(format(words['upload.some_there'], { there: 1, n: 3 }, 'en'), '1 of 3 already added');
  assert.equal(format(words['upload.some_there'], { there: 2, n: 3 }, 'en'), '2 of 3 already added');
  uploads.clear();
  assert.equal(uploads.all.length, 0);
});

test('a file goes on where it broke off, and less than a part of it is sent again', async () => {
  const size = 5 * CHUNK + 1;
  node.breakAfter(CHUNK + 1000);
  uploads.add([file('a.jpg', size)], 'm1', true);
  await until(() => states()[0] === 'paused');
  await ended();
  assert.deepEqual(states(), ['done']);
  assert.equal(node.photos[0].bytes, size);
  assert.deepEqual([node.photos[0].query.get('target'), node.photos[0].query.get('keep_location')], ['m1', 'true']);
  assert.ok(node.taken - size < CHUNK, `${node.taken - size} bytes came twice`);
  assert.ok(node.largest <= CHUNK);
});

test('the answer is lost, and the photo is shared once all the same', async () => {
  node.loseAnswers = 1;
  uploads.add([file('a.jpg')], null);
  await ended();
  assert.deepEqual([states(), node.photos.length], [['done'], 1]);
});

test('an upload that the node forgot begins anew, and one that is further on goes on there', async () => {
  node.breakAfter(CHUNK);
  uploads.add([file('a.jpg', 3 * CHUNK)], null);
  await until(() => states()[0] === 'paused');
  node.uploads.clear();
  await ended();
  assert.deepEqual([states(), node.photos[0].bytes], [['done'], 3 * CHUNK]);
  node.answers.push({ status: 409, offset: 0 });
  uploads.add([file('b.jpg')], null);
  await ended();
  assert.deepEqual(states(), ['done', 'done']);
});

test('of 400 files one is broken, and each ends in a receipt or a reason', async () => {
  node.refused.set('7.jpg', [415, 'not-a-picture']).set('8.jpg', [413, 'too-large']).set('9.jpg', [507, 'no-space']);
  uploads.add(Array.from({ length: 400 }, (_, i) => file(`${i}.jpg`)), null);
  assert.equal(uploads.all.length, 400);
  await until(() => !uploads.counts().active);
  assert.deepEqual(uploads.counts(), { total: 400, done: 397, failed: 3, again: 0, paused: 0, active: 0, there: 0 });
  assert.ok(uploads.all.filter((u) => u.state === 'failed').every((u) => u.reason));
  assert.deepEqual(uploads.all.filter((u) => u.state === 'failed').map((u) => u.retryable), [false, false, true]);
  assert.ok(node.most <= 3, `${node.most} at once`);
  // What is to be tried again stays, for the next page too; what is over leaves nothing behind.
  assert.deepEqual([...node.uploads.values()].filter((u) => !u.photo).map((u) => u.query.get('name')), ['9.jpg']);
  assert.equal(store.size, 1);
  node.refused.clear();
  uploads.all.filter((u) => u.retryable).forEach(uploads.retry);
  await ended();
  assert.equal(uploads.counts().done, 398);
});

test('without a connection files wait, and go on when the browser says that it is back', async () => {
  node.away = true;
  uploads.add([file('a.jpg'), file('b.jpg'), file('c.jpg')], null);
  assert.equal(uploads.safe, false);
  await until(() => uploads.counts().paused === 2);
  await until(() => uploads.safe);
  node.away = false;
  const began = Date.now();
  heard.online();
  await ended();
  assert.ok(Date.now() - began < 500);
  assert.deepEqual(states(), ['done', 'done', 'done']);
});

test('a connection that says nothing is dead after ten seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  node.silent = true;
  const answer = ask('HEAD', '/api/v1/status');
  t.mock.timers.tick(9999);
  let isOver = false;
  answer.catch(() => { isOver = true; });
  await Promise.resolve();
  assert.equal(isOver, false);
  t.mock.timers.tick(1);
  await assert.rejects(answer, Lost);
});

test('a busy node is asked again later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  node.answers.push({ status: 429, text: '{"type":"/problems/too-many"}' });
  uploads.add([file('a.jpg')], null);
  await until(() => states()[0] === 'paused');
  t.mock.timers.tick(5000);
  await ended();
  assert.deepEqual(states(), ['done']);
});

test('what a closed page left is sent on; a file that was not kept is asked for', async () => {
  node.uploads.set('u1', { length: 30, bytes: 20, query: new URLSearchParams('name=a.jpg') });
  const entry = { moment: null, keep: false, event: null, at: 1, url: null, kept: true };
  store.set('x', { ...entry, key: 'x', name: 'a.jpg', size: 30, url: '/api/v1/uploads/u1', file: file('a.jpg', 30) });
  store.set('y', { ...entry, key: 'y', name: 'b.jpg', size: 40, kept: false, file: null });
  document.hidden = false;
  await uploads.start();
  await until(() => uploads.counts().done === 1);
  assert.deepEqual([states(), node.taken], [['done', 'again'], 10]);
  assert.equal(uploads.give([file('b.jpg', 41), file('c.jpg', 40)]), 2);
  assert.deepEqual(states(), ['done', 'again']);
  assert.equal(uploads.give([file('b.jpg', 40)]), 0);
  await ended();
  assert.deepEqual(states(), ['done', 'done']);
});

test('a file that the browser can no longer read is asked for again', async () => {
  const gone = { name: 'a.jpg', size: 10, slice: () => ({ arrayBuffer: () => Promise.reject(new Error()) }) };
  uploads.add([gone], null);
  await until(() => states()[0] === 'again');
  assert.deepEqual(uploads.counts().again, 1);
});

test('a file that another page took over is sent by that page alone', async () => {
  node.breakAfter(CHUNK);
  uploads.add([file('a.jpg', 3 * CHUNK)], null);
  await until(() => states()[0] === 'paused');
  for (const entry of store.values()) entry.mine = false;
  await until(() => !uploads.all.length);
  assert.equal(node.photos.length, 0);
});

test('a choice about the location counts for what has begun, too', async () => {
  node.refused.set('a.jpg', [507, 'no-space']);
  uploads.add([file('a.jpg')], null, false);
  await until(() => states()[0] === 'failed');
  node.away = true;
  node.refused.clear();
  uploads.add([file('b.jpg')], null, false);
  await until(() => states()[1] === 'paused');
  uploads.retry(uploads.all[0]);
  assert.equal(states()[0], 'waiting');
  uploads.keepLocation(true);
  node.away = false;
  heard.online();
  await ended();
  assert.equal(node.photos.find((p) => p.query.get('name') === 'a.jpg').query.get('keep_location'), 'true');
});
