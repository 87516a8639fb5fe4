/** The "…" button, and the sheet with what is seldom done with a photo, a moment or a comment. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { icon } from './icons.js';
import { sheet } from './sheet.js';

/** @typedef {{sign: string, words: string, act: () => any, kind?: 'danger'}} Deed */

/**
 * @param {() => (Deed|false|null|undefined)[]} deeds what can be done now; there is no button while that is nothing
 * @param {string} [size]
 * @returns {{el: HTMLElement, draw: () => void}}
 */
export function moreButton(deeds, size = '') {
  const el = h(`button.plain.more-button${size}`, { 'aria-label': t('more'), title: t('more'), 'aria-haspopup': 'dialog', onclick: open }, icon('more'));
  const now = () => deeds().filter(Boolean);

  function open() {
    const box = sheet(t('more'), [h('div.stack', null, now().map(({ sign, words, act, kind }) => h(`button.btn.wide${kind ? '.quiet-danger' : ''}`, { onclick: () => { box.close(); act(); } }, icon(sign), words)))]);
  }

  function draw() { el.hidden = !now().length; }
  draw();
  return { el, draw };
}
