/** The news as a list: what tells entries apart, and what to show while one reads. */

/** What tells an entry from all others for as long as nothing joins it. @param {any} item */
export const entryKey = (item) => `${item.type}/${item.thing?.id ?? item.place ?? item.people[0]?.id}/${item.at}`;

/**
 * What is on show once the newest page was read anew while one reads further down: nothing moves, what went is gone.
 * @param {any[]} shown @param {any[]} fresh the newest page @param {boolean} whole whether that page is all that is on show
 * @returns {{items: any[], isNew: boolean}} whether there is something to show once one is at the top again
 */
export function heldBack(shown, fresh, whole) {
  const by = new Map(fresh.map((item) => [entryKey(item), item])), known = new Set(shown.map(entryKey));
  const things = new Set(fresh.map((item) => item.thing?.id));
  const items = shown.filter((item) => !whole || by.has(entryKey(item)) || things.has(item.thing?.id)).map((item) => by.get(entryKey(item)) ?? item);
  return { items, isNew: fresh.some((item) => !known.has(entryKey(item))) };
}
