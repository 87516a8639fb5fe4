// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const calls = browse({});
const { createSelection } = await load('lib/selection.js');

test('photos are chosen and given up, alone or all up to another, as far as there is room', () => {
  const order = ['a', 'b', 'c', 'd', 'e'], chosen = createSelection(4);
  assert.ok(chosen.toggle('d') && chosen.toggle('a') && chosen.toggle('d'));
  assert.deepEqual(chosen.ids(), ['a']);
  assert.ok(chosen.extend('b', order), 'from the one that was given up last');
  assert.deepEqual(chosen.ids(), ['a', 'b', 'c', 'd']);
  assert.ok(!chosen.toggle('e') && !chosen.extend('e', order));
  assert.equal(chosen.size(), 4);
  chosen.keep(new Set(['b', 'e']));
  assert.deepEqual(chosen.ids(), ['b']);
  chosen.clear();
  assert.ok(chosen.extend('c', order), 'without a last one');
  assert.deepEqual(chosen.ids(), ['c']);
});

/** A gallery of three photos, one of them somebody else's; the second is a HEIC. */
async function gallery() {
  const submitted = [];
  Element.prototype.classList = { add: () => {}, remove: () => {} };
  Element.prototype.submit = function submit() { submitted.push([this.attributes.action, this.children[0].value ?? this.children[0].attributes.value]); };
  const { loadLanguage } = await load('core/i18n.js');
  await loadLanguage();
  const { offerSelection } = await load('ui/select.js');
  const items = ['a', 'b', 'c'].map((id) => ({ id, mine: id !== 'c', mime: id === 'b' ? 'image/heic' : 'image/jpeg' }));
  const list = { items, complete: true, moment: null, on: () => () => {}, remove(id) { this.items = this.items.filter((p) => p.id !== id); } };
  const wall = new Element('div');
  for (const { id } of items) { const link = new Element('a'); link.dataset.id = id; wall.append(link); }
  document.activeElement = document.body;
  document.body.replaceChildren();
  document.head.all('link').forEach((link) => link.remove());
  const stop = offerSelection(wall, list);
  document.head.all('link')[0]?.listeners.load();
  const event = (link, more = {}) => ({ target: { closest: () => link }, preventDefault() { this.stopped = true; }, stopPropagation() {}, ...more });
  const links = wall.all('a').filter((one) => one.dataset.id);
  const click = (n, more) => { const one = event(links[n], more); wall.listeners.click(one); return !!one.stopped; };
  const tools = wall.children.at(-1);
  const bar = () => wall.children.find((one) => one.className === 'selection');
  const button = (word) => bar().all('button').find((one) => one.textContent === word);
  return { stop, wall, links, click, tools, bar, button, submitted, list, event };
}

test('a photo opens as ever until somebody begins to choose, and then each press chooses', async () => {
  const { click, tools, bar, links, stop } = await gallery();
  assert.equal(click(0), false);
  tools.all('button')[0].listeners.click();
  assert.equal(bar().all('strong')[0].textContent, '0 photos');
  assert.ok(click(0) && click(1));
  assert.equal(click(2, { ctrlKey: true }), false, 'a new tab is a new tab');
  assert.deepEqual(links.map((one) => one.attributes['aria-checked']), ['true', 'true', 'false']);
  assert.equal(bar().all('strong')[0].textContent, '2 photos');
  click(0);
  click(2, { shiftKey: true });
  assert.deepEqual(links.map((one) => one.attributes['aria-checked']), ['true', 'true', 'true']);
  stop();
  assert.equal(bar(), undefined);
  assert.ok(links.every((one) => !('role' in one.attributes)));
});

test('chosen photos are saved by a form, so that the browser saves the file by itself', async () => {
  const { click, tools, bar, button, submitted } = await gallery();
  tools.all('button')[0].listeners.click();
  assert.ok('disabled' in button('Save').attributes || button('Save').disabled);
  click(0);
  assert.ok(button('JPEG').hidden, 'a JPEG is one already');
  click(1);
  assert.ok(!button('JPEG').hidden);
  button('Save').listeners.click();
  assert.equal(bar(), undefined);
  tools.all('button')[0].listeners.click();
  click(1);
  button('JPEG').listeners.click();
  assert.deepEqual(submitted, [['/api/v1/photos.zip', 'a,b'], ['/api/v1/photos.zip?format=jpeg', 'b']]);
});

test('a long press of a finger begins with the photo under it, and its end opens nothing', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { wall, event, links, bar, click } = await gallery();
  const touch = { pointerType: 'touch', isPrimary: true, clientX: 10, clientY: 10 };
  wall.listeners.pointerdown(event(links[1], touch));
  wall.listeners.pointermove(event(links[1], { ...touch, clientY: 40 }));
  context.mock.timers.tick(600);
  assert.equal(bar(), undefined, 'that was a scroll');
  wall.listeners.pointerdown(event(links[1], touch));
  context.mock.timers.tick(600);
  assert.equal(bar().all('strong')[0].textContent, '1 photo');
  assert.ok(click(1));
  assert.equal(links[1].attributes['aria-checked'], 'true');
  assert.ok(click(0), 'the next press chooses');
  assert.equal(bar().all('strong')[0].textContent, '2 photos');
});

test('only one\'s own photos are deleted, and the sheet says that the others stay', async () => {
  const { click, tools, button, list } = await gallery();
  tools.all('button')[0].listeners.click();
  click(2);
  assert.ok(button('Delete').hidden);
  [0, 1].forEach((n) => click(n));
  button('Delete').listeners.click();
  const sheet = document.body.all('dialog')[0];
  assert.match(sheet.textContent, /Delete 2 photos\?.*One of the selected photos is someone else’s and stays/);
  sheet.all('form')[0].listeners.submit({ preventDefault() {} });
  await settled();
  await settled();
  assert.deepEqual(calls.filter(([method]) => method === 'DELETE').map(([, path]) => path), ['photos/a', 'photos/b']);
  assert.deepEqual(list.items.map((photo) => photo.id), ['c']);
});
