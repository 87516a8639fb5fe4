/** The code of a place: who scans it is at its page, and there. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { icon } from '../ui/icons.js';
import { sheet } from '../ui/sheet.js';
import { pathOf } from './card.js';

/** The address that the code has: that of the door beside this node, which phones reach, or else of this page. @param {any} place */
async function addressOf(place) {
  const doors = await api.doors().catch(() => []), door = doors.find((one) => one.own)?.own.addresses[0];
  return { address: door ? `${door}#${pathOf(place.id)}` : `${location.origin}${pathOf(place.id)}#code`, isForPhones: Boolean(door) || !/^(127\.|localhost)/.test(location.hostname) };
}

/** @param {any} place */
export async function showCode(place) {
  const { address, isForPhones } = await addressOf(place), src = `/api/v1${pathOf(place.id)}/code.svg`, figure = h('figure.qr');
  figure.append(h('img', { src, onerror: () => figure.remove(), alt: t('place.code_of', { name: place.name }), width: '300', height: '300' }), h('figcaption', { dir: 'auto' }, place.name));
  sheet(t('place.code'), [figure, h('p.hint', null, t('place.code_text')), h('p.addresses', null, h('code', null, address)), !isForPhones && h('p.hint', null, t('place.code_local')),
    h('div.actions', null, h('a.btn', { href: src, target: '_blank' }, icon('print'), t('invite.print')))]);
}
