// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { Element, browse, load, settled } from './element.mjs';
import { byPlace, countdown, grouped, nextTurn } from '../../Sources/CWebAssets/web/js/lib/deals.js';
import { money, readMoney, typedMoney } from '../../Sources/CWebAssets/web/js/lib/money.js';

const me = { id: 'me', name: 'Ana', me: true, level: 'attendee', fingerprint: '' }, bob = { id: 'bob', name: 'Bob', me: false, level: 'attendee', fingerprint: '' };
const now = Date.now(), at = (seconds) => new Date(now + seconds * 1000).toISOString();
const deal = (id, more = {}) => ({ id, title: id, start: at(-60), end: at(3600), place: { id: 'p1', name: 'Café', latitude: 55, longitude: 12 }, author: bob, mine: false, confirms: false, private: false, posted: at(-60), ...more });
const sum = (name) => ({ name, type: 'number', required: false, writers: 'author', minimum: 0, maximum: 1e12 });
const kind = { name: 'deal', plural: 'deals', picture: true, fields: [
  { name: 'title', type: 'text', required: true, writers: 'author', limit: 200 }, { name: 'text', type: 'text', required: false, writers: 'author', limit: 4000 }, { name: 'terms', type: 'text', required: false, writers: 'author', limit: 4000 },
  ...['start', 'end'].map((name) => ({ name, type: 'time', required: true, writers: 'author' })), sum('price'), sum('price_before'), { name: 'quantity', type: 'number', required: false, writers: 'author', minimum: 1, maximum: 1e6 },
] };
/** Answers to what is asked for, by path; a function of the address, or a promise. */
const routes = { kinds: { kinds: [kind] }, ownerships: { ownerships: [] }, deals: { deals: [] }, comments: { comments: [] }, devices: { devices: [] }, 'places/p1': { id: 'p1', name: 'Café' } };
/** What the node answers to a use. */
let answered = {};
const calls = browse({ 'PUT deal_uses': () => answered, 'PATCH deals': (body) => body, 'POST deals': (body) => ({ id: 'new', ...body }) });
const before = globalThis.fetch, gets = [];
globalThis.fetch = async (address, options = {}) => {
  const url = new URL(String(address), 'http://node'), path = url.pathname.replace('/api/v1/', '');
  if (!(path in routes) || options.method !== 'GET') return before(address, options);
  gets.push(`${path}${url.search}`);
  const answer = await (typeof routes[path] === 'function' ? routes[path](url.searchParams) : routes[path]);
  return { ok: !answer.status, status: answer.status ?? 200, text: async () => JSON.stringify(answer) };
};
globalThis.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
globalThis.scrollTo = () => {};
const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
Element.prototype.classList = { toggle() {}, add() {} };
Element.prototype.close = function close() { this.listeners.close?.(); };
Object.assign(globalThis.history, { pushState() {}, replaceState() {} });
globalThis.scrollY = 0;
await (await load('core/i18n.js')).loadLanguage();
const { emit, state } = await load('core/store.js');
state.people = [me, bob];
state.status = { person: 'me', name: 'Ana', current: { id: 'e1', level: 'attendee', areas: ['venues', 'deals', 'ratings'], time_zone: 'Europe/Copenhagen', currency: 'EUR' } };
const { mountDeals } = await load('views/deals.js');
const { mountDeal } = await load('views/deal.js');
const { dealForm } = await load('deals/form.js');
const { useDeal } = await load('deals/use.js');
const { dealsPart } = await load('deals/here.js');
const { ownerPart } = await load('deals/owner.js');

// The clock of the page rests while nobody looks, also after a test that failed.
after(() => { document.hidden = true; });

const button = (root, words) => root.all('button').find((one) => one.textContent === words);
const sheets = () => document.body.all('dialog'), top = () => sheets().at(-1);
const submit = (box) => box.all('form')[0].listeners.submit({ preventDefault() {} });
const titles = (root) => root.all('h3').filter((one) => !one.className.includes('label')).map((one) => one.textContent);
/** Waits until all that was asked for is there, the code of sheets too. */
async function quiet() { for (let i = 0; i < 4; i++) await settled(); }
/** Waits for what comes with code of its own. @param {() => any} is */
async function until(is) { for (let i = 0; i < 2000 && !is(); i++) await settled(); assert.ok(is()); }
async function shown(id, of) {
  routes[`deals/${id}`] = of;
  const root = new Element('main'), view = mountDeal(root, id);
  await quiet();
  return { root, view };
}

