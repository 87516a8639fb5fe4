/** Deals in time: how long one still lasts, where several stand, and when that changes next. Pure. */

const HOUR = 3600, DAY = 86400;
const two = (n) => String(n).padStart(2, '0');

/**
 * How long something still lasts: 00:00:59, 00:01:00, 01:00:00; from a day on in words.
 * @param {number} ms what is left @param {string} lang
 */
export function countdown(ms, lang) {
  // The last second is over when nothing is left of it.
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < DAY) return [seconds / HOUR, seconds % HOUR / 60, seconds % 60].map((n) => two(Math.floor(n))).join(':');
  const words = (n, unit) => new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(n);
  const days = Math.floor(seconds / DAY), hours = Math.floor(seconds % DAY / HOUR);
  return new Intl.ListFormat(lang, { type: 'unit', style: 'long' }).format([words(days, 'day'), ...(hours ? [words(hours, 'hour')] : [])]);
}

/** Where a deal stands. @param {{start: string, end: string}} deal @param {number} now @returns {'future'|'active'|'ended'} */
export const stateAt = ({ start, end }, now) => (now < Date.parse(start) ? 'future' : now < Date.parse(end) ? 'active' : 'ended');

/**
 * Deals by where they stand: those that end or begin first, and of those that ended the latest, stand first.
 * @template {{start: string, end: string}} T @param {T[]} deals @param {number} now
 * @returns {{active: T[], future: T[], ended: T[]}}
 */
export function grouped(deals, now) {
  const of = (state) => deals.filter((deal) => stateAt(deal, now) === state), by = (field) => (a, b) => Date.parse(a[field]) - Date.parse(b[field]);
  return { active: of('active').sort(by('end')), future: of('future').sort(by('start')), ended: of('ended').sort(by('end')).reverse() };
}

/** When one of them will next begin or end, in ms since 1970; Infinity if never. @param {{start: string, end: string}[]} deals @param {number} now */
export const nextTurn = (deals, now) => Math.min(Infinity, ...deals.flatMap(({ start, end }) => [Date.parse(start), Date.parse(end)]).filter((at) => at > now));

/** The places of deals, each once, with its deals. @param {{place: {id: string}}[]} deals */
export function byPlace(deals) {
  const places = new Map();
  for (const deal of deals) {
    if (!places.has(deal.place.id)) places.set(deal.place.id, { ...deal.place, deals: [] });
    places.get(deal.place.id).deals.push(deal);
  }
  return [...places.values()];
}

/** Whether nobody else can use it. @param {{left?: number}} deal */
export const isUsedUp = ({ left }) => left === 0;
