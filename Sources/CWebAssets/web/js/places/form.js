/** Adding a place, and changing one: each attendee what all help to describe, its author and moderators the rest. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { uploads } from '../core/uploads.js';
import { venues } from '../core/venues.js';
import { tree } from '../lib/find.js';
import { createFields, openForm } from '../kinds/form.js';
import { icon } from '../ui/icons.js';
import { confirm } from '../ui/sheet.js';
import { pathOf } from './card.js';

/** The fields in the order in which one thinks of them. */
const ORDER = ['name', 'latitude', 'longitude', 'categories', 'address', 'hours', 'telephone', 'description', 'radius_m'];
/** Metres around a new place in which people check in. */
const RADIUS = 100;

/** Pictures for a new place: they are sent like all photos once it is there. */
function pictures() {
  const told = h('span', { role: 'status' });
  const input = h('input.sr', { type: 'file', accept: 'image/*', multiple: true, onchange: () => { told.textContent = t('kind.files', { n: input.files.length }); } });
  return { el: h('div.field', null, h('span.label', null, t('place.photos')), h('label.btn.small', null, input, icon('camera'), t('upload.choose')), told), files: () => [...input.files] };
}

/**
 * Opens the form.
 * @param {any|null} place the one to change; without one a new one
 * @param {{categories: any[], places?: any[], name?: string, done?: (place: any) => void}} about what there is; what was searched for
 */
export async function placeForm(place, { categories, places = [], name = '', done }) {
  const kind = await venues.kind('place'), options = tree(categories).map(({ category, depth }) => ({ id: category.id, name: category.name, depth }));
  const fields = createFields(kind, place, {
    only: ORDER.filter((one) => one !== 'categories' || options.length), pins: places,
    more: {
      name: { value: name, autofocus: !place, maxlength: '200' }, radius_m: { value: RADIUS, hint: t('place.radius_hint') },
      categories: { options, hint: t('place.categories_hint') }, telephone: { inputmode: 'tel' },
    },
  });
  const category = fields.controls.get('categories');
  // A place of an event with categories is found by one.
  if (category) { const { check } = category; category.check = () => (category.read().length ? check() : ['place.category_required', {}]); }
  const photos = place ? null : pictures();
  const drop = place?.mine && ((close) => h('button.btn.quiet-danger', { onclick: async () => {
    const gone = await confirm({ title: t('place.delete'), text: t('place.delete_text', { name: place.name }), action: t('delete'), work: () => venues.drop('places', place.id) });
    if (gone) { close(); go('/places', { replace: true }); }
  } }, t('place.delete')));
  openForm({
    title: t(place ? 'place.edit' : 'place.add'), fields, danger: drop, tail: photos?.el, said: t(place ? 'place.saved' : 'place.added'),
    send: (values) => (place ? venues.change('places', place.id, values) : venues.create('places', values)),
    done(record) {
      if (photos?.files().length) uploads.add(photos.files(), record.id);
      if (done) done(record); else go(pathOf(record.id));
    },
  });
}
