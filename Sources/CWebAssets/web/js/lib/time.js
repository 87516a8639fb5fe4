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

/** The local calendar day, as a key that sorts. @param {string|Date} time @returns {string} 2026-11-21 */
export function dayKey(time) {
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

/** The time of day. @param {string} time @param {string} lang @returns {string} 21:14 or 9:14 PM */
export const clock = (time, lang) => dates(lang, { hour: 'numeric', minute: '2-digit' }).format(new Date(time));

/** With the year in the place of the weekday, if it is not this one for all of the times. @param {Date[]} times @param {Date} now */
const both = (times, now, lang) => dates(lang, times.every((one) => one.getFullYear() === now.getFullYear()) ? BOTH : { ...BOTH, weekday: undefined, year: 'numeric' });

/** Day and time of day. @param {string} time @param {Date} now @param {string} lang */
export function moment(time, now, lang) {
  const at = new Date(time);
  return both([at], now, lang).format(at);
}

/** From – to, as short as the language allows. @param {string} start @param {string} end @param {Date} now @param {string} lang */
export function span(start, end, now, lang) {
  const a = new Date(start), b = new Date(end);
  return b > a ? both([a, b], now, lang).formatRange(a, b) : both([a], now, lang).format(a);
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

/** The value of an <input type=datetime-local>, in the reader's own zone. @param {string|number|Date} time @returns {string} 2026-11-21T18:30 */
export function toInput(time) {
  const d = new Date(time);
  return `${dayKey(d)}T${two(d.getHours())}:${two(d.getMinutes())}`;
}

/**
 * The reverse of {@link toInput}; empty for an invalid time.
 * @param {string} value @returns {string} RFC 3339 UTC, or ''
 */
export function fromInput(value) {
  const d = new Date(value);
  return value && !Number.isNaN(d.getTime()) ? d.toISOString() : '';
}
