/** The product's rules about moments, as the page needs them. The node decides; this only explains beforehand. */

/**
 * Why one may not post to a moment, or 'ok'.
 * @param {{may_post: boolean, status: string, participation: string|null}} moment
 * @returns {'ok'|'join'|'check_in'|'ended'}
 */
export function posting(moment) {
  if (moment.may_post) return 'ok';
  if (moment.status === 'ended') return 'ended';
  return ['joined', 'checked_in'].includes(moment.participation) ? 'check_in' : 'join';
}

/**
 * Whether an invitation to a moment waits for an answer.
 * @param {{invited: boolean, participation: string|null, status: string}} moment
 */
export const asks = ({ invited, participation, status }) => invited && !participation && status !== 'ended';

/**
 * Moments as one looks for them: what is on, what comes next, what was.
 * @template {{status: string, start: string}} T @param {T[]} moments
 * @returns {{now: T[], next: T[], past: T[]}}
 */
export function grouped(moments) {
  const of = (status) => moments.filter((m) => m.status === status);
  const time = (m) => Date.parse(m.start);
  return {
    now: of('ongoing').sort((a, b) => time(b) - time(a)),
    next: of('not_started').sort((a, b) => time(a) - time(b)),
    past: of('ended').sort((a, b) => time(b) - time(a)),
  };
}

/**
 * Those of a category, or of one below it.
 * @template {{categories?: string[]}} T @param {T[]} moments @param {string} category an id; empty: any
 * @param {{id: string, parent?: string}[]} categories the tree
 * @returns {T[]}
 */
export function ofCategory(moments, category, categories) {
  if (!category) return moments;
  const wanted = new Set([category]);
  // Each round takes in one more level; a loop in the tree adds nothing.
  for (let size = 0; size !== wanted.size;) {
    size = wanted.size;
    for (const { id, parent } of categories) if (wanted.has(parent)) wanted.add(id);
  }
  return moments.filter((m) => m.categories?.some((one) => wanted.has(one)));
}

/**
 * When a moment will next change its status by itself, in ms since 1970; Infinity if never.
 * @param {{start: string, end: string}[]} moments @param {number} now
 */
export function nextChange(moments, now) {
  const times = moments.flatMap((m) => [Date.parse(m.start), Date.parse(m.end)]).filter((t) => t > now);
  return Math.min(Infinity, ...times);
}

/**
 * A position as maps give it, in one piece: "41.3874, 2.1686". A lone number, also with a decimal comma, is none.
 * @param {string} text @returns {{latitude: number, longitude: number}|null}
 */
export function position(text) {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+\.\d+)\s*$/.exec(text);
  return match && { latitude: Number(match[1]), longitude: Number(match[2]) };
}

/** A number as people type it, also with a decimal comma. */
export const decimal = (text) => Number(String(text).replace(',', '.'));

/** Checks a draft; the answer maps a field to the key of the message that says what is wrong. */
export function problems(draft) {
  const out = {};
  const number = (text) => (String(text).trim() === '' ? NaN : decimal(text));
  const within = (value, least, most) => value >= least && value <= most;
  if (!draft.title.trim() && !draft.name.trim()) out.title = 'form.need_title';
  if (!draft.start) out.start = 'form.need_start';
  if (!draft.end) out.end = 'form.need_end';
  else if (draft.start && Date.parse(draft.end) <= Date.parse(draft.start)) out.end = 'form.end_after_start';
  // Without a position anybody may check in who says to be there.
  if (!String(draft.latitude).trim() && !String(draft.longitude).trim()) return out;
  if (!within(number(draft.latitude), -90, 90)) out.latitude = 'form.bad_latitude';
  if (!within(number(draft.longitude), -180, 180)) out.longitude = 'form.bad_longitude';
  if (!within(number(draft.radius), 1, 100000)) out.radius = 'form.bad_radius';
  return out;
}
