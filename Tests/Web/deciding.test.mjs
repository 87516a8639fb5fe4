// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const answers = {};
const calls = browse(answers);
Element.prototype.focus = () => {};
Element.prototype.close = function close() { this.listeners.close(); };
await (await load('core/i18n.js')).loadLanguage();
const { state } = await load('core/store.js');
const { mountPeople } = await load('views/people.js');
const { rescue } = await load('ui/deciding.js');

const ana = { id: 'ana', name: 'Ana', level: 'removed', fingerprint: 'abcd', me: false, picture: null };
const sheet = () => document.body.all('dialog').at(-1);
/** Waits for what comes soon. */
const until = async (is) => {
  const deadline = Date.now() + 10_000;
  while (!is()) { assert.ok(Date.now() < deadline, `${is}`); await settled(); }
};
const press = async () => {
  await sheet().all('form')[0].listeners.submit({ preventDefault: () => {} });
  await settled();
};
const cancel = () => sheet().all('button').at(-1).listeners.click();
/** Asks about somebody, and presses the first button with a time; what the node has is `records`. */
async function look(time, records) {
  answers['POST people'] = () => ({ person: ana, records });
  const done = rescue(ana);
  sheet().all('input')[0].value = time;
  await press();
  return { done };
}

const late = 'Show late posts';
/** The buttons with a word that somebody at a level has in a list of these people. */
async function offered(own, ...people) { return buttons(late, own, ...people); }
async function buttons(word, own, ...people) {
  Object.assign(answers, { people: () => ({ people, relays: [{ ...ana, id: 'rel', name: 'Relay' }] }), connections: () => ({ connections: [] }), peers: () => ({ peers: [] }) });
  state.status = { current: { id: 'e1', level: own } };
  // Else those of the list before stand there until these have come.
  state.people = null;
  const root = new Element('main'), view = mountPeople(root);
  await until(() => state.people);
  view.stop();
  return root.all('button').filter((one) => one.textContent === word);
}

test('who could let somebody removed in again is offered it, beside that one alone', async () => {
  const others = ['left', 'waiting', 'attendee', 'guest'].map((level) => ({ ...ana, id: level, name: level, level }));
  const labels = async (own) => (await offered(own, ana, ...others)).map((one) => one.attributes['aria-label']);
  for (const own of ['founder', 'successor', 'host']) assert.deepEqual(await labels(own), [`${late}: Ana`], own);
  for (const own of ['moderator', 'attendee', 'guest']) assert.deepEqual(await labels(own), [], own);
});

test('who lets people in is offered to decline those who wait, relays too, and the node is told', async () => {
  const others = ['waiting', 'declined', 'left', 'attendee'].map((level) => ({ ...ana, id: level, name: level, level }));
  const relay = { ...ana, id: 'box', name: 'box', level: 'waiting', relay: true, invited_to: 'relay' };
  const labels = async (own) => (await buttons('Decline', own, ...others, relay)).map((one) => one.attributes['aria-label']);
  for (const own of ['founder', 'host']) assert.deepEqual(await labels(own), ['Decline: waiting', 'Decline: box'], own);
  for (const own of ['moderator', 'attendee']) assert.deepEqual(await labels(own), [], own);
  const [button] = await buttons('Decline', 'host', ...others);
  const done = button.listeners.click();
  await until(sheet);
  answers['PUT people'] = () => others[1];
  await press();
  await done;
  assert.deepEqual(calls.splice(0), [['PUT', 'people/waiting/level', { level: 'declined' }]]);
});

test('the button asks until when', async () => {
  const [button] = await offered('host', ana);
  const done = button.listeners.click();
  await until(sheet);
  assert.match(sheet().textContent, /Show late posts by Ana/);
  cancel();
  await done;
});

test('nothing is asked of the node without a time', async () => {
  const { done } = await look('', {});
  assert.match(sheet().textContent, /Choose a time/);
  cancel();
  await done;
  assert.deepEqual(calls, []);
});

test('what would be seen is said first, and nothing is done if it is called off', async () => {
  const { done } = await look('2026-06-20T18:00', { photo: 2, comment: 1, place: 1, check_in: 2 });
  assert.match(sheet().textContent, /Everyone would see what Ana dated up to .*: 2 photos, 1 comment,? and 3 other things\./);
  cancel();
  await done;
  const until = new Date('2026-06-20T18:00').toISOString();
  assert.deepEqual(calls.splice(0), [['POST', 'people/ana/rescue?preview=true', { until }]]);
});

