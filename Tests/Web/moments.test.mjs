// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const moment = (id, more = {}) => ({ id, title: id, description: '', start: '2026-06-20T18:00:00.000Z', end: '2026-06-20T20:00:00.000Z', status: 'ongoing',
  place: { name: 'Jetty', latitude: 1, longitude: 2, radius_m: 100 }, author: { id: 'p1', name: 'Ana' }, cover: null, photos: 0, joined: 1, checked_in: 0,
  participation: null, button: 'join', may_post: false, private: true, invited: true, ...more });
let listed = [moment('Toast'), moment('Walk', { participation: 'joined' }), moment('Cake', { status: 'ended', button: 'ended' })];
const asked = [];
browse({ moments: () => ({ moments: listed }) });
const { loadLanguage } = await load('core/i18n.js');
await loadLanguage();
const { api } = await load('core/api.js');
const { state } = await load('core/store.js');
const { mountMoments } = await load('views/moments.js');
state.status = { current: { id: 'e1', level: 'attendee' } };
api.ignoreMoment = async (id) => {
  asked.push(id);
  listed = listed.map((m) => (m.id === id ? { ...m, participation: 'ignored' } : m));
  return listed.find((m) => m.id === id);
};

/** The lists that a page shows: their headings, and what is in them. */
const shown = (root) => root.all('section').map((section) => [section.all('h3')[0].textContent, ...section.all('li').map((li) => li.all('h3')[0].textContent.replace(/^.*this/, ''))]);

test('invitations stand first until they are answered, and no longer when they are ignored', async () => {
  const root = new Element('main');
  const view = mountMoments(root);
  await settled();
  assert.deepEqual(shown(root), [['You are invited', 'Toast'], ['On now', 'Walk'], ['Earlier', 'Cake']]);
  assert.ok(root.all('p').some((p) => p.textContent === 'Ana invites you'));
  root.all('button').find((button) => button.textContent === 'Ignore').listeners.click();
  await settled();
  assert.deepEqual(asked, ['Toast']);
  assert.deepEqual(shown(root), [['On now', 'Toast', 'Walk'], ['Earlier', 'Cake']]);
  view.stop();
});

test('a card tells for whom a moment is', () => {
  state.moments = [moment('Toast', { private: false }), moment('Swim')];
  const root = new Element('main');
  mountMoments(root).stop();
  const card = (title) => root.all('li').find((li) => li.textContent.includes(title)).textContent;
  assert.ok(card('Toast').includes('Public') && !card('Toast').includes('Private'));
  assert.ok(card('Swim').includes('Private: only invited people see this') && !card('Swim').includes('Public'));
});

test('who only reads is not asked for what would be refused', () => {
  state.status = { current: { id: 'e1', level: 'guest' } };
  state.moments = [moment('Toast')];
  const root = new Element('main');
  mountMoments(root).stop();
  assert.deepEqual(shown(root), [['On now', 'Toast']]);
  assert.ok(!root.all('button').some((button) => button.textContent === 'Ignore'));
});

test('one’s own lists are one press away, the invitations with who sent them and when', async () => {
  state.status = { current: { id: 'e1', level: 'attendee' } };
  state.moments = [moment('Toast')];
  const pages = { invited: [{ moments: [moment('Swim', { invited_at: new Date().toISOString(), participation: 'joined' })], next: 'c' }, { moments: [moment('Fire')], next: null }] };
  const calls = [];
  api.ownMoments = async (list, before) => { calls.push([list, before ?? null]); return pages[list]?.[before ? 1 : 0] ?? { moments: [], next: null }; };
  Element.prototype.focus = () => {};
  const root = new Element('main'), view = mountMoments(root);
  const press = async (words) => { root.all('button').find((one) => one.textContent === words).listeners.click({ preventDefault() {} }); await settled(); };
  const titles = () => root.all('li').map((li) => li.all('h3')[0].textContent.replace(/^.*this/, ''));
  await press('Invitations');
  assert.deepEqual(titles(), ['Swim']);
  assert.match(root.textContent, /Ana invites you · now/);
  await press('Show more');
  assert.deepEqual(titles(), ['Swim', 'Fire']);
  await press('Checked in');
  assert.match(root.textContent, /Moments at which you checked in appear here/);
  await press('All');
  assert.deepEqual(titles(), ['Toast']);
  assert.deepEqual(calls, [['invited', null], ['invited', 'c'], ['checked_in', null]]);
  view.stop();
});
