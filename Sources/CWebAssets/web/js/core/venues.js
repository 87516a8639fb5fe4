/** Calls about places, and what is remembered of a search for them in this browser. It comes with the views that need it. */
import { query } from '../lib/paths.js';
import { call } from './api.js';
import { memory } from './dom.js';
import { state } from './store.js';

const id = encodeURIComponent;
/** Records of a kind, of which there are few. */
const all = (kind, params) => call('GET', query(kind, { limit: 500, ...params })).then((a) => a[kind] ?? []);
let kinds = null;

/** The API of places, one function a call. Shapes are those of docs/api.md. */
export const venues = {
  find: (asked) => call('GET', query('places/find', asked)),
  suggest: (q, near) => call('GET', query('places/suggest', { q, near })).then((a) => a.suggestions ?? []),
  trending: (limit) => call('GET', query('places/trending', { limit })).then((a) => a.places),
  /** A place by chance, of those that are open or were liked. @param {string} [near] @param {number} seed */
  inspire: (near, seed) => call('GET', query('places/inspire', { near, seed })),
  /** One's own places: visited, rated or favourite, the newest first; or those that a moderator has not approved. */
  own: (list, before) => call('GET', query('places', list === 'unapproved' ? { approved: 'false', before } : { list, before })),
  place: (p) => call('GET', `places/${id(p)}`),
  rate: (p, values) => call('PUT', `ratings/${id(p)}`, values),
  unrate: (p) => call('DELETE', `ratings/${id(p)}`),
  favourite: (p, on) => call(on ? 'PUT' : 'DELETE', `favourites/${id(p)}`),
  checkIn: (p, where) => call('POST', 'check_ins', { target: p, ...where }),
  claim: (p, text) => call('PUT', `claims/${id(p)}`, { text }),
  unclaim: (p) => call('DELETE', `claims/${id(p)}`),
  makeOwner: (p, person) => call('POST', 'ownerships', { target: p, person, on: true }),
  declineOwner: (p, person) => call('POST', 'ownerships', { target: p, person, on: false }),
  setPage: (p, page) => call('PUT', `place_pages/${id(p)}`, page),
  list: all,
  create: (kind, values) => call('POST', kind, values),
  change: (kind, record, values) => call('PATCH', `${kind}/${id(record)}`, values),
  drop: (kind, record) => call('DELETE', `${kind}/${id(record)}`),
  /** The declaration of a kind; all are read once. @param {string} name @returns {Promise<import('../lib/declared.js').Kind>} */
  kind: (name) => (kinds ??= call('GET', 'kinds').then((a) => a.kinds, (error) => { kinds = null; throw error; })).then((all) => all.find((one) => one.name === name)),
};

/** Whether a part of the product is on in this event. @param {'venues'|'ratings'|'deals'|'moments'} area */
export const isOn = (area) => Boolean((state.status?.visit ?? state.status?.current)?.areas?.includes(area));

const key = () => `places.${state.status?.current?.id ?? ''}`;

/** What this browser remembers of the search: words, filters, the person's pin, how results are shown. */
export const remembered = {
  get: () => memory.get(key()) ?? {},
  /** @param {Record<string, any>} change */
  set: (change) => memory.set(key(), { ...memory.get(key()), ...change }),
};
