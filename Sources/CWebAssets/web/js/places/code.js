/** The code of a place: who scans it is at its page, and there. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { icon } from '../ui/icons.js';
import { sheet } from '../ui/sheet.js';
import { pathOf } from './card.js';

/** What the code's address ends in, so that its page knows that somebody stands there. */
export const CODE = '#code';

/** @param {any} place */
export function showCode(place) {
  const address = `${location.origin}${pathOf(place.id)}${CODE}`;
  const img = h('img', { src: `/api/v1${pathOf(place.id)}/code.svg`, alt: t('place.code_of', { name: place.name }), width: '300', height: '300' });
  sheet(t('place.code'), [h('figure.qr', null, img, h('figcaption', { dir: 'auto' }, place.name)), h('p.hint', null, t('place.code_text')), h('p.addresses', null, h('code', null, address)),
    h('div.actions', null, h('a.btn', { href: img.getAttribute('src'), target: '_blank' }, icon('print'), t('invite.print')))]);
}
