/** Fingers, mouse, wheel and keys. There is no inertia: the map stops where the finger stops. */
import { TAP_MS, isDouble } from '../lib/gesture.js';

/** A finger that goes farther, in pixels, pans. */
const SLOP = { mouse: 4, pen: 6, touch: 9 };
/** Pixels of the wheel that zoom by one; a pinch on a touch pad comes as small steps with Ctrl. */
const WHEEL = 240, PAD = 60;
/** Wheels that count in lines instead of pixels. */
const LINE = 30;

/**
 * @param {HTMLElement} el
 * @param {{grabs: (x: number, y: number) => boolean, drag: (x: number, y: number) => void, drop: (moved: boolean) => void, pan: (dx: number, dy: number) => void,
 *   zoom: (by: number, x: number, y: number, glides: boolean) => void, tap: (x: number, y: number, touch: boolean) => void, hover: (x: number, y: number) => void, leave: () => void}} act
 *   `grabs` says whether something is taken there that then follows the finger; x and y are pixels in the element
 */
export function onGestures(el, act) {
  const fingers = new Map();
  let box = null, press = null, tapped = null;
  const place = (event) => ({ x: event.clientX - box.left, y: event.clientY - box.top });
  const middle = ([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y)) });

  function down(event) {
    if (event.button || fingers.size > 1) return;
    box = el.getBoundingClientRect();
    el.setPointerCapture(event.pointerId);
    const at = place(event);
    fingers.set(event.pointerId, at);
    if (fingers.size > 1) { if (press.grabbed) act.drop(press.moved); press.grabbed = false; press.moved = true; return; }
    press = { ...at, t: event.timeStamp, moved: false, grabbed: act.grabs(at.x, at.y), touch: event.pointerType !== 'mouse' };
    act.leave();
  }

  function move(event) {
    const was = fingers.get(event.pointerId);
    if (!was) { if (event.pointerType === 'mouse' && !fingers.size) act.hover(event.offsetX, event.offsetY); return; }
    const at = place(event), before = fingers.size > 1 && middle([...fingers.values()]);
    if (!press.moved && Math.hypot(at.x - press.x, at.y - press.y) < (SLOP[event.pointerType] ?? SLOP.touch)) return;
    press.moved = true;
    fingers.set(event.pointerId, at);
    if (press.grabbed) { act.drag(at.x, at.y); return; }
    if (!before) { act.pan(at.x - was.x, at.y - was.y); return; }
    const now = middle([...fingers.values()]);
    act.pan(now.x - before.x, now.y - before.y);
    act.zoom(Math.log2(now.apart / before.apart), now.x, now.y, false);
  }

  function up(event) {
    if (!fingers.delete(event.pointerId) || fingers.size) return;
    const { moved, grabbed, touch, x, y, t } = press;
    press = null;
    if (grabbed) act.drop(moved);
    if (moved || grabbed || event.type === 'pointercancel') return;
    const tap = { t: event.timeStamp, x, y };
    if (isDouble(tapped, tap) && tap.t - t <= TAP_MS) { tapped = null; act.zoom(event.shiftKey ? -1 : 1, x, y, true); return; }
    tapped = tap;
    act.tap(x, y, touch);
  }

  function wheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode ? LINE : 1), by = -pixels / (event.ctrlKey ? PAD : WHEEL);
    act.zoom(Math.max(-1, Math.min(1, by)), event.offsetX, event.offsetY, false);
  }

  el.addEventListener('pointerdown', down);
  el.addEventListener('pointermove', move);
  el.addEventListener('pointerup', up);
  el.addEventListener('pointercancel', up);
  el.addEventListener('pointerleave', () => { if (!fingers.size) act.leave(); });
  el.addEventListener('wheel', wheel, { passive: false });
}

/** Pixels that an arrow pans. */
const STEP = 100;
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const ZOOMS = { '+': 1, '=': 1, '-': -1 };

/**
 * The map by keyboard.
 * @param {HTMLElement} el that has the focus
 * @param {{pan: (dx: number, dy: number) => void, zoom: (by: number) => void, home: () => void, enter: () => boolean, escape: () => boolean}} act
 *   `enter` and `escape` answer whether there was anything to do
 */
export function onKeys(el, act) {
  const does = (key) => {
    if (key in ARROWS) act.pan(ARROWS[key][0] * STEP, ARROWS[key][1] * STEP);
    else if (key in ZOOMS) act.zoom(ZOOMS[key]);
    else if (key === 'Home') act.home();
    else return key === 'Enter' ? act.enter() : key === 'Escape' && act.escape();
    return true;
  };
  el.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !does(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}
