// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load } from './element.mjs';
import { createRota, isForAll, PAGE } from '../../Sources/CWebAssets/web/js/wall/rota.js';

const photo = (id, more = {}) => ({ id: String(id), held: { preview: true }, ...more });
const gone = Object.assign(new Error('gone'), { status: 404 });

/** Photos as a node has them, newest first, in pages. */
function event(photos) {
  return {
    photos: async (_, before, limit) => {
      const at = before ? photos.findIndex((one) => one.id === before) + 1 : 0, some = photos.slice(at, at + limit);
      return { photos: [...some], ...(at + limit < photos.length ? { next: some.at(-1).id } : {}) };
    },
    photo: async (id) => photos.find((one) => one.id === id) ?? Promise.reject(gone),
  };
}

const turns = async (rota, n, shown = new Set()) => {
  const ids = [];
  for (let i = 0; i < n; i++) ids.push((await rota.next(shown))?.id);
  return ids;
};

test('the screen begins with the newest photo and goes round all of them', async () => {
  const photos = Array.from({ length: PAGE + 2 }, (_, n) => photo(n));
  const rota = createRota(event(photos));
  await rota.look();
  assert.deepEqual(await turns(rota, PAGE + 3), [...photos.map((one) => one.id), '0']);
});

test('a new photo comes before the others, and several in the order in which they were shared', async () => {
  const photos = [photo('b'), photo('a')], rota = createRota(event(photos));
  await rota.look();
  assert.deepEqual(await turns(rota, 1), ['b']);
  photos.unshift(photo('d'), photo('c'));
  await rota.look();
  await rota.look();
  assert.equal(rota.waiting(), 2);
  assert.deepEqual(await turns(rota, 4), ['c', 'd', 'a', 'd']);
});

test('what has not arrived is passed over, and is new once it has arrived', async () => {
  const late = photo('b', { held: { preview: false } }), rota = createRota(event([late, photo('a')]));
  await rota.look();
  assert.deepEqual(await turns(rota, 2), ['a', 'a']);
  late.held = { preview: true };
  await rota.look();
  assert.deepEqual(await turns(rota, 1), ['b']);
});

test('what was hidden, deleted or is private is not shown, though it was listed before', async () => {
  const photos = [photo('e'), photo('d'), photo('c', { private: true }), photo('b'), photo('a')], rota = createRota(event(photos));
  await rota.look();
  photos[0].hidden = { reason: 'rude' };
  photos.splice(3, 1);
  assert.deepEqual(await turns(rota, 2), ['d', 'a']);
  assert.ok(!isForAll(photos[0]) && isForAll(photos[1]));
});

test('what is on the screen is not shown twice, and where there is no other nothing changes', async () => {
  const rota = createRota(event([photo('b'), photo('a')]));
  await rota.look();
  assert.deepEqual(await turns(rota, 1, new Set(['b'])), ['a']);
  assert.deepEqual(await turns(rota, 1, new Set(['a', 'b'])), [undefined]);
  const empty = createRota(event([]));
  await empty.look();
  assert.deepEqual(await turns(empty, 1), [undefined]);
});

test('a node that does not answer is an error, and the turn is not lost for all of it', async () => {
  const world = event([photo('b'), photo('a')]), rota = createRota(world), read = world.photo;
  await rota.look();
  world.photo = () => Promise.reject(new Error('silent'));
  await assert.rejects(rota.next(new Set()), /silent/);
  world.photo = read;
  assert.deepEqual(await turns(rota, 2), ['a', 'b']);
});

test('however many photos come, little of them is kept', async () => {
  const photos = [photo(0)], rota = createRota(event(photos));
  await rota.look();
  let most = 0;
  for (let n = 1; n <= 3000; n++) {
    photos.unshift(photo(n));
    if (n % 20 === 0) { await rota.look(); await turns(rota, 1); }
    most = Math.max(most, rota.size());
  }
  assert.ok(most <= 24 + PAGE + 500, String(most));
  assert.equal(rota.waiting(), 23);
});

/** A place on the screen, and what ends the loading of its pictures, in order. */
async function place(context) {
  browse({});
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const loading = [];
  Element.prototype.decode = () => new Promise((done, fail) => { loading.push({ done, fail }); });
  const { createTile } = await load('wall/tile.js');
  const tile = createTile('first');
  const picture = (id) => ({ ...photo(id), title: '', author: { name: 'Ana' }, posted: '2026-06-20T18:00:00.000Z' });
  return { tile, loading, picture, images: () => tile.el.all('img').map((img) => img.src) };
}

test('a picture comes over the one before once it is there, and then that one goes', async (context) => {
  const { tile, loading, picture, images } = await place(context);
  const first = tile.show(picture('a'));
  assert.ok(tile.el.hidden);
  loading.shift().done();
  assert.equal(await first, true);
  const second = tile.show(picture('b'));
  assert.deepEqual(tile.ids(), ['a', 'b']);
  loading.shift().done();
  await second;
  assert.deepEqual(images(), ['a', 'b'].map((id) => `/api/v1/media/${id}/preview`));
  context.mock.timers.tick(2000);
  assert.deepEqual(images(), ['/api/v1/media/b/preview']);
});

test('a picture that is hidden while it loads never shows, and one that cannot be loaded leaves what was there', async (context) => {
  const { tile, loading, picture, images } = await place(context);
  const first = tile.show(picture('a'));
  tile.clear();
  loading.shift().done();
  assert.equal(await first, false);
  assert.deepEqual([images(), tile.ids()], [[], []]);
  const second = tile.show(picture('b'));
  loading.shift().done();
  await second;
  const third = tile.show(picture('c'));
  loading.shift().fail(new Error());
  assert.equal(await third, false);
  assert.deepEqual([images().length, tile.ids()], [1, ['b']]);
  tile.clear();
  assert.deepEqual([images(), tile.el.hidden], [[], true]);
});
