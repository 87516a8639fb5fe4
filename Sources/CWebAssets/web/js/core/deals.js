/** Calls about deals. They come with the views that need them; what all kinds have in common is in venues.js. */
import { query } from '../lib/paths.js';
import { call } from './api.js';
import { myself } from './store.js';
import { venues } from './venues.js';

const id = encodeURIComponent;
/** Places of one's own whose names are read at most. */
const MOST_PLACES = 50;
/** Deals of a list at most; it has no further page. */
const MOST = 200;

/** The API of deals, one function a call. Shapes are those of docs/api.md. */
export const deals = {
  /** Those that end first stand first. @param {{list?: string, near?: string, q?: string, target?: string}} asked */
  list: (asked) => call('GET', query('deals', { ...asked, limit: MOST })).then((a) => a.deals ?? []),
  deal: (d) => call('GET', `deals/${id(d)}`),
  use: (d) => call('PUT', `deal_uses/${id(d)}`),
  create: (values) => venues.create('deals', values),
  change: (d, values) => venues.change('deals', d, values),
  drop: (d) => venues.drop('deals', d),
  devices: () => call('GET', 'devices').then((a) => a.devices ?? []),
  /** Ids of the places that the person owns. @returns {Promise<string[]>} */
  owned: () => venues.list('ownerships').then((all) => [...new Set(all.filter((one) => one.on && one.person === myself().id).map((one) => one.target))]),
  /** Those places. */
  ownPlaces: async () => Promise.all((await deals.owned()).slice(0, MOST_PLACES).map(venues.place)),
};
