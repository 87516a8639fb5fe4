// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load } from './element.mjs';

browse({});
Element.prototype.classList = { add: () => {}, toggle: () => {} };
const i18n = await load('core/i18n.js');
await i18n.loadLanguage();
const { state } = await load('core/store.js');
const { openMenu } = await load('ui/menu.js');
const { opens } = await load('lib/gesture.js');

const current = { id: 'e1', title: 'Party', level: 'attendee', people: 2, photos: 0, moments: 0, requests: 2, waiting: 0, reports: 0, areas: ['moments'] };
/** What the menu offers, group by group. */
function menu(event = {}) {
  state.status = { name: 'Ana', person: 'ana', current: { ...current, ...event }, sync: {}, warnings: [], events: [] };
  openMenu();
  const box = document.body.children.at(-1);
  const groups = box.all('ul').map((group) => group.all('li').map((li) => li.textContent));
  box.listeners.close();
  return groups;
}

test('the menu has the sections in their order, what waits there, and no area that is off', () => {
  const [own, all, event] = menu();
  assert.deepEqual(own, ['Me', 'News', 'Check-ins', 'Invitations', 'Connections2']);
  assert.deepEqual(all, ['For you', 'Photos', 'Moments', 'People', 'Bookmarks']);
  assert.deepEqual(event, ['Invite people', 'Tell the hosts', 'Your events']);
  assert.deepEqual(menu({ areas: ['venues'] })[1], ['For you', 'Photos', 'Places', 'People', 'Bookmarks']);
  assert.deepEqual(menu({ areas: ['venues', 'deals'] })[1].slice(2, 4), ['Places', 'Deals']);
  assert.ok(menu({ level: 'moderator' })[2].some((words) => words.startsWith('Hidden')));
});

test('a drag from the edge opens the menu, one back closes it, and scrolling does neither', () => {
  const drag = (from, dx, dy = 0, rtl = false) => opens({ from, dx, dy, width: 390, rtl });
  assert.equal(drag(20, 100), 1);
  assert.equal(drag(300, 100), 0, 'what begins elsewhere turns pages');
  assert.equal(drag(20, 40), 0);
  assert.equal(drag(20, 100, 80), 0);
  assert.equal(drag(200, -100), -1);
  assert.equal(drag(370, -100, 0, true), 1, 'from right to left the edge is the other one');
  assert.equal(drag(20, 100, 0, true), -1);
});

test('a language is there when its file is, and says in which direction the page is read', async () => {
  const asked = [], { fetch } = globalThis;
  const root = document.documentElement;
  const read = async (languages, files) => {
    asked.splice(0);
    navigator.languages = languages;
    globalThis.fetch = async (url) => {
      const file = String(url).match(/(\w+)\.json$/)[1];
      asked.push(file);
      return { ok: files.includes(file), json: async () => ({ back: file }) };
    };
    await i18n.loadLanguage();
    return [i18n.t('back'), root.lang, root.dir];
  };
  assert.deepEqual(await read(['ar-EG', 'en'], ['ar', 'en']), ['ar', 'ar-EG', 'rtl']);
  assert.deepEqual(await read(['xx', 'es-MX', 'es'], ['es', 'en']), ['es', 'es-MX', 'ltr']);
  assert.deepEqual(await read(['aa', 'bb', 'cc', 'dd', 'ee', 'es'], ['es', 'en']), ['en', 'en', 'ltr']);
  assert.equal(asked.length, 5, 'no more than four are asked for before English');
  Object.assign(globalThis, { fetch });
  navigator.languages = ['en'];
  await i18n.loadLanguage();
});
