// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { Element, browse, load, settled } from './element.mjs';
import { control, difference, problem, written } from '../../Sources/CWebAssets/web/js/lib/declared.js';
import { ANY, asked, filters, moved, restored, tree } from '../../Sources/CWebAssets/web/js/lib/find.js';
import { readDay, state as openAt, writeDay } from '../../Sources/CWebAssets/web/js/lib/hours.js';

const me = { id: 'me', name: 'Ana', me: true, level: 'host', fingerprint: '' };
const place = (id, more = {}) => ({ id, name: id, latitude: 55, longitude: 12, radius_m: 100, author: me, mine: true, posted: '2026-06-20T18:00:00.000Z', ...more });
const text = (name, more) => ({ name, type: 'text', required: false, writers: 'author', filter: false, limit: 200, ...more });
const stars = ['overall', 'service', 'atmosphere', 'products', 'price_level'].map((name) => ({ name, type: 'number', required: false, writers: 'author', filter: false, minimum: 1, maximum: name === 'price_level' ? 4 : 5 }));
const kinds = [{ name: 'rating', plural: 'ratings', picture: false, fields: stars },
  { name: 'stall', plural: 'stalls', picture: false, fields: [text('name', { required: true }), text('about', { limit: 4000, writers: 'attendee' }), text('rank', { writers: 'moderator' }),
    { name: 'size', type: 'choice', required: false, writers: 'author', choices: ['small', 'large'] }, { name: 'covered', type: 'flag', required: false, writers: 'author' },
    { name: 'tags', type: 'references', required: false, writers: 'author', limit: 2 }, { name: 'hours', type: 'hours', required: false, writers: 'attendee' }] }];
/** Answers to what is asked for, by path; a function of the address, or a promise. */
const routes = { kinds: { kinds }, categories: { categories: [] }, 'places/trending': { places: [] }, place_pages: { place_pages: [] }, site_plans: { site_plans: [] } };
const calls = browse({ 'PUT ratings': (body) => body, 'POST stalls': (body) => body });
const gets = [], before = globalThis.fetch;
globalThis.fetch = async (address, options = {}) => {
  const url = new URL(String(address), 'http://node'), path = url.pathname.replace('/api/v1/', '');
  if (!(path in routes) || options.method !== 'GET') return before(address, options);
  gets.push(`${path}${url.search}`);
  const answer = await (typeof routes[path] === 'function' ? routes[path](url.searchParams) : routes[path]);
  return { ok: true, status: 200, text: async () => JSON.stringify(answer) };
};
globalThis.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
const { setTimeout: wait } = globalThis;
// What would go from the screen later keeps no test waiting.
globalThis.setTimeout = (...all) => { const timer = wait(...all); timer.unref?.(); return timer; };
globalThis.scrollTo = () => {};
Element.prototype.classList = { toggle() {} };
const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
await (await load('core/i18n.js')).loadLanguage();
const { state } = await load('core/store.js');
state.status = { person: 'me', name: 'Ana', current: { id: 'e1', level: 'host', areas: ['venues', 'ratings'], time_zone: 'Europe/Copenhagen' } };
const { mountPlaces } = await load('views/places.js');
const { suggestField } = await load('places/suggest.js');
const { createFields } = await load('kinds/form.js');
const { mountPlace } = await load('views/place.js');
const { PhotoList } = await load('core/photolist.js');
const { api } = await load('core/api.js');
const { ratePlace } = await load('places/rating.js');

const texts = (els) => els.map((el) => el.textContent);
const named = (root, tag, name) => root.all(tag).find((el) => el.dataset.name === name);
const press = (input, key) => { const event = { key, isPrevented: false, preventDefault() { this.isPrevented = true; } }; input.listeners.keydown(event); return event; };
/** Lets the pause pass, and waits for the answer. */
async function paused() { mock.timers.tick(250); await settled(); }

