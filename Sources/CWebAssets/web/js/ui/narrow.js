/** Which photos are on show, and in which order: whose, of which moment, by what time. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { PhotoList } from '../core/photolist.js';
import { load, myself, nameOf, on, state } from '../core/store.js';

/**
 * @param {HTMLElement} el where it is to be @param {(list: PhotoList|null) => void} show puts a list on show; nothing: all
 * @returns {{draw: (list: PhotoList) => void, stop: () => void}}
 */
export function createNarrowing(el, show) {
  let list = null;
  const select = (name, choose) => h('select', { 'aria-label': t(`photos.${name}`), onchange: (event) => choose(event.target.value) });
  const whose = select('whose', (value) => change({ author: value && value !== 'faved' ? value : undefined, faved: value === 'faved' || undefined }));
  const moment = select('moment', (value) => change({}, value || null));
  const order = select('order', (value) => change({ order: value || undefined }));
  fill(el, whose, moment, order);

  /** @param {Record<string, any>} narrowed @param {string|null} of a moment */
  function change(narrowed, of = list.moment) {
    const all = Object.fromEntries(Object.entries({ ...list.narrowed, ...narrowed }).filter(([, value]) => value));
    show(of || Object.keys(all).length ? new PhotoList(api, of, all) : null);
  }

  const option = (value, words, chosen) => h('option', { value, selected: value === chosen }, words);

  function draw(shown = list) {
    list = shown;
    const { author, faved } = list.narrowed, me = myself().id;
    const others = (state.people ?? []).filter((p) => p.id !== me && !p.relay).sort((a, b) => a.name.localeCompare(b.name));
    fill(whose, option('', t('photos.everyone'), ''), me && option(me, t('photos.mine'), author), me && option('faved', t('photos.faved'), faved ? 'faved' : ''),
      others.map((p) => option(p.id, nameOf(p), author)));
    fill(moment, option('', t('photos.all_moments'), ''), (state.moments ?? []).filter((m) => m.photos > 0 || m.id === list.moment).map((m) => option(m.id, m.title, list.moment)));
    fill(order, option('', t('photos.order_shared'), ''), option('-taken', t('photos.order_taken'), list.narrowed.order));
    moment.hidden = moment.children.length < 2;
    for (const one of [whose, moment, order]) one.classList.toggle('on', one.selectedIndex > 0);
  }

  // A list that is open on a phone is not drawn anew under the finger.
  const redraw = () => { if (list && !el.contains(document.activeElement)) draw(); };
  const offs = [on('people', redraw), on('moments', redraw)];
  if (!state.people) load.people().catch(() => {});
  return { draw, stop() { offs.forEach((off) => off()); } };
}
