/** Which photo the venue's screen shows next: new ones first, then the others, newest first, round and round. It keeps few of them. */

/** Photos that are read at once. */
export const PAGE = 60;
/** New photos that wait for their turn, so that nobody waits long for one's own; of more, the newest. The others come round. */
const MOST_WAITING = 24;
/** Ids by which new photos are told from others: more than a page, so that those of the newest page are among them. */
const MOST_KNOWN = 500;

/**
 * Whether a photo is for everybody in the room, and here. What somebody hid, or shared with some people alone, is not.
 * @param {{hidden?: any, private?: boolean, held: {preview: boolean}}} photo
 */
export const isForAll = (photo) => !photo.hidden && !photo.private && photo.held.preview;

/**
 * @param {{photos: Function, photo: (id: string) => Promise<any>}} api
 * @returns {{look: () => Promise<void>, next: (shown: Set<string>) => Promise<any>, waiting: () => number, size: () => number}}
 */
export function createRota(api) {
  const known = new Set();
  /** Photos in the order of their turns. */
  let fresh = [], rest = [], cursor = null, begun = false;

  function know(id) {
    known.delete(id);
    known.add(id);
    if (known.size > MOST_KNOWN) known.delete(known.values().next().value);
  }

  async function page(before) {
    const { photos, next = null } = await api.photos(null, before, PAGE);
    return { ids: photos.filter(isForAll).map((photo) => photo.id), next };
  }

  async function older() {
    if (!rest.length) ({ ids: rest, next: cursor } = await page(cursor));
    return rest.shift();
  }

  return {
    /** Looks for new photos. What has not arrived yet is new once it has. */
    async look() {
      const { ids, next } = await page(null);
      if (begun) fresh = [...fresh, ...ids.filter((id) => !known.has(id)).reverse()].slice(-MOST_WAITING);
      else { rest = [...ids]; cursor = next; begun = true; }
      ids.forEach(know);
    },
    /**
     * The next photo, as it is now: since it was listed, somebody may have hidden or deleted it.
     * @param {Set<string>} shown ids of what is on the screen @returns {Promise<any>} null where there is no other
     */
    async next(shown) {
      for (let tries = 0; tries < PAGE; tries++) {
        const id = fresh.shift() ?? await older();
        if (!id) return null;
        if (shown.has(id)) continue;
        const photo = await api.photo(id).catch((error) => { if (error.status === 404) return null; throw error; });
        if (photo && isForAll(photo)) return photo;
      }
      return null;
    },
    waiting: () => fresh.length,
    /** How much it keeps. */
    size: () => fresh.length + rest.length + known.size,
  };
}
