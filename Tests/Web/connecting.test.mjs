// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, settled } from './element.mjs';

let listed = [];
const answers = { connections: () => ({ connections: listed }) };
const calls = browse(answers);
const { emit, state } = await import('../../Sources/CWebAssets/web/js/core/store.js');
const { connecting } = await import('../../Sources/CWebAssets/web/js/ui/connecting.js');

const person = (id, more) => ({ id, name: `Name of ${id}`, level: 'attendee', fingerprint: 'abcd efgh ijkl', me: false, ...more });
const between = (id, is) => ({ person: person(id), state: is, at: '2026-06-20T18:00:00.000Z' });

/** What is shown of requests, and beside somebody. */
async function show(...connections) {
  state.status = { current: { id: 'e1', level: 'attendee' } };
  listed = connections;
  const top = new Element('section');
  let drawn = 0;
  const links = connecting(top, () => { drawn += 1; });
  await settled();
  assert.ok(drawn > 0, 'the list is drawn again once it is known');
  const beside = (one) => {
    const el = new Element('div');
    el.append(...[links.buttons(one)].flat().filter(Boolean));
    return el.all('button');
  };
  return { top, links, beside };
}
/** Without a language words are their keys. */
const texts = (buttons) => buttons.map((one) => one.textContent);

test('beside each person stands what can be done about a connection', async () => {
  const { links, beside } = await show(between('a', 'asks'), between('b', 'asked'), between('c', 'connected'));
  assert.deepEqual(['a', 'b', 'c', 'd'].map((id) => texts(beside(person(id)))), [['connections.confirm', 'connections.decline'], ['connections.take_back'], ['connections.end'], ['connections.ask']]);
  assert.deepEqual(['a', 'b', 'c', 'd'].map((id) => links.tag(person(id)) && links.tag(person(id)).textContent), [false, 'connections.is_asked', 'connections.is_connected', false]);
  links.stop();
});

test('nobody is asked who could not answer', async () => {
  const { links, beside } = await show();
  for (const more of [{ me: true }, { relay: true }, { level: 'guest' }, { level: 'left' }, { level: 'removed' }, { level: 'waiting' }]) {
    assert.deepEqual(beside(person('d', more)), [], JSON.stringify(more));
  }
  links.stop();
});

test('requests are shown on top, and go once they are answered', async () => {
  const { top, links } = await show(between('a', 'asks'), between('b', 'asked'));
  assert.deepEqual(top.all('strong').map((el) => el.textContent), ['Name of a']);
  answers['PUT connections'] = () => { listed = [between('a', 'connected')]; return { connection: 'connected' }; };
  await top.all('button')[0].listeners.click();
  assert.deepEqual(calls.splice(0), [['PUT', 'connections/a', undefined]]);
  assert.deepEqual(top.children, []);
  links.stop();
});

test('a request that is declined is taken from the list, and one that comes is shown', async () => {
  const { top, links } = await show(between('a', 'asks'));
  answers['DELETE connections'] = () => { listed = []; return { connection: 'none' }; };
  await top.all('button')[1].listeners.click();
  assert.deepEqual(calls.splice(0), [['DELETE', 'connections/a', undefined]]);
  assert.deepEqual(top.children, []);
  listed = [between('b', 'asks')];
  emit('change', { kinds: new Set(['connection']) });
  await settled();
  assert.deepEqual(top.all('strong').map((el) => el.textContent), ['Name of b']);
  links.stop();
  listed = [];
  emit('change', { kinds: new Set(['connection']) });
  await settled();
  assert.equal(top.all('strong').length, 1, 'nothing is looked at once the view is gone');
});

test('where the other was quicker, what is so now is shown', async () => {
  const { top, links, beside } = await show(between('a', 'asks'));
  answers['PUT connections'] = () => { listed = []; return { status: 409, detail: 'takes no part' }; };
  await top.all('button')[0].listeners.click();
  assert.deepEqual([top.children, texts(beside(person('a')))], [[], ['connections.ask']]);
  calls.splice(0);
  links.stop();
});

test('an answer that comes late does not undo what was read since', async () => {
  const { top, links } = await show();
  const { connections } = answers, held = [];
  answers.connections = () => new Promise((resolve) => { held.push(resolve); });
  for (let read = 0; read < 2; read += 1) { emit('change', { kinds: new Set(['connection']) }); await settled(); }
  for (const [number, found] of [[1, [between('b', 'asks')]], [0, [between('a', 'asks')]]]) { held[number]({ connections: found }); await settled(); }
  assert.deepEqual(top.all('strong').map((el) => el.textContent), ['Name of b']);
  answers.connections = connections;
  links.stop();
});
