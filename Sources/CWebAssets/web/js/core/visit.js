/** Looking at a showcase: somebody without a node sees the event in a browser and changes nothing (docs/api.md, "A showcase"). */

/** Whether this page is looked at in that way: the showcase says so by a class of its document. */
export const visiting = () => document.documentElement.className.includes('visitor');

/** Paths of the page that visitors have. */
const PLACES = ['photos', 'photo', 'moments', 'moment', 'feed', 'people'];

/** What is at an address for whoever looks. @param {import('../lib/paths.js').Route} to @returns {import('../lib/paths.js').Route} */
export const within = (to) => (!visiting() || PLACES.includes(to.name) ? to : { name: 'unknown', id: null });

/** What a showcase says of its event, as a node would say it. @param {{title: string, people: number, photos: number, moments: number}} event */
export const statusOf = (event) => ({
  name: null, person: null, events: [], unopened: [], warnings: [], discovery: { state: 'running', detail: '' },
  sync: { peers: 0, records: 0, blobs_waiting: 0, bytes_waiting: 0 },
  current: { id: 'visit', level: 'guest', founder: false, nearby: false, requests: 0, waiting: 0, reports: 0, ...event },
});

/** Takes the code out of the address, so that it is neither shown around nor kept: the browser has its cookie. */
export function forgetCode() {
  if (visiting() && location.pathname.startsWith('/v/')) history.replaceState({}, '', '/');
}
