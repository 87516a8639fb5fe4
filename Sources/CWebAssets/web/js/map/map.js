/**
 * A map that needs no tiles and no internet: pins over plans and outlines of the hosts, or over a grid.
 * Finger, mouse and keyboard move it. Import it when a view wants it: it is not small.
 */
import { canPlace, centred, fitted, panned, seen, toView, zoomed } from '../lib/camera.js';
import { boundsOf, project } from '../lib/mercator.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { withStyle } from '../core/style.js';
import { createBackground } from './background.js';
import { createBox, createPinList, createTools } from './controls.js';
import { onGestures, onKeys } from './gestures.js';
import { createMarks, createPlacing } from './marks.js';
import { createMotion } from './motion.js';
import { PIN_HEIGHT, RAISED, createSprites, onTheme, readColours } from './sprites.js';

/** @typedef {import('./marks.js').Pin} Pin @typedef {import('../lib/mercator.js').Position} Position @typedef {import('../lib/mercator.js').Bounds} Bounds */

/** Pixels that stay free around what is fitted, and beside a selected pin. */
const MARGIN = 56, SIDE = 30;
/** The most pixels of the screen to one of the page. */
const MAX_RATIO = 3;
let maps = 0;

/**
 * Makes a map. It fills its parent, which has a height of its own. Until a person or the view moves it, it shows all pins, or the background.
 * @param {object} options
 * @param {string} options.label what the map shows, for screen readers
 * @param {{id: string, name: string, short?: string}[]} [options.categories] as the node gives them: pins show their first letters. `lib/legend.js` gives a list the same signs
 * @param {(id: string|null) => void} [options.onPick] a pin was tapped, or nothing. The view then calls `select`; the map does not by itself
 * @param {(bounds: Bounds, byPerson: boolean) => void} [options.onMoved] told when the map has come to rest; `byPerson` is false after `fit`, `goTo` and `select`
 * @param {boolean} [options.pinning] whether a tap sets a pin instead of picking one
 * @param {(position: Position) => void} [options.onPin] a person set the pin, or moved it
 * @param {(words: string) => void} [options.onRefused] a person tried to set the pin where a pixel is more than about two metres; says what to do
 */
