/** Taking part by a page: somebody with only a phone opens the event in a browser (docs/api.md, "A door"). */

/** Whether this page is opened in that way: its server says so by a class of its document. */
export const visiting = () => document.documentElement.className.includes('visitor');

/** Paths of the page that guests have. */
const PLACES = ['photos', 'photo', 'moments', 'moment', 'checkIns', 'news', 'forYou', 'people', 'person', 'places', 'place', 'deals', 'deal'];

/**
 * What is at an address for whoever asks.
 * @param {import('../lib/paths.js').Route} to @param {any} [visit] where guests see only what they sent, there are only photos
 * @returns {import('../lib/paths.js').Route}
 */
export const within = (to, visit) => (!visiting() || PLACES.slice(0, visit?.drop_only ? 2 : undefined).includes(to.name) ? to : { name: 'unknown', id: null });

/**
 * What a page is told of its event, as a node would say it.
 * @param {{title: string, people: number, photos: number, moments: number, areas: string[], time_zone?: string, currency?: string, takes_part?: boolean, named?: boolean, me?: any}} visit
 */
export const statusOf = (visit) => ({
  name: visit.named ? visit.me.name : '', person: visit.me?.id ?? null, visit,
  events: [], unopened: [], warnings: [], discovery: { state: 'running', detail: '' },
  sync: { peers: 0, records: 0, blobs_waiting: 0, bytes_waiting: 0 },
  current: { id: 'visit', level: visit.takes_part ? 'attendee' : 'guest', founder: false, nearby: false, requests: 0, waiting: 0, reports: 0,
    title: visit.title, people: visit.people, photos: visit.photos, moments: visit.moments, areas: visit.areas, time_zone: visit.time_zone, currency: visit.currency },
});

/**
 * Takes the code out of the address, so that it is neither shown around nor kept: the browser has its cookie. The code of a place
 * goes on with the place's page, which then knows that somebody stands there.
 */
export function forgetCode() {
  if (!visiting() || !/^\/[a-z2-7]{8}(\/|$)/i.test(location.pathname)) return;
  const [, place] = /^#(\/places\/\w+)$/.exec(location.hash) ?? [];
  history.replaceState({}, '', place ? `${place}#code` : '/');
}
