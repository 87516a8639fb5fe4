/** Which part of a long list of day sections must be in the document: exact positions and binary search, no DOM. */

/** @typedef {import('./justify.js').Plan} Plan */

/**
 * Splits a list into runs of equal keys.
 * @template T @param {T[]} items @param {(item: T) => string} key
 * @returns {{key: string, first: number, count: number}[]}
 */
export function runs(items, key) {
  const out = [];
  items.forEach((item, i) => {
    const k = key(item), last = out[out.length - 1];
    if (last && last.key === k) last.count++;
    else out.push({ key: k, first: i, count: 1 });
  });
  return out;
}

/** The last index whose value is ≤ the wanted one, or 0. @param {ArrayLike<number>} sorted @param {number} wanted */
export function lastAtMost(sorted, wanted) {
  let low = 0, high = sorted.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (sorted[mid] <= wanted) low = mid; else high = mid - 1;
  }
  return low;
}

/**
 * The photos to keep in the document: those between top and bottom, then more rows on both sides while they fit.
 * @param {Plan} layout @param {number} top @param {number} bottom @param {number} overscan pixels on each side
 * @param {number} most photos @returns {{from: number, to: number}} half-open
 */
export function visible(layout, top, bottom, overscan, most) {
  const { rowFirst, rowTop, x } = layout, total = x.length;
  if (!total) return { from: 0, to: 0 };
  const end = (row) => (row + 1 < rowFirst.length ? rowFirst[row + 1] : total);
  let first = lastAtMost(rowTop, top), last = lastAtMost(rowTop, bottom);
  let grew = true;
  while (grew) {
    grew = false;
    if (last + 1 < rowTop.length && rowTop[last + 1] < bottom + overscan && end(last + 1) - rowFirst[first] <= most) { last++; grew = true; }
    if (first > 0 && rowTop[first] > top - overscan && end(last) - rowFirst[first - 1] <= most) { first--; grew = true; }
  }
  return { from: rowFirst[first], to: Math.min(end(last), rowFirst[first] + most) };
}

/**
 * The photo one visual row above or below, nearest by the middle.
 * @param {Plan} layout @param {number} index @param {1|-1} step
 */
export function vertical(layout, index, step) {
  const { rowFirst, x, w } = layout;
  const row = lastAtMost(rowFirst, index) + step;
  if (row < 0 || row >= rowFirst.length) return index;
  const end = row + 1 < rowFirst.length ? rowFirst[row + 1] : x.length;
  const middle = x[index] + w[index] / 2;
  let best = rowFirst[row];
  for (let i = best; i < end; i++) {
    if (Math.abs(x[i] + w[i] / 2 - middle) < Math.abs(x[best] + w[best] / 2 - middle)) best = i;
  }
  return best;
}
