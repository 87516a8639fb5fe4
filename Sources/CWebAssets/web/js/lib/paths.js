/** Addresses: the page's own routes, the API's queries, and its pages. */

/**
 * @typedef {object} Route
 * @property {'photos'|'photo'|'moments'|'checkIns'|'invited'|'moment'|'news'|'forYou'|'people'|'connections'|'person'|'places'|'place'|'deals'|'deal'|'invite'|'hidden'|'bookmarks'|'unknown'} name
 * @property {string|null} id
 */

/** Names of views by addresses, where the two differ. */
const NAMES = { '': 'photos', 'check-ins': 'checkIns', 'for-you': 'forYou', invitations: 'invited' };
const VIEWS = ['photos', 'moments', 'news', 'people', 'places', 'deals', 'connections', 'invite', 'hidden', 'bookmarks'];

/** What a path asks for. @param {string} path @returns {Route} */
export function route(path) {
  let parts;
  try { parts = path.split('/').filter(Boolean).map(decodeURIComponent); } catch { return { name: 'unknown', id: null }; }
  const [head = '', id = null, rest] = parts;
  if (rest !== undefined) return { name: 'unknown', id: null };
  if (id) {
    if (head === 'photos') return { name: 'photo', id };
    if (head === 'moments') return { name: 'moment', id };
    if (head === 'people') return { name: 'person', id };
    if (head === 'places') return { name: 'place', id };
    if (head === 'deals') return { name: 'deal', id };
    return { name: 'unknown', id: null };
  }
  return { name: VIEWS.includes(head) ? head : Object.hasOwn(NAMES, head) ? NAMES[head] : 'unknown', id: null };
}

/**
 * A path with its query; what is null, undefined or empty is left out. Cursors are opaque and only escaped.
 * @param {string} path @param {Record<string, string|number|boolean|null|undefined>} params
 */
export function query(path, params = {}) {
  const parts = Object.entries(params)
    .filter(([, v]) => v !== null && v !== undefined && v !== '' && v !== false)
    .map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(String(v))}`);
  return parts.length ? `${path}?${parts.join('&')}` : path;
}

/** The latest page of comments, and as many before it as it takes to have so many, if there are. */
export async function pages(read, count) {
  let { comments, previous = null } = await read();
  while (previous && comments.length < count()) {
    const older = await read(previous);
    comments = [...older.comments, ...comments];
    previous = older.previous ?? null;
  }
  return { comments, previous };
}

/**
 * What is known of comments with the newest page in its place; null where more may have changed than that page shows.
 * @param {any[]} known oldest first @param {any[]} newest @param {number} by how many more there are than when all was read
 * @param {Iterable<string>} ids which changed, came or went, as far as it was told
 */
export function renewed(known, newest, by, ids) {
  const at = known.findIndex((c) => c.id === newest[0]?.id);
  if (at < 0 || at + newest.length - known.length !== by) return null;
  const told = new Set([...known.slice(at), ...newest].map((c) => c.id));
  // Of what is further up than all that is open nothing is shown.
  return at && [...ids].some((id) => !told.has(id)) ? null : [...known.slice(0, at), ...newest];
}

/** The name of a page with the number of what is new: "(3) Party". @param {string} title @param {number} unread */
export const titled = (title, unread) => (unread > 0 ? `(${unread}) ${title}` : title);