export function createMap({ label, categories = [], onPick = () => {}, onMoved = () => {}, pinning = false, onPin = () => {}, onRefused = () => {} }) {
  const about = h('p.sr', { id: `map${++maps}` }, t(pinning ? 'map.keys_placing' : 'map.keys'));
  const canvas = h('canvas', { tabindex: '0', role: 'application', 'aria-label': label, 'aria-describedby': about.id });
  const ink = canvas.getContext('2d', { alpha: false });
  const marks = createMarks(categories), motion = createMotion(draw, rested), background = createBackground(motion.ask);
  const list = createPinList({ pick: onPick, focus(id) { focused = id; name(id); } });
  const act = { zoom: (by) => zoomBy(by, undefined, undefined, true), home() { person(); show(home, true, true); } };
  const tools = createTools(act), placing = createPlacing({ onPin, onRefused });
  const card = createBox('map-callout', { role: 'group' }), title = createBox('map-name', { 'aria-hidden': 'true' });
  const el = h('div.map', null, canvas, about, list.el, card.el, title.el, tools.parts);
  let colours = null, sprites = null, ratio = 1, selected = null, focused = null, hovered = null;
  /** What to show once the map has a size. */
  let pending = null, isPlaced = false;

  const isLaidOut = () => motion.camera.width > 1;
  const person = () => { isPlaced = true; };
  const margin = (camera) => Math.min(MARGIN, camera.width / 6, camera.height / 6);
  const home = (camera) => { const all = boundsOf(marks.all) ?? boundsOf(background.ground); return all ? fitted(camera, all, margin(camera)) : camera; };

  /** Shows what a function makes of the camera, once there is a size. */
  function show(to, glides, byPerson = false) {
    if (!isLaidOut()) { pending = to; return; }
    if (glides) motion.glide(to(motion.target), byPerson); else motion.set(to(motion.target), byPerson);
  }

  function theme() {
    if (!el.isConnected || !getComputedStyle(el).getPropertyValue('--map-ground')) return;
    colours = readColours(el);
    sprites = createSprites(colours, ratio);
    motion.ask();
  }

  function draw(camera) {
    if (!sprites || !isLaidOut()) return;
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    background.draw(ink, camera, colours);
    marks.draw(ink, camera, sprites, ratio, [focused, hovered, selected].filter((id, i, all) => id !== null && all.indexOf(id) === i).reverse());
    placing.draw(ink, camera, sprites);
    if (pinning && canvas.matches(':focus-visible')) placing.drawCross(ink, camera, colours.ink);
    if (selected !== null) card.place(marks.at(camera, selected), camera);
    if ((focused ?? hovered) !== null) title.place(marks.at(camera, focused ?? hovered), camera);
    tools.scale(camera);
    tools.hint(pinning && !canPlace(camera) ? t('map.zoom_to_place') : '');
  }

  function rested(byPerson) {
    const { camera } = motion, pins = marks.inView(camera);
    list.show(pins);
    if (byPerson && el.contains(document.activeElement)) tools.tell(t('map.in_view', { n: pins.length }));
    onMoved(seen(camera), byPerson);
  }

  /** Shows the name of a pin, beside its card if that is not open. @param {string|null} id */
  function name(id) {
    const pin = id !== selected && marks.pin(id);
    title.show(pin ? pin.title : null);
    motion.ask();
  }

  function hover(id) {
    if (id === hovered) return;
    hovered = id;
    if (focused === null) name(id);
  }

  /** Tells pins apart that lie together; where no zoom does, each tap picks the next one. @param {Pin[]} pins */
  function open(pins) {
    const bounds = marks.spread(pins);
    if (!bounds) { onPick(pins[(pins.findIndex((pin) => pin.id === selected) + 1) % pins.length].id); return; }
    person();
    show((camera) => { const to = fitted(camera, bounds, margin(camera)); return to.zoom > camera.zoom + 0.5 ? to : { ...to, zoom: camera.zoom + 1 }; }, true, true);
  }

  function point(x, y) { placing.point(motion.camera, x, y); motion.ask(); }

  function tap(x, y, touch) {
    if (pinning) { point(x, y); return; }
    const pins = marks.hit(motion.camera, x, y, touch);
    if (pins.length > 1) open(pins); else onPick(pins[0]?.id ?? null);
  }

  function zoomBy(by, x, y, glides) {
    person();
    show((camera) => zoomed(camera, camera.zoom + by, x, y), glides, true);
  }

  onGestures(canvas, {
    tap,
    zoom: zoomBy,
    pan(dx, dy) { person(); motion.set(panned(motion.camera, dx, dy), true); },
    grabs: (x, y) => pinning && placing.grabs(motion.camera, x, y),
    drag(x, y) { placing.drag(motion.camera, x, y); motion.ask(); },
    drop(moved) { placing.drop(moved); motion.ask(); },
    hover(x, y) {
      const pins = pinning ? [] : marks.hit(motion.camera, x, y, false);
      canvas.style.setProperty('cursor', pins.length ? 'pointer' : pinning ? 'crosshair' : 'grab');
      hover(pins.length === 1 ? pins[0].id : null);
    },
    leave() { hover(null); },
  });

  onKeys(canvas, {
    pan(dx, dy) { person(); show((camera) => panned(camera, dx, dy), true, true); },
    zoom: act.zoom, home: act.home,
    enter() { if (pinning) point(motion.camera.width / 2, motion.camera.height / 2); return pinning; },
    escape() { if (selected === null) return false; onPick(null); return true; },
  });
  for (const type of ['focus', 'blur']) canvas.addEventListener(type, motion.ask);
  card.el.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    const id = selected;
    onPick(null);
    canvas.focus({ preventScroll: true });
    list.focus(id);
  });

  const sizes = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = el;
    if (!width || !height) return;
    ratio = Math.min(MAX_RATIO, devicePixelRatio || 1);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const first = !isLaidOut();
    motion.resize(width, height);
    if (first || !isPlaced) show(pending ?? home, false);
    if (first && selected !== null) reveal();
    pending = null;
    theme();
    draw(motion.camera);
  });
  sizes.observe(el);
  withStyle('map', theme);
  const stopTheme = onTheme(theme);

  /** Pans as little as shows the selected pin with its card. */
  function reveal() {
    const camera = motion.target, at = marks.at(camera, selected), top = PIN_HEIGHT * RAISED + (card.el.hidden ? 0 : card.height) + 20;
    const into = (low, high, size) => (low < 0 ? -low : Math.min(0, size - high));
    // Sideways the card stays inside by itself.
    const dx = into(at.x - SIDE, at.x + SIDE, camera.width);
    const dy = top + 12 > camera.height ? camera.height - 12 - at.y : into(at.y - top, at.y + 12, camera.height);
    if (dx || dy) show((from) => panned(from, dx, dy), Math.hypot(dx, dy) < 3 * camera.width);
  }

  const api = {
    el,
    /** Replaces all pins, at most 20 000. One with `selected` is selected, without a card. @param {Pin[]} pins */
    setPins(pins) {
      marks.set(pins);
      const chosen = pins.find((pin) => pin.selected)?.id ?? selected;
      focused = marks.pin(focused) ? focused : null;
      hovered = null;
      if (chosen !== selected || !marks.pin(chosen)) api.select(marks.pin(chosen) ? chosen : null, null);
      name(focused);
      if (isPlaced) motion.touch(); else show(home, false);
    },
    /**
     * Replaces what lies below the pins. A plan that cannot be placed is left out; `lib/georeference.js` says which.
     * @param {{plans?: {url: string, width: number, height: number, points: import('../lib/georeference.js').Reference[]}[], outlines?: any[]}} what outlines are GeoJSON objects
     */
    setBackground(what) {
      background.set(what);
      if (isPlaced) motion.ask(); else show(home, false);
    },
    /** Shows all of some pins or bounds; does nothing for none. @param {Position[]|Bounds|null} what */
    fit(what) {
      const bounds = Array.isArray(what) ? boundsOf(what) : what;
      if (!bounds) return;
      person();
      show((camera) => fitted(camera, bounds, Array.isArray(what) ? margin(camera) : 0), false);
    },
    /** @param {Position} position @param {number} [zoom] from 0, the world, to 22; as it is if there is none */
    goTo(position, zoom) {
      person();
      const at = project(position), { x, y } = toView(motion.target, at.x, at.y), { width, height } = motion.camera;
      show((camera) => centred(camera, position, zoom), Math.hypot(x - width / 2, y - height / 2) < 3 * width);
    },
    /** What is seen now, or soon if the map is moving. @returns {Bounds} */
    bounds: () => seen(motion.target),
    /**
     * Selects a pin: it is drawn larger, above others, with the view's card at it. The map pans as far as needed.
     * @param {string|null} id nothing selects none @param {Node|null} [callout] the card
     */
    select(id, callout = null) {
      const pin = marks.pin(id);
      selected = pin ? id : null;
      card.show(pin ? callout : null);
      if (pin) { card.el.setAttribute('aria-label', pin.title); if (isLaidOut()) reveal(); }
      name(focused ?? hovered);
    },
    /** Shows the pin that a person sets, or none. It does not move the map. @param {Position|null} position */
    setPin(position) { placing.set(position); motion.ask(); },
    /** The pin that a person set, as it is stored. @returns {Position|null} */
    pin: placing.pin,
    /** @returns {number} from 0, the world, to 22, where a pixel is about four centimetres */
    zoom: () => motion.target.zoom,
    /** Call it when the view goes. */
    stop() { sizes.disconnect(); stopTheme(); motion.stop(); background.stop(); card.stop(); title.stop(); el.remove(); },
  };
  return api;
}