test('what was looked at is let count, up to the same time, and what is seen now is said', async () => {
  const { done } = await look('2026-06-20T18:00', { photo: 2 });
  answers['POST people'] = () => ({ person: ana, records: { photo: 3 } });
  await press();
  await done;
  assert.deepEqual(calls.splice(0).map(([method, path, body]) => [method, path, body.until]), ['?preview=true', ''].map((end) => ['POST', `people/ana/rescue${end}`, new Date('2026-06-20T18:00').toISOString()]));
  assert.match(document.body.textContent, /Everyone now sees what Ana shared: 3 photos/);
});

test('the time of the removal is there already, to the second unless another is chosen', async () => {
  const removed = '2026-06-20T18:00:45.123Z', two = (n) => String(n).padStart(2, '0'), at = new Date(removed);
  const minute = `2026-06-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
  answers['POST people'] = () => ({ person: ana, records: { photo: 1 } });
  for (const [chosen, until] of [[minute, removed], ['2026-06-20T17:00', new Date('2026-06-20T17:00').toISOString()]]) {
    const done = rescue({ ...ana, removed }), [input] = sheet().all('input');
    assert.equal(input.value, minute);
    input.value = chosen;
    await press();
    cancel();
    await done;
    assert.deepEqual(calls.splice(0), [['POST', 'people/ana/rescue?preview=true', { until }]]);
  }
});

test('where there is nothing more it is said in place', async () => {
  answers['POST people'] = () => ({ status: 400, detail: 'Nothing more that the person wrote until then is on this device.' });
  const done = rescue(ana);
  sheet().all('input')[0].value = '2026-06-20T18:00';
  await press();
  assert.match(sheet().textContent, /Nothing more/);
  cancel();
  await done;
});

test('what only else was said is no photo, comment or moment', async () => {
  const { done } = await look('2026-06-20T18:00', {});
  assert.match(sheet().textContent, /no photo, comment or moment/);
  cancel();
  await done;
});

const unknown = { ...ana, level: 'waiting', name: 'Guest abcd' };

test('who came by an invitation that nobody knows is let in as what a host says, and as nothing before', async () => {
  for (const own of ['moderator', 'attendee', 'guest']) assert.deepEqual(await buttons('Let in', own, unknown), [], own);
  // By an invitation that is known it is clear as what.
  assert.deepEqual(await buttons('Let in', 'host', { ...unknown, invited_to: 'attendee' }), []);
  assert.equal((await buttons('Allow to post', 'host', { ...unknown, invited_to: 'attendee' })).length, 1);
  assert.deepEqual(await buttons('Allow to post', 'founder', unknown), []);
  const [button] = await buttons('Let in', 'founder', unknown);
  const done = button.listeners.click(), before = sheet();
  await until(() => sheet() !== before);
  assert.match(sheet().textContent, /Nobody here knows Guest abcd’s invitation/);
  const choices = sheet().all('input');
  assert.deepEqual(choices.map((one) => one.value), ['successor', 'host', 'moderator', 'attendee', 'guest', 'relay']);
  assert.ok(choices.every((one) => !one.checked && 'required' in one.attributes));
  choices.at(-1).checked = true;
  calls.length = 0;
  await press();
  await done;
  assert.deepEqual(calls, [['PUT', 'people/ana/level', { level: 'relay' }]]);
});

test('who waits to be let in stands first for those who decide, with name and picture', async () => {
  const me = { ...ana, id: 'me', name: 'Me', me: true, level: 'host' }, waiting = { ...ana, id: 'w', name: 'Zoe', level: 'waiting', invited_to: 'attendee', picture: '/p' };
  const order = async (level) => {
    answers.people = () => ({ people: [me, { ...ana, name: 'Abe' }, waiting], relays: [] });
    state.status = { current: { id: 'e1', level } };
    state.people = null;
    const root = new Element('main'), view = mountPeople(root);
    await until(() => state.people);
    view.stop();
    const list = root.all('ul').find((one) => one.className === 'people');
    return [list.all('strong').map((name) => name.textContent)[0], list.all('img')[0]?.attributes.src];
  };
  assert.deepEqual(await order('host'), ['Zoe', '/p']);
  assert.equal((await order('attendee'))[0], 'Me');
});
