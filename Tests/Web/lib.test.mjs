// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { dismisses, axis, isDouble, swipe, zoomSteps } from '../../Sources/CWebAssets/web/js/lib/gesture.js';
import { justify, plan, ratio } from '../../Sources/CWebAssets/web/js/lib/justify.js';
import { entryKey, heldBack } from '../../Sources/CWebAssets/web/js/lib/news.js';
import { told } from '../../Sources/CWebAssets/web/js/lib/notices.js';
import { governed, invitable, moderates, nextLevel, shares, takesPart } from '../../Sources/CWebAssets/web/js/lib/levels.js';
import { format } from '../../Sources/CWebAssets/web/js/lib/message.js';
import { asks, grouped, nextChange, position, posting, problems } from '../../Sources/CWebAssets/web/js/lib/moments.js';
import { pages, query, route, titled } from '../../Sources/CWebAssets/web/js/lib/paths.js';
import * as time from '../../Sources/CWebAssets/web/js/lib/time.js';
import { warnings } from '../../Sources/CWebAssets/web/js/lib/warnings.js';
import { lastAtMost, runs, vertical, visible } from '../../Sources/CWebAssets/web/js/lib/window.js';

const SHAPES = [4 / 3, 3 / 4, 16 / 9, 1, 9 / 16, 3];
const mixed = (n) => Float32Array.from({ length: n }, (_, i) => SHAPES[(i * 7 + (i >> 2)) % SHAPES.length]);
const OPTIONS = { target: 215, gap: 6, header: 60, below: 26 };

test('rows fill the width exactly, keep the ratios and do not overlap', () => {
  for (const width of [320, 390, 1280, 2560]) for (const n of [1, 2, 3, 7, 60, 501]) {
    const ratios = mixed(n), rows = justify(ratios, width, 200, 6);
    rows.breaks.forEach((first, r) => {
      const end = rows.breaks[r + 1] ?? n, right = rows.x[end - 1] + rows.w[end - 1];
      if (end < n) assert.ok(Math.abs(right - width) <= 1, `${width}/${n}: row ${r} ends at ${right}`);
      else assert.ok(right <= width + 1);
      for (let i = first; i < end; i++) {
        assert.equal(rows.y[i], rows.y[first]);
        assert.ok(Math.abs(rows.w[i] / rows.h[i] - ratios[i]) < 0.06);
        if (i > first) assert.equal(rows.x[i], rows.x[i - 1] + rows.w[i - 1] + 6);
      }
    });
    assert.equal(rows.height, Math.max(...rows.y.map((y, i) => y + rows.h[i])));
  }
});

test('rows are even', () => {
  const rows = justify(mixed(2000), 1280, 215, 6);
  const heights = rows.breaks.slice(0, -1).map((first) => rows.h[first]);
  const mean = heights.reduce((a, b) => a + b) / heights.length;
  const deviation = Math.sqrt(heights.reduce((a, b) => a + (b - mean) ** 2, 0) / heights.length);
  assert.ok(Math.abs(mean - 215) < 12 && deviation < 25, `${mean} ± ${deviation}`);
});

test('odd shapes are clamped, unknown ones are square', () => {
  assert.equal(ratio(10000, 100), 3);
  assert.equal(ratio(100, 10000), 0.45);
  assert.equal(ratio(0, 0), 1);
});

test('a plan stacks the days; what is visible is found and capped', () => {
  const items = Array.from({ length: 1000 }, (_, i) => ({ day: String(Math.floor(i / 130)) }));
  const days = runs(items, (item) => item.day);
  assert.deepEqual(days.map((d) => d.count), [130, 130, 130, 130, 130, 130, 130, 90]);
  const layout = plan(days, mixed(1000), 1280, OPTIONS);
  assert.equal(layout.height, layout.sections.reduce((sum, s) => sum + s.height, 0));
  for (const y of [0, 500, 5000, layout.height - 800]) {
    const { from, to } = visible(layout, y, y + 800, 800, 76);
    assert.ok(to - from <= 76);
    for (let i = 0; i < 1000; i++) {
      if (layout.y[i] + layout.h[i] > y && layout.y[i] < y + 800) assert.ok(i >= from && i < to, `${i} at ${y}`);
    }
  }
  assert.deepEqual(visible(plan([], [], 1280, OPTIONS), 0, 800, 800, 76), { from: 0, to: 0 });
});

test('a hundred thousand photos are laid out fast', () => {
  const n = 100000, ratios = mixed(n), days = runs(Array.from({ length: n }), () => 'one');
  plan(days, ratios, 1280, OPTIONS);
  const start = performance.now();
  plan(days, ratios, 1280, OPTIONS);
  assert.ok(performance.now() - start < 500);
});

