// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { browse, load, settled } from './element.mjs';

const calls = browse({ 'POST moments': (draft) => ({ ...draft, id: 'm1' }) });
await (await load('core/i18n.js')).loadLanguage();
const { momentForm } = await load('ui/momentform.js');

/** Opens the form of a moment, and finds what one touches. */
function open(moment) {
  momentForm(moment);
  const box = document.body.all('dialog').at(-1);
  const [title, start, end, name, latitude, longitude] = box.all('input');
  const only = box.all('input').find((el) => el.attributes.type === 'checkbox' || el.type === 'checkbox');
  const button = (word) => box.all('button').find((el) => el.textContent === word);
  return { title, only, description: box.all('textarea')[0], start, end, name, latitude, longitude, form: box.all('form')[0], button, close: () => box.listeners.close() };
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
