/** The first start: what this is, a name, then the two ways in. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { load, state } from '../core/store.js';
import { joinForm, nearbyList, startForm } from '../ui/entry.js';
import { icon } from '../ui/icons.js';
import { busy, field } from '../ui/parts.js';

/**
 * @param {HTMLElement} root @returns {{stop: () => void}}
 */
export function mountSetup(root) {
  const step = h('div.step');
  const view = h('div.setup', null,
    h('div.prints', { 'aria-hidden': 'true' }, h('i'), h('i'), h('i')), step);
  fill(root, view);
  document.title = 'Mingle';

  function name() {
    const input = field(t('setup.name'), { maxlength: '100', autocomplete: 'name', autofocus: true, value: state.status.name ?? '' }, { hint: t('setup.name_hint') });
    const button = h('button.btn.primary', { type: 'submit' }, t('continue'));
    fill(step, h('h1', null, t('setup.welcome')), h('p.lead', null, t('setup.what')), h('form', { novalidate: true, onsubmit: async (event) => {
      event.preventDefault();
      const value = input.input.value.trim();
      if (!value) { input.error(t('setup.need_name')); input.input.focus(); return; }
      try {
        await busy(button, t('form.saving'), async () => { await api.setName(value); await load.status(); });
        ways();
      } catch (error) { input.error(error.message); }
    } }, input.el, h('div.actions', null, button)));
    input.input.focus();
  }

  function ways() {
    const way = (sign, title, text, f) => h('button.way', { onclick: f }, icon(sign), h('span', null, h('strong', null, title), h('small', null, text)), icon('right'));
    const heading = h('h1', { tabindex: '-1' }, t('setup.hello', { name: state.status.name }));
    fill(step, heading, h('p.lead', null, t('setup.which')), h('div.ways', null,
      way('invite', t('setup.join'), t('setup.join_text'), () => form(t('setup.join'), joinForm)),
      way('plus', t('setup.start'), t('setup.start_text'), () => form(t('setup.start'), startForm))),
    nearbyList(load.status),
    h('p', null, h('button.link', { onclick: name }, t('setup.rename'))));
    heading.focus();
  }

  function form(title, make) {
    const made = make(load.status);
    fill(step, h('button.link.back', { onclick: ways }, icon('left'), t('back')), h('h1', null, title), made);
    made.querySelector('input, textarea').focus();
  }

  if (state.status.name) ways(); else name();
  return { stop() {} };
}
