/** What a photo tells beside its comments: whether it waits, its caption, what a clip is about, its moment, where it was taken, its size. */
import { near } from '../lib/find.js';
import { money } from '../lib/money.js';
import { query } from '../lib/paths.js';
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { themes } from '../core/themes.js';
import { within } from '../core/visit.js';
import { hiddenNote } from './hiding.js';
import { icon } from './icons.js';

/** Metres from where a photo was taken within which a place names that. */
const NEAR_M = 150;
/** What was asked for, by its path. @type {Map<string, Promise<any>>} */
const asked = new Map();

/** Asks once for what is at a path; null where it is not to be had. @param {string} path */
function ask(path) {
  if (!asked.has(path)) asked.set(path, api.list(path).catch(() => { asked.delete(path); return null; }));
  return asked.get(path);
}

/** The way to the place at which a photo was put; nothing where the page has no places. @param {string|undefined} id */
function placeLink(id) {
  if (!id || !within({ name: 'place', id }).id) return null;
  const path = `/places/${encodeURIComponent(id)}`, name = h('span', { dir: 'auto' }), el = h('a', { href: path, hidden: true }, icon('pin'), name);
  ask(path.slice(1)).then((place) => { if (place) { name.textContent = named(place); el.hidden = false; } });
  return el;
}

/** A place by its name and address. */
const named = ({ name, address }) => [name, address].filter(Boolean).join(' · ');

/** Where a photo was taken: near which place, if one is near, else by numbers. */
function spotLine({ latitude, longitude, place }) {
  if (latitude == null || longitude == null) return null;
  const words = h('span', { dir: 'auto' }, `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`);
  if (!place) {
    ask(query('places', { near: near({ latitude, longitude }), radius_m: NEAR_M, limit: 1 }))
      .then((found) => { const [one] = found?.places ?? []; if (one) words.textContent = t('pin.near', { name: named(one) }); });
  }
  return h('span', null, icon('pin'), words);
}

/** What a clip is about, and what that cost where the theme has prices. */
function themeLine({ theme, price }) {
  if (!theme) return null;
  const el = h('span', { hidden: true });
  themes().then((all) => {
    const one = all.find(({ id }) => id === theme);
    if (!one) return;
    el.append(icon('list'), [one.name, one.priced && price !== undefined && money(price, state.status?.current?.currency, document.documentElement.lang || 'en')].filter(Boolean).join(' · '));
    el.hidden = false;
  });
  return el;
}

/** The lines about a photo; the moment may be unknown yet. */
export function aboutPhoto(photo, moment) {
  const held = photo.held_back && h('p.hidden-note', null, icon('hide'), h('span', null, t(photo.mine ? 'visit.held_note' : 'hidden.held')));
  return [hiddenNote(photo), held, photo.title && h('span.caption', null, photo.title), themeLine(photo),
    moment && h('a', { href: `/moments/${encodeURIComponent(moment.id)}` }, icon('moments'), moment.title), placeLink(photo.place),
    photo.outside?.map((how) => h('span', null, icon(how === 'elsewhere' ? 'pin' : 'moments'), t(`photo.${how}`))),
    spotLine(photo),
    photo.distance_m !== undefined && h('span', null, icon('pin'), t('photo.away', { distance: say.distance(photo.distance_m) })),
    photo.mine && photo.votes && h('span', null, icon('thumb'), t('vote.counts', { up: photo.votes.up, down: photo.votes.down })),
    h('span.file', null, [photo.width && `${photo.width} × ${photo.height}`, photo.size && say.size(photo.size)].filter(Boolean).join(' · '))];
}
