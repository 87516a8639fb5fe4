// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { renewed } from '../../Sources/CWebAssets/web/js/lib/paths.js';
import { Element, browse, settled } from './element.mjs';

browse({});
Element.prototype.scrollIntoView = () => {};
const ana = { id: 'p1', name: 'Ana', picture: null, me: false };
const said = (n) => ({ id: `c${n}`, target: 'm1', target_kind: 'moment', author: ana, text: `${n}`, posted: new Date(1782000000000 + n * 60000).toISOString(), mine: false });
const PAGE = 50;
/** What the node holds, and what it was asked for. */
let held = [], asked = [];
globalThis.fetch = async (url) => {
  const before = new URL(url, 'http://node').searchParams.get('before'), end = before ? held.findIndex((c) => c.id === before) : held.length, start = Math.max(0, end - PAGE);
  asked.push(before);
  return { ok: true, status: 200, text: async () => JSON.stringify({ comments: held.slice(start, end), previous: start ? held[start].id : null }) };
};
const { createComments } = await import('../../Sources/CWebAssets/web/js/ui/comments.js');
const numbers = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/** Comments of which three pages are open, as somebody reads them. */
async function opened() {
  held = numbers(0, 170).map(said);
  const talk = createComments('moments', 'm1');
  await talk.refresh(undefined, held.length);
  for (const _ of [1, 2]) { talk.el.all('button')[0].listeners.click(); await settled(); }
  asked = [];
  return talk;
}
const shown = (talk) => talk.el.all('ol')[0].children.map((li) => li.all('p').find((p) => p.className === 'said').textContent);
const of = (...kinds) => new Set(kinds);

test('of a new comment the newest page is asked for, however many are open', async () => {
  const talk = await opened();
  assert.deepEqual(shown(talk), numbers(20, 170).map(String));
  held.push(said(170), said(171));
  await talk.refresh(of('comment'), held.length);
  assert.deepEqual(asked, [null]);
  assert.deepEqual(shown(talk), numbers(20, 172).map(String));
  held.splice(171, 1);
  await talk.refresh(of('comment', 'status'), held.length);
  assert.deepEqual(asked, [null, null]);
  assert.deepEqual(shown(talk), numbers(20, 171).map(String));
});

test('what changes nothing about comments asks for none', async () => {
  const talk = await opened();
  await talk.refresh(of('media', 'peers', 'people', 'fave'), held.length);
  assert.deepEqual(asked, []);
  // The node counts one more, though it said nothing of it yet.
  held.push(said(170));
  await talk.refresh(of('media'), held.length);
  assert.deepEqual(asked, [null]);
  assert.equal(shown(talk).at(-1), '170');
});

test('of what the newest page does not show all that is open is read', async () => {
  const gone = await opened();
  held.splice(60, 1);
  await gone.refresh(of('comment'), held.length);
  assert.equal(asked.length, 3);
  assert.ok(!shown(gone).includes('60') && shown(gone).includes('59'));
  for (const kinds of [of('comment', 'hidden'), of('profile'), undefined]) {
    const talk = await opened();
    await talk.refresh(kinds, held.length);
    assert.equal(asked.length, 3);
  }
});

test('who said something is shown by the name that the person has now', async () => {
  const talk = await opened();
  held = held.map((c) => ({ ...c, author: { ...ana, name: 'Anna' } }));
  await talk.refresh(of('profile'), held.length);
  const names = talk.el.all('ol')[0].children.map((li) => li.all('strong')[0].textContent);
  assert.deepEqual([...new Set(names)], ['Anna']);
});

test('the newest page takes the place of what is known of it, if it says all', () => {
  const list = (text) => [...text].map((id) => ({ id })), words = (all) => all?.map((c) => c.id).join('') ?? null;
  assert.equal(words(renewed(list('abcdef'), list('efg'), 1)), 'abcdefg');
  assert.equal(words(renewed(list('abcdef'), list('def'), 0)), 'abcdef');
  assert.equal(words(renewed(list('abcdef'), list('cdf'), -1)), 'abcdf');
  assert.equal(renewed(list('abcdef'), list('def'), -1), null, 'an older one went');
  assert.equal(renewed(list('abcdef'), list('def'), 1), null, 'one came late');
  assert.equal(renewed(list('abc'), list('xyz'), 3), null, 'more came than a page holds');
  assert.equal(renewed([], [], NaN), null);
});