test('a countdown has hours, minutes and seconds, and from a day on words', () => {
  const left = (seconds) => countdown(seconds * 1000, 'en');
  assert.deepEqual([59, 60, 3600, 86399, 0, -5].map(left), ['00:00:59', '00:01:00', '01:00:00', '23:59:59', '00:00:00', '00:00:00']);
  assert.equal(countdown(58_001, 'en'), '00:00:59', 'a second that has begun counts');
  assert.deepEqual([86400, 2 * 86400 + 7200].map(left), ['1 day', '2 days, 2 hours']);
});

test('sums are whole numbers of the smallest unit, as many digits as the currency has', () => {
  assert.deepEqual(['4.99', '4,9', '4', '0'].map((text) => readMoney(text, 'EUR')), [499, 490, 400, 0]);
  for (const bad of ['4.999', '-1', 'cheap', '1e3', '', '12345678901234', '1.']) assert.ok(Number.isNaN(readMoney(bad, 'EUR')), bad);
  assert.equal(readMoney('500', 'JPY'), 500);
  for (const none of ['JPY', undefined]) assert.ok(Number.isNaN(readMoney('4.5', none)));
  assert.deepEqual([money(499, 'EUR', 'en'), money(500, 'JPY', 'en'), money(1500, undefined, 'en')], ['€4.99', '¥500', '1,500']);
  assert.deepEqual([typedMoney(499, 'EUR', 'es'), typedMoney(123400, 'EUR', 'en'), typedMoney(5, undefined, 'en')], ['4,99', '1234.00', '5']);
});

test('deals are grouped by where they stand, and by places', () => {
  const all = [deal('old', { start: at(-90), end: at(-30) }), deal('late', { end: at(99) }), deal('soon', { end: at(9) }), deal('next', { start: at(5), end: at(50) }), deal('older', { start: at(-90), end: at(-60) })];
  const groups = grouped(all, now);
  assert.deepEqual(Object.values(groups).map((some) => some.map((one) => one.id)), [['soon', 'late'], ['next'], ['old', 'older']]);
  assert.equal(nextTurn(all, now), now + 5000);
  assert.equal(nextTurn([], now), Infinity);
  assert.deepEqual(byPlace([...all, deal('far', { place: { id: 'p2' } })]).map((one) => [one.id, one.deals.length]), [['p1', 5], ['p2', 1]]);
});

test('what can be used is listed with its price, what is left and how long it lasts, and goes when it ends', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now });
  const open = [deal('Soup', { end: at(20) }), deal('Tea', { price: 499, price_before: 899, left: 3 })], { addEventListener } = document;
  let looked = () => {};
  document.addEventListener = (_, f) => { looked = f; };
  routes.deals = (params) => ({ deals: params.has('list') ? [] : open });
  const root = new Element('main'), view = mountDeals(root);
  await quiet();
  assert.deepEqual(titles(root), ['Soup', 'Tea']);
  assert.match(root.textContent, /00:00:20.*€4.99before €8.99Ends in 01:00:003 leftCafé/);
  assert.ok(!button(root, 'Mine') && !button(root, 'New deal'), 'who owns no place offers none');
  document.hidden = true;
  looked();
  mock.timers.tick(9500);
  assert.match(root.textContent, /00:00:20/, 'it rests while nobody looks');
  document.hidden = false;
  looked();
  assert.match(root.textContent, /00:00:11.*00:59:51/);
  mock.timers.tick(10_000);
  assert.match(root.textContent, /00:00:01/);
  mock.timers.tick(1000);
  assert.deepEqual(titles(root), ['Tea']);
  view.stop();
  Object.assign(document, { addEventListener });
});

