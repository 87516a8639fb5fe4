/** Taking photos home: the browser saves an archive that the node makes while it sends it. */
import { h } from '../core/dom.js';
import { offline, problemFrom } from '../core/api.js';
import { t } from '../core/i18n.js';
import { query } from '../lib/paths.js';
import { icon } from './icons.js';
import { complain, toggle } from './parts.js';
import { sheet } from './sheet.js';

const ARCHIVE = '/api/v1/photos.zip';

/** Formats that not every program shows. */
const UNCOMMON = ['image/heic', 'image/heif', 'image/avif'];

/** Whether a JPEG of a photo is of use to somebody. @param {{mime: string}} photo */
export const isUncommon = (photo) => UNCOMMON.includes(photo.mime);

/** Saves chosen photos. More ids than an address holds go as a form, whose answer the browser saves by itself. @param {string[]} ids */
export function saveChosen(ids, asJPEG = false) {
  const form = h('form', { method: 'post', action: query(ARCHIVE, { format: asJPEG && 'jpeg' }), hidden: true },
    h('input', { type: 'hidden', name: 'ids', value: ids.join(',') }));
  document.body.append(form);
  form.submit();
  form.remove();
}

/** Saves what is at an address, unless there is nothing: browsers say little about downloads that fail. @param {string} address */
async function saveAt(address) {
  let answer;
  try { answer = await fetch(address, { method: 'HEAD' }); } catch { complain(offline()); return false; }
  if (!answer.ok) {
    complain(answer.status === 404 ? new Error(t('save.none')) : problemFrom('', answer.status));
    return false;
  }
  const link = h('a', { href: address, download: '' });
  document.body.append(link);
  link.click();
  link.remove();
  return true;
}

/** Offers to save all photos, or those of one kind. @param {string|null} moment on whose page this is asked */
export function offerAll(moment) {
  const jpeg = h('input', { type: 'checkbox', role: 'switch' });
  const choices = [
    moment && ['save.moment', { target: moment }], ['save.everything', {}], ['save.mine', { mine: true }], ['save.faved', { faved: true }],
  ].filter(Boolean);
  const box = sheet(t('save.title'), [
    h('p.hint', null, t('save.text')),
    toggle('photos', t('save.jpeg'), jpeg),
    h('ul.rows', null, choices.map(([words, which]) => h('li', null,
      h('button.row', { onclick: async () => { if (await saveAt(query(ARCHIVE, { ...which, format: jpeg.checked && 'jpeg' }))) box.close(); } },
        h('strong', null, t(words)), icon('save'))))),
  ]);
}