test('arrows follow the rows one sees', () => {
  const layout = plan([{ key: 'a', first: 0, count: 40 }], mixed(40), 1280, OPTIONS);
  const down = vertical(layout, 1, 1);
  assert.ok(layout.y[down] > layout.y[1]);
  assert.equal(layout.y[vertical(layout, down, -1)], layout.y[1]);
  assert.equal(vertical(layout, 0, -1), 0);
  assert.equal(lastAtMost([0, 10, 20], 19), 1);
});

test('times', () => {
  const now = new Date(2026, 10, 21, 15, 0);
  assert.deepEqual(time.dayName('2026-11-21', now, 'en'), { name: 'Today', date: 'November 21' });
  assert.equal(time.dayName('2026-11-20', now, 'es').name, 'Ayer');
  assert.equal(time.dayName('2026-11-14', now, 'en').name, 'Saturday');
  assert.match(time.dayName('2025-01-02', now, 'en').date, /2025/);
  const [here, old] = [new Date(2026, 10, 21, 9).toISOString(), new Date(2008, 9, 22, 16, 28).toISOString()];
  assert.match(time.moment(old, now, 'en'), /^Oct 22, 2008, 4:28/);
  assert.doesNotMatch(time.moment(here, now, 'en'), /2026/);
  assert.match(time.span(here, new Date(2027, 0, 1).toISOString(), now, 'en'), /2026.*2027/);
  assert.doesNotMatch(time.span(here, new Date(2026, 10, 21, 12).toISOString(), now, 'en'), /2026/);
  assert.equal(time.relative(now.getTime() + 2 * 3600000, now, 'en'), 'in 2 hours');
  assert.equal(time.relative(now.getTime() - 5000, now, 'en'), 'now');
  assert.equal(time.size(3145728, 'en'), '3.1 MB');
  assert.equal(time.toInput(now), '2026-11-21T15:00');
  assert.equal(time.fromInput(time.toInput(now)), now.toISOString());
  assert.equal(time.fromInput('soon'), '');
  assert.equal(time.dayKey(new Date(2026, 0, 2, 0, 30)), '2026-01-02');
});

test('guests and those who wait share nothing', () => {
  assert.deepEqual(['founder', 'host', 'moderator', 'attendee', 'guest', 'waiting', undefined].map(shares), [true, true, true, true, false, false, false]);
});

test('moderators and those above them hide', () => {
  assert.deepEqual(['founder', 'successor', 'host', 'moderator', 'attendee', 'guest', 'waiting', undefined].map(moderates), [true, true, true, true, false, false, false, false]);
});

test('hosts decide about levels below their own, moderators about none', () => {
  assert.deepEqual(governed('founder'), ['guest', 'attendee', 'moderator', 'host', 'successor']);
  assert.deepEqual(governed('host'), ['guest', 'attendee', 'moderator']);
  for (const own of ['moderator', 'attendee', 'waiting', undefined]) assert.deepEqual(governed(own), []);
});

test('hosts invite below their own level, and raise those below it', () => {
  assert.deepEqual(invitable('founder'), ['attendee', 'guest', 'moderator', 'host', 'relay']);
  assert.deepEqual(invitable('successor'), ['attendee', 'guest', 'moderator', 'host', 'relay']);
  assert.deepEqual(invitable('host'), ['attendee', 'guest', 'moderator', 'relay']);
  for (const own of ['attendee', 'guest', 'waiting', undefined]) assert.deepEqual(invitable(own), []);
  const next = (own, level, invited_to) => nextLevel(own, { level, invited_to });
  assert.equal(next('founder', 'attendee'), null);
  assert.equal(next('host', 'attendee'), null);
  // Nobody knows the invitation: it may have been a relay's.
  assert.equal(next('host', 'waiting'), null);
  assert.equal(next('host', 'waiting', 'attendee'), 'attendee');
  assert.equal(next('host', 'waiting', 'guest'), 'guest');
  assert.equal(next('host', 'waiting', 'host'), null);
  assert.equal(next('founder', 'guest'), 'attendee');
  assert.equal(next('attendee', 'guest'), null);
  assert.equal(next('founder', 'relay'), null);
  for (const level of ['waiting', 'declined', 'removed']) assert.equal(nextLevel('host', { level, relay: true }), 'relay');
  for (const level of ['declined', 'removed']) assert.equal(next('host', level), 'attendee');
  assert.equal(next('host', 'declined', 'guest'), 'guest');
  assert.equal(next('host', 'declined', 'host'), 'attendee');
  assert.equal(next('attendee', 'declined', 'guest'), null);
  for (const level of ['host', 'founder', 'king']) assert.equal(next('founder', level), null);
});

