/** What a guest has read of what concerns the guest, from marks that only this browser has. */

/** @typedef {{until: string, things: Record<string, string>, muted: {id: string}[]}} Marks times up to which all, or one thing, was read */

/** Whether a notification was read. @param {{read: boolean}} one */
export const isRead = (one) => one.read;

const later = (a, b) => (Date.parse(a) > Date.parse(b || 0) ? a : b);

/**
 * Notifications as the marks have it, without those of muted things.
 * @param {any[]} list @param {Marks} marks
 */
export const told = (list, marks) => list
  .filter(({ thing }) => !marks.muted.some((one) => one.id === thing.id))
  .map((one) => {
    const until = later(marks.things[one.thing.id] ?? '', marks.until);
    return { ...one, read: !!until && Date.parse(one.time) <= Date.parse(until) };
  });
