/** A handle at the right edge that goes to a time: by the hours that have photos, however many are loaded. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { on } from '../core/store.js';
import { withStyle } from '../core/style.js';
import { at, placesOf, stepOf } from '../lib/scrub.js';
import { icon } from './icons.js';
import { complain } from './parts.js';

/** With fewer photos than this, scrolling is as quick. */
const FEW = 60;
/** The handle stays so long after the last scrolling. */
const STAYS_MS = 1800;

/**
 * @param {ReturnType<import('./gallery.js').createGallery>} gallery @param {import('../core/photolist.js').PhotoList} list
 * @returns {{stop: () => void}}
 */
export function createScrubber(gallery, list) {
  const bubble = h('output.bubble', { 'aria-hidden': 'true' });
  const handle = h('div.handle', { role: 'slider', tabindex: '0', 'aria-orientation': 'vertical', 'aria-label': t('scrub.label'), 'aria-valuemin': '0' }, icon('up'), icon('down'), bubble);
  const el = h('div.scrubber', { hidden: true }, handle);
  const newest = h('button.pill.newest', { hidden: true, onclick: () => go(0) }, icon('up'), t(list.narrowed.order ? 'scrub.last_taken' : 'scrub.newest'));
  let times = [], places = [], index = 0, dragging = false, timer = 0, frame = 0, asked = 0, stopped = false;

  async function read() {
    const number = ++asked;
    try {
      const answer = await api.photoTimes(list.moment, list.narrowed);
      if (stopped || number !== asked) return;
      times = answer.times;
      places = placesOf(times);
      const total = times.reduce((sum, time) => sum + time.count, 0);
      el.hidden = total < FEW || times.length < 2;
      handle.setAttribute('aria-valuemax', String(Math.max(0, times.length - 1)));
      follow();
    } catch { /* scrolling does without */ }
  }

  const words = (time) => `${say.moment(time.start)} · ${t('moment.photos', { n: time.count })}`;

  function set(to) {
    index = Math.max(0, Math.min(times.length - 1, to));
    if (!times[index]) return;
    el.style.setProperty('--at', String(places[index]));
    handle.setAttribute('aria-valuenow', String(index));
    handle.setAttribute('aria-valuetext', words(times[index]));
    bubble.textContent = words(times[index]);
  }

  /** Puts the handle where the photos on screen are. */
  function follow() {
    frame = 0;
    newest.hidden = !list.from;
    if (dragging || !times.length) return;
    const photo = gallery.first();
    if (photo) set(at(times, list.time(photo)));
  }

  function scrolled() {
    el.classList.add('near');
    clearTimeout(timer);
    timer = setTimeout(() => { if (!dragging) el.classList.remove('near'); }, STAYS_MS);
    frame ||= requestAnimationFrame(follow);
  }

  /** Shows the photos of a time: those that are loaded, or the list from there on. */
  function go(to) {
    set(to);
    const time = times[index];
    if (!time) return;
    const inTime = (photo) => at(times, list.time(photo)) === index;
    const found = (list.from === null || index > 0) && list.items.find(inTime);
    const isFirst = found && list.items[0] === found && list.from !== null && list.from !== time.before;
    if (found && !isFirst) { gallery.reveal(found.id); return; }
    list.jump(index === 0 ? null : time.before);
    scrollTo({ top: 0, behavior: 'auto' });
    gallery.again();
  }

  const share = (event) => { const box = el.getBoundingClientRect(); return (event.clientY - box.top) / box.height; };
  handle.addEventListener('pointerdown', (event) => { dragging = true; handle.setPointerCapture(event.pointerId); el.classList.add('dragging', 'near'); event.preventDefault(); handle.focus({ preventScroll: true }); });
  handle.addEventListener('pointermove', (event) => { if (dragging) set(stepOf(places, share(event))); });
  const end = (event) => {
    if (!dragging) return;
    dragging = false;
    el.classList.remove('dragging');
    if (event.type === 'pointerup') go(index); else follow();
    scrolled();
  };
  handle.addEventListener('pointerup', end);
  handle.addEventListener('pointercancel', end);
  handle.addEventListener('keydown', (event) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, PageUp: index - 10, PageDown: index + 10, Home: 0, End: times.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });

  const offs = [on('change', (change) => { if (change.kinds.has('photo')) read().catch(complain); }), list.on(() => { newest.hidden = !list.from; frame ||= requestAnimationFrame(follow); })];
  addEventListener('scroll', scrolled, { passive: true });
  withStyle('scrubber', () => { if (!stopped) { gallery.el.append(el, newest); read(); } });
  return {
    stop() {
      stopped = true;
      offs.forEach((off) => off());
      removeEventListener('scroll', scrolled);
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      el.remove();
      newest.remove();
    },
  };
}
