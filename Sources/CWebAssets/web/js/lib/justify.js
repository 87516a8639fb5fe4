/**
 * Justified rows with the best possible breaks: every photo keeps its aspect ratio, each row fills the width exactly, and
 * dynamic programming makes them as even as can be. The heights returned are those drawn, so the page never jumps.
 */

/** The most photos one row may hold. */
export const MAX_ROW = 12;

/** Layout clamps: a panorama does not become a ribbon, a screenshot not a needle. */
export const MIN_RATIO = 0.45;
export const MAX_RATIO = 3;

/**
 * @typedef {object} Rows
 * @property {number} height the height of all rows and the gaps between them
 * @property {Int32Array} x @property {Int32Array} y @property {Int32Array} w @property {Int32Array} h boxes
 * @property {number[]} breaks the index of the first photo of every row
 */

/**
 * The ratio used for layout.
 * @param {number} width @param {number} height
 */
export function ratio(width, height) {
  const r = width > 0 && height > 0 ? width / height : 1;
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, r));
}

/**
 * Chooses the row breaks.
 * @param {ArrayLike<number>} ratios @param {number} width @param {number} target wished row height @param {number} gap
 * @returns {number[]} first index of every row
 */
export function breaks(ratios, width, target, gap) {
  const n = ratios.length;
  const cost = new Float64Array(n + 1).fill(Infinity);
  const from = new Int32Array(n + 1);
  cost[0] = 0;
  for (let end = 1; end <= n; end++) {
    let sum = 0;
    for (let start = end - 1; start >= 0 && end - start <= MAX_ROW; start--) {
      sum += ratios[start];
      const height = (width - gap * (end - start - 1)) / sum;
      if (height <= 0) break;
      // A last row that does not fill the width is left ragged, at a small price so that full rows win a tie.
      // Twice too high and twice too low are equally bad, hence the logarithm.
      const off = height > target && end === n ? 0.1 : Math.log(height / target);
      const total = cost[start] + off * off;
      if (total < cost[end]) { cost[end] = total; from[end] = start; }
    }
  }
  const out = [];
  for (let end = n; end > 0; end = from[end]) out.push(from[end]);
  return out.reverse();
}

/**
 * Lays photos out in justified rows.
 * @param {ArrayLike<number>} ratios width / height of each photo
 * @param {number} width the width to fill @param {number} target the wished row height @param {number} gap between photos
 * @returns {Rows}
 */
export function justify(ratios, width, target, gap) {
  const n = ratios.length;
  const rows = breaks(ratios, width, target, gap);
  const x = new Int32Array(n), y = new Int32Array(n), w = new Int32Array(n), h = new Int32Array(n);
  let top = 0;
  rows.forEach((first, r) => {
    const end = r + 1 < rows.length ? rows[r + 1] : n;
    let sum = 0;
    for (let i = first; i < end; i++) sum += ratios[i];
    const gaps = gap * (end - first - 1);
    const full = (width - gaps) / sum;
    // Only the last row may be ragged; a nearly full one is stretched, the rest keep the wished height.
    const ragged = end === n && full > target * 1.3;
    const exact = ragged ? target : full;
    const height = Math.max(1, Math.round(exact));
    let run = 0;
    for (let i = first; i < end; i++) {
      const left = Math.round(run * exact), right = Math.round((run + ratios[i]) * exact);
      x[i] = left + gap * (i - first);
      w[i] = Math.max(1, right - left);
      y[i] = top;
      h[i] = height;
      run += ratios[i];
    }
    top += height + gap;
  });
  return { height: Math.max(0, top - gap), x, y, w, h, breaks: rows };
}

/**
 * @typedef {object} Section
 * @property {string} key the day @property {number} first index of its first photo @property {number} count
 * @property {number} top where its header starts @property {number} height header, rows and space below
 */
/**
 * @typedef {object} Plan
 * @property {number} height of everything @property {Section[]} sections
 * @property {Int32Array} x @property {Int32Array} y @property {Int32Array} w @property {Int32Array} h absolute boxes
 * @property {number[]} rowFirst first photo of every row @property {number[]} rowTop top of every row
 */

/**
 * Lays out all sections.
 * @param {{key: string, first: number, count: number}[]} days @param {ArrayLike<number>} ratios
 * @param {number} width @param {{target: number, gap: number, header: number, below: number}} options
 * @returns {Plan}
 */
export function plan(days, ratios, width, { target, gap, header, below }) {
  const n = ratios.length;
  const x = new Int32Array(n), y = new Int32Array(n), w = new Int32Array(n), h = new Int32Array(n);
  const rowFirst = [], rowTop = [], sections = [];
  let top = 0;
  for (const day of days) {
    const part = Array.prototype.slice.call(ratios, day.first, day.first + day.count);
    const rows = justify(part, width, target, gap);
    const start = top + header;
    for (let i = 0; i < day.count; i++) {
      const at = day.first + i;
      x[at] = rows.x[i]; y[at] = start + rows.y[i]; w[at] = rows.w[i]; h[at] = rows.h[i];
    }
    for (const first of rows.breaks) { rowFirst.push(day.first + first); rowTop.push(start + rows.y[first]); }
    const height = header + rows.height + below;
    sections.push({ ...day, top, height });
    top += height;
  }
  return { height: top, sections, x, y, w, h, rowFirst, rowTop };
}
