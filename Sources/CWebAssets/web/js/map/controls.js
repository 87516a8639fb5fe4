/** What stands on the canvas: buttons, the scale, a hint, and for screen readers the pins in view and what has changed; boxes at pins. */
import { fill, h, keyed } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { icon } from '../ui/icons.js';
import { measure } from './background.js';
import { PIN_HEIGHT, RAISED } from './sprites.js';

/** Pixels between a box and the map's edges, and between a box and a pin. */
const EDGE = 8, GAP = 10;
/** At most so many pins are listed; the whole list stands in the view beside the map. */
const MOST = 50;

/** A length in the reader's language. @param {number} metres */
function lengthWords(metres) {
  const far = metres >= 1000;
  return new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit: far ? 'kilometer' : 'meter' }).format(far ? metres / 1000 : metres);
}

/** @param {{zoom: (by: 1|-1) => void, home: () => void}} act */
export function createTools(act) {
  const button = (sign, words, onclick) => h('button', { 'aria-label': words, title: words, onclick }, icon(sign));
  const plus = button('plus', t('map.zoom_in'), () => act.zoom(1)), minus = button('minus', t('map.zoom_out'), () => act.zoom(-1));
  const words = h('span'), bar = h('div.map-scale', { 'aria-hidden': 'true' }, words);
  const hint = h('p.map-hint', { hidden: true }), status = h('p.sr', { role: 'status' });
  let shown = 0, width = 0;
  return {
    parts: [h('div.map-tools', { role: 'group', 'aria-label': t('map.tools') }, plus, minus, button('zoom', t('map.home'), act.home)), bar, hint, status],
    /** Says how long the bar is. Nothing is written while that stays. @param {import('../lib/camera.js').Camera} camera */
    scale(camera) {
      const { metres, pixels } = measure(camera), wide = Math.round(pixels);
      if (metres !== shown) words.textContent = lengthWords(metres);
      if (wide !== width) bar.style.setProperty('width', `${wide}px`);
      shown = metres;
      width = wide;
    },
    /** @param {string} text on the map; empty for none */
    hint(text) {
      if (hint.textContent === text) return;
      hint.textContent = text;
      hint.hidden = !text;
    },
    /** @param {string} text for a screen reader */
    tell(text) { status.textContent = text; },
  };
}

/**
 * The pins in view for those who do not see the canvas: buttons, of which Tab reaches one, and arrows the others.
 * @param {{pick: (id: string) => void, focus: (id: string|null) => void}} act `focus` with nothing when the list is left
 */
export function createPinList(act) {
  const list = h('ul', { 'aria-label': t('map.pins') }), more = h('p');
  const el = h('div.sr', null, list, more);
  const buttons = () => [...list.querySelectorAll('button')];

  const make = ({ id, title }) => h('li', null, h('button', {
    data: { id }, tabindex: '-1', onclick: () => act.pick(id),
    onfocus: (event) => { stop(event.currentTarget); act.focus(id); }, onblur: () => act.focus(null),
  }, title));

  /** Makes a button the one that Tab goes to. */
  function stop(button) {
    for (const one of buttons()) one.tabIndex = one === button ? 0 : -1;
  }

  list.addEventListener('keydown', (event) => {
    const all = buttons(), at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, to))].focus({ preventScroll: true });
  });

  return {
    el,
    /** @param {{id: string, title: string}[]} pins in view, the first ones are listed */
    show(pins) {
      const shown = pins.slice(0, MOST), focused = document.activeElement?.closest?.('li');
      // The pin that has the focus stays, so that the focus is not lost while the map moves.
      if (focused?.parentElement === list) {
        const id = focused.firstElementChild.dataset.id;
        if (!shown.some((pin) => pin.id === id)) shown.unshift({ id, title: focused.textContent });
      }
      keyed(list, shown, (pin) => pin.id, make, (item, pin) => { if (item.textContent !== pin.title) item.firstElementChild.textContent = pin.title; });
      const all = buttons();
      if (all.length && !all.some((one) => one.tabIndex === 0)) all[0].tabIndex = 0;
      more.textContent = pins.length > MOST ? t('map.more', { n: pins.length - MOST }) : '';
    },
    /** Puts the focus on a pin's button, if it is listed. @param {string} id */
    focus(id) { buttons().find((one) => one.dataset.id === id)?.focus({ preventScroll: true }); },
  };
}

/**
 * A box at a pin: a view's card, or a name.
 * @param {string} name of its class @param {Record<string, any>} props
 */
export function createBox(name, props) {
  const tail = h('i', { 'aria-hidden': 'true' }), inside = h('div'), el = h(`div.${name}`, { hidden: true, ...props }, inside, tail);
  let width = 0, height = 0;
  // The size is kept, so that no frame asks for a layout.
  const sizes = new ResizeObserver(() => { width = el.offsetWidth; height = el.offsetHeight; });
  sizes.observe(el);
  return {
    el,
    /** @param {Node|string|null} content */
    show(content) {
      if (content === null && el.hidden) return;
      fill(inside, content);
      el.hidden = content === null;
      if (content === null) return;
      width = el.offsetWidth;
      height = el.offsetHeight;
    },
    /** Pixels. */
    get height() { return height; },
    /**
     * Puts the box above a point, or below it, inside the map; away from the map with the point.
     * @param {{x: number, y: number}} at pixels @param {{width: number, height: number}} map
     */
    place({ x, y }, map) {
      if (el.hidden) return;
      const gone = x < 0 || y < 0 || x > map.width || y > map.height + PIN_HEIGHT;
      const above = y - PIN_HEIGHT * RAISED - GAP - height, below = y + GAP;
      const isBelow = above < EDGE && below + height + EDGE <= map.height;
      const left = Math.max(EDGE, Math.min(map.width - width - EDGE, x - width / 2));
      const top = isBelow ? below : Math.max(EDGE, Math.min(map.height - height - EDGE, above));
      el.style.setProperty('transform', `translate(${Math.round(left)}px, ${Math.round(top)}px)`);
      tail.style.setProperty('transform', `translateX(${Math.round(Math.max(14, Math.min(width - 14, x - left)))}px)`);
      el.classList.toggle('below', isBelow);
      el.classList.toggle('gone', gone);
    },
    stop() { sizes.disconnect(); },
  };
}