test('all filters that hold are asked for at once, and a part of the map takes the place of a distance', () => {
  const pin = { latitude: 55.77, longitude: 12.5 }, all = { ...ANY, q: ' tea ', category: 'c1', open: true, price: 2, rating: 4, radius: 500, favourite: true };
  assert.deepEqual(asked(all, pin), { q: 'tea', category: 'c1', open: true, price: 2, rating: 4, favourite: true, near: '55.770000,12.500000', radius_m: 500, wide: false, within: null, limit: 40 });
  assert.equal(asked(all).radius_m, null, 'without a position there is no distance');
  assert.deepEqual([asked({ ...all, radius: 'wide' }, pin).wide, asked({ ...all, radius: 'wide' }, pin).radius_m], [true, null]);
  const within = { south: 1, west: 2, north: 3, east: 4 }, here = asked({ ...all, within }, pin);
  assert.deepEqual([here.within, here.radius_m, here.near], ['1.000000,2.000000,3.000000,4.000000', null, '55.770000,12.500000']);
  assert.equal(filters(all), 6);
});

test('a search that another version kept is read as far as it makes sense, and a loop of categories is drawn once', () => {
  assert.deepEqual(restored({ q: 'tea', price: 'dear', radius: 'wide', unknown: 1 }), { ...ANY, q: 'tea', radius: 'wide' });
  assert.deepEqual(restored(null), ANY);
  const loop = [{ id: 'a', name: 'A', parent: 'b' }, { id: 'b', name: 'B', parent: 'a' }, { id: 'c', name: 'C', parent: 'gone' }, { id: 'd', name: 'D', parent: 'c' }];
  assert.deepEqual(tree(loop).map(({ category, depth }) => `${category.id}${depth}`), ['c0', 'd1', 'a0', 'b1']);
  const area = { south: 0, north: 1, west: 0, east: 1 };
  assert.deepEqual([moved(null, area), moved(area, { ...area, north: 1.01 }), moved(area, { ...area, east: 1.5 })], [false, false, true]);
});

test('opening hours know midnight, the end of the week and what is open without end', () => {
  const hours = { friday: [['09:00', '12:00'], ['18:00', '02:00']], sunday: [['20:00', '24:00']], monday: [['00:00', '03:00']] };
  const told = (wall) => { const is = openAt(hours, wall); return [is.open, is.day, is.at, is.isToday].join(' '); };
  assert.equal(told('2026-11-27T08:59'), 'false friday 09:00 true');
  assert.equal(told('2026-11-27T12:00'), 'false friday 18:00 true');
  assert.equal(told('2026-11-28T01:59'), 'true saturday 02:00 true');
  assert.equal(told('2026-11-28T02:00'), 'false sunday 20:00 false');
  assert.equal(told('2026-11-29T23:00'), 'true monday 03:00 false');
  assert.equal(openAt(undefined, '2026-11-28T02:00'), null);
  const always = Object.fromEntries(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, [['00:00', '24:00']]]));
  assert.ok(openAt(always, '2026-11-28T02:00').always);
  assert.deepEqual(readDay('9-12, 18:30–2'), [['09:00', '12:00'], ['18:30', '02:00']]);
  assert.equal(writeDay(readDay('9:00-24')), '09:00–24:00');
  for (const bad of ['nine', '9', '25-26', '9:70-10', '1-2,2-3,3-4,4-5,5-6']) assert.equal(readDay(bad), null, bad);
});

test('a form has the fields that somebody writes, and sends what changed', () => {
  const stall = kinds[1], names = (who) => written(stall, who).map((field) => field.name).join();
  assert.equal(names({ isOwn: true, reaches: (level) => level === 'attendee' }), 'name,about,size,covered,tags,hours');
  assert.equal(names({ isOwn: false, reaches: (level) => level === 'attendee' }), 'about,hours');
  assert.equal(names({ isOwn: false, reaches: () => true }), 'about,rank,hours');
  assert.deepEqual([control(stall.fields[0]), control(stall.fields[1]), control(stars[0])], ['text', 'lines', 'slider']);
  assert.deepEqual(difference({ name: 'A', about: '', tags: [] }, null), { name: 'A' });
  assert.deepEqual(difference({ name: 'A', about: '', tags: [] }, { name: 'A', about: 'old' }), { about: null });
  assert.equal(problem(text('name', { limit: 3 }), 'éé')[0], 'kind.too_long', 'limits are bytes');
});