test('“Inspire me” opens a deal that can be used, and the pin narrows what is listed', async () => {
  kept.set('mingle.places.e1', JSON.stringify({ pin: { latitude: 55, longitude: 12 } }));
  routes.deals = (params) => ({ deals: params.has('list') ? [] : [deal('Gone', { left: 0 }), deal('Tea', { distance_m: 180 })] });
  const root = new Element('main'), view = mountDeals(root), went = [];
  await quiet();
  assert.ok(gets.includes('deals?near=55.000000%2C12.000000&limit=200'));
  assert.match(root.textContent, /Near me.*Café 180 m/);
  globalThis.history.pushState = (_, __, path) => went.push(path);
  button(root, 'Inspire me').listeners.click();
  assert.deepEqual(went, ['/deals/Tea']);
  button(root, 'Of my favourites').listeners.click();
  await quiet();
  assert.equal(gets.at(-1), 'deals?list=favourites&near=55.000000%2C12.000000&limit=200');
  button(root, 'All').listeners.click();
  await quiet();
  view.stop();
  kept.clear();
});

test('a place lists its deals, and offers another one to its owner alone', async () => {
  routes.deals = { deals: [deal('Tea')] };
  const part = dealsPart('p1');
  part.own(false);
  await part.refresh();
  assert.deepEqual([part.el.all('a').map((a) => a.attributes.href), part.el.all('button').length], [['/deals/Tea'], 0]);
  part.own(true);
  assert.ok(button(part.el, 'New deal'));
  part.stop();
});

test('of two lists the answer to the later question stays', async () => {
  const waiting = [];
  routes.deals = (params) => (params.get('list') === 'mine' ? { deals: [] } : new Promise((done) => waiting.push([params.get('list'), done])));
  const root = new Element('main'), view = mountDeals(root);
  await quiet();
  button(root, 'Used by me').listeners.click();
  await quiet();
  assert.deepEqual(waiting.map(([list]) => list), [null, 'used']);
  waiting[1][1]({ deals: [deal('Cake', { end: at(-9), use: { at: at(-30), state: 'used_up' } })] });
  await quiet();
  waiting[0][1]({ deals: [deal('Soup')] });
  await quiet();
  assert.deepEqual(titles(root), ['Cake']);
  assert.match(root.textContent, /it was used up/);
  button(root, 'All').listeners.click();
  await quiet();
  waiting[2][1]({ deals: [] });
  view.stop();
});

test('an owner sees the deals of all states with uses, confirmations and comments', async () => {
  const counts = { deal_uses: { count: 3 }, deal_confirmations: { count: 2 }, comments: { count: 1 } };
  routes.deals = { deals: [deal('Now', { mine: true, ...counts }), deal('Next', { mine: true, start: at(900) }), deal('Gone', { mine: true, end: at(-1) })] };
  routes.ownerships = { ownerships: [{ target: 'p1', person: 'me', on: true }] };
  const root = new Element('main'), view = mountDeals(root);
  await quiet();
  button(root, 'Mine').listeners.click();
  await quiet();
  assert.match(root.textContent, /Now.*3 uses · 2 confirmed · 1 comment.*To come.*Begins in.*Ended.*ended/);
  assert.ok(button(root, 'New deal'));
  button(root, 'All').listeners.click();
  await quiet();
  assert.ok(!titles(root).includes('Gone') && !titles(root).includes('Next'), 'what cannot be used is not listed for use');
  view.stop();
  routes.ownerships = { ownerships: [] };
});

test('using a deal asks once, sends nothing before, and then shows what the venue says of it', async () => {
  const { root, view } = await shown('d1', deal('Tea'));
  const sent = calls.length;
  button(root, 'Use this deal').listeners.click();
  await until(() => top()?.textContent.startsWith('Tea'));
  assert.match(top().textContent, /You can use it once. Show this to the staff./);
  assert.equal(calls.length, sent);
  const used = (state, more) => deal('Tea', { use: { at: at(0), state, ...more } });
  routes['deals/Tea'] = used('waiting');
  submit(top());
  await until(() => button(root, 'Show my use'));
  assert.deepEqual(calls.at(-1).slice(0, 2), ['PUT', 'deal_uses/Tea']);
  const screen = top();
  assert.match(screen.textContent, /Tea.*Café.*:\d\d.*Ana.*Not confirmed by the venue yet/s);
  assert.ok(button(root, 'Show my use') && !button(root, 'Use this deal'));
  routes['deals/Tea'] = used('confirmed', { confirmed: at(1) });
  emit('change', { kinds: new Set(['deal_confirmation']), targets: null });
  await until(() => /Confirmed by the venue at /.test(screen.textContent));
  routes['deals/Tea'] = used('used_up');
  emit('reset');
  await until(() => /Not confirmed: it is used up/.test(screen.textContent));
  screen.close();
  view.stop();
});

