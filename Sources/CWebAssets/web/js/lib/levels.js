/** Who may do what: the levels of docs/vocabulary.md, lowest first. Who waits or was removed is at none. */
const levels = ['guest', 'attendee', 'host', 'founder'];

/** @param {string|undefined} level @returns {boolean} whether somebody takes part */
export const takesPart = (level) => levels.includes(level);

/** @param {string|undefined} level @returns {boolean} whether who is at it lets others in */
export const hosts = (level) => levels.indexOf(level) > 1;

/** @param {string|undefined} level @returns {boolean} whether who is at it shares, and does not only read */
export const shares = (level) => levels.indexOf(level) > 0;

/** The levels that somebody decides about. @param {string|undefined} own @returns {string[]} the usual one first */
export const invitable = (own) => (hosts(own) ? [...['attendee', 'guest', 'host'].slice(0, levels.indexOf(own)), 'relay'] : []);

/**
 * What somebody can make of a person next.
 * @param {string|undefined} own @param {{level: string, relay?: boolean, invited_to?: string}} person @returns {string|null}
 */
export function nextLevel(own, { level, relay, invited_to: invited = 'attendee' }) {
  const next = relay ? { waiting: 'relay', removed: 'relay' }[level] : { waiting: invited, removed: 'attendee', guest: 'attendee', attendee: 'host' }[level];
  return invitable(own).includes(next) ? next : null;
}
