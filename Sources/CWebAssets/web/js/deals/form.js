/** The form by which the owner of a place offers something for a time. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { deals } from '../core/deals.js';
import { venues } from '../core/venues.js';
import { createFields, openForm } from '../kinds/form.js';
import { field } from '../ui/parts.js';
import { sheet } from '../ui/sheet.js';
import { pathOf } from './card.js';

/** The fields in the order in which one thinks of them: nothing but the title has to be said. */
const ORDER = ['title', 'price', 'price_before', 'start', 'end', 'quantity', 'text', 'terms', 'picture'];
/** How long a new deal lasts where nobody says otherwise. */
const LASTS_MS = 2 * 3600000;

/** Which of one's own places offers it. @param {any[]} places @param {string} [chosen] an id */
function placeControl(places, chosen) {
  const one = field(t('deal.place'), {}, { tag: 'select' }), first = chosen ?? places[0].id;
  one.input.append(...places.map(({ id, name }) => h('option', { value: id, selected: id === first }, name)));
  one.input.value = first;
  return { el: places.length > 1 ? one.el : h('p', null, t('deal.at', { name: places[0].name })), read: () => one.input.value };
}

/**
 * Opens the form.
 * @param {any|null} deal the one to change; without one a new one
 * @param {{place?: string, done?: (deal: any) => void}} [about] the place that offers it, if that is known
 */
export async function dealForm(deal, { place, done } = {}) {
  const [kind, places] = await Promise.all([venues.kind('deal'), deal ? [deal.place] : deals.ownPlaces()]);
  if (!places.length) {
    sheet(t('deal.new'), [h('p', null, t('deal.no_place')), h('div.actions', null, h('a.btn.primary', { href: '/places' }, t('tab.places')))]);
    return;
  }
  const now = Date.now(), at = placeControl(places, places.some((one) => one.id === place) ? place : undefined);
  const fields = createFields(kind, deal, { only: ORDER, more: {
    title: { autofocus: !deal, maxlength: '200' }, start: { value: new Date(now).toISOString() }, end: { value: new Date(now + LASTS_MS).toISOString() },
    quantity: { inputmode: 'numeric', hint: t('deal.quantity_hint') },
  } });
  const start = fields.controls.get('start'), end = fields.controls.get('end'), { check } = end;
  end.check = () => check() ?? (start.read() && Date.parse(end.read()) <= Date.parse(start.read()) ? ['form.end_after_start', {}] : null);
  openForm({
    title: t(deal ? 'deal.edit' : 'deal.new'), fields, lead: at.el, said: t(deal ? 'place.saved' : 'deal.offered'),
    send: (values) => (deal ? deals.change(deal.id, values) : deals.create({ ...values, target: at.read() })),
    done: (record) => { if (done) done(record); else go(pathOf(record.id)); },
  });
}
