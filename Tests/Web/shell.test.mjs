// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load } from './element.mjs';

browse({});
Element.prototype.classList = { toggle: () => {} };
await (await load('core/i18n.js')).loadLanguage();
const { emit, nameOf, state, tell } = await load('core/store.js');
const { createShell } = await load('ui/shell.js');

test('of those who are connected people are counted, and relays are not', () => {
  const shell = createShell(new Element('main'));
  const current = { id: 'e1', title: 'Party', level: 'founder', people: 2, photos: 0, moments: 0, requests: 0 };
  state.status = { current, sync: { peers: 1, blobs_waiting: 0, bytes_waiting: 0 }, warnings: [], events: [current] };
  const facts = () => shell.el.all('p')[0].textContent;
  emit('status', state.status);
  assert.equal(facts(), '2 people', 'who is connected is not known yet');
  const me = { id: 'ana', name: 'Ana', level: 'founder', me: true, here: true }, bob = { id: 'bob', name: 'Bob', level: 'attendee', me: false, here: false };
  const relay = { id: 'rel', name: 'Relay', level: 'relay', relay: true, me: false, here: true };
  state.people = [me, bob, relay];
  emit('people', state.people);
  assert.equal(facts(), '1 here2 people');
  state.people = [me, { ...bob, here: true }, relay];
  emit('people', state.people);
  assert.equal(facts(), '2 here2 people');
});

test('while the node is away nobody is said to be here', () => {
  const shell = createShell(new Element('main'));
  const current = { id: 'e1', title: 'Party', level: 'founder', people: 2, photos: 0, moments: 0, requests: 0 };
  state.status = { current, sync: { peers: 1, blobs_waiting: 0, bytes_waiting: 0 }, warnings: [], events: [current] };
  state.people = [{ id: 'me', name: 'Anna', level: 'founder', me: true, here: true }];
  const facts = () => shell.el.all('p')[0].textContent;
  tell(false);
  assert.equal(facts(), '2 people');
  tell(true);
  assert.equal(facts(), '1 here2 people');
});

test('invitations that wait for an answer are counted', () => {
  const shell = createShell(new Element('main'));
  const current = { id: 'e1', title: 'Party', level: 'attendee', people: 2, photos: 0, moments: 3, requests: 0, waiting: 0 };
  state.status = { current, sync: { peers: 1, blobs_waiting: 0, bytes_waiting: 0 }, warnings: [], events: [current] };
  const show = (...moments) => {
    state.moments = moments;
    emit('moments', moments);
    return shell.el.all('a').map((a) => a.textContent).find((text) => text.startsWith('Moments'));
  };
  const invited = { invited: true, participation: null, status: 'ongoing' };
  assert.equal(show(), 'Moments');
  assert.equal(show(invited), 'Moments11 invitation to answer');
  assert.equal(show(invited, invited, { ...invited, participation: 'ignored' }), 'Moments22 invitations to answer');
  state.moments = null;
});

test('who asks to connect, who waits to be let in and what was reported are counted together, and named apart', () => {
  const shell = createShell(new Element('main'));
  const show = (requests, waiting, reports = 0, level = 'founder') => {
    const current = { id: 'e1', title: 'Party', level, people: 2, photos: 0, moments: 0, requests, waiting, reports };
    state.status = { current, sync: { peers: 1, blobs_waiting: 0, bytes_waiting: 0 }, warnings: [], events: [current] };
    emit('status', state.status);
    return shell.el.all('a').map((a) => a.textContent).find((text) => /let in|connect|moderator/.test(text));
  };
  assert.equal(show(0, 0), undefined);
  assert.match(show(0, 1), /^People11 person waits to be let in$/);
  assert.match(show(2, 3), /^People52 people ask to connect with you, 3 people wait to be let in$/);
  assert.match(show(2, 0), /^People22 people ask to connect with you$/);
  assert.match(show(0, 0, 3), /^People33 reports wait for a moderator$/);
  assert.match(show(1, 0, 3, 'attendee'), /^People11 person asks to connect with you$/);
});

test('two people of one name are told apart where they are named', () => {
  const called = (person, people) => { state.people = people; return nameOf(person); };
  const ana = { id: 'a', name: 'Ana', fingerprint: 'k3x7 9qpl 2m4c' }, bob = { id: 'b', name: 'Bob', fingerprint: 'aaaa bbbb cccc' };
  const people = [ana, bob, { ...ana, id: 'c', fingerprint: 'zzzz yyyy xxxx' }];
  assert.equal(called(ana, people), 'Ana · k3x7');
  assert.equal(called(people[2], people), 'Ana · zzzz');
  assert.equal(called(bob, people), 'Bob');
  assert.equal(called(ana, [ana, bob]), 'Ana');
  // Visitors are told no fingerprints.
  assert.equal(called({ ...ana, fingerprint: '' }, people), 'Ana');
  state.people = null;
});

test('the areas that are on have tabs in one order, with deals after places', () => {
  const shell = createShell(new Element('main'));
  const tabs = (areas) => {
    const current = { id: 'e1', title: 'Fair', level: 'attendee', people: 2, photos: 0, moments: 0, requests: 0, areas };
    state.status = { current, sync: { peers: 0, blobs_waiting: 0, bytes_waiting: 0 }, warnings: [], events: [current] };
    emit('status', state.status);
    return shell.el.all('nav')[0].all('a').map((a) => a.attributes.href);
  };
  assert.deepEqual(tabs(['moments', 'venues', 'deals']), ['/', '/moments', '/places', '/deals', '/news', '/people', '/invite']);
  assert.deepEqual(tabs(['deals']), ['/', '/deals', '/news', '/people', '/invite']);
});
