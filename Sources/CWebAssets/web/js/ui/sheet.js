/** Sheets: native modal dialogs, so focus is kept inside and given back by the browser. Back closes them. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { cover } from '../core/router.js';
import { icon } from './icons.js';
import { busy, field } from './parts.js';

/**
 * Opens a sheet.
 * @param {string} title @param {any[]} body @param {{onclose?: () => void, wide?: boolean}} [options]
 * @returns {{el: HTMLDialogElement, close: () => void}}
 */
export function sheet(title, body, { onclose, wide = false } = {}) {
  const heading = h('h2', { id: `sheet${Date.now()}`, tabindex: '-1' }, title);
  const close = () => el.close();
  const el = h(`dialog.sheet${wide ? '.wide' : ''}`, { 'aria-labelledby': heading.id },
    h('header', null, heading, h('button.plain', { 'aria-label': t('close'), onclick: close }, icon('close'))),
    h('div.inside', null, body));
  el.addEventListener('close', () => {
    const toasts = el.querySelector('.toasts');
    if (toasts) document.body.append(toasts);
    el.remove();
    uncover();
    onclose?.();
  });
  // A press that began on the backdrop closes; a text selection that ended there does not.
  let began = false;
  const isOutside = (event) => {
    const box = el.getBoundingClientRect();
    return event.target === el && (event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom);
  };
  el.addEventListener('pointerdown', (event) => { began = isOutside(event); });
  // Not before the click: what lies beneath would get it.
  el.addEventListener('click', (event) => { if (began && isOutside(event)) close(); });
  document.body.append(el);
  el.showModal();
  const uncover = cover(close);
  if (!el.querySelector('[autofocus]')) heading.focus({ preventScroll: true });
  return { el, close };
}

/** A text as every keyboard types it: phones make apostrophes and quotation marks curly, and dots one sign. @param {string} text */
const plain = (text) => text.normalize('NFKC').replace(/[‘’ʼ´`′]/g, "'").replace(/[“”„«»″]/g, '"').replace(/\s+/g, ' ').trim();

/**
 * Asks before something is done, does it, and shows in place what went wrong. `action` is the button's word, `kind` its class,
 * `choice` what to choose before, `typed` what has to be typed first.
 * @returns {Promise<boolean>} whether it was done
 */
export function confirm({ title, text, action, kind = 'danger', choice, typed, work }) {
  return new Promise((resolve) => {
    let done = false;
    const wrong = h('p.wrong', { role: 'alert' });
    const word = typed && field(t('confirm.type', { word: typed }), { autocomplete: 'off', spellcheck: 'false', autofocus: true });
    const button = h(`button.btn.${kind}`, { type: 'submit', disabled: !!typed }, action);
    if (word) word.input.addEventListener('input', () => { button.disabled = plain(word.input.value) !== plain(typed); });
    const submit = async (event) => {
      event.preventDefault();
      try {
        await busy(button, action, work);
        done = true;
        box.close();
      } catch (error) {
        wrong.textContent = error.message;
      }
    };
    const box = sheet(title, [h('form', { onsubmit: submit }, text && h('p', null, text), choice, word?.el, wrong,
      h('div.actions', null, button, h('button.btn', { autofocus: !typed, onclick: () => box.close() }, t('cancel'))))],
    { onclose: () => resolve(done) });
  });
}
