/** Which photos are on show, and in which order: whose, of which moment, clips alone, by what time, or those around the person's pin. */
import { near } from '../lib/find.js';
import { inUse } from '../lib/themes.js';
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { PhotoList } from '../core/photolist.js';
import { load, myself, nameOf, on, state } from '../core/store.js';
import { themes } from '../core/themes.js';
import { isOn, remembered } from '../core/venues.js';
import { icon } from './icons.js';
import { later } from './later.js';

/**
 * @param {HTMLElement} el where it is to be @param {(list: PhotoList|null) => void} show puts a list on show; nothing: all
 * @returns {{draw: (list: PhotoList) => void, stop: () => void}}
 */
export function createNarrowing(el, show) {
  let list = null, about = [], clips = [];
  const select = (name, choose) => h('select', { 'aria-label': t(`photos.${name}`), onchange: (event) => choose(event.target.value) });
  const whose = select('whose', (value) => change({ author: value && value !== 'faved' ? value : undefined, faved: value === 'faved' || undefined }));
  const moment = select('moment', (value) => change({}, value || null));
  const what = select('what', (value) => change({ clips: value !== '' || undefined, theme: ['', 'clips'].includes(value) ? undefined : value }));
  const order = select('order', (value) => (value === 'near' ? around(remembered.get().pin) : change({ order: value || undefined, near: undefined })));
  const place = h('button.where.on', { onclick: () => around(null) });
  fill(el, whose, moment, what, order, place);

  /** @param {Record<string, any>} narrowed @param {string|null} of a moment */
  function change(narrowed, of = list.moment) {
    const all = Object.fromEntries(Object.entries({ ...list.narrowed, ...narrowed }).filter(([, value]) => value));
    show(of || Object.keys(all).length ? new PhotoList(api, of, all) : null);
  }

  /** Photos around a pin: where the person is, no browser tells here. @param {any} pin nothing: it is asked for */
  function around(pin) {
    if (pin) { show(new PhotoList(api, null, { near: near(pin) })); return; }
    draw();
    later(() => import('../places/position.js'), ({ askPosition }) => askPosition(remembered.get().pin, null, (to) => {
      remembered.set({ pin: to });
      if (to) around(to); else show(null);
    }));
  }

  const option = (value, words, chosen) => h('option', { value, selected: value === chosen }, words);

  function draw(shown = list) {
    list = shown;
    const { author, faved } = list.narrowed, me = myself().id, { pin } = remembered.get();
    const others = (state.people ?? []).filter((p) => p.id !== me && !p.relay).sort((a, b) => a.name.localeCompare(b.name));
    fill(whose, option('', t('photos.everyone'), ''), me && option(me, t('photos.mine'), author), me && option('faved', t('photos.faved'), faved ? 'faved' : ''),
      others.map((p) => option(p.id, nameOf(p), author)));
    fill(moment, option('', t('photos.all_moments'), ''), (state.moments ?? []).filter((m) => m.photos > 0 || m.id === list.moment).map((m) => option(m.id, m.title, list.moment)));
    fill(what, option('', t('photos.all_kinds'), ''), option('clips', t('photos.clips'), list.narrowed.clips && !list.narrowed.theme ? 'clips' : ''),
      inUse(about, [...clips, ...list.all, list.narrowed]).map(({ id, name }) => option(id, name, list.narrowed.theme)));
    fill(order, option('', t('photos.order_shared'), ''), option('-taken', t('photos.order_taken'), list.narrowed.order),
      isOn('nearby') && option('near', t('photos.order_near'), list.isRanked ? 'near' : ''));
    fill(place, icon('pin'), h('span', null, pin?.name ?? t('pin.mine')));
    place.hidden = !list.isRanked;
    whose.hidden = list.isRanked;
    moment.hidden = list.isRanked || moment.children.length < 2;
    // Where there are no clips nobody looks for them.
    what.hidden = list.isRanked || !(list.narrowed.clips || clips.length || list.all.some((photo) => photo.duration_ms));
    for (const one of [whose, moment, what, order]) one.classList.toggle('on', one.selectedIndex > 0);
  }

  // A list that is open on a phone is not drawn anew under the finger.
  const redraw = () => { if (list && !el.contains(document.activeElement)) draw(); };
  const offs = [on('people', redraw), on('moments', redraw), on('change', ({ kinds }) => { if (kinds.has('theme')) look(); })];
  /** The newest clips, also where they are far down among the photos. */
  const look = () => Promise.all([themes(), api.photos(null, null, 200, { clips: true }).catch(() => ({}))]).then(([all, page]) => { [about, clips] = [all, page.photos ?? []]; redraw(); });
  look();
  if (!state.people) load.people().catch(() => {});
  return { draw, stop() { offs.forEach((off) => off()); } };
}
