/** Who may do what: the levels of docs/vocabulary.md, lowest first. Who waits, has left or was removed is at none. */
const levels = ['guest', 'attendee', 'moderator', 'host', 'successor', 'founder'];

/** @param {string|undefined} level @param {string} least @returns {boolean} whether somebody is at a level or above it */
const reaches = (level, least) => levels.indexOf(level) >= levels.indexOf(least);

/** @param {string|undefined} level @returns {boolean} whether somebody takes part */
export const takesPart = (level) => levels.includes(level);

/** @param {string|undefined} level @returns {boolean} whether who is at it lets others in */
export const hosts = (level) => reaches(level, 'host');

/** @param {string|undefined} level @returns {boolean} whether who is at it hides what should not be seen */
export const moderates = (level) => reaches(level, 'moderator');

/** @param {string|undefined} level @returns {boolean} whether who is at it shares, and does not only read */
export const shares = (level) => reaches(level, 'attendee');

/** The levels that somebody decides about. @param {string|undefined} own @returns {string[]} the lowest first */
export const governed = (own) => (hosts(own) ? levels.slice(0, levels.indexOf(own)) : []);

/** What somebody invites: people, but nobody becomes a successor by a link, and relays. @param {string|undefined} own @returns {string[]} the usual one first */
export const invitable = (own) => [
  ...['attendee', 'guest', 'moderator', 'host'].filter((level) => governed(own).includes(level)), ...(hosts(own) ? ['relay'] : []),
];

/**
 * What somebody can make of a person next.
 * @param {string|undefined} own @param {{level: string, relay?: boolean, invited_to?: string}} person
 */
export function nextLevel(own, { level, relay, invited_to: invited = 'attendee' }) {
  if (relay) return hosts(own) && ['waiting', 'left', 'removed'].includes(level) ? 'relay' : null;
  const next = { waiting: invited, left: 'attendee', removed: 'attendee', guest: 'attendee' }[level];
  return governed(own).includes(next) ? next : null;
}
