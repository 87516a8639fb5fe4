/** What a finger meant: axis lock, swipe, drag to close, double tap. Constants as proven by PhotoSwipe. */

export const AXIS_LOCK = 10;
export const TAP_MS = 300;
export const TAP_RADIUS = 25;

/** Which way a drag goes, once it has gone far enough to tell. @returns {''|'x'|'y'} */
export function axis(dx, dy) {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < AXIS_LOCK) return '';
  return Math.abs(dx) >= Math.abs(dy) ? 'x' : 'y';
}

/**
 * Where a sideways drag ends: the next photo, the previous one, or back.
 * @param {number} dx pixels @param {number} speed pixels a ms, signed @param {number} width of the stage
 * @returns {-1|0|1} 1 is the next photo
 */
export function swipe(dx, speed, width) {
  if (Math.abs(speed) > 0.5 && Math.sign(speed) === Math.sign(dx)) return dx < 0 ? 1 : -1;
  if (Math.abs(dx) > width / 2) return dx < 0 ? 1 : -1;
  return 0;
}

/** Whether a downward drag closes the viewer, by its length, its speed and the stage's height. */
export const dismisses = (dy, speed, height) => dy > 0 && (dy > (height / 3) * 0.4 * 2 || speed > 0.8);

/** A step of zooming is at least this much larger than the one before. */
const LEAST_STEP = 1.2;

/**
 * How large a photo is shown, one step after the other: whole, twice that, and each of its pixels on one of the screen.
 * @param {number} fit its width when it is shown whole @param {number} full its width when each pixel has one of the screen
 */
export const zoomSteps = (fit, full) => [1, ...[2, full / fit].sort((a, b) => a - b)]
  .filter((step, at, all) => at === 0 || step / all[at - 1] >= LEAST_STEP);

/** Whether two taps, with when and where, make a double tap. */
export const isDouble = (a, b) => !!a && b.t - a.t <= TAP_MS && Math.hypot(b.x - a.x, b.y - a.y) <= TAP_RADIUS;

/**
 * A drag with one finger, from where it began: pixels, and how wide the page is.
 * @typedef {{from: number, dx: number, dy: number, width: number, rtl: boolean}} Drag
 */

/** How far a finger goes to open or close the menu. */
const MENU_DRAG = 60;

/** Whether a drag opens the menu (1), as one from its edge, closes it (-1) or does neither (0). @param {Drag} drag @returns {-1|0|1} */
export function opens({ from, dx, dy, width, rtl }) {
  const inward = rtl ? -dx : dx, edge = rtl ? width - from : from;
  if (Math.abs(dx) < MENU_DRAG || Math.abs(dx) < 2 * Math.abs(dy)) return 0;
  if (inward < 0) return -1;
  return edge <= width / 3 ? 1 : 0;
}
