// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

const answers = {};
const calls = browse(answers);
document.documentElement.className = 'visitor';
Object.assign(globalThis, { navigator: { languages: ['en'] }, innerHeight: 800, scrollY: 0, removeEventListener: () => {}, ResizeObserver: class { observe() {} disconnect() {} }, requestAnimationFrame: () => 0 });
Element.prototype.getBoundingClientRect = () => ({ top: 0, left: 0, width: 390, height: 10 });
Element.prototype.classList = { toggle: () => {}, add: () => {}, remove: () => {}, contains: () => false };

// Its pages tell each other what changes, and would wait for that for ever.
delete globalThis.BroadcastChannel;

const { loadLanguage } = await load('core/i18n.js');
await loadLanguage();
const { statusOf, within } = await load('core/visit.js');
const store = await load('core/store.js');
const { inGroups, left } = await load('lib/codes.js');
const { createShell } = await load('ui/shell.js');
const { addButton, setTarget } = await load('ui/add.js');
const { createComments } = await load('ui/comments.js');
const { bookmarkButton } = await load('ui/bookmark.js');
const { you } = await load('ui/visitor.js');
const { askForName } = await load('ui/naming.js');
const { momentForm } = await load('ui/momentform.js');
const { mountPeople } = await load('views/people.js');

const me = { id: 'p2', name: 'Guest k3x7', picture: null, me: true, level: 'attendee', by_door: 'Barn', here: true };
const visit = { title: 'Party', people: 3, photos: 2, moments: 1, door: 'Barn', takes_part: true, held: false, drop_only: false, named: false, areas: ['moments'] };
/** Shows the page to a guest. @param {object} [more] what the visit says beyond the usual */
function at(more) {
  store.state.status = statusOf({ ...visit, ...more });
  answers.visit = () => ({ ...visit, ...more });
}
const buttons = (el) => el.all('button').filter((b) => !b.hidden).map((b) => b.textContent || b.attributes['aria-label']);
const questions = () => sheets().filter((el) => el.textContent.startsWith('What’s your name?'));
const sheets = () => document.body.children.filter((el) => el.className.includes('sheet'));

test('who takes part has what attendees have, and a name only once it was given', () => {
  at();
  assert.equal(store.looking(), false);
  assert.deepEqual([store.state.status.current.level, store.state.status.name, store.state.status.person], ['attendee', '', null]);
  at({ me, named: false });
  assert.deepEqual([store.state.status.name, store.state.status.person, store.myself().name], ['', 'p2', 'Guest k3x7']);
  at({ me: { ...me, name: 'Lena' }, named: true });
  assert.equal(store.state.status.name, 'Lena');
  at({ takes_part: false });
  assert.equal(store.looking(), true);
});

test('the frame has a picker for photos, and no settings and invitations', () => {
  at();
  const { el } = createShell(new Element('main'));
  const [input] = el.all('input');
  assert.deepEqual([input.attributes.type, 'multiple' in input.attributes], ['file', true]);
  assert.deepEqual(el.all('a').map((a) => a.attributes.href), ['/', '/moments', '/news', '/people', '/for-you']);
  assert.deepEqual(buttons(el), ['Menu', 'Search', 'You']);
});

test('where guests see only what they sent there is one place', () => {
  at({ drop_only: true });
  assert.deepEqual(createShell(new Element('main')).el.all('a').map((a) => a.attributes.href), ['/']);
  assert.deepEqual(['photo', 'people'].map((name) => within({ name, id: null }, store.state.status.visit).name), ['photo', 'unknown']);
});

test('nobody chooses photos for a moment that has ended', () => {
  at();
  let stopped = 0;
  const press = () => addButton('Add').all('input')[0].listeners.click({ preventDefault: () => { stopped++; } });
  setTarget(() => ({ may_post: false, status: 'ongoing', participation: null }));
  press();
  assert.equal(stopped, 0, 'one is joined to a moment that is on');
  setTarget(() => ({ may_post: false, status: 'ended', participation: null }));
  press();
  assert.equal(stopped, 1);
  setTarget(() => null);
});

test('guests write comments, and have no bookmarks and no private moments', () => {
  at();
  assert.equal(createComments('photos', 'x').el.all('textarea').length, 1);
  const mark = bookmarkButton(() => ({ id: 'x', bookmarked: false }), () => {});
  mark.draw();
  assert.equal(mark.el.hidden, true);
  momentForm();
  assert.doesNotMatch(sheets().at(-1).textContent, /Only people I invite/);
  sheets().at(-1).remove();
});

test('people are named, doors are not among them', async () => {
  at({ me });
  answers.people = () => ({ people: [me, { ...me, id: 'd', me: false, door: true, name: 'Barn', by_door: undefined }] });
  const root = new Element('main');
  mountPeople(root);
  await settled();
  assert.deepEqual(root.all('li').map((li) => li.textContent), ['GKGuest k3x7youphone']);
  assert.match(root.textContent, /1 person/);
  store.state.people = null;
});

test('the menu of a newcomer offers no leaving, and that of a guest does', () => {
  const menu = () => { you(); const box = sheets().at(-1); const all = buttons(box).slice(1); box.remove(); return all; };
  at();
  assert.deepEqual(menu(), ['I already take part', 'Have a computer?']);
  at({ me });
  assert.deepEqual(menu(), ['Name and picture', 'Use another phone', 'Have a computer?', 'Leave and delete']);
});

test('the name is asked after something was sent, once, and why it is refused is said', async () => {
  at({ me });
  askForName();
  await settled();
  assert.equal(questions().length, 0);
  store.emit('shared');
  await settled();
  assert.equal(questions().length, 1);
  const [box] = questions(), [input] = box.all('input'), [form] = box.all('form');
  const submit = async (name) => { input.value = name; await form.listeners.submit({ preventDefault: () => {} }); };
  calls.splice(0);
  await submit(' ');
  assert.equal(calls.length, 0);
  answers['PUT profile'] = () => ({ status: 400, detail: 'A name has letters.' });
  await submit('\u2028x');
  assert.match(box.textContent, /A name has letters\./);
  answers['PUT profile'] = () => ({});
  await submit('Lena');
  assert.deepEqual(calls.at(-1), ['PUT', 'profile', { name: 'Lena' }]);
  store.emit('shared');
  await settled();
  assert.equal(questions().length, 1, 'it is not asked twice');
});

test('a code is read in two groups, and ends', () => {
  assert.equal(inGroups('12345678'), '1234 5678');
  assert.equal(left('2026-06-20T18:10:00Z', Date.parse('2026-06-20T18:00:00Z')), '10:00');
  assert.equal(left('2026-06-20T18:10:00Z', Date.parse('2026-06-20T18:09:55.5Z')), '0:05');
  assert.equal(left('2026-06-20T18:10:00Z', Date.parse('2026-06-20T18:10:00Z')), '');
});
