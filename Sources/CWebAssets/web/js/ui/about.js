/** What a photo tells beside its comments: whether it waits, its caption, its moment, where it was taken, its size. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { within } from '../core/visit.js';
import { hiddenNote } from './hiding.js';
import { icon } from './icons.js';

/** Places by their ids, as they are asked for. @type {Map<string, Promise<any>>} */
const places = new Map();

/** The way to the place at which a photo was put; nothing where the page has no places. @param {string|undefined} id */
function placeLink(id) {
  if (!id || !within({ name: 'place', id }).id) return null;
  const path = `/places/${encodeURIComponent(id)}`, name = h('span', { dir: 'auto' }), el = h('a', { href: path, hidden: true }, icon('pin'), name);
  if (!places.has(id)) places.set(id, api.list(path.slice(1)).catch(() => { places.delete(id); return null; }));
  places.get(id).then((place) => { if (place) { name.textContent = place.name; el.hidden = false; } });
  return el;
}

/** The lines about a photo; the moment may be unknown yet. */
export function aboutPhoto(photo, moment) {
  const spot = photo.latitude != null && photo.longitude != null && `${photo.latitude.toFixed(4)}, ${photo.longitude.toFixed(4)}`;
  const held = photo.held_back && h('p.hidden-note', null, icon('hide'), h('span', null, t(photo.mine ? 'visit.held_note' : 'hidden.held')));
  return [hiddenNote(photo), held, photo.title && h('span.caption', null, photo.title),
    moment && h('a', { href: `/moments/${encodeURIComponent(moment.id)}` }, icon('moments'), moment.title), placeLink(photo.place),
    photo.outside?.map((how) => h('span', null, icon(how === 'elsewhere' ? 'pin' : 'moments'), t(`photo.${how}`))),
    spot && h('span', null, icon('pin'), spot),
    photo.distance_m !== undefined && h('span', null, icon('pin'), t('photo.away', { distance: say.distance(photo.distance_m) })),
    photo.mine && photo.votes && h('span', null, icon('thumb'), t('vote.counts', { up: photo.votes.up, down: photo.votes.down })),
    h('span.file', null, [photo.width && `${photo.width} × ${photo.height}`, photo.size && say.size(photo.size)].filter(Boolean).join(' · '))];
}
