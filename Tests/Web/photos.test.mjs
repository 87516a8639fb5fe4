// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { at, placesOf, stepOf } from '../../Sources/CWebAssets/web/js/lib/scrub.js';
import { ofCategory } from '../../Sources/CWebAssets/web/js/lib/moments.js';
import { inUse, offered } from '../../Sources/CWebAssets/web/js/lib/themes.js';
import { PhotoList } from '../../Sources/CWebAssets/web/js/core/photolist.js';
import { fromInput, toInput } from '../../Sources/CWebAssets/web/js/lib/time.js';
import { Element, browse, load, settled } from './element.mjs';

const hour = (n, count) => ({ start: new Date(Date.UTC(2026, 5, 20, n)).toISOString(), count, before: `c${n}` });

test('a time stands on the scrubber where so many photos come before it', () => {
  const times = [hour(23, 30), hour(22, 10), hour(9, 60)], places = placesOf(times);
  assert.deepEqual(places, [0, 0.3, 1]);
  assert.deepEqual([0, 0.1, 0.2, 0.4, 0.9, 1.2].map((share) => stepOf(places, share)), [0, 0, 1, 1, 2, 2]);
  assert.deepEqual(placesOf([]), []);
});

test('a photo belongs to its hour, and to the next one down where its hour has gone', () => {
  const times = [hour(23, 1), hour(22, 1), hour(9, 1)];
  assert.deepEqual(['2026-06-20T23:59:00Z', '2026-06-20T22:00:00Z', '2026-06-20T15:00:00Z', '2026-06-20T01:00:00Z'].map((when) => at(times, when)), [0, 1, 2, 2]);
});

test('a category takes in those below it, and a loop in the tree does no harm', () => {
  const tree = [{ id: 'music' }, { id: 'jazz', parent: 'music' }, { id: 'bop', parent: 'jazz' }, { id: 'a', parent: 'b' }, { id: 'b', parent: 'a' }];
  const moments = [{ id: 1, categories: ['bop'] }, { id: 2, categories: ['a'] }, { id: 3 }];
  assert.deepEqual(ofCategory(moments, 'music', tree).map((m) => m.id), [1]);
  assert.deepEqual(ofCategory(moments, 'b', tree).map((m) => m.id), [2]);
  assert.equal(ofCategory(moments, '', tree).length, 3);
});

test('times of the event are typed in its zone, over midnight and over a clock change', () => {
  const zone = 'Europe/Madrid';
  assert.equal(toInput('2026-06-20T22:30:00Z', zone), '2026-06-21T00:30');
  for (const at of ['2026-06-20T22:30:00.000Z', '2026-01-01T00:00:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25T02:30:00.000Z', '2026-03-29T01:30:00.000Z']) assert.equal(fromInput(toInput(at, zone), zone), at);
  // Shown twice: the first of the two. Left out: as much later.
  assert.equal(fromInput('2026-10-25T02:30', zone), '2026-10-25T00:30:00.000Z');
  assert.equal(fromInput('2026-03-29T02:30', zone), '2026-03-29T01:30:00.000Z');
  assert.deepEqual([fromInput('', zone), fromInput('soon', zone)], ['', '']);
});

/** A source of photos that keeps what it was asked for. */
function source(asked) {
  const all = Array.from({ length: 900 }, (_, n) => ({ id: `p${n}`, posted: new Date(9e11 - n * 60000).toISOString(), taken: n % 2 ? new Date(8e11).toISOString() : undefined, held: {} }));
  return {
    photos: async (target, before, limit, narrowed) => {
      asked.push([target, before, narrowed]);
      const from = before ? Number(before) : 0;
      return { photos: all.slice(from, from + limit), next: from + limit < all.length ? String(from + limit) : null };
    },
  };
}

test('a list goes on behind a cursor, is read again from there, and begins anew at the top', async () => {
  const asked = [], list = new PhotoList(source(asked), 'm1', { faved: true });
  await list.more();
  list.jump('600');
  await list.more();
  assert.deepEqual([list.items[0].id, list.items.length], ['p600', 200]);
  assert.deepEqual(asked.at(-1), ['m1', '600', { faved: true }]);
  await list.refresh();
  assert.equal(list.items[0].id, 'p600');
  list.jump(null);
  await list.more();
  assert.equal(list.items[0].id, 'p0');
});

