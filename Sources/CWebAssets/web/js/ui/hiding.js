/** Taking something out of everybody's sight and back, and saying that it is. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { moderates } from '../lib/levels.js';
import { icon } from './icons.js';
import { busy, complain, field, toast } from './parts.js';
import { sheet } from './sheet.js';

/** Who hid something, and why. @param {{record: string, reason: string, by: {name: string}}} hidden @param {string} [id] of what is looked at */
export function hidingWords(hidden, id = hidden.record) {
  const name = hidden.by.name;
  if (hidden.record !== id) return t('hidden.with', { name });
  return hidden.reason ? t('hidden.by_reason', { name, reason: hidden.reason }) : t('hidden.by', { name });
}

/** A line for what others do not see; nothing for all else. @param {any} record @returns {HTMLElement|null} */
export const hiddenNote = (record) => (record?.hidden
  ? h('p.hidden-note', null, icon('hide'), h('span', null, `${hidingWords(record.hidden, record.id ?? record.hidden.record)}. ${t('hidden.others')}`)) : null);

/**
 * Asks why, and hides.
 * @param {string} id @param {() => void} done
 */
function hide(id, done) {
  const reason = field(t('hidden.reason'), { maxlength: '200', autocomplete: 'off', autofocus: true });
  const button = h('button.btn.danger', { type: 'submit' }, t('hidden.action'));
  const box = sheet(t('hidden.title_do'), [h('form', { onsubmit: async (event) => {
    event.preventDefault();
    try {
      await busy(button, t('hidden.action'), () => api.hide(id, reason.input.value.trim()));
      box.close();
      toast(t('hidden.done'));
      done();
    } catch (error) { reason.error(error.message); }
  } }, h('p', null, t('hidden.text')), reason.el, h('div.actions', null, button, h('button.btn', { type: 'button', onclick: () => box.close() }, t('cancel'))))]);
}

/** @param {string} id @param {() => void} done */
export async function unhide(id, done) {
  try {
    await api.unhide(id);
    toast(t('hidden.shown'));
  } catch (error) { complain(error); }
  // Another moderator may have been first.
  done();
}

/**
 * A button for moderators that hides something, or shows it again. What is hidden with something else has none.
 * @param {() => any} record what it is about @param {() => void} done @param {string} [size]
 * @returns {{el: HTMLElement, draw: () => void}}
 */
export function hideButton(record, done, size = '') {
  const el = h(`button.plain.hide${size}`, { type: 'button', onclick: () => {
    const { id, hidden } = record();
    if (hidden) unhide(id, done); else hide(id, done);
  } });
  function draw() {
    const about = record(), words = t(about?.hidden ? 'hidden.show' : 'hidden.action');
    el.hidden = !about || !moderates(state.status?.current?.level) || !!about.hidden && about.hidden.record !== about.id;
    el.setAttribute('aria-label', words);
    el.setAttribute('aria-pressed', String(!!about?.hidden));
    el.title = words;
    fill(el, icon('hide'));
  }
  draw();
  return { el, draw };
}
