/** A search for places: what is asked for, as the API takes it, and which filters hold. */

/**
 * @typedef {object} Search
 * @property {string} q @property {string} category id of a category @property {boolean} open @property {number} price at most, 0: any
 * @property {number} rating at least, 0: any @property {number|'wide'} radius metres from the pin, 0: any @property {boolean} favourite
 * @property {{south: number, west: number, north: number, east: number}|null} within a part of the map
 */

/** A search for nothing in particular. @type {Search} */
export const ANY = { q: '', category: '', open: false, price: 0, rating: 0, radius: 0, favourite: false, within: null };
/** What narrows a search besides its words. */
const FILTERS = ['category', 'open', 'price', 'rating', 'radius', 'favourite', 'within'];
/** Results that a list has at most. */
export const MOST = 40;

const degrees = (...all) => all.map((one) => one.toFixed(6)).join(',');

/** A position as the API takes it. @param {{latitude: number, longitude: number}|null|undefined} pin */
export const near = (pin) => (pin ? degrees(pin.latitude, pin.longitude) : undefined);

/**
 * The parameters of a search: all filters that hold hold at once. A distance needs a position, and a part of the map takes its place.
 * @param {Search} search @param {{latitude: number, longitude: number}|null} [pin] where the person is
 */
export function asked(search, pin) {
  const { q, category, open, price, rating, radius, favourite, within } = search;
  const isCircle = pin && radius && !within;
  return {
    q: q.trim(), category, open, price: price || null, rating: rating || null, favourite, near: near(pin),
    radius_m: isCircle && radius !== 'wide' ? radius : null, wide: Boolean(isCircle && radius === 'wide'),
    within: within && degrees(within.south, within.west, within.north, within.east), limit: MOST,
  };
}

/** How many filters hold. @param {Search} search */
export const filters = (search) => FILTERS.filter((name) => search[name]).length;

/** The search without its filters. @param {Search} search @returns {Search} */
export const unfiltered = ({ q }) => ({ ...ANY, q });

/** Whether nothing is asked for. @param {Search} search */
export const isAny = (search) => !search.q.trim() && !filters(search);

/** What was remembered, as far as it makes sense. @param {any} kept @returns {Search} */
export function restored(kept) {
  const known = Object.entries(ANY).filter(([name, value]) => kept && (typeof kept[name] === typeof value || name === 'radius' && kept[name] === 'wide'));
  return { ...ANY, ...Object.fromEntries(known.map(([name]) => [name, kept[name]])) };
}

/**
 * Categories in the order of their tree, each with how deep it stands. Of a loop the first that is met stands at the top.
 * @template {{id: string, name: string, parent?: string}} T @param {T[]} categories @returns {{category: T, depth: number}[]}
 */
export function tree(categories) {
  const ids = new Set(categories.map((one) => one.id)), done = new Set(), out = [];
  const sorted = [...categories].sort((a, b) => a.name.localeCompare(b.name));
  const add = (category, depth) => {
    if (done.has(category.id)) return;
    done.add(category.id);
    out.push({ category, depth });
    for (const child of sorted) if (child.parent === category.id) add(child, depth + 1);
  };
  for (const one of sorted) if (!ids.has(one.parent)) add(one, 0);
  for (const one of sorted) add(one, 0);
  return out;
}

/** The rectangle is another one than before, by more than a tenth of its size. */
export function moved(from, to) {
  if (!from) return false;
  const by = (low, high) => Math.abs(from[low] - to[low]) + Math.abs(from[high] - to[high]) > Math.abs(from[high] - from[low]) / 10;
  return by('south', 'north') || by('west', 'east');
}