test('who waits, was declined or removed takes no part', () => {
  assert.deepEqual(['founder', 'host', 'attendee', 'guest', 'waiting', 'declined', 'removed', undefined].map(takesPart), [true, true, true, true, false, false, false, false]);
});

test('messages', () => {
  const text = '{name}: {n, plural, =0 {none} one {# photo} other {# photos of {name}}}';
  assert.equal(format(text, { name: 'Ana', n: 0 }, 'en'), 'Ana: none');
  assert.equal(format(text, { name: 'Ana', n: 1 }, 'en'), 'Ana: 1 photo');
  assert.equal(format(text, { name: '{n}', n: 1200 }, 'en'), '{n}: 1,200 photos of {n}');
  assert.throws(() => format('{n', {}, 'en'), SyntaxError);
});

test('addresses and cursors', () => {
  assert.deepEqual(route('/'), { name: 'photos', id: null });
  assert.deepEqual(route('/photos/a%20b'), { name: 'photo', id: 'a b' });
  assert.deepEqual(route('/moments/m1'), { name: 'moment', id: 'm1' });
  assert.equal(route('/news').name, 'news');
  assert.deepEqual([route('/places'), route('/places/p1')], [{ name: 'places', id: null }, { name: 'place', id: 'p1' }]);
  assert.deepEqual([route('/deals'), route('/deals/d1')], [{ name: 'deals', id: null }, { name: 'deal', id: 'd1' }]);
  assert.equal(route('/for-you').name, 'forYou');
  assert.deepEqual(route('/people/x'), { name: 'person', id: 'x' });
  assert.equal(route('/people/x/y').name, 'unknown');
  assert.equal(route('/%E0%A4%A').name, 'unknown');
  assert.equal(query('photos', { moment: null, before: 'a+b/=', limit: 200 }), 'photos?before=a%2Bb%2F%3D&limit=200');
  assert.equal(query('photos', { keep_location: false }), 'photos');
});

test('pages of comments that were opened are read again', async () => {
  let said = [...'abcdefgh'];
  const read = async (before) => {
    const end = before === undefined ? said.length : said.indexOf(before), start = Math.max(0, end - 3);
    return { comments: said.slice(start, end), previous: start ? said[start] : null };
  };
  assert.deepEqual(await pages(read, () => 0), { comments: [...'fgh'], previous: 'f' });
  assert.deepEqual(await pages(read, () => 6), { comments: [...'cdefgh'], previous: 'c' });
  // What is muted, hidden or deleted meanwhile is not kept, and there may be fewer than there were.
  said = [...'afgh'];
  assert.deepEqual(await pages(read, () => 6), { comments: [...'afgh'], previous: null });
});

test('moments', () => {
  assert.equal(posting({ may_post: true, status: 'ended', participation: 'checked_in' }), 'ok');
  assert.equal(posting({ may_post: false, status: 'ongoing', participation: 'joined' }), 'check_in');
  assert.equal(posting({ may_post: false, status: 'not_started', participation: null }), 'join');
  assert.equal(posting({ may_post: false, status: 'ongoing', participation: 'ignored' }), 'join');
  const invited = { invited: true, participation: null, status: 'ongoing' };
  assert.ok(asks(invited) && asks({ ...invited, status: 'not_started' }));
  for (const answered of [{ invited: false }, { participation: 'ignored' }, { participation: 'joined' }, { status: 'ended' }]) assert.ok(!asks({ ...invited, ...answered }));
  assert.equal(posting({ may_post: false, status: 'ended', participation: 'joined' }), 'ended');
  const draft = { title: 'A', start: '2026-01-01T10:00', end: '2026-01-01T12:00', name: 'B', latitude: '41,5', longitude: '2', radius: '100' };
  assert.deepEqual(problems(draft), {});
  assert.deepEqual(Object.keys(problems({ ...draft, title: ' ', name: '', end: draft.start, latitude: '91', radius: '0' })), ['title', 'end', 'latitude', 'radius']);
  assert.deepEqual(problems({ ...draft, title: '', latitude: '', longitude: ' ' }), {}, 'a place is enough');
  assert.deepEqual(problems({ ...draft, name: '' }), {}, 'or a title');
  const list = [{ status: 'ended', start: '2026-01-01T00:00:00Z', end: '2026-01-01T01:00:00Z' }, { status: 'not_started', start: '2026-01-03T00:00:00Z', end: '2026-01-04T00:00:00Z' }];
  assert.equal(grouped(list).next.length, 1);
  assert.equal(nextChange(list, Date.parse('2026-01-02T00:00:00Z')), Date.parse('2026-01-03T00:00:00Z'));
});

