/** Who I am: name and picture. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { load, myself, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { avatar, busy, field, toast } from './parts.js';
import { sheet } from './sheet.js';

/** Opens the sheet that changes one's name and picture. @param {Blob} [picture] a picture to begin with */
export function editProfile(picture) {
  const me = myself();
  const name = field(t('profile.name'), { value: state.status.name ?? me.name, maxlength: '100', autocomplete: 'name', required: true });
  const wrong = h('p.wrong', { role: 'alert' });
  // Who has only a phone keeps nothing on a node of one's own.
  const own = !visiting(), last = field(t('profile.last_name'), { maxlength: '100', autocomplete: 'family-name' }), email = field(t('profile.email'), { type: 'email', maxlength: '254', autocomplete: 'email' }, { hint: t('profile.own_hint') });
  let known = null;
  if (own) api.contact().then((contact) => { known = contact; last.input.value ||= contact.last_name ?? ''; email.input.value ||= contact.email ?? ''; }).catch(() => {});
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

  const card = h('input.sr', { type: 'file', accept: '.vcf,text/vcard,text/x-vcard', onchange: () => { if (card.files[0]) takeCard(card.files[0]); } });

  /** Fills the form with what a contact file says; nothing is kept before one saves. @param {File} file */
  async function takeCard(file) {
    wrong.textContent = '';
    try {
      const read = await api.readCard(file);
      for (const [to, words] of [[name, read.name], [last, read.last_name], [email, read.email]]) if (words) to.input.value = words;
      if (read.picture) choose(new Blob([Uint8Array.from(atob(read.picture), (c) => c.charCodeAt(0))]));
    } catch (error) { wrong.textContent = error.message; }
    card.value = '';
  }

  async function submit(event) {
    event.preventDefault();
    wrong.textContent = '';
    if (!name.input.value.trim()) { name.error(t('setup.need_name')); name.input.focus(); return; }
    try {
      await busy(save, t('form.saving'), async () => {
        if (name.input.value.trim() !== state.status.name) await api.setName(name.input.value.trim());
        if (own && known && (last.input.value.trim() !== (known.last_name ?? '') || email.input.value.trim() !== (known.email ?? ''))) await api.setContact({ last_name: last.input.value, email: email.input.value });
        if (chosen) await api.setPicture(chosen);
        await Promise.all([load.status(), state.people && load.people()]);
      });
      box.close();
      toast(t('profile.saved'));
    } catch (error) { wrong.textContent = error.message; }
  }

  const box = sheet(t('profile.title'), [h('form', { onsubmit: submit, novalidate: true },
    h('div.portrait', null, face, state.status.current && h('label.btn.small', null, input, t('profile.choose'))),
    name.el, h('p.hint', null, t('profile.hint')), own && [last.el, email.el, h('label.btn.small', null, card, t('profile.import'))], wrong,
    h('div.actions', null, save, h('button.btn', { onclick: () => box.close() }, t('cancel'))))]);
}
