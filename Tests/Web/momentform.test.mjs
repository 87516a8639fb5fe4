// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const bob = { id: 'bob', name: 'Bob', picture: null, me: false, level: 'attendee', fingerprint: '' };
const answers = { 'POST moments': (draft) => ({ ...draft, id: 'm1' }), people: () => ({ people: [bob] }) };
const calls = browse(answers);
let focused = null;
Element.prototype.focus = function focus() { focused = this; };
await (await load('core/i18n.js')).loadLanguage();
const { emit, state } = await load('core/store.js');
const { momentForm } = await load('ui/momentform.js');

/** Opens the form of a moment, and finds what one touches. */
function open(moment) {
  momentForm(moment);
  const box = document.body.all('dialog').at(-1);
  const [title, start, end, name, latitude, longitude] = box.all('input');
  const only = box.all('input').find((el) => el.attributes.type === 'checkbox' || el.type === 'checkbox');
  const button = (word) => box.all('button').find((el) => el.textContent === word);
  return { box, title, only, description: box.all('textarea')[0], start, end, name, latitude, longitude, form: box.all('form')[0], button, close: () => box.listeners.close() };
}

test('what was typed is there again after Back, and gone once one cancels or sends it', async () => {
  let form = open();
  assert.equal(form.title.value, '');
  Object.assign(form.title, { value: 'First dance' });
  Object.assign(form.description, { value: 'Bring shoes' });
  form.close();
  form = open();
  assert.deepEqual([form.title.value, form.description.value], ['First dance', 'Bring shoes']);
  form.button('Cancel').listeners.click();
  form.close();
  form = open();
  assert.deepEqual([form.title.value, form.description.value], ['', '']);
  for (const [key, value] of Object.entries({ title: 'Cake', name: 'Hall', latitude: '48.1', longitude: '11.5' })) form[key].value = value;
  form.close();
  form = open();
  await form.form.listeners.submit({ preventDefault() {} });
  await settled();
  form.close();
  assert.deepEqual(calls.map(([method, , draft]) => [method, draft.title, draft.place.name]), [['POST', 'Cake', 'Hall']]);
  assert.equal(open().title.value, '');
});

test('a moment for some people only does not come back as one for everybody', () => {
  let form = open();
  form.title.value = 'Surprise';
  form.only.checked = true;
  form.close();
  form = open();
  assert.deepEqual([form.title.value, form.only.checked], ['Surprise', true]);
  form.button('Cancel').listeners.click();
  form.close();
  assert.ok(!open().only.checked);
});

test('what Back closes while it is being sent does not come back', async () => {
  let form = open();
  for (const [key, value] of Object.entries({ title: 'Toast', name: 'Hall', latitude: '48.1', longitude: '11.5' })) form[key].value = value;
  const sent = form.form.listeners.submit({ preventDefault() {} });
  form.close();
  await sent;
  await settled();
  assert.equal(open().title.value, '');
});

test('a moment that there is keeps nothing: others may change it meanwhile', () => {
  const place = { name: 'Hall', latitude: 48.1, longitude: 11.5, radius_m: 100 };
  const moment = { id: 'm2', title: 'Dinner', description: 'At eight', start: 1_750_000_000_000, end: 1_750_007_200_000, place };
  const form = open(moment);
  form.title.value = 'Late dinner';
  form.close();
  assert.equal(open(moment).title.value, 'Dinner');
  assert.equal(open().title.value, '');
});

test('what comes back says that it was not sent, and can be discarded', async () => {
  let form = open();
  assert.ok(!form.box.textContent.includes('Your unsent moment'), 'nothing was typed yet');
  form.close();
  form = open();
  assert.equal(form.button('Discard'), undefined, 'nothing was kept');
  const fresh = [form.start.value, form.end.value];
  Object.assign(form.title, { value: 'Boat trip' });
  Object.assign(form.latitude, { value: '48.1' });
  Object.assign(form.end, { value: '2099-01-01T00:00' });
  form.only.checked = true;
  form.close();
  form = open();
  await settled();
  assert.equal(form.button('Discard').attributes['aria-label'], 'Discard: Your unsent moment');
  assert.match(form.box.textContent, /Your unsent moment/);
  const ticks = () => form.box.all('input').filter((el) => el.attributes.type === 'checkbox');
  const guest = ticks()[1];
  guest.checked = true;
  guest.listeners.change();
  await form.form.listeners.submit({ preventDefault() {} });
  assert.match(form.box.textContent, /Enter a number from -180/);
  form.button('Discard').listeners.click();
  assert.deepEqual([form.title.value, form.latitude.value, form.start.value, form.end.value], ['', '', ...fresh]);
  assert.ok(!ticks().some((box) => box.checked));
  assert.ok(form.box.all('fieldset').at(-1).all('div')[0].hidden, 'guests are asked for no more');
  assert.doesNotMatch(form.box.textContent, /Your unsent moment|Enter a number/);
  assert.equal(focused, form.title);
  // The length is that of an empty form again.
  form.start.value = '2026-06-20T18:00';
  form.start.listeners.change();
  assert.equal(form.end.value, '2026-06-20T20:00');
  form.button('Cancel').listeners.click();
  form.close();
});

