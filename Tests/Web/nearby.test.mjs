// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Element, browse, settled } from './element.mjs';

const answers = { nearby: () => ({ nearby: [] }), invitation: () => ({ status: 404 }), invitations: () => ({ invitations: [] }) };
const calls = browse(answers);
const { emit, state } = await import('../../Sources/CWebAssets/web/js/core/store.js');
const { nearbyList } = await import('../../Sources/CWebAssets/web/js/ui/entry.js');
const { mountInvite } = await import('../../Sources/CWebAssets/web/js/views/invite.js');

const listing = (link, nodes = 1) => () => ({ nearby: [{ id: 'e1', title: 'x'.repeat(200), nodes, link }] });

test('what is nearby is joined by the link that is said now, though its row stays', async () => {
  answers.nearby = listing('mingle://join/old');
  const list = nearbyList(async () => {});
  await settled();
  const row = list.querySelector('li');
  answers.nearby = listing('mingle://join/new', 2);
  emit('change', { kinds: new Set(['nearby']) });
  await settled();
  assert.equal(list.querySelector('li'), row, 'the row stays under the finger');
  await row.querySelector('button').listeners.click();
  assert.deepEqual(calls.splice(0), [['POST', 'join', { link: 'mingle://join/new' }]]);
});

test('the list is there while something is nearby, and only then', async () => {
  answers.nearby = () => ({ nearby: [] });
  const list = nearbyList(async () => {});
  await settled();
  assert.ok(list.hidden);
  answers.nearby = listing('mingle://join/a');
  emit('change', { kinds: new Set(['nearby']) });
  await settled();
  assert.ok(!list.hidden);
});

/** The page of invitations as somebody sees it: its switch, what holds that, and its words. */
async function invite(current) {
  state.status = { current: { id: 'e1', title: 'Party', founder: false, level: 'attendee', nearby: false, ...current } };
  answers.status = () => state.status;
  const root = new Element('main');
  const view = mountInvite(root);
  await settled();
  const input = root.all('input').find((el) => el.attributes.type === 'checkbox' && el.parent.parent !== null && el.parent.parent.tag === 'div');
  return { root, view, input, door: input.parent.parent };
}
const until = '2026-06-20T18:00:00.000Z';
const telling = (root) => root.all('p').map((p) => p.textContent).find((text) => text.includes('nearby.until') || text.includes('anyone may join'));

test('every member sees that an event is open to those nearby, and until when', async () => {
  const { root, door, view } = await invite({ nearby: true, nearby_until: until });
  assert.ok(door.hidden, 'an attendee switches nothing');
  assert.ok(telling(root));
  state.status.current.nearby = false;
  emit('status', state.status);
  assert.ok(!telling(root), 'nor once it is over');
  view.stop();
});

test('the switch follows what others do, and hosts may only switch off', async () => {
  const { input, door, view } = await invite({ founder: true, level: 'founder' });
  assert.deepEqual([door.hidden, input.checked], [false, false]);
  Object.assign(state.status.current, { nearby: true, nearby_until: until });
  emit('status', state.status);
  assert.equal(input.checked, true);
  view.stop();
  const host = await invite({ level: 'host', nearby: true, nearby_until: until });
  assert.ok(!host.door.hidden && host.input.checked);
  state.status.current.nearby = false;
  emit('status', state.status);
  assert.ok(host.door.hidden);
  host.view.stop();
});

test('a refusal puts the switch back', async () => {
  answers['PUT events'] = () => ({ status: 403, detail: 'Only who founded the event …' });
  const { input, view } = await invite({ founder: true, level: 'founder' });
  input.checked = true;
  await input.listeners.change();
  assert.deepEqual(calls.splice(0), [['PUT', 'events/e1', { nearby: true }]]);
  assert.equal(input.checked, false);
  view.stop();
});

test('a long title without a space makes no row wider than its list', () => {
  const css = readFileSync(new URL('../../Sources/CWebAssets/web/css/parts.css', import.meta.url), 'utf8');
  assert.match(css, /^\.rows \{[^}]*grid-template-columns: minmax\(0, 1fr\)/m);
  assert.match(css, /^\.row span \{ min-width: 0; overflow-wrap: anywhere; \}/m);
});