test('a form made of a declaration says at each field what is wrong, and reads all types', async () => {
  const form = createFields(kinds[1], null, { more: { tags: { options: [{ id: 't1', name: 'One' }, { id: 't2', name: 'Two' }, { id: 't3', name: 'Three' }] } } });
  assert.ok(!form.check());
  const root = new Element('form');
  root.append(...form.els);
  assert.match(root.textContent, /^NameThis is needed/);
  const inputs = root.all('input'), [name] = inputs, boxes = inputs.filter((one) => one.attributes.type === 'checkbox');
  name.value = 'Tea';
  for (const box of boxes.slice(1, 3)) { box.checked = true; box.listeners.change(); }
  assert.deepEqual(boxes.map((box) => Boolean(box.disabled)), [false, false, false, true], 'a third tag is too many');
  root.all('select')[0].value = 'large';
  const monday = inputs.find((one) => one.attributes['aria-label']?.endsWith('Monday'));
  monday.value = 'late';
  assert.ok(!form.check());
  assert.match(root.textContent, /Write times for Monday/);
  monday.value = '9-17';
  assert.ok(form.check());
  assert.deepEqual(await form.values(), { name: 'Tea', size: 'large', covered: false, tags: ['t1', 't2'], hours: { monday: [['09:00', '17:00']] } });
});

test('suggestions come in the order of the questions, and keys choose among them', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const waiting = [], done = [];
  const field = suggestField({ label: 'Find', value: '', ask: (words) => new Promise((answer) => waiting.push([words, answer])), choose: (one) => done.push(one.id), submit: (words) => done.push(`q:${words}`) });
  const list = field.el.all('ul')[0], write = (words) => { field.input.value = words; field.input.listeners.input(); };
  write('c');
  await paused();
  assert.equal(waiting.length, 0, 'one letter asks nothing');
  write('co');
  await paused();
  write('cof');
  await paused();
  const option = (id) => ({ kind: 'place', id, text: id });
  waiting[1][1]([option('new'), option('next')]);
  await settled();
  waiting[0][1]([option('old')]);
  await settled();
  assert.deepEqual(texts(list.all('li')), ['new', 'next'], 'a late answer never wins');
  assert.equal(field.input.attributes['aria-expanded'], 'true');
  press(field.input, 'ArrowDown');
  press(field.input, 'ArrowDown');
  assert.equal(field.input.attributes['aria-activedescendant'], list.children[1].attributes.id);
  assert.deepEqual(list.children.map((li) => li.attributes['aria-selected']), ['false', 'true']);
  press(field.input, 'Enter');
  assert.deepEqual([done, field.input.attributes['aria-expanded']], [['next'], 'false']);
  write('coff');
  await paused();
  press(field.input, 'Enter');
  waiting[2][1]([option('late')]);
  await settled();
  assert.deepEqual([done.at(-1), list.hidden], ['q:coff', true], 'what was searched for shows no suggestions later');
  write('coffe');
  await paused();
  waiting[3][1]([option('x')]);
  await settled();
  assert.ok(press(field.input, 'Escape').isPrevented);
  assert.ok(list.hidden);
  assert.ok(!press(field.input, 'Escape').isPrevented, 'without a list Escape empties the field');
  mock.timers.reset();
});

test('filters intersect in what is asked for, are remembered, and can be cleared', async () => {
  routes['places/find'] = { places: [place('Café')] };
  routes.categories = { categories: [{ id: 'c1', name: 'Drinks' }] };
  let root = new Element('main'), view = mountPlaces(root);
  await settled();
  await settled();
  assert.match(root.textContent, /1 place/);
  const choose = (name, value) => { const el = named(root, 'select', name); el.listeners.change({ target: { value } }); };
  choose('category', 'c1');
  choose('rating', '4');
  named(root, 'button', 'open').listeners.click();
  await settled();
  assert.equal(gets.filter((one) => one.startsWith('places/find')).at(-1), 'places/find?category=c1&open=true&rating=4&limit=40');
  view.stop();
  root = new Element('main');
  view = mountPlaces(root);
  await settled();
  await settled();
  assert.equal(gets.filter((one) => one.startsWith('places/find')).at(-1), 'places/find?category=c1&open=true&rating=4&limit=40', 'it is remembered');
  named(root, 'button', 'clear').listeners.click();
  await settled();
  assert.equal(gets.filter((one) => one.startsWith('places/find')).at(-1), 'places/find?limit=40');
  view.stop();
  kept.clear();
});