test('what was asked for before a jump comes too late', async () => {
  const list = new PhotoList(source([]));
  const first = list.more();
  list.jump('600');
  await Promise.all([first, list.more()]);
  assert.equal(list.items[0].id, 'p600');
  assert.equal(list.items.length, 200);
});

test('by the time taken, what says none stands where it was shared', () => {
  const photo = { posted: 'p', taken: 't' };
  assert.deepEqual([new PhotoList({}).time(photo), new PhotoList({}, null, { order: '-taken' }).time(photo), new PhotoList({}, null, { order: '-taken' }).time({ posted: 'p' })], ['p', 't', 'p']);
});

test('photos are narrowed to a person, one’s own, faves and a moment, and all of them are one choice away', async () => {
  browse({ people: () => ({ people: [] }) });
  Element.prototype.classList = { toggle: () => {}, add: () => {}, remove: () => {}, contains: () => false };
  Element.prototype.contains = () => false;
  await (await load('core/i18n.js')).loadLanguage();
  const { state } = await load('core/store.js');
  const { createNarrowing } = await load('ui/narrow.js');
  const { PhotoList: List } = await load('core/photolist.js');
  state.status = { person: 'me', name: 'Ana', current: { id: 'e1' } };
  state.people = [{ id: 'me', name: 'Ana', me: true }, { id: 'bob', name: 'Bob' }];
  state.moments = [{ id: 'm1', title: 'Toast', photos: 3 }, { id: 'm2', title: 'Walk', photos: 0 }];
  const el = new Element('div'), shown = [];
  const narrow = createNarrowing(el, (list) => { shown.push(list && [list.moment, list.narrowed]); narrow.draw(list ?? new List({})); });
  narrow.draw(new List({}));
  const [whose, moment, what, order] = el.all('select');
  assert.deepEqual(whose.all('option').map((one) => one.textContent), ['Everyone', 'Mine', 'Faves', 'Bob']);
  assert.deepEqual(moment.all('option').map((one) => one.textContent), ['Moments', 'Toast']);
  const choose = (one, value) => one.listeners.change({ target: { value } });
  choose(whose, 'bob');
  choose(moment, 'm1');
  choose(order, '-taken');
  choose(whose, 'faved');
  choose(moment, '');
  choose(order, '');
  choose(whose, '');
  assert.equal(what.hidden, true);
  choose(what, 'clips');
  assert.equal(what.hidden, false);
  choose(what, '');
  assert.deepEqual(shown, [[null, { author: 'bob' }], ['m1', { author: 'bob' }], ['m1', { author: 'bob', order: '-taken' }], ['m1', { order: '-taken', faved: true }], [null, { order: '-taken', faved: true }], [null, { faved: true }], null, [null, { clips: true }], null]);
  await settled();
});

test('photos around the pin are one page by rank, asked for by the pin, and keep how far away they are', async () => {
  const { PhotoList: List } = await load('core/photolist.js');
  const asked = [], near = { photos: async (_, before, limit, narrowed) => { asked.push(narrowed); return { photos: [{ id: 'a', posted: 'p', distance_m: 40 }] }; }, photo: async () => ({ id: 'a', posted: 'p', faves: 1 }) };
  const list = new List(near, null, { near: '1,2' });
  await list.more();
  assert.ok(list.isRanked && list.complete && !new List(near).isRanked);
  await list.refresh({ kinds: new Set(['fave']), targets: { photo: new Set(['a']) } });
  assert.deepEqual([list.items[0], asked.length], [{ id: 'a', posted: 'p', faves: 1, distance_m: 40 }, 1]);
});

