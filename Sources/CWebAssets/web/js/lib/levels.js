/** Permissions by level, lowest level first (docs/vocabulary.md). People who wait, were declined, left or were removed have no level. */
const levels = ['guest', 'attendee', 'moderator', 'host', 'successor', 'founder'];

/** Whether `level` is `least` or above. */
export const reaches = (level, least) => levels.indexOf(level) >= levels.indexOf(least);

/** Whether a person with `level` takes part. */
export const takesPart = (level) => levels.includes(level);

/** Whether a person with `level` may let others in. */
export const hosts = (level) => reaches(level, 'host');

/** Whether a person with `level` may hide posts. */
export const moderates = (level) => reaches(level, 'moderator');

/** Whether a person with `level` may post. */
export const shares = (level) => reaches(level, 'attendee');

/** The levels that a person with level `own` may give and take. @param {string|undefined} own @returns {string[]} the lowest first */
export const governed = (own) => (hosts(own) ? levels.slice(0, levels.indexOf(own)) : []);

/** The levels that a person with level `own` may invite to, the usual one first. No link makes a successor. @param {string|undefined} own */
export const invitable = (own) => [
  ...['attendee', 'guest', 'moderator', 'host'].filter((level) => governed(own).includes(level)), ...(hosts(own) ? ['relay'] : []),
];

/**
 * The level that a person with level `own` can give to another person with one button.
 * @param {string|undefined} own @param {{level: string, relay?: boolean, invited_to?: string}} person
 */
export function nextLevel(own, { level, relay, invited_to: invited }) {
  if (relay) return hosts(own) && ['waiting', 'declined', 'left', 'removed'].includes(level) ? 'relay' : null;
  const can = governed(own), back = can.includes(invited) ? invited : 'attendee';
  const next = { waiting: invited, declined: back, left: 'attendee', removed: 'attendee', guest: 'attendee' }[level];
  return can.includes(next) ? next : null;
}
