/** Times and sizes in words, through Intl. Pure: the present moment and the language are always passed in. */

const cache = new Map();

/**
 * @param {string} lang @param {Intl.DateTimeFormatOptions} options
 */
function dates(lang, options) {
  const key = lang + JSON.stringify(options);
  let made = cache.get(key);
  if (!made) cache.set(key, (made = new Intl.DateTimeFormat(lang, options)));
  return made;
}

/** Day and time of day. */
const BOTH = { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' };

const two = (n) => String(n).padStart(2, '0');

/** The calendar day, as a key that sorts. @param {string|Date} time @param {string} [zone] without it the reader's own @returns {string} 2026-11-21 */
export function dayKey(time, zone) {
  if (zone) return toInput(time, zone).slice(0, 10);
  const d = new Date(time);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
}

/**
 * A day header: a name one would say, and the date beside it.
 * @param {string} key from {@link dayKey} @param {Date} now @param {string} lang
 * @returns {{name: string, date: string}}
 */
export function dayName(key, now, lang) {
  const [y, m, d] = key.split('-').map(Number);
  const day = new Date(y, m - 1, d, 12);
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12);
  const away = Math.round((day - today) / 86400000);
  const long = { day: 'numeric', month: 'long', ...(y === now.getFullYear() ? {} : { year: 'numeric' }) };
  const date = dates(lang, long).format(day);
  const name = Math.abs(away) <= 1
    ? new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(away, 'day')
    : dates(lang, { weekday: 'long' }).format(day);
  return { name: name.charAt(0).toLocaleUpperCase(lang) + name.slice(1), date };
}

/** The time of day. @param {string} time @param {string} lang @param {string} [zone] @returns {string} 21:14 or 9:14 PM */
export const clock = (time, lang, zone) => dates(lang, { hour: 'numeric', minute: '2-digit', timeZone: zone }).format(new Date(time));

/** With the year in the place of the weekday, if it is not this one for all of the times. @param {Date[]} times @param {Date} now */
const both = (times, now, lang, timeZone) => dates(lang, { ...BOTH, timeZone, ...(times.every((one) => one.getFullYear() === now.getFullYear()) ? {} : { weekday: undefined, year: 'numeric' }) });

/** Day and time of day. @param {string} time @param {Date} now @param {string} lang */
export function moment(time, now, lang, zone) {
  const at = new Date(time);
  return both([at], now, lang, zone).format(at);
}

/** From – to, as short as the language allows. @param {string} start @param {string} end @param {Date} now @param {string} lang */
export function span(start, end, now, lang, zone) {
  const a = new Date(start), b = new Date(end);
  return b > a ? both([a, b], now, lang, zone).formatRange(a, b) : both([a], now, lang, zone).format(a);
}

const STEPS = [['year', 31536000], ['month', 2592000], ['week', 604800], ['day', 86400], ['hour', 3600], ['minute', 60]];

/**
 * How far away a time is: "3 minutes ago", "in 2 hours".
 * @param {string|number|Date} time @param {number|Date} now @param {string} lang
 */
export function relative(time, now, lang) {
  const seconds = (new Date(time) - Number(now)) / 1000;
  const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  }
  return format.format(0, 'second');
}

/** A size for people. @param {number} bytes @param {string} lang */
export function size(bytes, lang) {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  let at = 0, value = Math.max(0, bytes);
  while (value >= 1000 && at < units.length - 1) { value /= 1000; at++; }
  return new Intl.NumberFormat(lang, { style: 'unit', unit: units[at], unitDisplay: 'short', maximumFractionDigits: value < 10 && at > 1 ? 1 : 0 }).format(value);
}

/** What a clock in a zone shows, as if that were UTC, in ms since 1970. @param {number} at @param {string} zone of the IANA data base */
function shownIn(at, zone) {
  const parts = dates('en-GB', { timeZone: zone, year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' }).formatToParts(new Date(at));
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts.map((part) => [part.type, Number(part.value)]));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * The value of an <input type=datetime-local>.
 * @param {string|number|Date} time @param {string} [zone] the event's; without it the reader's own
 * @returns {string} 2026-11-21T18:30
 */
export function toInput(time, zone) {
  const d = new Date(time);
  if (zone) return new Date(shownIn(d.getTime(), zone)).toISOString().slice(0, 16);
  return `${dayKey(d)}T${two(d.getHours())}:${two(d.getMinutes())}`;
}

/**
 * The reverse of {@link toInput}; empty for an invalid time. Of a time that a clock shows twice it is the first, and one that the clock leaves out is as much later.
 * @param {string} value @param {string} [zone] @returns {string} RFC 3339 UTC, or ''
 */
export function fromInput(value, zone) {
  const d = new Date(zone ? `${value}Z` : value);
  if (!value || Number.isNaN(d.getTime())) return '';
  if (!zone) return d.toISOString();
  const wished = d.getTime(), offset = (at) => shownIn(at, zone) - at;
  // A clock change lies within a day of it: one of the two offsets around it fits, or neither where the clock left it out.
  const [before, after] = [offset(wished - 86400000), offset(wished + 86400000)];
  const found = [before, after].map((by) => wished - by).filter((at) => shownIn(at, zone) === wished);
  return new Date(found.length ? Math.min(...found) : wished - before).toISOString();
}
