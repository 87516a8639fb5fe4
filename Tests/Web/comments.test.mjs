// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { renewed } from '../../Sources/CWebAssets/web/js/lib/paths.js';
import { Element, browse, settled } from './element.mjs';

browse({});
Element.prototype.scrollIntoView = () => {};
Element.prototype.style = {};
const ana = { id: 'p1', name: 'Ana', picture: null, me: false };
const said = (n) => ({ id: `c${n}`, target: 'm1', target_kind: 'moment', author: ana, text: `${n}`, posted: new Date(1782000000000 + n * 60000).toISOString(), mine: false });
const PAGE = 50;
/** What the node holds, and what it was asked for. */
let held = [], asked = [];
globalThis.fetch = async (url) => {
  const before = new URL(url, 'http://node').searchParams.get('before'), end = before ? held.findIndex((c) => c.id === before) : held.length, start = Math.max(0, end - PAGE);
  asked.push(before);
  return { ok: true, status: 200, text: async () => JSON.stringify({ comments: held.slice(start, end).reverse(), next: start ? held[start].id : null }) };
};
const { createComments } = await import('../../Sources/CWebAssets/web/js/ui/comments.js');
const { forget } = await import('../../Sources/CWebAssets/web/js/core/store.js');
const numbers = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/** Comments with three pages open. */
async function opened() {
  held = numbers(0, 170).map(said);
  const talk = createComments('moments', 'm1');
  await talk.refresh(undefined, held.length);
  for (const _ of [1, 2]) { talk.el.all('button')[0].listeners.click(); await settled(); }
  asked = [];
  return talk;
}
const shown = (talk) => talk.el.all('ol')[0].children.map((li) => li.all('p').find((p) => p.className === 'said').textContent);
/** A change as the stream tells it; which comments it is about, if it says so. */
const of = (...kinds) => ({ kinds: new Set(kinds), targets: {} });
/** Waits until something is so: a question rests first, if the one before took long. */
const until = async (so) => { for (let ms = 0; ms < 5000 && !so(); ms++) await new Promise((done) => { setTimeout(done, 1); }); };
const about = (...numbers) => ({ kinds: new Set(['comment']), targets: { comment: new Set(numbers.map((n) => `c${n}`)), moment: new Set(['m1']) } });

test('of a new comment the newest page is asked for, however many are open', async () => {
  const talk = await opened();
  assert.deepEqual(shown(talk), numbers(20, 170).map(String));
  held.push(said(170), said(171));
  await talk.refresh(about(170, 171), held.length);
  assert.deepEqual(asked, [null]);
  assert.deepEqual(shown(talk), numbers(20, 172).map(String));
  held.splice(171, 1);
  await talk.refresh(about(171), held.length);
  assert.deepEqual(asked, [null, null]);
  assert.deepEqual(shown(talk), numbers(20, 171).map(String));
});

