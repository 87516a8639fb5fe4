/** What its author says of a photo, to be changed; of a clip also what it is about. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { busy, field } from './parts.js';
import { sheet } from './sheet.js';

/** @param {{id: string, title: string}} photo @param {(photo: any) => void} done with the photo as it is then */
export async function editCaption(photo, done) {
  const about = photo.duration_ms ? await import('../places/theming.js').then((code) => code.themeControls(photo)) : null;
  const words = field(t('viewer.caption'), { rows: '3', maxlength: '1000', value: photo.title, autofocus: true }, { tag: 'textarea', hint: t('viewer.caption_hint') });
  const save = h('button.btn.primary', { type: 'submit' }, t('save'));
  const submit = async (event) => {
    event.preventDefault();
    if (about && !about.check()) return;
    try {
      done(await busy(save, t('form.saving'), () => api.setCaption(photo.id, { title: words.input.value, ...about?.read() })));
      box.close();
    } catch (error) { words.error(error.message); }
  };
  const box = sheet(t('viewer.caption'), [h('form', { onsubmit: submit, novalidate: true }, words.el, about?.els, h('div.actions', null, save, h('button.btn', { onclick: () => box.close() }, t('cancel'))))]);
}
