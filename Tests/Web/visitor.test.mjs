// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const answers = {};
const calls = browse(answers);
document.documentElement.className = 'visitor';
const asked = [];
const real = fetch;
globalThis.fetch = (url, options) => { asked.push(`${options?.method ?? 'GET'} ${url}`); return real(String(url), options); };
// What the views need of a browser beyond the others' tests.
Object.assign(globalThis, { navigator: { languages: ['en'] }, innerHeight: 800, scrollY: 0, removeEventListener: () => {}, ResizeObserver: class { observe() {} disconnect() {} }, requestAnimationFrame: () => 0 });
Element.prototype.getBoundingClientRect = () => ({ top: 0, left: 0, width: 390, height: 10 });
Element.prototype.classList = { toggle: () => {}, add: () => {}, remove: () => {}, contains: () => false };

const { loadLanguage } = await load('core/i18n.js');
await loadLanguage();
const { within, statusOf, forgetCode } = await load('core/visit.js');
const { api } = await load('core/api.js');
const store = await load('core/store.js');
const { createShell } = await load('ui/shell.js');
const { createComments } = await load('ui/comments.js');
const { participation } = await load('ui/participate.js');
const { mountPeople } = await load('views/people.js');
const { mountMoments } = await load('views/moments.js');
const { mountMoment } = await load('views/moment.js');
const { mountPhotos } = await load('views/photos.js');

const person = { id: 'p1', name: 'Ana', picture: null, me: false, level: 'founder', fingerprint: '', here: false };
const moment = { id: 'm1', title: 'Toast', description: 'Bring a glass', start: '2026-06-20T18:00:00.000Z', end: '2026-06-20T20:00:00.000Z', status: 'ongoing',
  place: { name: 'Jetty', latitude: 1, longitude: 2, radius_m: 100 }, author: person, cover: null, created: '2026-06-20T17:00:00.000Z', photos: 0, joined: 2, checked_in: 1,
  comments: 1, faves: 0, faved: false, bookmarked: false, button: 'join', may_post: false, may_edit: false, private: false, invited: false };
const event = { title: 'Party', people: 3, photos: 2, moments: 1 };
const comments = { comments: [{ id: 'c1', target: 'm1', target_kind: 'moment', author: person, text: 'Hi', posted: moment.created, mine: false }] };
Object.assign(answers, { visit: () => event, people: () => ({ people: [person], relays: [] }), moments: () => ({ moments: [moment] }), photos: () => ({ photos: [], next: null }), comments: () => structuredClone(comments) });
store.state.status = statusOf(event);

/** Elements that somebody could write or change something with. */
const tags = (el, ...names) => names.flatMap((name) => el.all(name));
const writes = (el) => tags(el, 'form', 'textarea', 'input', 'select');
const seen = (el) => !el.hidden && (!el.parent || seen(el.parent));
const buttons = (el) => el.all('button').filter(seen).filter((b) => !('disabled' in b.attributes) && !b.disabled).map((b) => b.textContent || b.attributes['aria-label']);

/** Shows a view, and what it holds once all has come. */
async function show(mount) {
  const root = new Element('main');
  const view = mount(root);
  await settled();
  await settled();
  view?.stop?.();
  return root;
}

test('a visitor asks for the visit, and never for the status of the node', async () => {
  asked.splice(0);
  const status = await api.status();
  assert.deepEqual([status.current.title, status.current.level, status.person], ['Party', 'guest', null]);
  assert.deepEqual(asked, ['GET /api/v1/visit']);
});

test('a visitor has the places to look at, and no other', () => {
  const to = (name) => within({ name, id: null }).name;
  for (const name of ['photos', 'photo', 'moments', 'moment', 'news', 'forYou', 'people', 'places', 'place']) assert.equal(to(name), name);
  for (const name of ['invite', 'hidden', 'bookmarks', 'unknown']) assert.equal(to(name), 'unknown');
  document.documentElement.className = '';
  assert.equal(to('invite'), 'invite', 'who has a node has all of them');
  document.documentElement.className = 'visitor';
});

test('the code goes from the address', () => {
  const replaced = [];
  globalThis.history = { replaceState: (_, __, path) => replaced.push(path) };
  location.pathname = '/RXKOOPI2';
  forgetCode();
  location.pathname = '/moments/m1';
  forgetCode();
  Object.assign(location, { pathname: '/rxkoopi2', hash: '#/places/abc234' });
  forgetCode();
  location.hash = '#//elsewhere';
  forgetCode();
  location.hash = '';
  assert.deepEqual(replaced, ['/', '/places/abc234#code', '/']);
  location.pathname = '/';
});

test('the frame says that one looks on and how to take part, and offers nothing else', () => {
  const shell = createShell(new Element('main'));
  assert.match(shell.el.textContent, /You can look at this page/);
  assert.deepEqual(buttons(shell.el), ['Menu', 'Take part with a computer', 'Search']);
  assert.deepEqual(shell.el.all('a').map((a) => a.attributes.href), ['/', '/moments', '/news', '/people']);
  assert.match(shell.el.textContent, /Party/);
});

test('below a photo or a moment there is no box to write in', async () => {
  const talk = createComments('moments', 'm1');
  assert.deepEqual(writes(talk.el), []);
});

test('a moment is not joined by looking at it', () => {
  for (const button of ['join', 'joined', 'check_in', 'checked_in']) assert.equal(participation({ ...moment, button }), null);
  assert.match(participation({ ...moment, button: 'ended' }).textContent, /\w/);
});

test('people are names and faces', async () => {
  const root = await show(mountPeople);
  assert.deepEqual([buttons(root), root.all('input').map((one) => one.attributes.type), root.all('code')], [[], ['search'], []]);
  assert.deepEqual(root.all('a').map((a) => a.attributes.href), ['/people/p1']);
  assert.deepEqual(root.all('strong').map((el) => el.textContent), ['Ana']);
});

test('moments, one moment and photos have nothing that writes', async () => {
  await store.load.moments();
  for (const mount of [mountMoments, (root) => mountMoment(root, 'm1', list()), (root) => mountPhotos(root, list())]) {
    const root = await show(mount);
    assert.deepEqual(writes(root), []);
    assert.deepEqual(buttons(root), [], root.textContent);
    assert.ok(!root.all('a').some((a) => a.attributes.href === '/invite'));
  }
});

test('nothing was written, and nothing asked for that a door does not have', () => {
  assert.deepEqual(calls, []);
  const open = /^GET \/api\/v1\/(visit|people|moments|categories|photos|comments|news|notifications|media|stream)\b/;
  for (const one of asked.filter((url) => url.includes('/api/'))) {
    assert.match(one, open);
    assert.doesNotMatch(one, /participants|guests/);
  }
});

/** A list of photos with none in it. */
function list() {
  return { items: [], complete: true, started: true, waiting: 0, on: () => () => {}, more: async () => {}, refresh: async () => {}, release: () => {}, indexOf: () => -1 };
}
