/** The map with the event's site plans, once its code has come. */
import { fill } from '../core/dom.js';
import { withStyle } from '../core/style.js';
import { venues } from '../core/venues.js';
import { fetched } from '../ui/later.js';

/** The two points of a plan at which it is known where they are. */
const points = (plan) => ['a', 'b'].map((end) => ({ x: plan[`${end}_x`], y: plan[`${end}_y`], latitude: plan[`${end}_latitude`], longitude: plan[`${end}_longitude`] }));

function outlineOf({ outline }) {
  try { return outline ? [JSON.parse(outline)] : []; } catch { return []; }
}

/** What hosts drew, as the map takes it; nothing where there is none, or where a door has none. */
export async function background() {
  const all = await venues.list('site_plans').catch(() => []);
  const drawn = all.filter((one) => one.preview?.held && one.width && one.a_x !== undefined && one.b_x !== undefined);
  return { plans: drawn.map((one) => ({ url: one.preview.url, width: one.width, height: one.height, points: points(one) })), outlines: all.flatMap(outlineOf) };
}

/**
 * Puts a map into a room once its code is there, and its background once that is.
 * @param {HTMLElement} room @param {Record<string, any>} options of the map @param {() => boolean} isWanted
 * @returns {Promise<any|null>} the map; null if it is wanted no more
 */
export async function withMap(room, options, isWanted) {
  // Without its style a map has another size, and would show another part of the world.
  const [{ createMap }] = await Promise.all([fetched(() => import('../map/map.js')), new Promise((done) => { withStyle('map', done); })]);
  if (!isWanted()) return null;
  const map = createMap(options);
  fill(room, map.el);
  room.removeAttribute('aria-busy');
  background().then((drawn) => { if (isWanted() && (drawn.plans.length || drawn.outlines.length)) map.setBackground(drawn); }, () => {});
  return map;
}
