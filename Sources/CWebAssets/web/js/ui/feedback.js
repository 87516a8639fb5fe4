/** What a guest tells the hosts about the event. It comes when it is wanted. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { busy, field, toast } from './parts.js';
import { sheet } from './sheet.js';

/** Opens the sheet in which the hosts are told something. */
export function giveFeedback() {
  const text = field(t('feedback.text'), { rows: '5', maxlength: '2000', dir: 'auto', autofocus: true }, { hint: t('feedback.hint'), tag: 'textarea' });
  const button = h('button.btn.primary', { type: 'submit' }, t('feedback.send'));
  const box = sheet(t('feedback.title'), [h('form', { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const value = text.input.value.trim();
    if (!value) { text.error(t('feedback.empty')); text.input.focus(); return; }
    try {
      await busy(button, t('feedback.send'), () => api.giveFeedback(value));
      box.close();
      toast(t('feedback.thanks'));
    } catch (error) { text.error(error.message); }
  } }, text.el, h('div.actions', null, button, h('button.btn', { onclick: () => box.close() }, t('cancel'))))]);
}
