/** Who may do what: the levels of docs/vocabulary.md. */

/** @param {string|undefined} level @returns {boolean} whether who is at it lets others in */
export const hosts = (level) => level === 'founder' || level === 'host';

/** @param {string|undefined} level @returns {boolean} whether who is at it shares, and does not only read */
export const shares = (level) => hosts(level) || level === 'attendee';

/**
 * The levels that somebody may invite to.
 * @param {string|undefined} own @returns {string[]} the usual one first
 */
export const invitable = (own) => (own === 'founder' ? ['attendee', 'guest', 'host'] : own === 'host' ? ['attendee', 'guest'] : []);

/**
 * What somebody can make of a person next.
 * @param {string|undefined} own @param {{level: string, invited_to?: string}} person @returns {string|null}
 */
export function nextLevel(own, { level, invited_to: invited }) {
  const next = level === 'waiting' ? invited ?? 'attendee' : level === 'guest' ? 'attendee' : level === 'attendee' ? 'host' : null;
  return next && invitable(own).includes(next) ? next : null;
}
