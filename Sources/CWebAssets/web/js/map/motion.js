/** What the map shows, and how it gets to what it shows next: one drawing a frame, and a word when it rests. */
import { between, clamped } from '../lib/camera.js';
import { still } from '../core/dom.js';

const GLIDE_MS = 220;
/** The map is at rest when nothing has moved for so long. */
const REST_MS = 180;

/**
 * @param {(camera: import('../lib/camera.js').Camera) => void} draw
 * @param {(byPerson: boolean) => void} rested
 */
export function createMotion(draw, rested) {
  let camera = clamped({ x: 0.5, y: 0.5, zoom: 0, width: 1, height: 1 });
  let frame = 0, timer = 0, glide = null, byPerson = false;

  function paint(now) {
    frame = 0;
    if (glide) {
      glide.start ??= now;
      const share = Math.min(1, (now - glide.start) / GLIDE_MS);
      camera = between(glide.from, glide.to, 1 - (1 - share) ** 3);
      if (share < 1) ask(); else glide = null;
    }
    draw(camera);
  }

  /** Draws with the next frame. */
  function ask() { frame ||= requestAnimationFrame(paint); }

  function moving(person) {
    byPerson ||= person;
    clearTimeout(timer);
    timer = setTimeout(() => { const was = byPerson; byPerson = false; rested(was); }, (glide ? GLIDE_MS : 0) + REST_MS);
    ask();
  }

  return {
    ask,
    /** Says again that it has come to rest: something else has changed. */
    touch: () => moving(false),
    get camera() { return camera; },
    /** Where it will be when it has come to rest. */
    get target() { return glide?.to ?? camera; },
    /** Shows something at once. @param {import('../lib/camera.js').Camera} to @param {boolean} person whether a person moves it */
    set(to, person) { glide = null; camera = to; moving(person); },
    /** Goes there, unless the reader asked for less motion. */
    glide(to, person) {
      if (still()) { this.set(to, person); return; }
      glide = { from: camera, to, start: null };
      moving(person);
    },
    /** @param {number} width @param {number} height pixels of the page; the canvas is empty after that, so it is drawn at once */
    resize(width, height) {
      if (glide) { camera = glide.to; glide = null; }
      camera = clamped({ ...camera, width, height });
      draw(camera);
    },
    stop() { cancelAnimationFrame(frame); clearTimeout(timer); },
  };
}
