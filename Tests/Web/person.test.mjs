// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const anna = { id: 'p1', name: 'Anna', level: 'attendee', fingerprint: 'abcd efgh ijkl', me: false, picture: null };
const counts = { photos: 2, pictures: 1, made: 0, joined: 3, checked_in: 1, common_moments: 2, crossed_paths: 1, common_connections: 1000 };
let profile = { person: anna, connection: 'none', counts }, found = {}, sought = [];
const calls = browse({
  people: () => (profile.status ? profile : { ...profile, people: sought }), connections: () => ({ connections: [] }), photos: () => ({ photos: [] }), search: () => found,
  'POST profile': () => ({ name: 'Ana', last_name: 'Ruiz', email: 'ana@example.org' }), profile: () => ({ last_name: 'Old' }), status: () => ({ status: 0 }),
});
const { loadLanguage } = await load('core/i18n.js');
const { state } = await load('core/store.js');
const { api } = await load('core/api.js');
const { PhotoList } = await load('core/photolist.js');
await load('ui/connecting.js');
const { mountPerson } = await load('views/person.js');
const { openSearch } = await load('ui/search.js');
const { guestChooser } = await load('ui/guests.js');
const { editProfile } = await load('ui/profile.js');
const { enough, latest } = await load('lib/words.js');
await loadLanguage();
state.status = { current: { id: 'e1', level: 'attendee' }, person: 'me', name: 'Me' };

const texts = (els) => els.map((el) => el.textContent);
async function show(to) {
  profile = to;
  const root = new Element('main');
  const view = mountPerson(root, 'p1', new PhotoList({ ...api, photos: (_, before, limit) => api.photosBy('p1', before, limit) }));
  await settled();
  await settled();
  await settled();
  return { root, view };
}
/** Types into the field of a box, and waits for the answer. */
async function type(box, text) {
  const input = box.all('input').find((one) => one.attributes.type === 'search');
  input.value = text;
  input.listeners.input();
  for (const one of ['timers', 'answers']) { if (one === 'timers') mock.timers.tick(300); await settled(); }
}

test('a person is told with what the two have in common, and can be asked to connect', async () => {
  const { root, view } = await show({ person: anna, connection: 'none', counts });
  assert.ok(texts(root.all('button')).includes('Connect'));
  assert.match(root.textContent, /Everyone here can see who is connected/);
  assert.deepEqual(texts(root.all('button')).filter((words) => /\d/.test(words)), ['1,000+ connections in common', '1 crossed paths', '2 moments in common', '3 moments joined', '1 checked in']);
  assert.ok(!root.textContent.includes('Edit'));
  view.stop();
});

test('one’s own page is the same with editing, and shows what only this device has', async () => {
  const { root, view } = await show({ person: { ...anna, me: true }, counts, own: { last_name: 'Ruiz', email: 'ana@example.org' } });
  assert.match(root.textContent, /Edit.*Ruiz · ana@example.org/);
  assert.ok(!texts(root.all('button')).includes('Connect'));
  view.stop();
});

test('of who has left or was removed the name stays, and it is said', async () => {
  for (const [level, words] of [['left', /Anna.*Has left the event/], ['removed', /Anna.*Was removed from the event/]]) {
    const { root, view } = await show({ person: { ...anna, level }, connection: 'none', counts: { ...counts, pictures: 0 } });
    assert.match(root.textContent, words);
    assert.ok(!texts(root.all('button')).includes('Connect'));
    view.stop();
  }
});

test('an id of nobody says so', async () => {
  const { root, view } = await show({ status: 404, detail: 'There is nobody with the id p1 in the event.' });
  assert.match(root.textContent, /Nobody here.*There is nobody with the id p1/);
  view.stop();
});