test('of two searches the answer to the later one stays, and what is not found can be added by its name', async () => {
  const waiting = [];
  routes['places/find'] = (params) => new Promise((done) => waiting.push([params.get('q'), done]));
  const root = new Element('main'), view = mountPlaces(root), form = root.all('form')[0], input = root.all('input')[0];
  const search = (words) => { input.value = words; form.listeners.submit({ preventDefault() {} }); };
  await settled();
  search('tea');
  search('zzz');
  await settled();
  assert.deepEqual(waiting.map(([q]) => q), [null, 'tea', 'zzz']);
  waiting[2][1]({ places: [] });
  await settled();
  waiting[1][1]({ places: [place('Tea house')] });
  waiting[0][1]({ places: [place('Anything')] });
  await settled();
  assert.match(root.textContent, /Nothing found/);
  assert.ok(!root.textContent.includes('Tea house'));
  assert.ok(texts(root.all('button')).includes('Add it'));
  view.stop();
  kept.clear();
});

test('who only reads sees no way to write, and where ratings are off nothing is told of them', async () => {
  routes['places/find'] = { places: [place('Café', { ratings: { count: 1, means: { overall: 4.6 } } })] };
  const shown = async () => { const root = new Element('main'), view = mountPlaces(root); await settled(); await settled(); view.stop(); return root; };
  assert.match((await shown()).textContent, /4.6 of 5 excellent/);
  state.status.current = { ...state.status.current, level: 'guest', areas: ['venues'] };
  const root = await shown();
  assert.ok(!root.textContent.includes('excellent'));
  assert.ok(!texts(root.all('button')).includes('Add a place'));
  assert.ok(!named(root, 'select', 'rating') && !named(root, 'button', 'favourite'));
  assert.ok(root.all('button').filter((one) => one.className.includes('favourite')).every((one) => one.hidden));
  state.status.current = { ...state.status.current, level: 'host', areas: ['venues', 'ratings'] };
});

test('one’s own rating is there again, and another one takes its place', async () => {
  await ratePlace(place('Café', { ratings: { count: 1, mine: { overall: 4, service: 2 } } }), () => {});
  const box = document.body.all('dialog').at(-1), [service, atmosphere, products, overall, dear] = box.all('input');
  assert.deepEqual([service, atmosphere, products, overall, dear].map((one) => Number(one.value)), [2, 0, 0, 4, 0]);
  assert.match(box.textContent, /Service2 · fair.*Overall4 · very good/);
  Object.assign(service, { value: '0' }).listeners.input();
  Object.assign(overall, { value: '5' }).listeners.input();
  assert.equal(overall.attributes['aria-valuetext'], '5 · excellent');
  await box.all('form')[0].listeners.submit({ preventDefault() {} });
  await settled();
  assert.deepEqual(calls.at(-1), ['PUT', 'ratings/Caf%C3%A9', { service: null, overall: 5 }]);
  assert.match(document.body.textContent, /Thank you for your opinion!/);
});

test('one’s own rating is taken back, and who has none is offered nothing to take back', async () => {
  const take = () => document.body.all('dialog').at(-1).all('button').find((one) => one.textContent === 'Remove my rating');
  await ratePlace(place('Bar'), () => {});
  assert.equal(take(), undefined);
  let done = 0;
  await ratePlace(place('Café', { ratings: { count: 1, mine: { overall: 4 } } }), () => { done += 1; });
  take().listeners.click();
  for (const _ of [1, 2, 3]) await settled();
  assert.deepEqual([calls.at(-1), done], [['DELETE', 'ratings/Caf%C3%A9', undefined], 1]);
});

test('a rating without a word for the whole is not sent', async () => {
  const sent = calls.length;
  await ratePlace(place('Bar'), () => {});
  const box = document.body.all('dialog').at(-1);
  await box.all('form')[0].listeners.submit({ preventDefault() {} });
  assert.equal(calls.length, sent);
  assert.match(box.textContent, /Overall.*This is needed/);
});

