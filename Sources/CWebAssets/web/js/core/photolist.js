/** A list of photos, newest first, read page by page and kept up to date without moving what is being looked at. */

const PAGE = 200;
const REFRESH_PAGE = 500;
/** So many of the newest photos are read where something new may be among them. */
const NEWEST = 50;
/** Up to so many changed photos are fetched one by one; beyond, the loaded part of the list is read again. */
const FEW = 8;

/** A photo as it is now; how far away it is, only a list around a position says. */
const known = (photo, now) => (now ? { distance_m: photo.distance_m, ...now } : photo);

export class PhotoList {
  /**
   * @param {{photos: Function, photo: Function}} source core/api.js, or a stand-in @param {string|null} moment
   * @param {{author?: string, faved?: boolean, clips?: boolean, theme?: string, order?: '-taken', near?: string}} [narrowed] to whose, and in which order
   */
  constructor(source, moment = null, narrowed = {}) {
    this.source = source;
    this.moment = moment;
    this.narrowed = narrowed;
    /** The cursor behind which the list begins; null: at its very beginning. @type {string|null} */
    this.from = null;
    /** Everything loaded. @type {any[]} */
    this.all = [];
    /** What is shown: everything loaded except what is held back. @type {any[]} */
    this.items = [];
    this.held = new Set();
    this.next = null;
    this.started = false;
    this.loading = null;
    this.listeners = new Set();
    /** Whether new photos must wait (the reader has scrolled down). */
    this.holding = () => false;
  }

  /** @param {() => void} f @returns {() => void} */
  on(f) {
    this.listeners.add(f);
    return () => this.listeners.delete(f);
  }

  /** @returns {number} how many photos wait to be shown */
  get waiting() { return this.held.size; }

  /** @returns {boolean} whether the end has been reached */
  get complete() { return this.started && this.next === null; }

  changed() {
    this.items = this.held.size ? this.all.filter((photo) => !this.held.has(photo.id)) : this.all;
    for (const f of [...this.listeners]) f();
  }

  /** Whether votes, nearness and age order it, and not time. */
  get isRanked() { return Boolean(this.narrowed.near); }

  indexOf(id) { return this.items.findIndex((photo) => photo.id === id); }

  /** The time by which a photo stands in the list. @param {any} photo @returns {string} */
  time(photo) { return this.narrowed.order ? photo.taken ?? photo.posted : photo.posted; }

  /** Begins anew behind a cursor, or at the very beginning. @param {string|null} from */
  jump(from) {
    Object.assign(this, { from, all: [], next: null, started: false });
    this.loading = null;
    this.held.clear();
    this.changed();
  }

  /** Reads the next page, if there is one. */
  more() {
    if (this.loading || this.complete) return this.loading ?? Promise.resolve();
    const reading = this.read().finally(() => { if (this.loading === reading) this.loading = null; });
    this.loading = reading;
    return reading;
  }

  async read() {
    const { from } = this;
    const page = await this.source.photos(this.moment, this.next ?? this.from, PAGE, this.narrowed);
    // It may have begun elsewhere meanwhile.
    if (from !== this.from) return;
    const known = new Set(this.all.map((photo) => photo.id));
    this.all = [...this.all, ...page.photos.filter((photo) => !known.has(photo.id))];
    this.next = page.next ?? null;
    this.started = true;
    this.changed();
  }

  /** Shows what was held back. */
  release() {
    if (!this.held.size) return;
    this.held.clear();
    this.changed();
  }

  /**
   * Something changed on the node: what is named is read again, and all that is loaded where it may be any.
   * @param {{kinds: Set<string>, targets: Record<string, Set<string>>|null}} [change]
   */
  async refresh(change) {
    if (!this.started) return;
    const known = new Set(this.all.map((photo) => photo.id));
    const { changed, news } = this.concerned(change, known) ?? {};
    if (!changed || changed.length > FEW || (news.length && !(await this.takeNewest(news, known)))) await this.refreshAll();
    else if (changed.length) await this.refreshSome(changed);
  }

  /** Which photos that are here a change is about, and which that may have to come; undefined if it may be any. */
  concerned(change, known) {
    // With a moment comes and goes what hangs on it.
    if (!change?.targets || change.kinds.has('moment')) return;
    const { photo: named = new Set(), moment, place } = change.targets;
    const isLacking = ({ held }) => held && !(held.thumbnail && held.preview && held.original);
    const arrived = change.kinds.has('media') ? this.all.filter(isLacking).map((photo) => photo.id) : [];
    // A new photo of a moment or a place names that as well.
    const mayCome = change.kinds.has('photo') && (!this.moment || moment?.has(this.moment) || place?.has(this.moment));
    return {
      changed: [...new Set([...[...named].filter((id) => known.has(id)), ...arrived])],
      news: mayCome ? [...named].filter((id) => !known.has(id)) : [],
    };
  }

  /**
   * Takes in photos that are the newest of all.
   * @param {string[]} news @param {Set<string>} known @returns {Promise<boolean>} whether all of them are
   */
  async takeNewest(news, known) {
    if (!known.size || news.length >= NEWEST || this.from || Object.keys(this.narrowed).length) return false;
    const { photos } = await this.source.photos(this.moment, null, NEWEST, this.narrowed);
    const first = photos.findIndex((photo) => known.has(photo.id));
    // What stands behind one that is known came late, and has its place further down.
    const fresh = new Set(photos.slice(0, Math.max(first, 0)).map((photo) => photo.id));
    if (!news.every((id) => fresh.has(id))) return false;
    if (this.holding()) fresh.forEach((id) => this.held.add(id)); else this.held.clear();
    this.all = [...photos.slice(0, first), ...this.all.filter((photo) => !fresh.has(photo.id))];
    this.changed();
    return true;
  }

  /** @param {string[]} ids */
  async refreshSome(ids) {
    const answers = await Promise.all(ids.map((id) => this.source.photo(id).catch((e) => (e.status === 404 ? null : undefined))));
    const fresh = new Map(ids.map((id, i) => [id, answers[i]]));
    this.all = this.all
      .filter((photo) => fresh.get(photo.id) !== null)
      .map((photo) => known(photo, fresh.get(photo.id)));
    this.changed();
  }

  async refreshAll() {
    const old = new Set(this.all.map((photo) => photo.id));
    const last = this.all.at(-1)?.id;
    const fresh = [];
    let cursor = this.from, reached = false;
    do {
      const page = await this.source.photos(this.moment, cursor, REFRESH_PAGE, this.narrowed);
      fresh.push(...page.photos);
      cursor = page.next ?? null;
      reached ||= !last || page.photos.some((photo) => photo.id === last) || fresh.length > old.size + REFRESH_PAGE;
    } while (cursor && !reached);
    const hold = this.holding();
    const ids = new Set(fresh.map((photo) => photo.id));
    for (const id of [...this.held]) if (!ids.has(id)) this.held.delete(id);
    if (!hold) this.held.clear();
    // What comes after the last known photo is only the next page, not news.
    const end = fresh.findLastIndex((photo) => old.has(photo.id));
    if (hold) for (const photo of fresh.slice(0, Math.max(0, end))) if (!old.has(photo.id)) this.held.add(photo.id);
    this.all = fresh;
    this.next = cursor;
    this.changed();
  }

  /** Puts in a photo the node has just answered. */
  replace(photo) {
    this.all = this.all.map((p) => (p.id === photo.id ? { ...p, ...photo } : p));
    this.changed();
  }

  remove(id) {
    this.all = this.all.filter((photo) => photo.id !== id);
    this.held.delete(id);
    this.changed();
  }
}
