/** One picture on the venue's screen, with its author and title; the next one fades in over it. */
import { fill, h, still } from '../core/dom.js';
import { media } from '../core/api.js';
import { say, t } from '../core/i18n.js';

/** As long as css/wall.css has it. */
const FADE_MS = 1400;

/**
 * @param {string} name of its place @returns {{el: HTMLElement, ids: () => string[], show: (photo: any) => Promise<boolean>, clear: () => void}}
 */
export function createTile(name) {
  const caption = h('figcaption');
  const el = h(`figure.tile.${name}`, { hidden: true }, caption);
  let shown = null, coming = null;

  return {
    el,
    /** What is on show or about to be. */
    ids: () => [shown, coming].filter(Boolean),
    /** Shows a photo once its picture is there. Answers whether it came to that. */
    async show(photo) {
      coming = photo.id;
      const img = h('img', { decoding: 'async', alt: photo.title || t('grid.alt', { name: photo.author.name, time: say.clock(photo.taken ?? photo.posted) }) });
      img.src = media(photo.id, 'preview');
      try { await img.decode(); } catch { if (coming === photo.id) coming = null; return false; }
      // It was taken away meanwhile.
      if (coming !== photo.id) return false;
      const before = [...el.querySelectorAll('img')];
      el.insertBefore(img, caption);
      fill(caption, h('strong', null, photo.author.name), photo.title && h('span', null, photo.title));
      el.hidden = false;
      [shown, coming] = [photo.id, null];
      setTimeout(() => before.forEach((old) => old.remove()), still() ? 0 : FADE_MS);
      return true;
    },
    /** Takes the picture away at once. */
    clear() {
      shown = coming = null;
      for (const img of el.querySelectorAll('img')) img.remove();
      fill(caption);
      el.hidden = true;
    },
  };
}