const bob = { id: 'bob', name: 'Bob', me: false, level: 'attendee', fingerprint: '' };
/** Puts a place on show. */
async function showPlace(of, { claims = [], ownerships = [], pages = [] } = {}) {
  Object.assign(routes, { [`places/${of.id}`]: of, claims: { claims }, ownerships: { ownerships }, place_pages: { place_pages: pages }, comments: { comments: [] }, photos: { photos: [] } });
  const root = new Element('main'), view = mountPlace(root, of.id, new PhotoList({ ...api }, of.id));
  for (const _ of [1, 2, 3]) await settled();
  return { root, view, buttons: () => texts(root.all('button')), button: (words) => root.all('button').find((one) => one.textContent === words) };
}

test('a place tells its hours, address, ratings and owner, and hosts answer a claim with one tap', async () => {
  state.people = [me, bob];
  const of = place('p1', { name: 'Café', address: 'Main street 1', telephone: '+45 12 34', hours: { monday: [['09:00', '17:00']] }, open: false, approved: true, ratings: { count: 2, means: { overall: 4.4 }, mine: { overall: 5 } } });
  const claim = { target: 'p1', author: bob, text: 'I bake there' };
  let { root, view, buttons, button } = await showPlace(of, { claims: [claim] });
  assert.match(root.textContent, /Café.*4.4 of 5 very good.*\(2 ratings\).*Closed now.*Main street 1.*Monday9:00/s);
  assert.match(root.textContent, /Nobody has claimed this place yet.*I bake there/s);
  assert.ok(buttons().includes('Change your rating'));
  button('Make owner').listeners.click();
  await settled();
  assert.deepEqual(calls.at(-1), ['POST', 'ownerships', { target: 'p1', person: 'bob', on: true }]);
  button('Decline').listeners.click();
  await settled();
  assert.deepEqual(calls.at(-1), ['POST', 'ownerships', { target: 'p1', person: 'bob', on: false }]);
  view.stop();
  const page = { target: 'p1', author: bob, text: 'Fresh', website: 'javascript:alert(1)' };
  ({ root, view } = await showPlace(of, { ownerships: [{ person: 'bob', on: true }], pages: [page] }));
  assert.match(root.textContent, /Fresh.*Bob, owner.*Owned by Bob/s);
  assert.ok(!root.all('a').some((a) => a.attributes.href.startsWith('javascript')));
  view.stop();
});

test('a favourite that is chosen in the list is one on the place’s page, and is taken back there', async () => {
  routes['places/find'] = { places: [place('p1', { name: 'Café', favourites: { count: 0, mine: false } })] };
  const list = new Element('main'), favourites = (root) => root.all('button').filter((one) => one.className.includes('favourite'));
  let view = mountPlaces(list);
  await settled();
  await settled();
  const [button] = favourites(list);
  assert.equal(button.getAttribute('aria-pressed'), 'false');
  await button.listeners.click({ preventDefault() {}, stopPropagation() {} });
  assert.deepEqual([calls.at(-1).slice(0, 2), button.getAttribute('aria-pressed')], [['PUT', 'favourites/p1'], 'true']);
  view.stop();
  const shown = await showPlace(place('p1', { name: 'Café', favourites: { count: 1, mine: true } }));
  const [there] = favourites(shown.root);
  assert.equal(there.getAttribute('aria-pressed'), 'true');
  await there.listeners.click({ preventDefault() {}, stopPropagation() {} });
  assert.deepEqual([calls.at(-1).slice(0, 2), there.getAttribute('aria-pressed')], [['DELETE', 'favourites/p1'], 'false']);
  shown.view.stop();
  kept.clear();
});

test('who stands at a place by its code is remembered there, and checks in without a position', async () => {
  location.hash = '#code';
  const { view, button } = await showPlace(place('p2', { name: 'Bar' }));
  assert.deepEqual(JSON.parse(kept.get('mingle.places.e1')).pin, { latitude: 55, longitude: 12, name: 'Bar' });
  await button('Check in').listeners.click();
  await settled();
  const box = document.body.all('dialog').at(-1);
  await box.all('button').find((one) => one.textContent === 'I scanned the code here').listeners.click();
  await settled();
  assert.deepEqual(calls.at(-1), ['POST', 'check_ins', { target: 'p2', source: 'code' }]);
  view.stop();
  location.hash = '';
  kept.clear();
});

