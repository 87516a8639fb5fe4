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

/** Whether a comment has a picture that is not here yet. @param {any} comment */
export const lacksPicture = ({ preview, thumbnail }) => Boolean(preview) && !(preview.held && thumbnail?.held);

/** The picture of a comment, small, which opens larger. @param {any} comment */
export function commentPicture(comment) {
  const { thumbnail, preview, author: { name } } = comment;
  if (!thumbnail) return null;
  if (lacksPicture(comment)) return h('p.hint', null, icon('camera'), ' ', t('comments.picture_away'));
  const alt = t('comments.picture_of', { name });
  return h('button.said-picture', { 'aria-label': t('comments.picture_open', { name }), 'aria-haspopup': 'dialog', onclick: () => sheet(alt, [h('img.whole-picture', { src: preview.url, alt })], { wide: true }) },
    h('img', { src: thumbnail.url, alt: '', loading: 'lazy' }));
}
