/** A grid kept live; a pill counts what is new. */
import { fill, h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { on } from '../core/store.js';
import { createGrid } from './grid.js';
import { icon } from './icons.js';

/** Scrolled further than this below the start of the grid, new photos wait behind the pill. */
const AT_TOP = 60;

/**
 * @param {import('../core/photolist.js').PhotoList} list @param {() => HTMLElement} nothing
 */
export function createGallery(list, nothing) {
  const place = h('div');
  const pill = h('button.pill', { hidden: true, onclick: show });
  const live = h('span.sr', { role: 'status', 'aria-live': 'polite' });
  const el = h('div.gallery', null, pill, live, place);
  let grid = null;

  const scrolled = () => (el.isConnected ? -el.getBoundingClientRect().top > AT_TOP : scrollY > AT_TOP);
  list.holding = scrolled;

  function show() {
    list.release();
    scrollTo({ top: Math.max(0, scrollY + el.getBoundingClientRect().top - 140), behavior: 'auto' });
    if (list.items[0]) grid?.focus(list.items[0].id);
  }

  function draw() {
    const n = list.waiting;
    pill.hidden = !n;
    const words = n ? t('grid.new', { n }) : '';
    if (live.textContent !== words) { live.textContent = words; fill(pill, icon('up'), words); }
    if (list.items.length) {
      if (!grid) { grid = createGrid(list); fill(place, grid.el); grid.measure(); }
    } else if (list.complete) {
      grid?.stop();
      grid = null;
      fill(place, nothing());
    } else if (!grid) {
      fill(place, h('div.waiting', { 'aria-busy': 'true', 'aria-label': t('loading') }, Array.from({ length: 12 }, () => h('i'))));
    }
  }

  async function load() {
    try {
      await list.more();
    } catch (error) {
      if (list.items.length || !el.isConnected) return;
      fill(place, h('div.empty', { role: 'alert' }, h('p', null, error.message),
        h('button.btn', { onclick: load }, icon('refresh'), t('again'))));
    }
  }

  const release = () => { if (list.waiting && !scrolled()) list.release(); };
  const refresh = (change) => list.refresh(change).catch(() => {});
  const PHOTO = ['photo', 'moment', 'media', 'fave', 'comment'];
  const offs = [
    list.on(draw),
    on('change', (change) => { if (PHOTO.some((kind) => change.kinds.has(kind))) refresh(change); }),
    on('reset', () => (list.started ? refresh() : load())),
  ];

  return {
    el,
    /** Once it is in the document. */
    start() {
      addEventListener('scroll', release, { passive: true });
      draw();
      if (list.started) refresh(); else load();
      import('./select.js').then((m) => offs.push(m.offerSelection(el, list)), () => {});
    },
    viewer: { box: (id) => grid?.box(id) ?? null, focus: (id) => grid?.focus(id) },
    /** The first photo on screen. */
    first: () => grid?.first() ?? null,
    /** Scrolls to a photo of the list. @param {string} id */
    reveal: (id) => grid?.reveal(id),
    /** The list begins anew, elsewhere. */
    again() { grid?.stop(); grid = null; draw(); load(); },
    stop() {
      offs.forEach((off) => off());
      removeEventListener('scroll', release);
      list.holding = () => false;
      grid?.stop();
    },
  };
}
