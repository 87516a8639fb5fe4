/** Who may do what: the levels of docs/vocabulary.md, lowest first. Who waits, was declined, has left or was removed is at none. */
const levels = ['guest', 'attendee', 'moderator', 'host', 'successor', 'founder'];

/** Whether somebody is at a level or above it. */
const reaches = (level, least) => levels.indexOf(level) >= levels.indexOf(least);

/** Whether who is at a level takes part. */
export const takesPart = (level) => levels.includes(level);

/** Whether who is at a level lets others in. */
export const hosts = (level) => reaches(level, 'host');

/** Whether who is at a level hides what should not be seen. */
export const moderates = (level) => reaches(level, 'moderator');

/** Whether who is at a level shares, and does not only read. */
export const shares = (level) => reaches(level, 'attendee');

/** The levels that somebody decides about. @param {string|undefined} own @returns {string[]} the lowest first */
export const governed = (own) => (hosts(own) ? levels.slice(0, levels.indexOf(own)) : []);

/** What somebody invites, the usual first: people, but nobody becomes a successor by a link, and relays. @param {string|undefined} own */
export const invitable = (own) => [
  ...['attendee', 'guest', 'moderator', 'host'].filter((level) => governed(own).includes(level)), ...(hosts(own) ? ['relay'] : []),
];

/**
 * What somebody can make of a person next.
 * @param {string|undefined} own @param {{level: string, relay?: boolean, invited_to?: string}} person
 */
export function nextLevel(own, { level, relay, invited_to: invited }) {
  if (relay) return hosts(own) && ['waiting', 'declined', 'left', 'removed'].includes(level) ? 'relay' : null;
  const can = governed(own), back = can.includes(invited) ? invited : 'attendee';
  const next = { waiting: invited, declined: back, left: 'attendee', removed: 'attendee', guest: 'attendee' }[level];
  return can.includes(next) ? next : null;
}