test('votes are thumbs until one votes, then shares; the same again takes the vote back', async () => {
  let votes;
  const sent = browse({ 'PUT votes': ({ up }) => { votes = { up: up ? 3 : 2, down: up ? 1 : 2, mine: up }; return {}; }, 'DELETE votes': () => { votes = undefined; return {}; }, 'GET photos': () => ({ id: 'a', ...(votes && { votes }) }) });
  await (await load('core/i18n.js')).loadLanguage();
  const { state } = await load('core/store.js');
  state.status = { person: 'me', current: { id: 'e1', level: 'attendee' } };
  const { votingButtons } = await load('ui/voting.js');
  let photo = { id: 'a' };
  const voting = votingButtons({ isRanked: true }, () => photo, (of) => { photo = { ...photo, votes: of.votes }; });
  const words = () => { voting.draw(); return voting.el.all('button').map((one) => `${one.textContent}${one.attributes['aria-pressed'] === 'true' ? '!' : ''}`); };
  const press = async (n) => { voting.el.all('button')[n].listeners.click(); for (let turn = 0; turn < 4; turn += 1) await settled(); };
  assert.deepEqual(words(), ['', '']);
  await press(0);
  assert.deepEqual(words(), ['75%!', '25%']);
  await press(1);
  assert.deepEqual(words(), ['50%', '50%!']);
  await press(1);
  assert.deepEqual([words(), photo.votes], [['', ''], undefined]);
  assert.deepEqual(sent.filter(([method]) => method !== 'GET').map(([method, path, body]) => [method, path, body]), [['PUT', 'votes/a', { up: true }], ['PUT', 'votes/a', { up: false }], ['DELETE', 'votes/a', undefined]]);
  photo = { ...photo, mine: true };
  words();
  assert.equal(voting.el.hidden, true, 'nobody votes on an own photo');
});

const themes = [{ id: 'art', name: 'Art', categories: ['museum'] }, { id: 'food', name: 'Food', priced: true, weight: 5, categories: ['bar'] }, { id: 'view', name: 'View', weight: 9 }];

test('themes of a place’s categories are offered, the heaviest first, and those in use are known', () => {
  const names = (all) => all.map((one) => one.name);
  assert.deepEqual([names(offered(themes, ['bar'])), names(offered(themes, [])), names(offered(themes, null))], [['View', 'Food'], ['View'], ['View', 'Food', 'Art']]);
  assert.deepEqual(names(inUse(themes, [{ theme: 'view' }, { theme: 'gone' }, {}, { theme: 'food' }])), ['Food', 'View']);
});

test('a clip’s author chooses its theme, and a price where the theme has one', async () => {
  browse({ themes: () => ({ themes }), places: () => ({ categories: ['bar'] }) });
  await (await load('core/i18n.js')).loadLanguage();
  const { state } = await load('core/store.js');
  state.status = { current: { id: 'e2', currency: 'EUR' } };
  const { themeControls } = await load('places/theming.js');
  const { els: [theme, price], ...controls } = await themeControls({ id: 'c', place: 'p', theme: 'food', price: 450 });
  const [select, input] = [theme.all('select')[0], price.all('input')[0]];
  assert.deepEqual([theme.all('option').map((one) => one.textContent), price.hidden, input.value, controls.read()], [['None', 'View', 'Food'], false, '4.50', {}]);
  input.value = '12,5';
  assert.deepEqual([controls.check(), controls.read()], [true, { theme: 'food', price: 1250 }]);
  select.value = 'view';
  theme.listeners.change();
  assert.deepEqual([price.hidden, controls.check(), controls.read()], [true, true, { theme: 'view', price: undefined }]);
  select.value = '';
  theme.listeners.change();
  assert.deepEqual(controls.read(), { theme: '', price: undefined });
});

test('a photo tells near which place it was taken, with the address, and the numbers where none is near', async () => {
  const places = [[{ id: 'p1', name: 'Café Sol', address: 'High Street 1' }], []];
  browse({ places: () => ({ places: places.shift() }) });
  const { aboutPhoto } = await load('ui/about.js');
  const tell = async (latitude) => { const lines = aboutPhoto({ id: 'x', title: '', latitude, longitude: 12.5, held: {} }, null).filter((one) => one instanceof Element); await settled(); return lines[0].textContent; };
  assert.deepEqual([await tell(55.7), await tell(55.8)], ['Near Café Sol · High Street 1', '55.8000, 12.5000']);
});
