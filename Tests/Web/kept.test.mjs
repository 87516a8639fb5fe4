// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';

/** As much of IndexedDB as the page uses: one database, transactions that never overlap. */
const stores = { entries: new Map(), blobs: new Map() };
const request = (result) => {
  const made = {};
  setImmediate(() => { made.result = result(); made.onsuccess?.(); });
  return made;
};
const store = (name) => ({
  get: (key) => request(() => stores[name].get(key)),
  getAll: () => request(() => [...stores[name].values()]),
  put: (value, key = value.key) => request(() => stores[name].set(key, value)),
  delete: (key) => request(() => stores[name].delete(key)),
});
const transaction = () => {
  const made = { objectStore: store };
  // By then all that was asked for in it is done.
  const end = (left) => setImmediate(() => (left ? end(left - 1) : made.oncomplete?.()));
  end(20);
  return made;
};
globalThis.indexedDB = { open: () => request(() => ({ transaction })) };
const items = new Map();
globalThis.localStorage = { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => items.set(key, value), removeItem: (key) => items.delete(key) };

/** What another page of the same browser has of the module. */
const page = async (name) => (await import(`../../Sources/CWebAssets/web/js/core/kept.js?${name}`)).kept;
const entry = (key, size = 10) => ({ key, name: `${key}.jpg`, size, moment: null, keep: false, event: null, url: null, at: Date.now() });

test('a page takes over what another left, once that is gone, and then the other sends nothing any more', async () => {
  const [one, two] = [await page('one'), await page('two')];
  one.hold(true);
  await one.put([entry('a'), entry('b')]);
  assert.equal(await one.keep('a', { size: 10 }), true);
  await one.set('a', { url: '/u/1' });
  assert.deepEqual(await two.adopt(), { entries: [], others: true });
  assert.deepEqual([await one.mine('a'), await two.mine('a')], [true, false]);
  one.release();
  const { entries } = await two.adopt();
  assert.deepEqual(entries.map((e) => [e.key, e.url, e.file?.size]), [['a', '/u/1', 10], ['b', null, undefined]]);
  assert.deepEqual([await one.mine('a'), await two.mine('a')], [false, true]);
  await one.remove('a');
  assert.ok(stores.entries.has('a'));
  await two.remove('a');
  await two.remove('b');
  assert.deepEqual([stores.entries.size, stores.blobs.size], [0, 0]);
  one.hold(false);
});

test('a page that says nothing for five seconds is gone', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const [one, two] = [await page('three'), await page('four')];
  await one.put([entry('a')]);
  const lease = [...items.keys()];
  assert.deepEqual(lease, []);
  const mine = stores.entries.get('a').page;
  items.set(`mingle.sending.${mine}`, String(Date.now()));
  t.mock.timers.tick(4999);
  assert.equal((await two.adopt()).others, true);
  t.mock.timers.tick(1);
  assert.equal((await two.adopt()).entries.length, 1);
  await two.remove('a');
});

test('of 500 MB and more only names and sizes are kept, and room that is free again is used', async () => {
  const one = await page('five');
  const size = 300 * 1024 * 1024;
  await one.put([entry('a', size), entry('b', size)]);
  assert.equal(await one.keep('a', { size }), true);
  assert.equal(await one.keep('b', { size }), false);
  await one.remove('a');
  assert.equal(await one.keep('b', { size }), true);
  await one.remove('b');
});

test('a browser that keeps nothing sends all the same', async () => {
  const one = await page('six');
  globalThis.indexedDB = { open() { throw new Error('not here'); } };
  await one.put([entry('a')]);
  assert.deepEqual([await one.keep('a', { size: 1 }), await one.mine('a'), await one.adopt()], [false, true, { entries: [], others: false }]);
});
