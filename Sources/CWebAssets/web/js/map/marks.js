/** The pins: which are drawn where, and which one a finger meant; and the one that a person sets. */
import { CELL, createClusters } from '../lib/cluster.js';
import { MAX_ZOOM, canPlace, scale, toView, toWorld } from '../lib/camera.js';
import { PLAIN, legend } from '../lib/legend.js';
import { boundsOf, isPosition, project, rounded, unproject } from '../lib/mercator.js';
import { say, t } from '../core/i18n.js';
import { HEAD, NECK, PIN_HEIGHT } from './sprites.js';

/** At most so many pins; a view asks for fewer. */
const MOST = 20000;
/** How near a tap comes to a pin's head, in pixels: 44 wide for a finger. */
const REACH = { finger: 22, mouse: 16 };

/** @typedef {{id: string, latitude: number, longitude: number, title: string, category?: string|null, open?: boolean, favourite?: boolean, selected?: boolean}} Pin */

/** The radius of a mark's head. @param {number} count pins */
const radius = (count) => (count > 1 ? HEAD + 1.5 * Math.min(4, Math.floor(Math.log10(count) + 0.5)) : HEAD);
const short = (count) => (count < 1000 ? say.number(count) : `${say.number(Math.floor(count / 100) / 10)}k`);

/** @param {{id: string, name: string, short?: string}[]} categories */
export function createMarks(categories) {
  const signs = legend(categories);
  let pins = [], byId = new Map(), clusters = createClusters([]);

  /** The marks in view, and those whose heads reach into it. @param {import('../lib/camera.js').Camera} camera */
  function visible(camera) {
    const wide = camera.width / 2 / scale(camera), high = camera.height / 2 / scale(camera), head = (PIN_HEIGHT - CELL) / scale(camera);
    return clusters.within(Math.floor(camera.zoom), camera.x - wide, camera.y - high, camera.x + wide, camera.y + high + Math.max(0, head));
  }

  const at = (camera, index) => toView(camera, clusters.xs[index], clusters.ys[index]);

  return {
    /** @param {Pin[]} list */
    set(list) {
      pins = list.filter((pin) => isPosition(pin.latitude, pin.longitude)).slice(0, MOST);
      byId = new Map(pins.map((pin, i) => [pin.id, i]));
      clusters = createClusters(pins);
    },
    get all() { return pins; },
    /** @param {string|null} id @returns {Pin|undefined} */
    pin: (id) => pins[byId.get(id)],
    /** Where a pin's point is in the view. @param {string} id it must be there */
    at: (camera, id) => at(camera, byId.get(id)),
    /** The pins in view, in the order in which they were given. */
    inView: (camera) => pins.filter((_, i) => { const { x, y } = at(camera, i); return x >= 0 && y >= 0 && x <= camera.width && y <= camera.height; }),

    /**
     * @param {CanvasRenderingContext2D} ink @param {import('../lib/camera.js').Camera} camera @param {ReturnType<import('./sprites.js').createSprites>} sprites
     * @param {number} ratio pixels of the screen to one of the page @param {string[]} raised pins that are drawn larger, above all
     */
    draw(ink, camera, sprites, ratio, raised) {
      const copy = ({ image, x, y, width, height }, at) => ink.drawImage(image, Math.round((at.x + x) * ratio) / ratio, Math.round((at.y + y) * ratio) / ratio, width, height);
      const sprite = (pin, isRaised) => sprites.pin(signs.get(pin.category) ?? PLAIN, pin, isRaised);
      for (const mark of visible(camera)) {
        const place = toView(camera, mark.x, mark.y);
        if (mark.count > 1) copy(sprites.cluster(mark.words ??= short(mark.count), radius(mark.count)), place);
        else if (!raised.includes(pins[mark.pin].id)) copy(sprite(pins[mark.pin], false), place);
      }
      for (const id of raised) if (byId.has(id)) copy(sprite(pins[byId.get(id)], true), this.at(camera, id));
    },

    /**
     * What is at a pixel: a pin, or several that lie together.
     * @param {boolean} finger whether it is a finger's @returns {Pin[]} empty if there is none
     */
    hit(camera, x, y, finger) {
      let best = finger ? REACH.finger : REACH.mouse, found = null;
      for (const mark of visible(camera)) {
        const place = toView(camera, mark.x, mark.y), far = Math.hypot(place.x - x, place.y - radius(mark.count) - NECK - y);
        if (far < best) { best = far; found = mark; }
      }
      return found ? clusters.members(Math.floor(camera.zoom), found).map((i) => pins[i]) : [];
    },
    /** The bounds of pins that lie together, or nothing if no zoom tells them apart. @param {Pin[]} some */
    spread: (some) => (clusters.isOne(MAX_ZOOM, some.map((pin) => byId.get(pin.id))) ? null : boundsOf(some)),
  };
}

/** How near a finger takes hold of the pin, and how far it is lifted then, in pixels. */
const GRAB = 26, LIFT = 6;

/**
 * The pin that a person sets: by a tap, by dragging it, or in the middle with Enter.
 * @param {{onPin: (position: import('../lib/mercator.js').Position) => void, onRefused: (words: string) => void}} told
 */
export function createPlacing({ onPin, onRefused }) {
  let own = null, held = null;
  const pin = () => own && rounded(unproject(own.x, own.y));
  return {
    pin,
    /** @param {import('../lib/mercator.js').Position|null} position */
    set(position) { own = position && project(position); },
    /** Sets the pin where a person points, if enough is seen there. @param {import('../lib/camera.js').Camera} camera */
    point(camera, x, y) {
      if (!canPlace(camera)) { onRefused(t('map.zoom_to_place')); return; }
      own = toWorld(camera, x, y);
      onPin(pin());
    },
    /** Whether a finger takes hold of the pin there. */
    grabs(camera, x, y) {
      if (!own || !canPlace(camera)) return false;
      const at = toView(camera, own.x, own.y);
      held = Math.hypot(at.x - x, at.y - PIN_HEIGHT / 2 - y) <= GRAB ? { x: at.x - x, y: at.y - y } : null;
      return !!held;
    },
    drag(camera, x, y) { own = toWorld(camera, x + held.x, y + held.y); },
    /** @param {boolean} moved whether it is elsewhere now */
    drop(moved) { held = null; if (moved) onPin(pin()); },
    /** @param {CanvasRenderingContext2D} ink @param {ReturnType<import('./sprites.js').createSprites>} sprites */
    draw(ink, camera, sprites) {
      if (!own) return;
      const { image, x, y, width, height } = sprites.mine(), at = toView(camera, own.x, own.y);
      ink.drawImage(image, at.x + x, at.y + y - (held ? LIFT : 0), width, height);
    },
    /** Marks the middle, where Enter sets the pin. @param {string} colour */
    drawCross(ink, { width, height }, colour) {
      const x = Math.round(width / 2), y = Math.round(height / 2);
      ink.fillStyle = colour;
      ink.fillRect(x - 12, y - 1, 24, 2);
      ink.fillRect(x - 1, y - 12, 2, 24);
    },
  };
}
