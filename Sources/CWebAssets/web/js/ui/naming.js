/** Asks guests for their name, once, after what they sent first has arrived. Loaded on demand. */
import { h, memory } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { load, on, state } from '../core/store.js';
import { uploads } from '../core/uploads.js';
import { busy, field, toast } from './parts.js';
import { sheet } from './sheet.js';

/** Whether the question is on show. */
let asks = false;
/** Whether something was sent since the page was opened. */
let sent = false;

/** Whether a guest without a name has not been asked. */
function isToAsk() {
  const { person, visit } = state.status ?? {};
  return sent && !asks && Boolean(person) && !visit.named && memory.get('asked') !== person;
}

async function ask() {
  await load.status().catch(() => {});
  if (!isToAsk() || uploads.counts().active || document.querySelector('dialog.sheet[open]')) return;
  asks = true;
  const name = field(t('profile.name'), { maxlength: '100', autocomplete: 'name', enterkeyhint: 'done' });
  const save = h('button.btn.primary', { type: 'submit' }, t('save'));
  const box = sheet(t('visit.name'), [h('form', { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const value = name.input.value.trim();
    if (!value) { name.error(t('setup.need_name')); name.input.focus(); return; }
    try {
      await busy(save, t('form.saving'), async () => {
        await api.setName(value);
        await Promise.all([load.status(), state.people && load.people()]);
      });
      box.close();
      toast(t('profile.saved'));
    } catch (error) { name.error(error.message); }
  } }, h('p', null, t('visit.name_text')), name.el, h('div.actions', null, save, h('button.btn', { onclick: () => box.close() }, t('visit.skip'))))],
  { onclose: () => { asks = false; memory.set('asked', state.status?.person); } });
}

/** Asks once something was sent, and never before. */
export function askForName() {
  uploads.on(() => {
    const { active, done } = uploads.counts();
    if (!done) return;
    sent = true;
    if (!active) ask();
  });
  on('shared', () => { sent = true; ask(); });
}
