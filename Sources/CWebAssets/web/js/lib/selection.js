/** Chosen photos, by their ids in the order in which they were chosen. Nothing here knows of the page. */

/** As many as one archive is asked for by their ids (docs/api.md, POST photos.zip). */
export const MOST = 5000;

/**
 * @param {number} [most]
 * @returns {{ids: () => string[], has: (id: string) => boolean, size: () => number, toggle: (id: string) => boolean,
 *   extend: (id: string, order: string[]) => boolean, keep: (there: Set<string>) => void, clear: () => void}}
 */
export function createSelection(most = MOST) {
  const chosen = new Set();
  /** What was chosen or given up last: a range begins there. */
  let last = null;

  function add(id) {
    if (!chosen.has(id) && chosen.size >= most) return false;
    chosen.add(id);
    return true;
  }

  return {
    ids: () => [...chosen],
    has: (id) => chosen.has(id),
    size: () => chosen.size,
    /** Chooses one, or gives it up. Answers whether there was room. */
    toggle(id) {
      last = id;
      return chosen.delete(id) || add(id);
    },
    /** Chooses all between the last one and this, as a list has them. Answers whether there was room. */
    extend(id, order) {
      const from = order.indexOf(last), to = order.indexOf(id);
      last = id;
      if (from < 0 || to < 0) return add(id);
      return order.slice(Math.min(from, to), Math.max(from, to) + 1).every(add);
    },
    /** Gives up what is no longer there. */
    keep(there) { for (const id of chosen) if (!there.has(id)) chosen.delete(id); },
    clear() { chosen.clear(); last = null; },
  };
}
