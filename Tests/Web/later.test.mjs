// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

browse({});
const kept = new Map();
let reloads = 0;
globalThis.sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
Object.assign(location, { pathname: '/moments', reload: () => { reloads++; } });
await (await load('core/i18n.js')).loadLanguage();
const { state, tell } = await load('core/store.js');
const { later, prefetch } = await load('ui/later.js');
const { complain } = await load('ui/parts.js');
const { offline } = await load('core/api.js');

/** Code that cannot be got as long as the node is away. */
let away = true;
const code = async () => { if (away) throw new TypeError('Failed to fetch dynamically imported module'); return { name: 'form' }; };
const begin = () => { away = true; tell(true); document.body = new Element('body'); kept.clear(); reloads = 0; };

test('what is asked for while the node is away is done when it is back, and no error is shown', async () => {
  begin();
  const done = [];
  later(code, ({ name }) => done.push(name));
  await settled();
  assert.equal(state.live, false, 'the banner says so');
  assert.deepEqual(done, []);
  away = false;
  tell(true);
  await settled();
  assert.deepEqual(done, ['form']);
  assert.equal(document.body.textContent, '');
});

test('of a node that is away no message stays when it is back', async () => {
  begin();
  complain(offline());
  assert.equal(document.body.all('div').length, 0);
  complain(new Error('Full'));
  assert.match(document.body.textContent, /Full/);
});

test('what was asked for on a page that one has left is not done', async () => {
  begin();
  const done = [];
  later(code, ({ name }) => done.push(name));
  await settled();
  away = false;
  location.pathname = '/news';
  tell(true);
  await settled();
  assert.deepEqual(done, []);
  location.pathname = '/moments';
});

test('code that is not there though the node is makes the page begin anew, once', async () => {
  begin();
  const ask = async () => { later(code, () => {}); await settled(); tell(true); await settled(); };
  await ask();
  assert.equal(reloads, 1);
  await ask();
  assert.equal(reloads, 1, 'it would go on for ever');
  assert.doesNotMatch(document.body.textContent, /dynamically/);
});

test('code that is likely to be wanted comes one after the other, whatever fails', async () => {
  const got = [];
  globalThis.requestIdleCallback = (f) => setImmediate(f);
  prefetch([1, 2, 3].map((n) => async () => { got.push(n); if (n === 1) throw new Error(); }));
  for (let turn = 0; turn < 6; turn++) await settled();
  assert.deepEqual(got, [1, 2, 3]);
});
