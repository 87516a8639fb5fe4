// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const answers = {};
browse(answers);
await (await load('core/i18n.js')).loadLanguage();
const { mountHidden } = await load('views/hidden.js');
const { hidingWords } = await load('ui/hiding.js');

const ana = { id: 'ana', name: 'Ana' };
const byItself = { record: 'c1', kind: 'comment', hides: true, reason: 'It was reported.', reported: true, by: ana, at: '2026-06-20T18:00:00.000Z' };

test('what a moderator’s device hid by itself is nobody’s word, be it for one report or for many', async () => {
  assert.equal(hidingWords(byItself), 'Hidden after reports, until a moderator decides');
  assert.equal(hidingWords({ ...byItself, reason: 'Rude', reported: false }), 'Hidden by Ana: Rude');
  const log = [byItself, { ...byItself, reason: 'Rude', reported: false }, { ...byItself, hides: false, reason: undefined, reported: false }];
  Object.assign(answers, { hidden: () => ({ log }), reports: () => ({ reported: [] }) });
  const root = new Element('main'), view = mountHidden(root);
  await settled();
  view.stop();
  const words = root.all('details')[0].all('strong').map((line) => line.textContent);
  assert.deepEqual(words, ['Ana’s device hid Comment', 'Ana hid Comment', 'Ana unhid Comment']);
});
