/** Opening hours of a week, as the API tells them: `{"monday": [["09:00", "12:00"], ["18:00", "02:00"]]}`. */

/** The days, from Monday. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const DAY = 1440, WEEK = 7 * DAY;

/** Minutes since midnight. @param {string} text 09:30 */
const minutes = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
const two = (n) => String(n).padStart(2, '0');
/** Minutes of a day, or of the next one, as a time. */
const time = (at) => `${two(Math.floor(at % DAY / 60))}:${two(at % 60)}`;

/** Spans as minutes since Monday's midnight, one after the other; those that touch are one. */
function spans(hours) {
  const all = DAYS.flatMap((day, i) => (hours[day] ?? []).map(([from, to]) => {
    const start = minutes(from), end = minutes(to);
    return [i * DAY + start, i * DAY + (end <= start ? end + DAY : end)];
  })).sort((a, b) => a[0] - b[0]);
  const out = [];
  for (const [start, end] of all) {
    const last = out.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end); else out.push([start, end]);
  }
  // The week goes on on Monday.
  const last = out.at(-1);
  if (out.length > 1 && last[1] >= WEEK && out[0][0] <= last[1] - WEEK) { last[1] = Math.max(last[1], out[0][1] + WEEK); out.shift(); }
  return out;
}

/**
 * Whether it is open at a time, and when that changes.
 * @param {Record<string, string[][]>|undefined} hours @param {string} wall what a clock there shows, as 2026-11-21T18:30
 * @returns {{open: boolean, at: string, day: string, always: boolean, isToday: boolean}|null} null: nobody said
 */
export function state(hours, wall) {
  const all = hours && spans(hours);
  if (!all?.length) return null;
  const today = (new Date(`${wall.slice(0, 10)}T12:00Z`).getUTCDay() + 6) % 7, now = today * DAY + minutes(wall.slice(11, 16));
  const told = (open, at, always = false) => {
    const day = Math.floor(at % WEEK / DAY);
    return { open, at: time(at), day: DAYS[day], always, isToday: day === today && at - now < DAY };
  };
  const span = all.map(([a, b]) => [now, now + WEEK].some((t) => a <= t && t < b) && [a, b]).find(Boolean);
  if (span) return told(true, span[1], span[1] - span[0] >= WEEK);
  const next = all.map(([a]) => (a > now ? a : a + WEEK)).sort((a, b) => a - b)[0];
  return told(false, next);
}

/**
 * Reads what a person typed for a day: "9:00-12:00, 18-2". Empty: closed.
 * @param {string} text @returns {string[][]|null} null: it makes no sense
 */
export function readDay(text) {
  const out = [];
  for (const part of text.split(/[,;]/).map((one) => one.trim()).filter(Boolean)) {
    const match = /^(\d{1,2})(?:[:.h](\d{2}))?\s*(?:-|–|—|to|a)\s*(\d{1,2})(?:[:.h](\d{2}))?$/i.exec(part);
    if (!match) return null;
    const [from, to] = [[match[1], match[2]], [match[3], match[4]]].map(([h, m = '0']) => Number(h) * 60 + Number(m));
    if (from >= DAY || to > DAY || [match[2], match[4]].some((m) => Number(m ?? 0) > 59)) return null;
    out.push([time(from), to === DAY ? '24:00' : time(to)]);
  }
  return out.length <= 4 ? out : null;
}

/** A day as {@link readDay} reads it. @param {string[][]|undefined} day */
export const writeDay = (day) => (day ?? []).map((span) => span.join('–')).join(', ');
