/** The viewer's stage: one photo on show, its neighbours beside it, moved by finger, pen or mouse. */
import { axis, dismisses, isDouble, swipe, zoomSteps } from '../lib/gesture.js';
import { h, still } from '../core/dom.js';
import { media } from '../core/api.js';
import { t } from '../core/i18n.js';
import { icon } from './icons.js';
import { createPlayer } from './player.js';

const EASE = 'cubic-bezier(.4,0,.22,1)';

/**
 * @param {{step: (by: 1|-1) => boolean, close: () => void, fave: () => void, reach: () => Promise<boolean>}} act `step` answers
 *   whether there is such a photo, `reach` whether the node is there
 * @param {HTMLElement[]} sides buttons on which a drag may begin, too
 */
export function createStage(act, sides) {
  const track = h('div.track');
  const el = h('div.stage', null, track, sides);
  const slides = new Map();
  let current = null, steps = [1], step = 0, drag = null, tapped = null;

  function makeSlide(photo) {
    const frame = h('div.frame', { style: { '--w': photo.width || 4, '--h': photo.height || 3 } });
    const words = h('p.note', { hidden: true });
    return { el: h('div.slide', null, frame, words), frame, note: words, shown: new Set(), photo };
  }

  /** Says what keeps a picture from being seen. */
  function note(slide, key) {
    slide.note.textContent = t(key);
    slide.note.hidden = false;
  }

  const way = (photo) => (photo.duration_ms ? 'clip.on_its_way' : 'viewer.on_its_way');

  /** Says why a size cannot be seen, unless the node is away: then the photo is fetched again when that is back. */
  async function explain(slide, size) {
    if (await act.reach()) note(slide, slide.photo.held[size] ? 'viewer.cannot_show' : way(slide.photo));
  }

  /** Adds a size of the picture on top of the smaller one. */
  function show(slide, size, from = size) {
    if (slide.shown.has(size)) return;
    slide.shown.add(size);
    const img = h('img', { class: size, alt: size === 'thumbnail' ? '' : slide.alt ?? '', decoding: 'async', draggable: 'false' });
    img.onload = () => {
      img.classList.add('seen');
      if (size !== 'thumbnail') slide.note.hidden = true;
      if (size === 'original') slide.el.classList.remove('fetching');
    };
    img.onerror = () => {
      img.remove();
      slide.shown.delete(size);
      if (from === 'original' && slide.photo.held.original) show(slide, size, 'jpeg');
      else {
        slide.el.classList.remove('fetching');
        if (size !== 'thumbnail') explain(slide, size);
      }
    };
    img.src = media(slide.photo.id, from);
    slide.frame.append(img);
  }

  function load(photo, alt) {
    let slide = slides.get(photo.id);
    if (!slide) { slide = makeSlide(photo); slides.set(photo.id, slide); track.append(slide.el); }
    slide.photo = photo;
    slide.alt = alt;
    if (photo.held.thumbnail && !slide.shown.has('preview')) show(slide, 'thumbnail');
    if (photo.held.preview) show(slide, 'preview');
    else if (photo.held.original && !photo.duration_ms) show(slide, 'original');
    if (!photo.held.original && (photo.duration_ms || !photo.held.preview)) note(slide, way(photo));
    else if (photo.duration_ms && !slide.player) addPlayer(slide);
    return slide;
  }

  function addPlayer(slide) {
    slide.note.hidden = true;
    // While the node is away nothing can be fetched: then it is made anew once the clip is drawn again.
    const failed = async () => { slide.player = null; if (await act.reach()) note(slide, 'clip.cannot_play'); };
    slide.player = createPlayer(slide.photo, slide.alt ?? '', failed);
    slide.frame.append(slide.player.el);
  }

  /** @param {number} x pixels off the resting place @param {boolean} glide */
  function place(x, glide) {
    track.style.transition = glide && !still() ? `transform 260ms ${EASE}` : 'none';
    track.style.transform = `translateX(${x}px)`;
  }

  const isZoomed = () => step > 0;

  /** Goes to the next step of zooming, and after the last one back to the whole photo. @returns {number} how large it is then */
  function zoom() {
    const slide = current && slides.get(current.id);
    if (!slide || slide.player) return 1;
    const { el: view, frame } = slide;
    if (!step) steps = zoomSteps(frame.clientWidth, current.width / devicePixelRatio);
    const x = (view.scrollLeft + view.clientWidth / 2) / view.scrollWidth, y = (view.scrollTop + view.clientHeight / 2) / view.scrollHeight;
    const grown = steps[(step + 1) % steps.length] / steps[step];
    if (step + 1 === steps.length) { fit(); return 1; }
    const [width, height] = [frame.clientWidth * grown, frame.clientHeight * grown];
    step += 1;
    el.classList.add('zoomed');
    // With the keyboard it is scrolled once it has focus.
    view.setAttribute('tabindex', '0');
    frame.style.setProperty('width', `${width}px`);
    frame.style.setProperty('height', `${height}px`);
    if (current.held.original) { view.classList.add('fetching'); show(slide, 'original'); }
    view.scrollTo(x * view.scrollWidth - view.clientWidth / 2, y * view.scrollHeight - view.clientHeight / 2);
    return steps[step];
  }

  /** Shows the whole photo. */
  function fit() {
    step = 0;
    el.classList.remove('zoomed');
    for (const { el: view, frame } of slides.values()) {
      view.removeAttribute('tabindex');
      for (const side of ['width', 'height']) frame.style.removeProperty(side);
    }
  }

  function pop() {
    const heart = h('span.pop', { 'aria-hidden': 'true' }, icon('heart', 'on'));
    el.append(heart);
    setTimeout(() => heart.remove(), 700);
  }

  el.addEventListener('pointerdown', (event) => {
    if (event.button || !event.isPrimary || event.target.closest('button:not(.side), a') || visualViewport?.scale > 1.05) { drag = null; return; }
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY, t: event.timeStamp, way: '', lx: event.clientX, ly: event.clientY, lt: event.timeStamp, vx: 0, vy: 0 };
  });
  el.addEventListener('pointermove', (event) => {
    if (!drag || event.pointerId !== drag.id || isZoomed()) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y, dt = Math.max(1, event.timeStamp - drag.lt);
    drag.vx = 0.7 * ((event.clientX - drag.lx) / dt) + 0.3 * drag.vx;
    drag.vy = 0.7 * ((event.clientY - drag.ly) / dt) + 0.3 * drag.vy;
    Object.assign(drag, { lx: event.clientX, ly: event.clientY, lt: event.timeStamp });
    if (!drag.way && (drag.way = axis(dx, dy))) el.setPointerCapture(drag.id);
    if (drag.way === 'x') place(dx, false);
    if (drag.way === 'y' && dy > 0) {
      track.style.transition = 'none';
      track.style.transform = `translateY(${dy}px) scale(${1 - Math.min(0.25, dy / 2000)})`;
    }
  });
  const up = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { way, vx, vy, x, y } = drag, dx = event.clientX - x, dy = event.clientY - y;
    drag = null;
    if (event.type === 'pointercancel') return place(0, true);
    if (way === 'x') {
      const by = swipe(dx, vx, el.clientWidth);
      if (!by || !act.step(by)) place(0, true);
      else { place(dx + by * el.clientWidth, false); track.getBoundingClientRect(); place(0, true); }
    } else if (way === 'y') {
      if (dismisses(dy, vy, el.clientHeight)) act.close(); else place(0, true);
    } else if (!event.target.closest('.side')) {
      const tap = { t: event.timeStamp, x: event.clientX, y: event.clientY };
      if (isDouble(tapped, tap)) { tapped = null; act.fave(); } else tapped = tap;
    }
    return undefined;
  };
  el.addEventListener('pointerup', up);
  el.addEventListener('pointercancel', up);

  return {
    el,
    pop,
    zoom,
    isZoomed,
    /**
     * Puts a photo on show and fetches its neighbours: one behind, two ahead.
     * @param {any[]} before @param {any[]} after @param {(p: any) => string} alt
     */
    set(photo, before, after, alt) {
      if (current?.id !== photo.id) { fit(); place(0, false); }
      current = photo;
      const near = [...before.slice(-1), photo, ...after.slice(0, 2)];
      const keep = new Set(near.map((p) => p.id));
      for (const [id, slide] of slides) if (!keep.has(id)) { slide.el.remove(); slides.delete(id); }
      const own = load(photo, alt(photo));
      near.forEach((p) => load(p, alt(p)));
      const at = near.indexOf(photo);
      near.forEach((p, i) => {
        const slide = slides.get(p.id);
        slide.el.style.left = `${(i - at) * 104}%`;
        slide.el.toggleAttribute('inert', slide !== own);
        slide.el.setAttribute('aria-hidden', String(slide !== own));
        slide.player?.show(slide === own);
      });
    },
    /** Lets the photo grow out of its tile. @param {DOMRect|null} box */
    grow(box) {
      const frame = current && slides.get(current.id)?.frame;
      if (!frame || !box || still()) return;
      const to = frame.getBoundingClientRect();
      if (!to.width) return;
      const x = box.left + box.width / 2 - to.left - to.width / 2, y = box.top + box.height / 2 - to.top - to.height / 2;
      frame.animate([{ transform: `translate(${x}px, ${y}px) scale(${box.width / to.width})` }, { transform: 'none' }], { duration: 333, easing: EASE });
    },
  };
}
