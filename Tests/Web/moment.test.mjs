// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const person = { id: 'p1', name: 'Ana', picture: null, me: true, level: 'founder', fingerprint: '', here: true };
const moment = { id: 'm1', title: 'Toast', description: '', start: '2026-06-20T18:00:00.000Z', end: '2026-06-20T20:00:00.000Z', status: 'ongoing',
  place: { name: 'Jetty', latitude: 1, longitude: 2, radius_m: 100 }, author: person, cover: null, created: '2026-06-20T17:00:00.000Z', photos: 0, joined: 1, checked_in: 0,
  comments: 0, faves: 0, faved: false, bookmarked: false, button: 'join', may_post: true, may_edit: true, private: false, invited: false };
const nothing = { comments: [], previous: null, photos: [], next: null };
browse({ moments: () => ({ ...moment, ...nothing }), photos: () => nothing, people: () => ({ people: [person], relays: [] }) });
// What the view needs of a browser beyond the others' tests: a narrow one here.
Object.assign(globalThis, { innerHeight: 800, scrollY: 0, removeEventListener: () => {}, ResizeObserver: class { observe() {} disconnect() {} }, requestAnimationFrame: () => 0 });
Element.prototype.getBoundingClientRect = () => ({ top: 0, left: 0, width: 390, height: 10 });
Element.prototype.classList = { toggle: () => {}, add: () => {}, remove: () => {}, contains: () => false };
Element.prototype.style = {};
let wide = false;
globalThis.matchMedia = () => ({ get matches() { return wide; }, addEventListener: () => {}, removeEventListener: () => {} });

const { loadLanguage } = await load('core/i18n.js');
await loadLanguage();
const { state } = await load('core/store.js');
const { mountMoment } = await load('views/moment.js');
state.moments = [moment];
state.people = [person];

/** Whether the comments of a moment that is opened stand open. */
async function standsOpen() {
  const root = new Element('main');
  const list = { items: [], complete: true, started: true, waiting: 0, on: () => () => {}, more: async () => {}, refresh: async () => {}, release: () => {}, indexOf: () => -1 };
  const view = mountMoment(root, 'm1', list);
  await settled();
  view.stop();
  return root.all('details').find((el) => el.className === 'side-talk').attributes.open !== undefined;
}

test('comments of a moment are folded where there is little room', async () => {
  wide = false;
  assert.equal(await standsOpen(), false);
  wide = true;
  assert.equal(await standsOpen(), true);
});

test('comments are not folded over what was typed and not sent', async () => {
  wide = false;
  state.drafts.set('moments/m1', 'To the happy');
  assert.equal(await standsOpen(), true);
  state.drafts.delete('moments/m1');
  assert.equal(await standsOpen(), false);
});
