/** Pins, each drawn once and then copied: a frame of a thousand pins is a thousand small copies. */
import { h } from '../core/dom.js';
import { TINTS } from '../lib/legend.js';

/** How high a pin is above its point, the radius of its head and what is below that, in pixels. */
export const PIN_HEIGHT = 36, HEAD = 13, NECK = 9;
/** How much larger the pins are that a person attends to. */
export const RAISED = 1.3;
/** So many sprites are kept; then they are drawn anew. */
const MOST = 600;

/** @typedef {{image: HTMLCanvasElement, x: number, y: number, width: number, height: number}} Sprite x and y from the point to its corner */

/** A pin's outline, with its point at 0, 0. @param {CanvasRenderingContext2D} ink @param {number} r of its head */
function pinPath(ink, r) {
  const middle = -r - NECK;
  ink.beginPath();
  ink.moveTo(0, 0);
  ink.bezierCurveTo(-3, -7, -r, middle + 10, -r, middle);
  ink.arc(0, middle, r, Math.PI, 0);
  ink.bezierCurveTo(r, middle + 10, 3, -7, 0, 0);
  ink.closePath();
}

/** @param {CanvasRenderingContext2D} ink @param {number} x @param {number} y @param {number} r */
function heartPath(ink, x, y, r) {
  ink.beginPath();
  ink.moveTo(x, y + r);
  ink.bezierCurveTo(x - 2 * r, y - r * 0.2, x - r, y - 1.6 * r, x, y - r * 0.5);
  ink.bezierCurveTo(x + r, y - 1.6 * r, x + 2 * r, y - r * 0.2, x, y + r);
  ink.closePath();
}

/**
 * @param {Record<string, string>} colours @param {number} ratio pixels of the screen to one of the page
 */
export function createSprites(colours, ratio) {
  const kept = new Map();

  function sprite(key, width, height, x, y, draw) {
    let found = kept.get(key);
    if (found) return found;
    if (kept.size >= MOST) kept.clear();
    const image = document.createElement('canvas');
    image.width = Math.ceil(width * ratio);
    image.height = Math.ceil(height * ratio);
    const ink = image.getContext('2d');
    ink.scale(ratio, ratio);
    ink.translate(-x, -y);
    draw(ink);
    found = { image, x, y, width: image.width / ratio, height: image.height / ratio };
    kept.set(key, found);
    return found;
  }

  function write(ink, text, x, y, size, colour) {
    ink.font = `700 ${size}px ${colours.font}`;
    ink.textAlign = 'center';
    ink.textBaseline = 'middle';
    ink.fillStyle = colour;
    ink.fillText(text, x, y + 0.5);
  }

  function drawPin(ink, fill, line, words, sign, r = HEAD) {
    pinPath(ink, r);
    ink.lineWidth = 5;
    ink.strokeStyle = colours.ring;
    ink.stroke();
    ink.fillStyle = fill;
    ink.fill();
    ink.lineWidth = 2;
    ink.strokeStyle = line;
    ink.stroke();
    write(ink, sign, 0, -r - NECK, sign.length > 1 ? 11.5 : 14, words);
  }

  return {
    /**
     * A pin: filled, or only its edge if the place is closed; with a heart if it is a favourite.
     * @param {import('../lib/legend.js').Sign} sign @param {{open?: boolean, favourite?: boolean}} pin @param {boolean} raised whether it is larger than others
     * @returns {Sprite}
     */
    pin({ sign, tint }, { open, favourite }, raised) {
      const size = raised ? RAISED : 1, colour = colours[`pin-${tint}`], closed = open === false;
      return sprite(`${sign} ${tint} ${closed} ${!!favourite} ${raised}`, 44 * size, 44 * size, -22 * size, -40 * size, (ink) => {
        ink.scale(size, size);
        drawPin(ink, closed ? colours.paper : colour, raised ? colours.ink : colour, closed ? colours.ink : colours['pin-ink'], sign);
        if (!favourite) return;
        heartPath(ink, 12, -31, 6);
        ink.lineWidth = 3;
        ink.strokeStyle = colours.ring;
        ink.stroke();
        ink.fillStyle = colours.rose;
        ink.fill();
      });
    },
    /** The pin that a person sets. @returns {Sprite} */
    mine: () => sprite('mine', 58, 58, -29, -53, (ink) => {
      ink.scale(RAISED, RAISED);
      drawPin(ink, colours.mine, colours['mine-ink'], colours['mine-ink'], '');
      ink.beginPath();
      ink.arc(0, -HEAD - NECK, 5, 0, 2 * Math.PI);
      ink.fillStyle = colours['mine-ink'];
      ink.fill();
    }),
    /** Pins that lie too near to each other. @param {string} words how many @param {number} radius @returns {Sprite} */
    cluster: (words, radius) => sprite(`#${words} ${radius}`, 2 * radius + 6, 2 * radius + NECK + 6, -radius - 3, -2 * radius - NECK - 3, (ink) => {
      drawPin(ink, colours.ink, colours.ink, colours.paper, words, radius);
    }),
  };
}

const NAMES = ['ground', 'grid', 'land', 'edge', 'street', 'ring', 'pin-ink', 'ink', 'paper', 'mine', 'mine-ink', 'rose', ...Array.from({ length: TINTS + 1 }, (_, i) => `pin-${i}`)];

/**
 * The map's colours: custom properties of css/map.css, read once for each theme, since a canvas does not know them.
 * @param {HTMLElement} el in which they are set
 * @returns {Record<string, string>} each resolved, as `rgb(…)`
 */
export function readColours(el) {
  const probe = el.appendChild(h('span', { hidden: true }));
  const found = {};
  for (const name of NAMES) {
    probe.style.setProperty('color', `var(--map-${name})`);
    found[name] = getComputedStyle(probe).color;
  }
  found.font = getComputedStyle(el).fontFamily;
  probe.remove();
  return found;
}

/** Tells when the theme changes. @param {() => void} changed @returns {() => void} stops that */
export function onTheme(changed) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', changed);
  return () => dark.removeEventListener('change', changed);
}
