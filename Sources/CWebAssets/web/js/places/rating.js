/** What a person thinks of a place or a deal: sliders for its parts and the whole. A new rating takes the place of the old one. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { emit } from '../core/store.js';
import { venues } from '../core/venues.js';
import { createFields } from '../kinds/form.js';
import { busy, toast } from '../ui/parts.js';
import { sheet } from '../ui/sheet.js';

/** The fields in order: the parts lead to the whole. */
const PARTS = ['service', 'atmosphere', 'products', 'overall'];

/** Of a place also how dear it is. @param {any} place @param {() => void} done */
export const ratePlace = (place, done) => rate(place, [...PARTS, 'price_level'], done);

/** @param {any} deal @param {() => void} done */
export const rateDeal = (deal, done) => rate({ ...deal, name: deal.title }, PARTS, done);

async function rate(thing, parts, done) {
  const kind = await venues.kind('rating'), mine = thing.ratings?.mine ?? null;
  // What is taken back lacks it; what is given does not.
  const declared = { ...kind, fields: kind.fields.map((one) => (one.name === 'overall' ? { ...one, required: true } : one)) };
  const fields = createFields(declared, mine && { ...mine, mine: true }, { only: parts });
  const wrong = h('p.wrong', { role: 'alert' }), send = h('button.btn.primary', { type: 'submit' }, t('rating.send'));
  const submit = async (event) => {
    event.preventDefault();
    if (!fields.check()) return;
    wrong.textContent = '';
    // All is said again: what was taken away goes from the old one.
    const said = parts.map((name) => [name, fields.controls.get(name).read()]).filter(([name, value]) => value !== null || mine?.[name]);
    try { await busy(send, t('form.saving'), () => venues.rate(thing.id, Object.fromEntries(said))); } catch (error) { wrong.textContent = error.message; return; }
    end('rating.thanks');
  };
  const end = (words) => { box.close(); toast(t(words)); emit('shared'); done(); };
  const take = h('button.link.danger', { type: 'button', onclick: async () => {
    try { await busy(take, t('form.saving'), () => venues.unrate(thing.id)); } catch (error) { wrong.textContent = error.message; return; }
    end('rating.removed');
  } }, t('rating.remove'));
  const box = sheet(t('rating.title', { name: thing.name }), [h('form.rating', { onsubmit: submit, novalidate: true }, mine && h('p.hint', null, t('rating.recalled')), fields.els, wrong,
    h('div.actions', null, send, h('button.btn', { onclick: () => box.close() }, t('cancel'))), mine && h('p.apart', null, take))]);
}
