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

/** What "+" shows in a moment, and with photos that are chosen then what it asks for. */
async function plus(of, photos = 0) {
  calls.length = 0;
  document.body = new Element('body');
  globalThis.XMLHttpRequest = new FakeNode().requests();
  setTarget(() => of, () => null);
  await addPhotos();
  await settled();
  const box = document.body.all('dialog').at(-1), picker = box.all('input').find((one) => one.attributes.type === 'file');
  if (photos) {
    picker.files = Array.from({ length: photos }, (_, i) => Object.assign(new Blob(['x']), { name: `${i}.jpg` }));
    picker.listeners.change();
    await settled();
    while (uploads.counts().active) await settled();
  }
  return { picker, words: document.body.all('dialog').at(-1).textContent, calls: calls.filter(([, path]) => path.startsWith('moments')) };
}
/** The node's answers to joining and to checking in, one after the other. */
const answer = (...all) => { answers['POST moments'] = () => all.shift(); };

test('who opens "+" in a moment has done nothing; the photos that are chosen join, check in by its place, and go', async () => {
  assert.deepEqual((await plus(moment)).calls, []);
  answer(joined, inside);
  assert.deepEqual((await plus(moment, 1)).calls, [['POST', 'moments/m1/join', undefined], ['POST', 'moments/m1/check-in', { latitude: 41.1, longitude: 2.2 }]]);
});

test('a moment that has no position asks for none', async () => {
  answer({ ...inside, place: { name: 'Hall' } });
  assert.deepEqual((await plus({ ...joined, place: { name: 'Hall' } }, 1)).calls, [['POST', 'moments/m1/check-in', {}]]);
});

test('who may add is asked for nothing', async () => {
  const { picker, calls: asked } = await plus(inside, 1);
  assert.ok(picker);
  assert.deepEqual(asked, []);
});

test('what the node refuses is said in its words', async () => {
  answer({ status: 403, type: '/problems/not-allowed', detail: 'You are 3 km from Jetty.' });
  assert.match((await plus(joined, 1)).words, /You are 3 km from Jetty/);
});

test('photos that are chosen after others were added are counted alone', async () => {
  const choose = async (n) => { await plus(inside, n); return uploads.counts().total; };
  assert.deepEqual([await choose(3), await choose(2)], [3, 2]);
});
