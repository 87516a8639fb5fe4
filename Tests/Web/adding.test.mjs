// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';
import { FakeNode } from './fake-node.mjs';

const place = { name: 'Jetty', latitude: 41.1, longitude: 2.2, radius_m: 100 };
const moment = { id: 'm1', title: 'Toast', status: 'ongoing', place, button: 'join', may_post: false, participation: null };
const joined = { ...moment, button: 'check_in', participation: 'joined' };
const inside = { ...moment, button: 'checked_in', participation: 'checked_in', may_post: true };
const answers = {};
const calls = browse(answers);
await (await load('core/i18n.js')).loadLanguage();
const { state } = await load('core/store.js');
const { setTarget } = await load('ui/add.js');
const { addPhotos } = await load('ui/adding.js');
const { uploads } = await load('core/uploads.js');
state.status = { current: { id: 'e1', title: 'Party', level: 'attendee' } };

/** What "+" shows and asks for, in a moment. */
async function plus(of) {
  calls.length = 0;
  document.body = new Element('body');
  setTarget(() => of, () => null);
  await addPhotos();
  await settled();
  const box = document.body.all('dialog').at(-1);
  return { pickers: box?.all('input').filter((one) => one.attributes.type === 'file').length ?? 0, words: box?.textContent ?? '' };
}
/** The node's answers to joining and to checking in, one after the other. */
const answer = (...all) => { answers['POST moments'] = () => all.shift(); };

test('one tap on "+" joins a moment, checks in by its place, and offers photos to choose', async () => {
  answer(joined, inside);
  const { pickers } = await plus(moment);
  assert.deepEqual(calls, [['POST', 'moments/m1/join', undefined], ['POST', 'moments/m1/check-in', { latitude: 41.1, longitude: 2.2 }]]);
  assert.ok(pickers > 0);
});

test('a moment that has no position asks for none', async () => {
  answer({ ...inside, place: { name: 'Hall' } });
  const { pickers } = await plus({ ...joined, place: { name: 'Hall' } });
  assert.deepEqual(calls, [['POST', 'moments/m1/check-in', {}]]);
  assert.ok(pickers > 0);
});

test('who may add is asked for nothing', async () => {
  const { pickers } = await plus(inside);
  assert.deepEqual(calls, []);
  assert.ok(pickers > 0);
});

test('what the node refuses is said in its words', async () => {
  answer({ status: 403, type: '/problems/not-allowed', detail: 'You are 3 km from Jetty.' });
  const { pickers, words } = await plus(joined);
  assert.equal(pickers, 0);
  assert.match(words, /You are 3 km from Jetty/);
});

test('photos that are chosen after others were added are counted alone', async () => {
  globalThis.XMLHttpRequest = new FakeNode().requests();
  const choose = async (n) => {
    await plus(inside);
    const picker = document.body.all('dialog').at(-1).all('input').find((one) => one.attributes.type === 'file');
    picker.files = Array.from({ length: n }, (_, i) => Object.assign(new Blob(['x']), { name: `${i}.jpg` }));
    picker.listeners.change();
    while (uploads.counts().active) await settled();
    return uploads.counts().total;
  };
  assert.deepEqual([await choose(3), await choose(2)], [3, 2]);
});
