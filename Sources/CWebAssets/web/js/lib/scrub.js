/** Where a time stands on the scrubber: by how many photos come before it. Pure. */

/** @typedef {{start: string, count: number}} Time */

/** The share of all photos that come before each time, from 0 to 1. @param {Time[]} times @returns {number[]} */
export function placesOf(times) {
  const total = times.reduce((sum, time) => sum + time.count, 0) || 1;
  let before = 0;
  // The last one stands at the very end: nothing is left behind it.
  return times.map(({ count }, i) => { const place = i && i === times.length - 1 ? 1 : before / total; before += count; return place; });
}

/** The time at a share of the whole: the nearest place. @param {number[]} places @param {number} share @returns {number} its index */
export function stepOf(places, share) {
  let low = 0, high = places.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] < share) low = middle + 1; else high = middle;
  }
  return low > 0 && share - places[low - 1] < places[low] - share ? low - 1 : low;
}

/**
 * The time in which something stands, of times in either order; the nearest one before it in the list where none has it.
 * @param {Time[]} times @param {string} when @returns {number} its index
 */
export function at(times, when) {
  const wanted = Date.parse(when), start = (i) => Date.parse(times[i].start);
  // The latest stands first.
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start(middle) <= wanted) high = middle; else low = middle + 1;
  }
  return low;
}
