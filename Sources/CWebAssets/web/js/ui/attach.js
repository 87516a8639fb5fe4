/** A picture that goes with what one writes. */
import { fill, h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { icon } from './icons.js';
import { sheet } from './sheet.js';

/** @param {() => void} changed told when another picture is chosen, or none */
export function attachment(changed) {
  let file = null;
  const shown = h('div.attached', { hidden: true });
  const input = h('input.sr', { type: 'file', accept: 'image/*', 'aria-label': t('comments.picture'), onchange: () => { if (input.files[0]) set(input.files[0]); input.value = ''; } });

  /** @param {Blob|null} to */
  function set(to) {
    file = to;
    shown.hidden = !to;
    const url = to && URL.createObjectURL(to);
    fill(shown, to && [h('img', { src: url, alt: t('kind.picture_chosen'), onload: () => URL.revokeObjectURL(url) }),
      h('button.plain', { 'aria-label': t('comments.picture_remove'), onclick: () => set(null) }, icon('close'))]);
    changed();
  }

  return { el: h('label.plain.attach', { title: t('comments.picture') }, input, icon('camera')), shown, set, get file() { return file; } };
}

/** The picture of a comment, small, which opens larger. @param {{thumbnail?: string, preview?: string, text?: string, author: {name: string}}} comment */
export function commentPicture({ thumbnail, preview, text, author }) {
  if (!thumbnail) return null;
  const alt = text || t('comments.picture_of', { name: author.name });
  const el = h('button.said-picture', { 'aria-label': `${t('comments.picture_open')}: ${alt}`, onclick: () => sheet(t('comments.picture_of', { name: author.name }), [h('img.whole-picture', { src: preview ?? thumbnail, alt })], { wide: true }) },
    h('img', { src: thumbnail, alt: '', loading: 'lazy', onerror: () => { el.hidden = true; } }));
  return el;
}
