// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { browse, load, settled } from './element.mjs';

browse({ nearby: () => ({ nearby: [] }) });
await (await load('core/i18n.js')).loadLanguage();
const { state } = await load('core/store.js');
const { eventMenu } = await load('ui/entry.js');

/** The button that leaves an event of a title, and what has to be typed before. */
async function leaving(title) {
  const current = { id: 'e1', title, people: 1, photos: 0 };
  state.status = { events: [current], current };
  eventMenu();
  document.body.all('button').find((one) => one.textContent === `Leave ${title}`).listeners.click();
  await settled();
  const sheet = document.body.all('dialog').at(-1);
  return { button: sheet.all('button').at(-2), fields: sheet.all('input').filter((one) => one.attributes.type !== 'checkbox') };
}

test('who leaves an event types its title, but where nobody knows that', async () => {
  const named = await leaving('Party');
  assert.equal(named.fields.length, 1);
  assert.ok('disabled' in named.button.attributes);
  const nameless = await leaving('…');
  assert.equal(nameless.fields.length, 0);
  assert.ok(!('disabled' in nameless.button.attributes));
});

test('a title is typed with any apostrophe and any spaces', async () => {
  const { button, fields: [field] } = await leaving('Anna’s  “party”…');
  const type = (text) => { field.input = text; field.value = text; field.listeners.input(); return button.disabled; };
  assert.equal(type('Anna’s'), true);
  assert.equal(type('Anna\'s "party"...'), false);
  assert.equal(type('anna’s “party”…'), true);
});
