// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { browse, load } from './element.mjs';

browse({});
const listeners = [];
Object.assign(globalThis, {
  addEventListener: (type, f, { once } = {}) => { if (type === 'popstate') listeners.push({ f, once }); },
});
/** As browsers keep it: going is slow, everything else is at once. */
globalThis.history = {
  list: [{ path: '/', state: null }], at: 0, going: [],
  get state() { return this.list[this.at].state; },
  pushState(state, _, path = location.pathname) { this.list.splice(++this.at, this.list.length, { path, state }); location.pathname = path; },
  replaceState(state, _, path = location.pathname) { this.list[this.at] = { path, state }; location.pathname = path; },
  go(by) { this.going.push(by); },
};
/** The browser goes where it was sent, and where the person goes. */
function move(...by) {
  history.going.push(...by);
  while (history.going.length) {
    history.at += history.going.shift();
    const { path, state } = history.list[history.at];
    location.pathname = path;
    for (const one of listeners.slice()) {
      if (one.once) listeners.splice(listeners.indexOf(one), 1);
      one.f({ state });
    }
  }
}
const paths = () => history.list.slice(0, history.at + 1).map(({ path }) => path);

const { back, cover, go, startRouter } = await load('core/router.js');
const seen = [];
startRouter((to) => seen.push(to.name));
const closed = [];
const open = (name) => {
  const uncover = cover(() => close());
  const close = () => { closed.push(name); uncover(); };
  return close;
};

test('Back closes the topmost sheet, and leaves the view only when none is open', () => {
  go('/moments');
  open('lower');
  open('upper');
  seen.length = 0;
  move(-1);
  assert.deepEqual([closed.splice(0), seen], [['upper'], []]);
  move(-1);
  assert.deepEqual([closed.splice(0), seen, location.pathname], [['lower'], [], '/moments']);
  move(-1);
  assert.deepEqual([closed, seen, location.pathname], [[], ['photos'], '/']);
});

test('a sheet that is closed by its button leaves nothing for Back', () => {
  go('/moments');
  const [lower, upper] = [open('lower'), open('upper')];
  lower();
  upper();
  move();
  assert.deepEqual(paths(), ['/', '/moments']);
  const first = open('first');
  first();
  const second = open('second');
  move();
  second();
  move();
  assert.deepEqual([paths(), history.state.sheets], [['/', '/moments'], undefined]);
  move(-1);
  closed.length = 0;
});

test('an address that a sheet leads to takes the place of the sheet, whether it is closed before or after', () => {
  const before = open('menu');
  before();
  go('/people');
  move();
  assert.deepEqual(paths(), ['/', '/people']);
  const after = open('menu');
  go('/news');
  after();
  move();
  assert.deepEqual(paths(), ['/', '/people', '/news']);
  move(-1);
  assert.equal(location.pathname, '/people');
  move(-1);
});

test('what is done over a sheet goes back to where the view was opened', () => {
  go('/photos/p1', { state: { over: true } });
  const sure = open('confirm');
  sure();
  back('/moments');
  move();
  assert.deepEqual(paths(), ['/']);
  go('/photos/p1', { state: { over: true } });
  open('confirm');
  back('/moments');
  move();
  assert.deepEqual(paths(), ['/']);
});

test('an address that is replaced beneath a sheet is the one that the sheet leaves', () => {
  go('/photos/p1', { state: { over: true } });
  const sure = open('confirm');
  go('/photos/p2', { replace: true, state: history.state });
  sure();
  move();
  assert.deepEqual([paths(), history.state], [['/', '/photos/p2'], { over: true, scroll: 0 }]);
  open('menu');
  go('/photos/p3', { replace: true, state: history.state });
  seen.length = 0;
  move(-1);
  assert.deepEqual([paths(), seen], [['/', '/photos/p3'], []]);
  move(-1);
  assert.deepEqual(seen, ['photos']);
});