test('a use that the node refuses says why, and nothing is shown to the staff', async () => {
  answered = { status: 403, detail: 'The deal has ended.' };
  const open = sheets().length;
  useDeal(deal('Late'), assert.fail);
  await quiet();
  submit(top());
  await quiet();
  assert.match(top().textContent, /The deal has ended./);
  assert.equal(sheets().length, open + 1);
  top().close();
  answered = {};
});

test('what has not begun, is used up or is one’s own is not used, and who only looks changes nothing', async () => {
  for (const more of [{ start: at(60) }, { left: 0 }, { mine: true, confirms: true }]) {
    const { root, view } = await shown('d2', deal('Tea', more));
    assert.ok(!button(root, 'Use this deal'));
    view.stop();
  }
  document.documentElement.className = 'visitor';
  let { root, view } = await shown('d2', deal('Tea'));
  assert.ok(button(root, 'Use this deal') && button(root, 'Rate'));
  assert.ok(!button(root, 'Edit') && !root.all('input').some((one) => one.attributes.type === 'file'), 'a door has no owners and takes no pictures for comments');
  view.stop();
  state.status.current = { ...state.status.current, level: 'guest' };
  ({ root, view } = await shown('d2', deal('Tea')));
  assert.deepEqual([button(root, 'Use this deal'), button(root, 'Rate'), root.all('textarea').length], [undefined, undefined, 0]);
  view.stop();
  state.status.current = { ...state.status.current, level: 'attendee' };
  document.documentElement.className = '';
});

test('only the device that confirms uses hands that on, and another one says where', async () => {
  routes.devices = { devices: [{ id: 'a', name: 'aaaa', this: true, state: 'active' }, { id: 'b', name: 'bbbb', this: false, state: 'active', here: true }, { id: 'c', name: 'cccc', this: false, state: 'retired' }] };
  const part = ownerPart(() => {});
  part.draw(deal('Tea', { mine: true, confirms: false, confirming: 'b' }));
  await quiet();
  assert.match(part.el.textContent, /Your device bbbb confirms the uses/);
  assert.ok(!button(part.el, 'Hand it on'));
  part.draw(deal('Tea', { mine: true, confirms: true }));
  button(part.el, 'Hand it on').listeners.click();
  assert.ok(!top().textContent.includes('cccc'), 'a lost device confirms nothing');
  top().all('button').find((one) => one.textContent.startsWith('bbbb')).listeners.click();
  submit(top());
  await quiet();
  assert.deepEqual(calls.at(-1), ['PATCH', 'deals/Tea', { confirming: 'b' }]);
  part.draw(deal('Tea'));
  assert.equal(part.el.textContent, '', 'others see nothing of it');
});

test('the form says at each field what is wrong, and offers the deal for two hours from now', async () => {
  await dealForm(null);
  assert.match(top().textContent, /A deal needs a place of your own/);
  top().close();
  routes.ownerships = { ownerships: [{ target: 'p1', person: 'me', on: true }] };
  let made = null;
  await dealForm(null, { done: (record) => { made = record; } });
  const box = top(), inputs = box.all('input'), [title, price, price2, start, end, quantity] = inputs;
  Object.assign(price, { value: '4.999' });
  Object.assign(price2, { value: 'cheap' });
  Object.assign(quantity, { value: '0' });
  const endsAt = end.value;
  Object.assign(end, { value: start.value });
  await submit(box);
  assert.match(box.textContent, /TitleThis is needed.*Price, EUREnter a sum such as 4.99.*Price before, EUREnter a sum.*The end must be after the start.*Enter a number from 1/);
  Object.assign(title, { value: 'Soup' });
  Object.assign(price, { value: '4,99' });
  Object.assign(price2, { value: '' });
  Object.assign(quantity, { value: '20' });
  Object.assign(end, { value: endsAt });
  await submit(box);
  await quiet();
  const [, , sent] = calls.at(-1);
  assert.deepEqual([sent.title, sent.price, sent.quantity, sent.target, Date.parse(sent.end) - Date.parse(sent.start)], ['Soup', 499, 20, 'p1', 7200000]);
  assert.equal(made.id, 'new');
});
