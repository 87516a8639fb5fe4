// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { browse, load } from './element.mjs';

browse({});
mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'], now: 1e12 });
const kept = new Map(), channels = new Set();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
globalThis.BroadcastChannel = class {
  constructor() { channels.add(this); }
  postMessage(data) { for (const other of channels) if (other !== this) other.onmessage?.({ data }); }
};
const { createLease } = await load('core/lease.js');
const { LEASE_MS, claimed } = await load('lib/lease.js');

/** A page of the browser: whether it has a stream, and what it heard. `crash` ends it without a word. */
function open() {
  const page = { has: false, heard: [] };
  const before = new Set(channels);
  page.lease = createLease({ lead: () => { page.has = true; }, follow: () => { page.has = false; }, hear: (message) => page.heard.push(message) });
  const [channel] = [...channels].filter((one) => !before.has(one));
  page.lease.start();
  page.close = () => { page.lease.stop(); page.has = false; channels.delete(channel); };
  page.freeze = () => { channels.delete(channel); page.lease.stop(); page.has = false; };
  return page;
}
const streams = (pages) => pages.filter((page) => page.has).length;

test('seven pages of a browser have one stream, and hear what its page says', () => {
  const pages = Array.from({ length: 7 }, open);
  mock.timers.tick(10000);
  assert.deepEqual(pages.map((page) => page.has), [true, false, false, false, false, false, false]);
  pages[0].lease.say({ reset: true });
  assert.ok(pages.slice(1).every((page) => page.heard.some((message) => message.reset)));
  pages.forEach((page) => page.close());
});

test('when the page that has the stream is closed another one has it at once', () => {
  const pages = [open(), open(), open()];
  mock.timers.tick(5000);
  pages[0].close();
  mock.timers.tick(200);
  assert.equal(streams(pages), 1);
  assert.equal(pages[0].has, false);
  mock.timers.tick(10000);
  assert.equal(streams(pages), 1);
  pages.forEach((page) => page.close());
});

test('when the page that has the stream ends without a word another one has it within three seconds', () => {
  const pages = [open(), open()];
  mock.timers.tick(5000);
  const lease = kept.get('mingle.stream');
  pages[0].freeze();
  kept.set('mingle.stream', lease);
  mock.timers.tick(100);
  assert.equal(streams(pages), 0);
  mock.timers.tick(2900);
  assert.deepEqual(pages.map((page) => page.has), [false, true]);
  pages.forEach((page) => page.close());
});

test('of two pages that took the lease at the same time one gives way', () => {
  const first = open();
  kept.delete('mingle.stream');
  const second = open();
  assert.equal(streams([first, second]), 2);
  mock.timers.tick(1500);
  assert.equal(streams([first, second]), 1);
  [first, second].forEach((page) => page.close());
});

test('a lease from before the clock was set back holds nobody off', () => {
  const now = 1e12;
  assert.equal(claimed({ page: 'a', until: now + 3600000 }, 'b', now).page, 'b');
  assert.equal(claimed({ page: 'a', until: now + LEASE_MS }, 'b', now).page, 'a');
  assert.equal(claimed({ page: 'a', until: now }, 'b', now).page, 'b');
  assert.equal(claimed(null, 'b', now).page, 'b');
});
