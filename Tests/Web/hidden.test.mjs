// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const answers = {};
browse(answers);
await (await load('core/i18n.js')).loadLanguage();
const { state } = await load('core/store.js');
const { mountHidden } = await load('views/hidden.js');
const { hidingWords, hidingDeed, readersWords } = await load('ui/hiding.js');

const ana = { id: 'ana', name: 'Ana' };
const byItself = { record: 'c1', kind: 'comment', hides: true, reason: 'It was reported.', reported: true, by: ana, at: '2026-06-20T18:00:00.000Z' };

test('what a moderator’s device hid by itself is nobody’s word, be it for one report or for many', async () => {
  assert.equal(hidingWords(byItself), 'Hidden after reports, until a moderator decides');
  assert.equal(hidingWords({ ...byItself, reason: 'Rude', reported: false }), 'Hidden by Ana: Rude');
  const log = [byItself, { ...byItself, reason: 'Rude', reported: false }, { ...byItself, hides: false, reason: undefined, reported: false }];
  Object.assign(answers, { hidden: () => ({ log }), reports: () => ({ reported: [] }), feedback: () => ({ feedback: [{ id: 'f1', author: ana, text: 'More light', posted: byItself.at }] }) });
  const root = new Element('main'), view = mountHidden(root);
  await settled();
  view.stop();
  const words = root.all('details')[0].all('strong').map((line) => line.textContent);
  assert.deepEqual(words, ['Ana’s device hid Comment', 'Ana hid Comment', 'Ana unhid Comment']);
  assert.match(root.textContent, /What guests tell the hosts.*Ana.*More light/);
});

test('who reports something is told who reads it, and what happens where nobody else does', () => {
  assert.equal(readersWords({ readers: 2, level: 'moderator', threshold: 3 }), '2 moderators read this and your name.');
  assert.equal(readersWords({ readers: 1, level: 'host', threshold: 3 }), 'One host reads this and your name.');
  assert.equal(readersWords({ readers: 1, level: 'founder' }), 'The founder reads this and your name.');
  assert.equal(readersWords({ readers: 0, threshold: 3 }), 'Nobody else moderates here: it is hidden after 3 reports.');
  assert.equal(readersWords({ readers: 0 }), 'Nobody else moderates here, and reports hide nothing.');
});

test('who moderates is not offered to show an own record again that others hid', () => {
  state.status = { current: { level: 'founder' } };
  const me = { id: 'me', name: 'Me', me: true };
  const isOffered = (by, reported, author = me) => Boolean(hidingDeed({ id: 'c1', author, hidden: { record: 'c1', by, reported } }, () => {}));
  assert.deepEqual([isOffered(ana, false), isOffered(me, true), isOffered(me, false), isOffered(me, true, ana)], [false, false, true, true]);
});

test('who does not moderate is offered to report what others shared', () => {
  state.status = { current: { level: 'attendee' } };
  const deed = (record) => hidingDeed({ id: 'c1', author: ana, ...record }, () => {})?.words;
  assert.deepEqual([deed({}), deed({ author: { id: 'me', me: true } }), deed({ private: true })], ['Report', undefined, undefined]);
  state.status = { current: { level: 'guest' } };
  assert.equal(deed({}), undefined);
});
