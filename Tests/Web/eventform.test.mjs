// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { browse, load, settled } from './element.mjs';

const event = { id: 'e1', title: 'Party', founder: true, people: 1, photos: 0, report_threshold: 7, areas: ['moments', 'venues'] };
const calls = browse({ nearby: () => ({ nearby: [] }), status: () => ({ current: event, events: [event], warnings: [], sync: {} }) });
await (await load('core/i18n.js')).loadLanguage();
const { state } = await load('core/store.js');
const { eventMenu } = await load('ui/entry.js');

/** Opens the menu of somebody, and what changes the event, if it is offered. */
async function changing(founder) {
  const current = { ...event, founder };
  state.status = { events: [current], current };
  eventMenu();
  const button = document.body.all('dialog').at(-1).all('button').find((one) => one.textContent === 'Edit event');
  if (!button) return null;
  button.listeners.click();
  // The form comes as a module of its own.
  for (let turn = 0; turn < 100 && !document.body.all('dialog').at(-1).all('select').length; turn += 1) await settled();
  return document.body.all('dialog').at(-1);
}

/** Sends a form. */
async function send(sheet) {
  sheet.all('form')[0].listeners.submit({ preventDefault() {} });
  await settled();
  await settled();
}

test('only the founder is offered to change the event', async () => {
  assert.equal(await changing(false), null);
  assert.ok(await changing(true));
});

test('what was changed is sent and nothing else, and a number that is no choice is kept', async () => {
  const sheet = await changing(true);
  const [title, select] = [sheet.all('input')[0], sheet.all('select')[0]];
  assert.deepEqual(select.all('option').map((one) => one.value), ['0', '1', '2', '3', '5', '7', '10']);
  Object.assign(title, { value: ' ' });
  select.value = '7';
  await send(sheet);
  assert.deepEqual(calls, [], 'an event has a title');
  title.value = ' Wedding ';
  await send(sheet);
  assert.deepEqual(calls, [['PUT', 'events/e1', { title: 'Wedding' }]]);
  Object.assign(title, { value: 'Party' });
  select.value = '0';
  await send(sheet);
  assert.deepEqual(calls.at(-1), ['PUT', 'events/e1', { report_threshold: 0 }]);
});

test('what the event has is ticked, and sent as a whole where it changed', async () => {
  const sheet = await changing(true), boxes = sheet.all('input').slice(1), before = calls.length;
  assert.deepEqual(boxes.map((box) => [box.value, box.checked]), [['moments', true], ['venues', true], ['deals', false], ['ratings', false], ['nearby', false]]);
  sheet.all('select')[0].value = '7';
  Object.assign(boxes[0], { checked: false });
  Object.assign(boxes[4], { checked: true });
  await send(sheet);
  assert.deepEqual(calls.slice(before), [['PUT', 'events/e1', { areas: ['venues', 'nearby'] }]]);
});
