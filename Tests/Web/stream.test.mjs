// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { browse, settled } from './element.mjs';

browse({ status: () => ({ events: [] }) });
/** Streams that are open, and who listens to the page and its document. */
const open = new Set(), page = {}, view = {};
globalThis.EventSource = class {
  static CLOSED = 2;
  constructor() { open.add(this); }
  addEventListener() {}
  close() { open.delete(this); }
};
globalThis.addEventListener = (type, f) => { page[type] = f; };
document.addEventListener = (type, f) => { view[type] = f; };
const { startStream } = await import('../../Sources/CWebAssets/web/js/core/stream.js');
const { on } = await import('../../Sources/CWebAssets/web/js/core/store.js');
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
