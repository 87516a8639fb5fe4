/** Groups feed items into entries: related actions become one line. */

/** What is further apart than this is told apart. */
const APART_MS = 45 * 60000;

/**
 * @typedef {object} Entry
 * @property {string} key of its oldest item, so that it stays the same while newer ones join it
 * @property {'photo'|'comment'|'moment'|'check_in'} type
 * @property {string} at when its newest item happened @property {any[]} items newest first
 */

/** What tells an item of the feed from all others; it has no id of its own. */
export function feedId(item) {
  const what = item.photo ?? item.comment ?? (item.type === 'moment' ? item.moment : null);
  return `${item.type}/${what?.id ?? `${item.author.id}/${item.at}`}`;
}

/** What a comment is about; one that is hidden stands for itself. */
const about = (item) => (item.type === 'comment' ? item.hidden ?? item.comment.target : null);

/** @param {any} b the one before in the list, so newer */
function together(a, b) {
  if (a.type !== b.type || Math.abs(Date.parse(a.at) - Date.parse(b.at)) > APART_MS) return false;
  if (a.type === 'photo') return a.author.id === b.author.id && (a.photo.moment ?? '') === (b.photo.moment ?? '');
  if (a.type === 'comment') return about(a) === about(b);
  return a.type === 'check_in' && (a.moment?.id ?? a.place) === (b.moment?.id ?? b.place);
}

/**
 * Gathers what belongs together. Items of different days stay apart.
 * @param {any[]} items newest first @param {(item: any) => string} day @returns {Entry[]}
 */
export function bundled(items, day) {
  const out = [], talks = new Map();
  for (const item of items) {
    // Comments are often about several things in turn.
    const what = about(item), last = what ? talks.get(what) : out.at(-1), newer = last?.items.at(-1);
    if (newer && together(item, newer) && day(item) === day(newer)) {
      last.items.push(item);
      last.key = feedId(item);
    } else {
      out.push({ key: feedId(item), type: item.type, at: item.at, items: [item] });
      talks.set(what, out.at(-1));
    }
  }
  return out;
}

/** Those who did it, each once, in the order of the list. @param {Entry} entry */
export const authors = (entry) => [...new Map(entry.items.map((item) => [item.author.id, item.author])).values()];

/** Reads pages until the list has some entries. Many comments may form a single entry. @param {any} list @param {(item: any) => string} day */
export async function readSome(list, day) {
  let left = 4;
  do await list.more(); while (--left && !list.complete && bundled(list.items, day).length < 8);
}
