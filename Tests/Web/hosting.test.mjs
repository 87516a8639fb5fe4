// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const field = (name, type, more) => ({ name, type, required: false, writers: 'author', filter: false, ...more });
const kinds = [{ name: 'category', plural: 'categories', picture: false, fields: [field('name', 'text', { required: true, limit: 100 }), field('synonyms', 'text', { limit: 500 }), field('parent', 'reference')] }];
const tree = [{ id: 'a', name: 'Food', mine: true }, { id: 'b', name: 'Cafés', parent: 'a', mine: true }, { id: 'c', name: 'Roasters', parent: 'b', mine: true }, { id: 'd', name: 'Shops', mine: false }];
const calls = browse({ kinds: () => ({ kinds }), 'GET categories': () => ({ categories: tree }), 'PATCH categories': (body) => body, 'GET site_plans': () => ({ site_plans: [] }), 'POST site_plans': (body) => ({ ...body, id: 'p1' }), 'POST pictures': () => ({ id: 'up1' }) });
const before = globalThis.fetch;
globalThis.fetch = (address, options = {}) => before(address, options.body instanceof Blob ? { ...options, body: '"picture"' } : options);
const { setTimeout: wait } = globalThis;
// What would go from the screen later keeps no test waiting.
globalThis.setTimeout = (...all) => { const timer = wait(...all); timer.unref?.(); return timer; };
globalThis.URL.createObjectURL = () => 'blob:1';
globalThis.URL.revokeObjectURL = () => {};
Element.prototype.style = { setProperty() {} };
await (await load('core/i18n.js')).loadLanguage();
const { state } = await load('core/store.js');
state.status = { person: 'me', name: 'Ana', current: { id: 'e1', level: 'host', areas: ['venues'] } };
const { editCategories } = await load('places/hosting.js');
const { editPlans } = await load('places/siteplan.js');
const box = () => document.body.all('dialog').at(-1);
const button = (words) => box().all('button').find((one) => one.textContent.includes(words));
const submit = (form = box().all('form')[0]) => form.listeners.submit({ preventDefault() {} });

test('a category is put below another one, and never below itself', async () => {
  await editCategories(() => {});
  assert.deepEqual(box().all('strong').map((one) => one.textContent), ['Food', 'Cafés', 'Roasters', 'Shops']);
  assert.ok(!box().all('button').some((one) => one.textContent.includes('Shops')), 'another host’s is not changed here');
  button('Cafés').listeners.click();
  const [parent] = box().all('select');
  assert.deepEqual(parent.all('option').map((one) => one.textContent.trim()), ['None', 'Food', 'Shops']);
  parent.value = 'd';
  box().all('input')[1].value = 'coffee';
  await submit();
  assert.deepEqual(calls.at(-1), ['PATCH', 'categories/b', { synonyms: 'coffee', parent: 'd' }]);
});

test('an outline is sent as it is, and one that is too large or no GeoJSON is refused by its name', async () => {
  const sent = calls.length, choose = async (file) => { const input = box().all('input').find((one) => one.attributes.accept?.includes('geojson')); input.files = [file]; await input.listeners.change(); await settled(); };
  await editPlans([], () => {});
  await submit();
  assert.match(box().textContent, /Choose a picture or an outline/);
  await choose({ name: 'a.geojson', size: 50000, text: async () => '{}' });
  assert.match(box().textContent, /too large/);
  await choose({ name: 'a.geojson', size: 10, text: async () => 'no' });
  assert.match(box().textContent, /This file is not GeoJSON/);
  assert.equal(calls.length, sent);
  await choose({ name: 'a.geojson', size: 30, text: async () => '{ "type": "FeatureCollection" }' });
  await submit();
  assert.deepEqual(calls.at(-1), ['POST', 'site_plans', { title: 'Site plan', outline: '{"type":"FeatureCollection"}' }]);
});

test('a plan is sent once both its points have a pin, with where they are in the picture', async () => {
  const sent = calls.length;
  await editPlans([], () => {});
  const picture = box().all('input').find((one) => one.attributes.accept === 'image/*');
  picture.files = [new Blob(['x'])];
  picture.listeners.change();
  await submit();
  assert.equal(calls.length, sent);
  assert.match(box().textContent, /Set the pin on the map/);
  const [img] = box().all('img'), frame = box().all('div').find((one) => one.className === 'plan-picture');
  img.getBoundingClientRect = () => ({ left: 0, top: 0, width: 200, height: 100 });
  for (const [clientX, clientY] of [[20, 10], [180, 90]]) frame.listeners.click({ clientX, clientY });
  const typed = box().all('input').filter((one) => one.attributes.inputmode === 'decimal');
  for (const [i, text] of ['55.77, 12.5', '', '55.76, 12.51', ''].entries()) if (text) { typed[i].value = text; typed[i].listeners.input(); }
  await submit();
  assert.deepEqual(calls.slice(sent).map(([, path]) => path), ['pictures', 'site_plans']);
  assert.deepEqual(calls.at(-1)[2], { title: 'Site plan', a_x: 1000, a_y: 1000, a_latitude: 55.77, a_longitude: 12.5, b_x: 9000, b_y: 9000, b_latitude: 55.76, b_longitude: 12.51, picture: 'up1' });
});