test('what changes nothing about comments asks for none', async () => {
  const talk = await opened();
  await talk.refresh(of('media', 'peers', 'people', 'fave'), held.length);
  await talk.refresh({ kinds: new Set(['comment']), targets: { comment: new Set(['x1']), moment: new Set(['m2']) } }, held.length);
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
  await gone.refresh(about(60), held.length);
  assert.equal(asked.length, 3);
  assert.ok(!shown(gone).includes('60') && shown(gone).includes('59'));
  const any = { kinds: new Set(['comment']), targets: null };
  for (const change of [{ ...about(169), kinds: new Set(['comment', 'hidden']) }, of('profile'), any, undefined]) {
    const talk = await opened();
    await talk.refresh(change, held.length);
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

test('what comes late and what is deleted at the same time is both seen', async () => {
  const talk = await opened();
  held.splice(60, 1);
  held.splice(70, 0, { ...said(70), id: 'c70late', text: 'late' });
  const change = about(60);
  change.targets.comment.add('c70late');
  await talk.refresh(change, held.length);
  assert.deepEqual(shown(talk), held.slice(-150).map((c) => c.text));
  assert.ok(shown(talk).includes('late') && !shown(talk).includes('60'));
});

test('an answer that comes late does not take the place of a newer one', async () => {
  const talk = await opened(), answer = globalThis.fetch, waiting = [];
  globalThis.fetch = async (...call) => {
    const now = await answer(...call);
    await new Promise((done) => { waiting.push(done); });
    return now;
  };
  held.push(said(170));
  const first = talk.refresh(about(170), held.length);
  await until(() => waiting.length);
  held.push(said(171));
  const second = talk.refresh(about(171), held.length);
  await settled();
  // The later question would be answered first.
  while (waiting.length) { waiting.pop()(); await new Promise((done) => { setTimeout(done, 20); }); }
  globalThis.fetch = answer;
  await Promise.all([first, second]);
  assert.deepEqual(shown(talk), numbers(20, 172).map(String));
});

test('who reads the latest comment sees the next one, and who reads further up stays there', async () => {
  const talk = await opened(), [scroll] = talk.el.all('div').filter((el) => el.className === 'scroll');
  held.push(said(170));
  Object.defineProperty(scroll, 'scrollHeight', { get: () => 800 + shown(talk).length });
  scroll.clientHeight = 300;
  scroll.scrollTop = scroll.scrollHeight - scroll.clientHeight - 10;
  await talk.refresh(about(170), held.length);
  assert.equal(scroll.scrollTop, scroll.scrollHeight);
  scroll.scrollTop = 200;
  held.push(said(171));
  await talk.refresh(about(171), held.length);
  assert.equal(scroll.scrollTop, 200);
});

test('what one says while comments are read stays, though the answer is older', async () => {
  const talk = await opened(), answer = globalThis.fetch;
  let letGo;
  globalThis.fetch = async (url, options) => {
    if (options.method === 'POST') {
      held.push({ ...said(170), text: JSON.parse(options.body).text });
      return { ok: true, status: 201, text: async () => JSON.stringify(held.at(-1)) };
    }
    const now = await answer(url);
    if (!letGo) await new Promise((done) => { letGo = done; });
    return now;
  };
  const reading = talk.refresh(of('media'), held.length + 1);
  await until(() => letGo);
  talk.input.value = 'mine';
  await talk.el.all('form')[0].listeners.submit({ preventDefault: () => {} });
  assert.equal(shown(talk).at(-1), 'mine');
  letGo();
  await reading;
  globalThis.fetch = answer;
  assert.equal(shown(talk).at(-1), 'mine');
});

test('what is sent twice in a row is said once, and what is typed meanwhile stays', async () => {
  const talk = await opened(), answer = globalThis.fetch, said = [];
  let end;
  globalThis.fetch = (_, options) => new Promise((done) => { said.push(JSON.parse(options.body).text); end = done; });
  const [form] = talk.el.all('form'), send = () => form.listeners.submit({ preventDefault: () => {} });
  talk.input.value = 'hello';
  const sending = [send(), send()];
  talk.input.value = 'and';
  end({ ok: false, status: 507, text: async () => '{"detail":"The disk is full."}' });
  await Promise.all(sending);
  globalThis.fetch = answer;
  assert.deepEqual(said, ['hello']);
  assert.equal(talk.input.value, 'hello\nand', 'what could not be said can be sent again');
  assert.equal(talk.el.all('p').find((p) => p.className === 'wrong').textContent, 'The disk is full.');
});

/** Types below a moment or a photo as a person does. */
function type(talk, text) {
  talk.input.value = text;
  talk.input.listeners.input();
}
const below = (id, kind = 'moments') => createComments(kind, id);

test('a comment that was not sent is there again below the same moment, and below no other', () => {
  type(below('m1'), 'Half a');
  type(below('m1', 'photos'), 'Nice light');
  const again = below('m1');
  assert.equal(again.input.value, 'Half a');
  const shut = (talk) => 'disabled' in talk.el.all('button').at(-1).attributes;
  assert.deepEqual([shut(again), shut(below('m2'))], [false, true], 'it can be sent');
  assert.deepEqual([below('m2').input.value, below('m1', 'photos').input.value], ['', 'Nice light']);
  type(again, '  ');
  assert.equal(below('m1').input.value, '', 'what was emptied is not kept');
  forget();
});

test('a comment that was sent is not there again, and one that could not be is', async () => {
  const talk = below('m1'), answer = globalThis.fetch;
  const send = async (response) => {
    globalThis.fetch = async () => response;
    await talk.el.all('form')[0].listeners.submit({ preventDefault: () => {} });
    globalThis.fetch = answer;
  };
  type(talk, 'hello');
  await send({ ok: false, status: 507, text: async () => '{"detail":"The disk is full."}' });
  assert.equal(below('m1').input.value, 'hello');
  await send({ ok: true, status: 201, text: async () => JSON.stringify(said(1)) });
  assert.equal(below('m1').input.value, '');
});

test('of very many comments that were not sent the latest are kept', () => {
  const ids = numbers(0, 21).map((n) => `m${n}`);
  for (const id of ids.slice(0, 20)) type(below(id), id);
  type(below('m0'), 'again');
  type(below('m20'), 'm20');
  assert.deepEqual(ids.filter((id) => !below(id).input.value), ['m1']);
  forget();
});

test('what was not sent at one event is not kept for another, not even what fails late', async () => {
  const talk = below('m1'), other = below('m2'), answer = globalThis.fetch;
  type(talk, 'hello');
  type(other, 'secret');
  let end;
  globalThis.fetch = () => new Promise((done) => { end = done; });
  const sending = talk.el.all('form')[0].listeners.submit({ preventDefault: () => {} });
  forget();
  end({ ok: false, status: 507, text: async () => '{}' });
  await sending;
  globalThis.fetch = answer;
  type(other, 'secret, still');
  assert.deepEqual([below('m1').input.value, below('m2').input.value], ['', '']);
});

test('the newest page takes the place of what is known of it, if it says all', () => {
  const list = (text) => [...text].map((id) => ({ id })), words = (all) => all?.map((c) => c.id).join('') ?? null;
  const of = (known, newest, by, ids) => words(renewed(list(known), list(newest), by, [...ids]));
  assert.equal(of('abcdef', 'efg', 1, 'g'), 'abcdefg');
  assert.equal(of('abcdef', 'def', 0, ''), 'abcdef');
  assert.equal(of('abcdef', 'cdf', -1, 'e'), 'abcdf');
  assert.equal(of('def', 'def', 0, 'xa'), 'def', 'what is further up than is open');
  assert.equal(of('abcdef', 'def', -1, 'b'), null, 'an older one went');
  assert.equal(of('abcdef', 'def', 1, 'x'), null, 'one came late');
  assert.equal(of('abcdef', 'def', 0, 'bx'), null, 'an older one went, and one came late');
  assert.equal(of('abcdef', 'def', 0, 'x'), null, 'one came late, and one went further up than is open');
  assert.equal(of('abc', 'xyz', 3, 'xyz'), null, 'more came than a page holds');
  assert.equal(renewed([], [], NaN, []), null);
});

test('what could not be sent once one has left is kept, or put before what is typed by then', async () => {
  for (const comesBack of [true, false]) {
    const talk = below('m1'), answer = globalThis.fetch;
    type(talk, 'first');
    let end;
    globalThis.fetch = (url, options) => (options?.method === 'POST' ? new Promise((done) => { end = done; }) : answer(url, options));
    const sent = talk.el.all('form')[0].listeners.submit({ preventDefault: () => {} });
    talk.el.isConnected = false;
    const again = comesBack && below('m1');
    if (comesBack) type(again, 'second');
    end({ ok: false, status: 507, text: async () => '{"detail":"The disk is full."}' });
    await sent;
    globalThis.fetch = answer;
    if (comesBack) assert.equal(again.input.value, 'first\nsecond');
    assert.equal(below('m1').input.value, comesBack ? 'first\nsecond' : 'first');
    forget();
  }
});

test('a comment whose answer was lost is not said twice when it is sent once more', async () => {
  const talk = await opened(), answer = globalThis.fetch;
  let posts = 0;
  globalThis.fetch = async (url, options) => {
    if (options?.method !== 'POST') return answer(url);
    posts++;
    held.push({ ...said(170 + posts), text: JSON.parse(options.body).text, mine: true });
    if (posts === 1) throw new TypeError('the connection ended');
    return { ok: true, status: 201, text: async () => JSON.stringify(held.at(-1)) };
  };
  const send = () => talk.el.all('form')[0].listeners.submit({ preventDefault: () => {} });
  talk.input.value = 'only once';
  await send();
  assert.equal(talk.input.value, 'only once');
  await send();
  assert.equal(posts, 1);
  assert.equal(shown(talk).filter((text) => text === 'only once').length, 1);
  // The same words later are meant.
  talk.input.value = 'only once';
  await send();
  assert.equal(posts, 2);
  globalThis.fetch = answer;
});

test('a picture goes with its words or alone, and one that could not be sent is there again', async () => {
  const sent = [], listed = globalThis.fetch, pictured = (held) => ({ thumbnail: { held, url: '/t' }, preview: { held, url: '/p' } });
  let refuses = false;
  globalThis.URL.createObjectURL = () => 'blob:1';
  globalThis.URL.revokeObjectURL = () => {};
  globalThis.fetch = async (url, options) => {
    if (options?.method !== 'POST') return listed(url, options);
    const call = url.split('/').at(-1), body = call === 'pictures' ? 'bytes' : JSON.parse(options.body);
    sent.push([call, body]);
    if (refuses && call === 'comments') return { ok: false, status: 403, text: async () => '{"detail":"No."}' };
    return { ok: true, status: 201, text: async () => JSON.stringify(call === 'pictures' ? { id: 'up1' } : { ...said(500 + sent.length), text: body.text, ...pictured(true), mine: true }) };
  };
  held = [];
  const talk = createComments('places', 'p1');
  await talk.refresh(undefined, 0);
  const [input] = talk.el.all('input'), send = talk.el.all('button').find((one) => one.attributes.type === 'submit'), form = talk.el.all('form')[0];
  const choose = () => { input.files = [new Blob(['x'])]; input.listeners.change(); }, submit = () => form.listeners.submit({ preventDefault() {} });
  assert.ok(send.disabled !== false);
  choose();
  assert.equal(send.disabled, false);
  await submit();
  assert.deepEqual(sent, [['pictures', 'bytes'], ['comments', { target: 'p1', picture: 'up1' }]]);
  assert.equal(talk.el.all('img').filter((one) => one.attributes.src === '/t').length, 1);
  refuses = true;
  choose();
  talk.input.value = 'Look';
  await submit();
  assert.deepEqual(sent.at(-1), ['comments', { target: 'p1', text: 'Look', picture: 'up1' }]);
  assert.deepEqual([talk.input.value, send.disabled], ['Look', false]);
  refuses = false;
  await submit();
  assert.deepEqual(sent.at(-1), ['comments', { target: 'p1', text: 'Look', picture: 'up1' }]);
  globalThis.fetch = listed;
  held = [{ ...said(1), ...pictured(false) }];
  const other = createComments('places', 'p1'), shown = () => other.el.all('img').length;
  await other.refresh(undefined, 1);
  assert.equal(shown(), 0, 'a picture that is not here yet is waited for');
  held = [{ ...said(1), ...pictured(true) }];
  await other.refresh(of('media'), 1);
  assert.equal(shown(), 1);
});