test('two letters, a tag, an emoji or a letter of a script without spaces are enough', () => {
  for (const text of ['an', '#d', '🎉', '🇩🇰', '海', 'مر', 'n 10', 'x'.repeat(10_000), 'é\u0301a']) assert.ok(enough(text), text);
  for (const text of ['', 'a', ' a b ', '#', '!?', 'ñ']) assert.ok(!enough(text), text);
});

test('of quick keystrokes one asks, and an answer that is late never wins', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const waiting = [], heard = [];
  const question = latest((text) => new Promise((done) => waiting.push([text, done])), (answer, error, text) => heard.push([text, answer]));
  for (const text of ['da', 'dan', 'danc']) question.ask(text);
  mock.timers.tick(300);
  question.ask('dance');
  mock.timers.tick(300);
  assert.deepEqual(waiting.map(([text]) => text), ['danc', 'dance']);
  waiting[1][1]('new');
  waiting[0][1]('old');
  await Promise.resolve().then(() => {}).then(() => {});
  assert.deepEqual(heard, [['dance', 'new']]);
  question.ask('d');
  assert.deepEqual(heard.at(-1), ['d', null], 'one letter asks nothing');
  mock.timers.reset();
});

test('a search shows groups, and says what to do where there is nothing', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const box = openSearch().el, none = { items: [] };
  found = { people: { items: [{ id: 'p1', title: 'Anna', link: '/people/p1', person: { ...anna, common_moments: 2 } }], more: 'people?q=an' }, moments: none, places: { items: [{ id: 'x', title: 'Annex', detail: 'Main street 1' }] }, photos: none };
  await type(box, 'an');
  assert.match(box.textContent, /2 results.*People.*Anna2 moments in common.*Show more.*Places.*AnnexMain street 1/s);
  assert.deepEqual(box.all('a').map((a) => a.attributes.href), ['/people/p1', '/places/x']);
  await type(box, 'a');
  assert.match(box.textContent, /Type two letters at least/);
  assert.equal(box.all('a').length, 0);
  found = { people: none, moments: none, places: none, photos: none };
  await type(box, 'مرحبا');
  assert.match(box.textContent, /Nothing found for “مرحبا”. Try fewer letters/);
  mock.timers.reset();
});

test('guests are found by name, and who is selected can be shown alone', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  state.people = [anna, { ...anna, id: 'p2', name: 'Bob' }, { ...anna, id: 'p3', name: 'Carl' }];
  profile = {};
  sought = [state.people[1]];
  const chooser = guestChooser();
  const boxes = () => chooser.el.all('li').flatMap((li) => li.all('input')), names = () => texts(chooser.el.all('strong'));
  await settled();
  state.people = [anna, { ...anna, id: 'p2', name: 'Bob' }, { ...anna, id: 'p3', name: 'Carl' }];
  await type(chooser.el, 'bo');
  assert.deepEqual(names(), ['Bob']);
  boxes()[0].checked = true;
  boxes()[0].listeners.change();
  await type(chooser.el, '');
  assert.deepEqual([names().length, chooser.chosen()], [3, ['p2']]);
  const only = chooser.el.all('input').at(-1);
  only.checked = true;
  only.listeners.change();
  assert.deepEqual(names(), ['Bob']);
  chooser.stop();
  mock.timers.reset();
});

test('a contact file fills the form, and nothing is kept before one saves', async () => {
  calls.length = 0;
  editProfile();
  await settled();
  const box = document.body.children.at(-1), files = box.all('input').filter((one) => one.attributes.type === 'file');
  globalThis.Blob ??= class {};
  const card = files.find((one) => one.attributes.accept.includes('.vcf'));
  card.files = [{ name: 'me.vcf' }];
  card.listeners.change();
  await settled();
  await settled();
  assert.deepEqual(box.all('input').filter((one) => one.attributes.type !== 'file').map((one) => one.value), ['Ana', 'Ruiz', 'ana@example.org']);
  assert.deepEqual(calls.filter(([method]) => method !== 'POST'), []);
});