test('what was discarded does not come back, and what is typed afterwards does', () => {
  let form = open();
  form.title.value = 'Boat trip';
  form.close();
  form = open();
  form.button('Discard').listeners.click();
  form.close();
  form = open();
  assert.deepEqual([form.title.value, form.button('Discard')], ['', undefined]);
  form.title.value = 'Boat trip';
  form.close();
  form = open();
  form.button('Discard').listeners.click();
  form.title.value = 'Swim';
  form.close();
  form = open();
  assert.equal(form.title.value, 'Swim');
  assert.ok(form.button('Discard'));
  form.button('Cancel').listeners.click();
  form.close();
});

test('a form that was emptied by hand keeps nothing, though time went by', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-06-20T18:00:00Z') });
  let form = open();
  form.title.value = 'Toast';
  form.close();
  context.mock.timers.tick(10 * 60000);
  form = open();
  assert.equal(Date.parse(form.start.value), Date.now(), 'a start that nobody chose is now');
  form.title.value = '';
  form.close();
  context.mock.timers.tick(10 * 60000);
  assert.equal(open().button('Discard'), undefined);
});

test('what was typed at one event is not there at another', () => {
  const at = (id) => { state.status = { current: { id, level: 'host' } }; };
  at('e1');
  let form = open();
  form.title.value = 'Secret dinner';
  form.close();
  at('e2');
  form = open();
  assert.deepEqual([form.title.value, form.button('Discard')], ['', undefined]);
  form.close();
  at('e1');
  form = open();
  assert.equal(form.title.value, 'Secret dinner');
  form.button('Discard').listeners.click();
  form.close();
  state.status = null;
});

test('a form closes when another event is opened, and is kept for its own', () => {
  state.status = { current: { id: 'a' } };
  let form = open();
  form.title.value = 'Encore';
  emit('status', state.status);
  let closed = false;
  form.box.close = () => { closed = true; form.close(); };
  state.status = { current: { id: 'b' } };
  emit('status', state.status);
  assert.ok(closed);
  form = open();
  assert.equal(form.title.value, '');
  form.close();
  state.status = { current: { id: 'a' } };
  form = open();
  assert.equal(form.title.value, 'Encore');
  form.button('Cancel').listeners.click();
  form.close();
  state.status = null;
});

test('what was sent is on show at once, new or changed', async () => {
  state.moments = [];
  let form = open();
  for (const [key, value] of Object.entries({ title: 'Polka', name: 'Hall', latitude: '48.1', longitude: '11.5' })) form[key].value = value;
  await form.form.listeners.submit({ preventDefault() {} });
  form.close();
  assert.deepEqual(state.moments.map((m) => m.title), ['Polka']);
  state.moments = null;
});

test('what is being sent is no draft meanwhile, and is one again if it cannot be sent, beside another', async () => {
  const fill = (form) => { for (const [key, value] of Object.entries({ title: 'Speech', name: 'Hall', latitude: '48.1', longitude: '11.5' })) form[key].value = value; };
  const answer = globalThis.fetch;
  let end;
  globalThis.fetch = (url, options) => (options?.method === 'POST' ? new Promise((done) => { end = done; }) : answer(url, options));
  let form = open();
  fill(form);
  const sent = form.form.listeners.submit({ preventDefault() {} });
  await settled();
  form.close();
  form = open();
  assert.equal(form.title.value, '', 'it would be sent twice');
  form.title.value = 'Waltz';
  form.close();
  end({ ok: false, status: 507, text: async () => '{"detail":"The disk is full."}' });
  await sent;
  globalThis.fetch = answer;
  for (const title of ['Speech', 'Waltz', '']) {
    form = open();
    assert.equal(form.title.value, title);
    form.button('Cancel').listeners.click();
    form.close();
  }
});

test('a title or a place is enough, and the node knows the rest', async () => {
  for (const [typed, sent] of [[{ title: 'Cake' }, { title: 'Cake' }], [{ name: 'Hall' }, { place: { name: 'Hall' } }]]) {
    calls.length = 0;
    const form = open();
    form.button('Discard')?.listeners.click();
    for (const [key, value] of Object.entries(typed)) form[key].value = value;
    await form.form.listeners.submit({ preventDefault() {} });
    await settled();
    form.close();
    assert.deepEqual(calls, [['POST', 'moments', { ...sent, private: false, invite: [] }]]);
  }
});

test('only the title is asked for at first, and what was typed elsewhere is not folded away', () => {
  let form = open();
  const rest = () => form.box.all('details')[0];
  assert.match(rest().textContent, /^More details/);
  assert.ok(!('open' in rest().attributes));
  form.description.value = 'Bring shoes';
  form.close();
  form = open();
  assert.ok('open' in rest().attributes);
  form.button('Cancel').listeners.click();
  form.close();
});

test('a place of the event is named by its id, unless one says where else it is', async () => {
  answers.places = () => ({ places: [{ id: 'p1', name: 'Stage', latitude: 48.1, longitude: 11.5, radius_m: 60 }] });
  const sent = async (change) => {
    calls.length = 0;
    const form = open();
    await settled();
    form.box.all('button').find((one) => one.textContent === 'Stage').listeners.click();
    assert.deepEqual([form.name.value, form.latitude.value], ['Stage', '48.1']);
    change(form);
    await form.form.listeners.submit({ preventDefault() {} });
    form.close();
    return calls[0][2].place;
  };
  assert.deepEqual(await sent(() => {}), { id: 'p1' });
  assert.deepEqual(await sent((form) => { form.latitude.value = '48.2'; }), { name: 'Stage', latitude: 48.2, longitude: 11.5, radius_m: 60 });
  delete answers.places;
});
