// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { PhotoList } from '../../Sources/CWebAssets/web/js/core/photolist.js';

/** A node with n photos, p0 the newest. */
function node(n) {
  const all = Array.from({ length: n }, (_, i) => ({ id: `p${i}`, v: 1 }));
  return {
    all, calls: 0,
    async photos(_moment, before, limit) {
      this.calls++;
      const start = before ? Number(before) : 0;
      return { photos: this.all.slice(start, start + limit), next: start + limit < this.all.length ? String(start + limit) : null };
    },
    async photo(id) {
      const found = this.all.find((p) => p.id === id);
      if (!found) throw Object.assign(new Error(), { status: 404 });
      return found;
    },
  };
}
/** What the stream tells of some photos. */
const change = (photo, kinds = ['photo'], moment = []) => ({ kinds: new Set(kinds), targets: { photo: new Set(photo), moment: new Set(moment) } });
const ids = (list) => list.items.map((p) => p.id);

test('pages are read one after the other, never twice at once', async () => {
  const source = node(450), list = new PhotoList(source);
  await Promise.all([list.more(), list.more()]);
  assert.equal(source.calls, 1);
  await list.more();
  await list.more();
  assert.equal(list.items.length, 450);
  assert.ok(list.complete);
  await list.more();
  assert.equal(source.calls, 3);
});

test('new photos wait while the reader has scrolled, and come when asked for', async () => {
  const source = node(5), list = new PhotoList(source);
  await list.more();
  list.holding = () => true;
  source.all.unshift({ id: 'new' });
  await list.refresh(change(['new']));
  assert.deepEqual([ids(list).includes('new'), list.waiting], [false, 1]);
  list.release();
  assert.equal(ids(list)[0], 'new');
  list.holding = () => false;
  source.all.unshift({ id: 'newer' });
  await list.refresh();
  assert.equal(ids(list)[0], 'newer');
});

test('deleted photos go even while holding; changed ones are fetched alone', async () => {
  const source = node(300), list = new PhotoList(source);
  await list.more();
  list.holding = () => true;
  source.all.splice(3, 1);
  await list.refresh(change(['p3']));
  assert.ok(!ids(list).includes('p3'));
  source.all[0] = { id: 'p0', v: 2 };
  const before = source.calls;
  await list.refresh(change(['p0']));
  assert.equal(list.items[0].v, 2);
  assert.equal(source.calls, before);
});

test('a refresh keeps the loaded part and the cursor', async () => {
  const source = node(1200), list = new PhotoList(source);
  for (let i = 0; i < 4; i++) await list.more();
  source.all.unshift({ id: 'new' });
  list.holding = () => true;
  await list.refresh();
  assert.equal(list.waiting, 1);
  list.release();
  assert.ok(list.items.length >= 801 && !list.complete);
  while (!list.complete) await list.more();
  assert.equal(new Set(ids(list)).size, 1201);
});

test('a new photo in a long list costs one page', async () => {
  const source = node(3000), list = new PhotoList(source);
  while (!list.complete) await list.more();
  source.all.unshift({ id: 'new' });
  const before = source.calls;
  await list.refresh(change(['new', 'p7']));
  assert.equal(source.calls, before + 1);
  assert.deepEqual([ids(list)[0], ids(list).length], ['new', 3001]);
  list.holding = () => true;
  source.all.unshift({ id: 'newer' });
  await list.refresh(change(['newer']));
  assert.deepEqual([ids(list)[0], list.waiting], ['new', 1]);
  list.release();
  assert.deepEqual(ids(list), source.all.map((photo) => photo.id));
});

test('a photo that comes late stands where it belongs', async () => {
  const source = node(300), list = new PhotoList(source);
  while (!list.complete) await list.more();
  source.all.splice(20, 0, { id: 'late' });
  await list.refresh(change(['late']));
  assert.deepEqual(ids(list), source.all.map((photo) => photo.id));
  source.all.unshift({ id: 'new' });
  source.all.splice(100, 0, { id: 'later' });
  await list.refresh(change(['new', 'later']));
  assert.deepEqual(ids(list), source.all.map((photo) => photo.id));
});

test('what is said of a photo that was not read costs nothing', async () => {
  const source = node(3000), list = new PhotoList(source);
  await list.more();
  const before = source.calls;
  await list.refresh(change(['p2500'], ['fave']));
  await list.refresh(change([], ['comment'], ['m']));
  assert.equal(source.calls, before);
});

test('where any photo may have changed all that was read is read again', async () => {
  const source = node(300), list = new PhotoList(source);
  await list.more();
  source.all[5] = { id: 'p5', v: 2 };
  await list.refresh({ kinds: new Set(['photo']), targets: null });
  assert.equal(list.items[5].v, 2);
  // A moment that goes takes its photos along.
  source.all.splice(7, 1);
  await list.refresh(change([], ['moment'], ['m']));
  assert.ok(!ids(list).includes('p7'));
});

test('when a picture has arrived those photos are read that lacked some', async () => {
  const held = (preview) => ({ thumbnail: true, preview, original: true });
  const source = node(300), list = new PhotoList(source);
  source.all = source.all.map((photo, n) => ({ ...photo, held: held(n !== 7) }));
  await list.more();
  source.all[7] = { id: 'p7', held: held(true) };
  const before = source.calls;
  await list.refresh(change([], ['media']));
  assert.deepEqual([list.items[7].held.preview, source.calls], [true, before]);
});

test("a new photo of another moment is no news for a moment's list", async () => {
  const source = node(30), list = new PhotoList(source, 'm');
  await list.more();
  const before = source.calls;
  await list.refresh(change(['other'], ['photo'], ['n']));
  assert.equal(source.calls, before);
  source.all.unshift({ id: 'own' });
  await list.refresh(change(['own'], ['photo'], ['m']));
  assert.equal(ids(list)[0], 'own');
});