test('a position pasted in one piece', () => {
  assert.deepEqual(position(' 41.3874, 2.1686 '), { latitude: 41.3874, longitude: 2.1686 });
  assert.deepEqual(position('-33.9;18.4'), { latitude: -33.9, longitude: 18.4 });
  for (const text of ['41.3874', '13,2', '41,', '', 'here']) assert.equal(position(text), null);
});

test('gestures', () => {
  assert.equal(axis(4, 5), '');
  assert.equal(axis(12, 5), 'x');
  assert.equal(swipe(-40, -0.8, 400), 1);
  assert.equal(swipe(40, 0.1, 400), 0);
  assert.equal(swipe(220, 0, 400), -1);
  assert.ok(dismisses(300, 0, 800) && !dismisses(-300, -2, 800));
  assert.ok(isDouble({ t: 0, x: 5, y: 5 }, { t: 200, x: 9, y: 9 }) && !isDouble({ t: 0, x: 5, y: 5 }, { t: 400, x: 5, y: 5 }));
});

test('news that come while one reads further down wait, and what went is gone', () => {
  const item = (id, minute, more = {}) => ({ type: 'photo', at: new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString(), thing: { id }, people: [], ...more });
  const shown = [item('b', 2), item('a', 1)];
  assert.equal(new Set(shown.map(entryKey)).size, 2);
  const fresh = [item('c', 3), item('a', 1, { count: 2 })];
  assert.deepEqual(heldBack(shown, fresh, true), { items: [item('a', 1, { count: 2 })], isNew: true });
  // Of what is on further pages nobody knows by the newest one that it went.
  assert.deepEqual(heldBack(shown, fresh, false).items.map((one) => one.thing.id), ['b', 'a']);
  assert.equal(heldBack(shown, shown, true).isNew, false);
});

test('at a door the browser knows what was read and of what nothing more is to be told', () => {
  const one = (id, time) => ({ thing: { id }, time, read: false });
  const list = [one('c', '2026-11-21T12:03:00Z'), one('b', '2026-11-21T12:02:00.5Z'), one('a', '2026-11-21T12:01:00Z')];
  const read = (marks) => told(list, { until: '', things: {}, muted: [], ...marks }).map((n) => `${n.thing.id}${n.read ? '' : '*'}`).join(' ');
  assert.equal(read({}), 'c* b* a*');
  assert.equal(read({ until: '2026-11-21T12:01:00.000Z' }), 'c* b* a');
  assert.equal(read({ until: '2026-11-21T12:01:00Z', things: { c: '2026-11-21T12:03:00Z' } }), 'c b* a');
  assert.equal(read({ muted: [{ id: 'b' }] }), 'c* a*');
});

test('the name of the page tells how much is new', () => {
  assert.equal(titled('Party', 3), '(3) Party');
  assert.equal(titled('Party', 0), 'Party');
});

test('what stands in the way is said once', () => {
  const absent = (detail) => ({ state: 'absent', detail });
  assert.deepEqual(warnings(null), []);
  assert.deepEqual(warnings({ warnings: [], discovery: absent('switched off') }), []);
  assert.deepEqual(warnings({ warnings: ['The disk is full.', 'The disk is full.'], discovery: { state: 'running', detail: '' } }).map((w) => w.text), ['The disk is full.']);
  const blind = warnings({ warnings: ['This node cannot find others nearby: Avahi is not running. Start it..', 'The disk is full.'], discovery: absent('Avahi is not running. Start it.') });
  assert.deepEqual(blind, [{ id: 'discovery', text: null, reason: 'Avahi is not running. Start it.' }, { id: 'The disk is full.', text: 'The disk is full.', reason: '' }]);
});

test('zooming has three steps, but for those that would hardly differ', () => {
  assert.deepEqual(zoomSteps(390, 1344), [1, 2, 1344 / 390]);
  assert.deepEqual(zoomSteps(1000, 1500), [1, 1.5, 2]);
  assert.deepEqual(zoomSteps(1000, 2100), [1, 2]);
  assert.deepEqual(zoomSteps(390, 390), [1, 2]);
  assert.deepEqual(zoomSteps(390, 100), [1, 2]);
});
