/** The two ways in: start an event, or join one by its link. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { busy, field } from './parts.js';

/**
 * @param {() => Promise<void>} done @returns {HTMLFormElement}
 */
export function startForm(done) {
  const title = field(t('setup.event_title'), { maxlength: '200', autocomplete: 'off', placeholder: t('setup.event_example'), autofocus: true });
  const button = h('button.btn.primary', { type: 'submit' }, t('setup.start_do'));
  return h('form', { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const value = title.input.value.trim();
    if (!value) { title.error(t('setup.need_title')); title.input.focus(); return; }
    try { await busy(button, t('setup.starting'), async () => { await api.startEvent(value); await done(); }); }
    catch (error) { title.error(error.message); }
  } }, title.el, h('div.actions', null, button));
}

/**
 * Joining waits for a member to answer, up to half a minute: the time is shown as it passes.
 * @param {() => Promise<void>} done @returns {HTMLFormElement}
 */
export function joinForm(done) {
  const link = field(t('setup.link'), { rows: '3', autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none', autofocus: true }, { hint: t('setup.link_hint'), tag: 'textarea' });
  const button = h('button.btn.primary', { type: 'submit' }, t('setup.join_do'));
  const bar = h('progress', { max: '30', value: 0, hidden: true, 'aria-label': t('setup.looking') });
  const words = h('p.hint', { role: 'status' });
  link.input.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); form.requestSubmit(); } });
  const form = h('form', { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const value = link.input.value.trim();
    if (!value) { link.error(t('setup.need_link')); link.input.focus(); return; }
    link.error('');
    const from = Date.now();
    const tick = () => {
      const seconds = (Date.now() - from) / 1000;
      bar.value = Math.min(29.5, seconds);
      words.textContent = seconds < 8 ? t('setup.looking') : t('setup.still_looking');
    };
    bar.hidden = false;
    tick();
    const timer = setInterval(tick, 250);
    try { await busy(button, t('setup.joining'), async () => { await api.join(value); await done(); }); }
    catch (error) { link.error(error.message); link.input.focus(); }
    finally { clearInterval(timer); bar.hidden = true; words.textContent = ''; }
  } }, link.el, bar, words, h('div.actions', null, button));
  return form;
}
