/** A place in a list, and the lines that tell of it: rating, price, whether it is open, how far away. */
import { fill, h } from '../core/dom.js';
import { api, media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { isOn, venues } from '../core/venues.js';
import { visiting } from '../core/visit.js';
import { state as openState } from '../lib/hours.js';
import { shares } from '../lib/levels.js';
import { toInput } from '../lib/time.js';
import { dayName, priceWord, ratingWord, timeOfDay } from '../kinds/words.js';
import { icon } from '../ui/icons.js';
import { complain } from '../ui/parts.js';

/** The address of a place's page. @param {string} id */
export const pathOf = (id) => `/places/${encodeURIComponent(id)}`;

/** What people think of it, in stars and a word. @param {any} place */
export function stars({ ratings }) {
  const mean = ratings?.means?.overall;
  if (!isOn('ratings') || !mean) return null;
  const full = Math.round(mean);
  return h('span.stars', null, h('span', { 'aria-hidden': 'true' }, '★'.repeat(full), h('i', null, '★'.repeat(5 - full))), ' ',
    h('span.sr', null, t('rating.of_five', { mean: say.number(Math.round(mean * 10) / 10) })), ' ', ratingWord(mean), ' ', h('small', null, t('rating.count', { n: ratings.count })));
}

/** How dear it is. @param {any} place */
export const price = ({ ratings }) => (isOn('ratings') && ratings?.means?.price_level ? h('span.price', null, priceWord(ratings.means.price_level)) : null);

/** Whether it is open, and until when or from when; nothing where nobody said. @param {any} place @param {number} [now] */
export function openness({ hours, open }, now = Date.now()) {
  const is = openState(hours, toInput(now, state.status?.current?.time_zone));
  const isOpen = open ?? is?.open;
  if (isOpen === undefined) return null;
  const change = is && !is.always && is.open === isOpen && [is.isToday ? '' : dayName(is.day, 'short'), timeOfDay(is.at)].filter(Boolean).join(' ');
  return h(`span.open-state${isOpen ? '.is' : ''}`, null, t(isOpen ? 'hours.open' : 'hours.shut'), change && [' · ', t(isOpen ? 'hours.until' : 'hours.opens', { when: change })]);
}

/** The names of its categories. @param {any} place @param {any[]} categories */
export const categoryWords = ({ categories: ids = [] }, categories) => ids.map((id) => categories.find((one) => one.id === id)).filter(Boolean).map((one) => one.singular || one.name).join(', ');

/** How far away it is. */
export const away = ({ distance_m: metres }) => (metres === undefined ? null : h('span', null, icon('pin'), say.distance(metres)));

/** The lines of a place that lists and the map show. */
export const lines = (place, categories) => [
  h('p.counts', { dir: 'auto' }, categoryWords(place, categories)),
  h('p.venue-facts', null, [stars(place), price(place), openness(place), away(place)].filter(Boolean)),
];

/** What owners say of their places, by the place; read once for a list. */
export function createPictures() {
  const pages = venues.list('place_pages').then((all) => new Map(all.map((one) => [one.target, one])), () => new Map());
  const watch = globalThis.IntersectionObserver && new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) { watch.unobserve(target); target.load(); }
  }, { rootMargin: '200px' });
  const addresses = new Map();

  /** The owner's picture, or else the newest photo. */
  async function address(place) {
    const page = (await pages).get(place.id);
    if (page?.thumbnail?.held) return page.thumbnail.url;
    if (!place.photos?.count) return null;
    const { photos: [photo] } = await api.photos(place.id, null, 1);
    return photo?.held.thumbnail ? media(photo.id, 'thumbnail') : null;
  }

  return {
    /** A frame into which the picture of a place comes once it is in sight. @param {any} place */
    frame(place) {
      const el = h('div.cover', { 'aria-hidden': 'true' }, icon('pin'));
      const show = (src) => { if (src) fill(el, h('img', { src, alt: '', decoding: 'async', onerror: () => fill(el, icon('pin')) })); };
      el.load = () => {
        if (!addresses.has(place.id)) addresses.set(place.id, address(place).catch(() => null));
        addresses.get(place.id).then(show);
      };
      watch?.observe(el);
      return el;
    },
    stop() { watch?.disconnect(); },
  };
}

/** The button by which somebody follows a place: one state on all of the person's devices. @param {any} place @param {(on: boolean) => void} [done] */
export function favouriteButton(place, done = () => {}) {
  let is = Boolean(place.favourites?.mine);
  const el = h('button.plain.favourite', { onclick: press, hidden: visiting() || !shares(state.status?.current?.level) });
  function draw() {
    fill(el, icon('star', is ? 'on' : ''));
    el.setAttribute('aria-pressed', String(is));
    el.setAttribute('aria-label', t('place.favourite', { name: place.name }));
    el.title = t('place.favourite_short');
  }
  async function press() {
    is = !is;
    draw();
    try { await venues.favourite(place.id, is); done(is); } catch (error) { is = !is; draw(); complain(error); }
  }
  draw();
  return el;
}

/**
 * A place in a list, or by itself at its pin.
 * @param {any} place @param {{categories: any[], pictures: ReturnType<typeof createPictures>, favoured?: (on: boolean) => void, tag?: 'li'|'div'}} around
 */
export const placeCard = (place, { categories, pictures, favoured, tag = 'li' }) => h(`${tag}.card.venue`, { data: { id: place.id }, class: place.hidden ? 'concealed' : '' },
  h('a.whole', { href: pathOf(place.id), 'aria-label': place.name }), pictures.frame(place),
  h('div.words', null, h('h3', { dir: 'auto' }, place.name), lines(place, categories), place.address && h('p.counts', { dir: 'auto' }, place.address)),
  h('div.act', null, favouriteButton(place, favoured)));
