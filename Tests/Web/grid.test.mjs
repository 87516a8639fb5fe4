// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse } from './element.mjs';

browse({});
let resized, frames = [];
Object.assign(globalThis, {
  innerHeight: 800, scrollY: 0, removeEventListener: () => {}, cancelAnimationFrame: () => {},
  ResizeObserver: class { constructor(f) { resized = f; } observe() {} disconnect() {} },
  requestAnimationFrame: (f) => frames.push(f),
});
Element.prototype.getBoundingClientRect = () => ({ top: 0, left: 0 });
Element.prototype.classList = { toggle: () => {} };
Object.defineProperty(Element.prototype, 'style', { get() { this.styles ??= {}; return this.styles; } });
let width = 1000;
Object.defineProperty(Element.prototype, 'clientWidth', { get: () => width });
const { createGrid } = await import('../../Sources/CWebAssets/web/js/ui/grid.js');

test('a resized gallery is laid out in the next frame, as within its notice the browser complains', () => {
  const photo = { id: 'f', posted: '2026-06-20T18:00:00.000Z', width: 3, height: 2, author: { name: 'Ana' }, held: {}, faves: 0, comments: 0 };
  const grid = createGrid({ items: Array.from({ length: 30 }, (_, n) => ({ ...photo, id: `f${n}` })), indexOf: () => -1, time: () => photo.posted, on: () => () => {}, started: true, complete: true });
  const height = grid.el.style.height;
  assert.match(height, /px$/);
  resized();
  assert.equal(frames.length, 0, 'nothing changed');
  width = 500;
  resized();
  resized();
  assert.deepEqual([grid.el.style.height, frames.length], [height, 1]);
  frames.shift()();
  assert.notEqual(grid.el.style.height, height);
  width = 700;
  resized();
  assert.equal(frames.length, 1);
  grid.stop();
});
