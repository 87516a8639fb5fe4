// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { format } from '../../Sources/CWebAssets/web/js/lib/message.js';
import { browse } from './element.mjs';

const words = JSON.parse(readFileSync(new URL('../../Sources/CWebAssets/web/i18n/en.json', import.meta.url), 'utf8'));
/** Answers each upload at once, with what comes next. */
const answers = [];
globalThis.XMLHttpRequest = class {
  upload = {};
  open() {}
  send() {
    const [status, body] = answers.shift();
    Object.assign(this, { status, responseText: JSON.stringify(body) });
    setImmediate(() => { this.upload.onload(); this.onload(); });
  }
  abort() {}
};
browse({});
const { uploads } = await import('../../Sources/CWebAssets/web/js/core/uploads.js');

test('what was there already is told apart from what was added', async () => {
  answers.push([201, { id: 'a' }], [200, { id: 'b', already_shared: true }], [201, { id: 'c' }]);
  const ended = new Promise((done) => { uploads.on(() => { if (uploads.all.length && !uploads.counts().active) done(); }); });
  uploads.add([1, 2, 3].map((n) => ({ name: `${n}.jpg`, size: 1 })), null);
  await ended;
  assert.deepEqual(uploads.all.map((u) => u.state), ['done', 'there', 'done']);
  assert.deepEqual(uploads.counts(), { total: 3, done: 3, failed: 0, active: 0, there: 1 });
  assert.equal(format(words['upload.some_there'], { there: 1, n: 3 }, 'en'), '1 of 3 already added');
  assert.equal(format(words['upload.some_there'], { there: 2, n: 3 }, 'en'), '2 of 3 already added');
  uploads.clear();
  assert.equal(uploads.all.length, 0);
});
