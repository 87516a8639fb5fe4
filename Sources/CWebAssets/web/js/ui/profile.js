/** Who I am: name and picture. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { load, myself, state } from '../core/store.js';
import { avatar, busy, field, toast } from './parts.js';
import { sheet } from './sheet.js';

/** Opens the sheet that changes one's name and picture. @param {Blob} [picture] a picture to begin with */
export function editProfile(picture) {
  const me = myself();
  const name = field(t('profile.name'), { value: state.status.name ?? me.name, maxlength: '100', autocomplete: 'name', required: true });
  const wrong = h('p.wrong', { role: 'alert' });
  const save = h('button.btn.primary', { type: 'submit' }, t('save'));
  const face = h('div.face', null, avatar(me, 'l'));
  let chosen = null;
  const input = h('input.sr', { type: 'file', accept: 'image/*', onchange: () => {
    if (!input.files[0]) return;
    choose(input.files[0]);
  } });

  /** @param {Blob} file shown at once, sent with the rest */
  function choose(file) {
    chosen = file;
    const url = URL.createObjectURL(chosen);
    const img = h('img', { src: url, alt: t('profile.new_picture'), onload: () => URL.revokeObjectURL(url) });
    face.replaceChildren(h('span.avatar.l', null, img));
  }
  if (picture) choose(picture);

  async function submit(event) {
    event.preventDefault();
    wrong.textContent = '';
    if (!name.input.value.trim()) { name.error(t('setup.need_name')); name.input.focus(); return; }
    try {
      await busy(save, t('form.saving'), async () => {
        if (name.input.value.trim() !== state.status.name) await api.setName(name.input.value.trim());
        if (chosen) await api.setPicture(chosen);
        await Promise.all([load.status(), state.people && load.people()]);
      });
      box.close();
      toast(t('profile.saved'));
    } catch (error) { wrong.textContent = error.message; }
  }

  const box = sheet(t('profile.title'), [h('form', { onsubmit: submit, novalidate: true },
    h('div.portrait', null, face, state.status.current && h('label.btn.small', null, input, t('profile.choose'))),
    name.el, h('p.hint', null, t('profile.hint')), wrong,
    h('div.actions', null, save, h('button.btn', { onclick: () => box.close() }, t('cancel'))))]);
}
