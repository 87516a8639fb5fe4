/** What somebody with only a phone may do about taking part: name, another phone, a computer, leaving. Loaded on demand. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { endStream } from '../core/stream.js';
import { myself, state } from '../core/store.js';
import { inGroups, left } from '../lib/codes.js';
import { icon } from './icons.js';
import { later } from './later.js';
import { avatar, busy, complain, field } from './parts.js';
import { confirm, sheet } from './sheet.js';

const editProfile = () => later(() => import('./profile.js'), (form) => form.editProfile());

/** Opens the sheet that says how to take part with a computer. */
export const explain = () => sheet(t('visit.how'), [
  h('p', null, t('visit.how_text')),
  h('ol.steps', null, h('li', null, t('visit.step_node')), h('li', null, t('visit.step_invitation')), h('li', null, t('visit.step_join'))),
]);

/** Opens the menu of the person who holds this phone. */
export function you() {
  const { person, visit } = state.status;
  const deed = (sign, words, act, kind = '') => h(`button.btn.wide${kind}`, { onclick: () => { box.close(); act(); } }, icon(sign), words);
  const face = person && h('div.portrait', null, avatar(myself(), 'l'), h('strong', null, visit.named ? myself().name : t('visit.unnamed')));
  const box = sheet(t('visit.you'), [face, !person && h('p', null, t('visit.newcomer')), h('div.stack', null,
    person ? [deed('edit', t('visit.name_do'), editProfile), deed('invite', t('visit.other_phone'), showCode)]
      : deed('invite', t('visit.sign_in'), signIn),
    deed('face', t('visit.computer'), explain),
    person && deed('trash', t('visit.leave'), leave, '.quiet-danger'))]);
}

/** Shows the code by which another phone goes on as this person. */
async function showCode() {
  let made;
  try { made = await api.signInCode(); } catch (error) { complain(error); return; }
  const time = h('p.hint'), digits = h('p.digits', null, inGroups(made.code)), again = h('button.btn', { hidden: true, onclick: () => { box.close(); showCode(); } }, t('visit.code_again'));
  const tick = () => {
    const is = left(made.expires, Date.now());
    time.textContent = is ? t('visit.code_left', { left: is }) : t('visit.code_over');
    digits.hidden = !is;
    again.hidden = Boolean(is);
  };
  const timer = setInterval(tick, 1000);
  const box = sheet(t('visit.other_phone'), [
    h('ol.steps', null, h('li', null, t('visit.code_scan')), h('li', null, t('visit.code_menu', { you: t('visit.you'), sign_in: t('visit.sign_in') })), h('li', null, t('visit.code_type'))),
    digits, time, again, h('p.hint', null, t('visit.code_care')),
  ], { onclose: () => clearInterval(timer) });
  tick();
}

/** Takes the code that another phone shows. */
function signIn() {
  const code = field(t('visit.code'), { inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: '11', autofocus: true }, { hint: t('visit.code_hint') });
  const button = h('button.btn.primary', { type: 'submit' }, t('continue'));
  const box = sheet(t('visit.sign_in'), [h('form', { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const digits = code.input.value.replace(/\D/g, '');
    if (digits.length !== 8) { code.error(t('visit.code_bad')); code.input.focus(); return; }
    try {
      await busy(button, t('continue'), () => api.signIn(digits));
      location.reload();
    } catch (error) { code.error(error.message); code.input.focus(); }
  } }, code.el, h('div.actions', null, button, h('button.btn', { onclick: () => box.close() }, t('cancel'))))]);
}

async function leave() {
  // Its end would be told to this page too, which would then ask for the code.
  const go = async () => {
    endStream(true);
    try { await api.leaveVisit(); } catch (error) { endStream(false); throw error; }
  };
  const { title } = state.status.current;
  const done = await confirm({ title: t('event.leave', { title }), text: t('visit.leave_text'), action: t('visit.leave'), work: go });
  if (done) fill(document.body, h('main.alone', null, h('div.empty.boot', null, h('h1', null, t('event.left', { title })), h('p', null, t('visit.left_text')))));
}
