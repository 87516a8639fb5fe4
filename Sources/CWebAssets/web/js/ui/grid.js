/** The photo grid: justified rows by day, exact heights, only what is near the screen in the document. */
import { plan, ratio } from '../lib/justify.js';
import { runs, vertical, visible } from '../lib/window.js';
import { h, textScale } from '../core/dom.js';
import { media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { icon } from './icons.js';

/** Never more pictures than this in the document. */
const MOST = 76;
/** Faster than this (px/ms) nothing is fetched until the reader slows down. */
const FLING = 4;

/**
 * @param {import('../core/photolist.js').PhotoList} list
 * @returns {{el: HTMLElement, focus: (id: string) => void, stop: () => void}}
 */
export function createGrid(list) {
  const el = h('div.grid', { 'aria-busy': 'true' });
  const tiles = new Map(), sections = new Map();
  let layout = null, width = 0, roving = null, frame = 0, resized = 0, calm = 0, lastY = 0, lastT = 0, flinging = false;

  const top = () => el.getBoundingClientRect().top;

  /** The first photo on screen and where it is, so that it can stay there. */
  function anchor() {
    if (!layout || top() >= 0) return null;
    const { from } = visible(layout, -top(), -top() + 1, 0, MOST);
    const id = el.items?.[from]?.id;
    return id ? { id, at: layout.y[from] + top() } : null;
  }

  function measure() {
    const keep = anchor();
    width = el.clientWidth;
    if (!width) return;
    const phone = width < 600, scale = textScale();
    // The name of a day and its date stand beside each other as long as there is room.
    const header = (phone ? 52 : 60) * scale + (phone && scale > 1.2 ? 22 * scale : 0);
    const options = { target: phone ? Math.round(width / 2.5) : width > 1500 ? 260 : 215, gap: phone ? 3 : 6, header: Math.round(header), below: phone ? 18 : 26 };
    el.items = list.items;
    layout = plan(runs(list.items, (p) => (list.isRanked ? '' : say.dayKey(list.time(p)))), Float32Array.from(list.items, (p) => ratio(p.width, p.height)), width, options);
    el.style.height = `${layout.height}px`;
    const now = keep ? list.indexOf(keep.id) : -1;
    if (now >= 0) scrollBy(0, Math.round(layout.y[now] + top() - keep.at));
    render();
  }

  function section(day) {
    let part = sections.get(day.key);
    if (!part) {
      const name = h('span'), date = h('small');
      const head = h('h2', { id: `day-${day.key}` }, name, ' ', date);
      const tilesEl = h('div.tiles', { role: 'list', 'aria-labelledby': head.id });
      part = { el: h('section', null, head, tilesEl), name, date, tiles: tilesEl };
      sections.set(day.key, part);
      el.append(part.el);
    }
    const words = list.isRanked ? { name: t('photos.nearby'), date: t('photos.ranked') } : say.day(day.key);
    const partial = !list.complete && day.first + day.count === list.items.length;
    part.name.textContent = words.name;
    part.date.textContent = partial ? words.date : t('grid.day', { date: words.date, n: day.count });
    part.el.style.transform = `translateY(${day.top}px)`;
    return part;
  }

  function render() {
    frame = 0;
    if (!layout) return;
    const y = -top(), view = innerHeight;
    const { from, to } = visible(layout, y, y + view, view, MOST);
    const busy = document.activeElement?.closest?.('.tile');
    const wanted = new Set(), days = new Set();
    for (let i = from; i < to; i++) wanted.add(el.items[i].id);
    for (const [id, tile] of tiles) {
      if (!wanted.has(id) && !(tile.el === busy && list.indexOf(id) >= 0)) { tile.el.remove(); tiles.delete(id); }
    }
    if (!wanted.has(roving)) roving = el.items[visible(layout, y, y + view, 0, MOST).from]?.id ?? null;
    for (const day of layout.sections) {
      const a = Math.max(from, day.first), b = Math.min(to, day.first + day.count);
      if (a >= b) continue;
      days.add(day.key);
      const part = section(day);
      let place = part.tiles.firstElementChild;
      for (let i = a; i < b; i++) {
        const tile = draw(el.items[i], i, day);
        if (tile.el === place) place = place.nextElementSibling;
        else part.tiles.insertBefore(tile.el, place);
      }
    }
    for (const [key, part] of sections) {
      if (!days.has(key) && !part.el.contains(busy ?? null)) { part.el.remove(); sections.delete(key); }
    }
    el.setAttribute('aria-busy', String(!list.started));
    if (to > el.items.length - 60 && !list.complete) list.more().catch(() => {});
  }

  function draw(photo, i, day) {
    let tile = tiles.get(photo.id);
    if (!tile) {
      const link = h('a', { href: `/photos/${encodeURIComponent(photo.id)}`, data: { id: photo.id } });
      tile = { el: h('div.tile', { role: 'listitem' }, link), link, img: null, photo: null };
      tiles.set(photo.id, tile);
    }
    const s = tile.el.style;
    s.transform = `translate(${layout.x[i]}px, ${layout.y[i] - day.top}px)`;
    s.width = `${layout.w[i]}px`;
    s.height = `${layout.h[i]}px`;
    tile.link.tabIndex = photo.id === roving ? 0 : -1;
    tile.el.setAttribute('aria-posinset', String(i + 1));
    tile.el.setAttribute('aria-setsize', list.complete ? String(el.items.length) : '-1');
    if (tile.photo !== photo) { tile.photo = photo; label(tile); }
    if (!tile.img && photo.held.thumbnail && !flinging) picture(tile);
    tile.el.classList.toggle('away', !photo.held.thumbnail);
    return tile;
  }

  function label(tile) {
    const { photo } = tile;
    const away = photo.distance_m === undefined ? '' : say.distance(photo.distance_m);
    const name = t(photo.held.thumbnail ? 'grid.alt' : 'grid.alt_away', { name: photo.author.name, time: say.clock(list.time(photo)) });
    tile.link.setAttribute('aria-label', [photo.title, photo.duration_ms && t('clip.is'), away, (photo.outside ?? []).map((how) => t(`photo.${how}`)).join(', '), photo.hidden && t('hidden.is'), name].filter(Boolean).join('. '));
    tile.el.querySelector('.marks')?.remove();
    tile.el.classList.toggle('concealed', !!photo.hidden);
    if (photo.faves || photo.comments || photo.hidden || photo.duration_ms || away) {
      tile.link.append(h('span.marks', { 'aria-hidden': 'true' },
        away && h('span', null, icon('pin'), away),
        photo.duration_ms > 0 && h('span', null, icon('play'), t('clip.length', { n: Math.round(photo.duration_ms / 1000) })),
        photo.hidden && h('span', null, icon('hide')),
        photo.faves > 0 && h('span', null, icon('heart', photo.faved ? 'on' : ''), say.number(photo.faves)),
        photo.comments > 0 && h('span', null, icon('comment'), say.number(photo.comments))));
    }
  }

  function picture(tile) {
    const img = h('img', { alt: '', decoding: 'async', draggable: 'false' });
    img.onload = () => img.classList.add('seen');
    img.onerror = () => { img.remove(); tile.img = null; tile.el.classList.add('away'); };
    img.src = media(tile.photo.id, 'thumbnail');
    tile.img = img;
    tile.link.prepend(img);
    if (img.complete && img.naturalWidth) img.classList.add('seen');
  }

  function scrolled() {
    const now = performance.now(), speed = Math.abs(scrollY - lastY) / Math.max(1, now - lastT);
    flinging = speed > FLING && now - lastT < 200;
    lastY = scrollY;
    lastT = now;
    clearTimeout(calm);
    calm = setTimeout(() => { flinging = false; render(); }, 100);
    frame ||= requestAnimationFrame(render);
  }

  /** @param {number} index */
  function focusAt(index) {
    const photo = el.items[index];
    if (!photo) return;
    const y = layout.y[index] + top(), bottom = y + layout.h[index];
    const head = 76, foot = innerHeight - (width < 600 ? 96 : 20);
    if (y < head) scrollBy(0, y - head); else if (bottom > foot) scrollBy(0, bottom - foot);
    roving = photo.id;
    render();
    tiles.get(photo.id)?.link.focus({ preventScroll: true });
  }

  el.addEventListener('keydown', (event) => {
    const at = list.indexOf(event.target.dataset?.id);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const rtl = getComputedStyle(el).direction === 'rtl' ? -1 : 1;
    const to = {
      ArrowLeft: at - rtl, ArrowRight: at + rtl, ArrowUp: vertical(layout, at, -1), ArrowDown: vertical(layout, at, 1),
      Home: 0, End: el.items.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focusAt(Math.max(0, Math.min(el.items.length - 1, to)));
  });
  el.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-id]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    roving = link.dataset.id;
    go(link.pathname, { state: { over: true } });
  });

  // A layout inside the callback would resize the grid again, and browsers report that as an error.
  const sizes = new ResizeObserver(() => { if (el.clientWidth !== width) resized ||= requestAnimationFrame(() => { resized = 0; measure(); }); });
  sizes.observe(el);
  addEventListener('scroll', scrolled, { passive: true });
  const off = list.on(measure);
  measure();

  return {
    el,
    measure,
    focus: (id) => focusAt(list.indexOf(id)),
    first: () => (layout ? el.items[visible(layout, -top() + 80, -top() + 81, 0, MOST).from] ?? null : null),
    reveal(id) { const at = list.indexOf(id); if (at >= 0 && layout) scrollBy(0, layout.y[at] + top() - 150); },
    /** Where a tile is on screen, for opening a photo from it. @param {string} id @returns {DOMRect|null} */
    box: (id) => tiles.get(id)?.el.getBoundingClientRect() ?? null,
    stop() { off(); sizes.disconnect(); cancelAnimationFrame(resized); removeEventListener('scroll', scrolled); clearTimeout(calm); },
  };
}