test('at a door nothing is offered that it refuses, and who only looks changes nothing', async () => {
  const of = place('p3', { name: 'Stage', author: bob, mine: false });
  document.documentElement.className = 'visitor';
  state.status.current = { ...state.status.current, level: 'attendee' };
  let { root, view, buttons } = await showPlace(of);
  for (const words of ['Rate', 'Check in', 'Fave']) assert.ok(buttons().includes(words), words);
  for (const words of ['Edit', 'Is this yours?', 'Approve']) assert.ok(!buttons().includes(words), words);
  assert.ok(root.all('button').filter((one) => one.className.includes('favourite')).every((one) => one.hidden));
  view.stop();
  state.status.current = { ...state.status.current, level: 'guest' };
  ({ root, view, buttons } = await showPlace(of));
  for (const words of ['Rate', 'Check in']) assert.ok(!buttons().includes(words), words);
  assert.equal(root.all('textarea').length, 0);
  view.stop();
  document.documentElement.className = '';
  state.status.current = { ...state.status.current, level: 'host' };
});

test('a photo of a place comes into its list when the stream tells of one', async () => {
  const held = [{ id: 'f1', author: me, posted: '2026-06-20T18:00:00.000Z', held: {} }];
  const list = new PhotoList({ photos: async () => ({ photos: [...held] }), photo: async (id) => held.find((one) => one.id === id) }, 'p1');
  await list.more();
  held.unshift({ id: 'f2', author: me, posted: '2026-06-20T18:01:00.000Z', held: {} });
  await list.refresh({ kinds: new Set(['photo']), targets: { photo: new Set(['f2']), place: new Set(['p1']) } });
  assert.deepEqual(list.items.map((one) => one.id), ['f2', 'f1']);
  await list.refresh({ kinds: new Set(['photo']), targets: { photo: new Set(['f3']), place: new Set(['p9']) } });
  assert.equal(list.items.length, 2);
});

test('news near the person’s pin are asked for in order of time, and lead to the place', async () => {
  const { mountNews, newsList } = await load('views/news.js');
  kept.set('mingle.places.e1', JSON.stringify({ pin: { latitude: 55.77, longitude: 12.5 } }));
  const item = { type: 'rating', at: '2026-06-20T18:00:00.000Z', people: [bob], count: 1, thing: { kind: 'place', id: 'p1', title: 'Café' }, rating: 4.6, comments: [], comment_count: 0, photos: [], photo_count: 0 };
  routes.news = { items: [item] };
  const root = new Element('main'), photos = { more: async () => {}, refresh: async () => {} };
  Element.prototype.querySelectorAll = () => [];
  const view = mountNews(root, newsList(), photos);
  await settled();
  root.all('button').find((one) => one.textContent === 'Near me').listeners.click();
  await settled();
  assert.equal(gets.filter((one) => one.startsWith('news')).at(-1), 'news?order=newest&near=55.770000%2C12.500000');
  assert.deepEqual(root.all('a').map((a) => a.attributes.href), ['/places/p1']);
  view.stop();
  kept.clear();
});

test('a search for a place by its name moves the pin there', async () => {
  const { pinControl } = await load('kinds/pin.js');
  const pin = pinControl(null, 'Pin', [{ id: 'p1', title: 'Café Sol', latitude: 55.7, longitude: 12.5 }, { id: 'p2', title: 'Bar', latitude: 55.8, longitude: 12.6 }]);
  await settled();
  const input = pin.el.all('input').find((one) => one.attributes.type === 'search'), type = (words) => { input.value = words; input.listeners.input(); };
  const enter = () => input.listeners.keydown({ key: 'Enter', preventDefault: () => {} });
  type('café sol');
  assert.deepEqual(pin.read(), { latitude: 55.7, longitude: 12.5 });
  type('b');
  assert.equal(pin.read().latitude, 55.7);
  enter();
  assert.deepEqual(pin.read(), { latitude: 55.8, longitude: 12.6 });
  type('zoo');
  enter();
  assert.ok(pin.el.all('p').some((one) => one.textContent === 'No place here is called that.'));
  assert.equal(pin.read().latitude, 55.8);
  pin.stop();
});
