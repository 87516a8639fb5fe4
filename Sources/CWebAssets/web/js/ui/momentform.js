/** The form to make or change a moment. */
import { decimal, position, problems } from '../lib/moments.js';
import { fromInput, toInput } from '../lib/time.js';
import { can, fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { emit, keepMoment, on, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { visibilityField } from './guests.js';
import { busy, complain, field } from './parts.js';
import { locate } from './participate.js';
import { confirm, sheet } from './sheet.js';

const HOUR = 3600000;
/** What was typed for new moments and not sent when their form was closed by Back, Escape or the X, or not taken, by event; the latest last. @type {Map<string, {typed: Record<string, string>, isPrivate: boolean}[]>} */
const unsent = new Map();
/** So many of them are kept of an event. */
const DRAFTS = 5;

/**
 * @param {any} [moment] the one to change; a new one without
 */
export function momentForm(moment) {
  // The event's own places have ids, and go before what moments say.
  const known = new Map((state.moments ?? []).filter((m) => m.place?.name).map((m) => [m.place.name, { ...m.place, id: undefined }]));
  const zone = state.status?.current?.time_zone;
  const place = moment?.place ?? null;
  const start = moment ? moment.start : Math.floor(Date.now() / 60000) * 60000;
  const fields = {
    title: field(t('form.title'), { maxlength: '200', value: moment?.title ?? '', autofocus: !moment, autocomplete: 'off' }),
    description: field(t('form.description'), { rows: '2', maxlength: '4000', value: moment?.description ?? '' }, { tag: 'textarea' }),
    start: field(t('form.start'), { type: 'datetime-local', value: toInput(start, zone) }),
    end: field(t('form.end'), { type: 'datetime-local', value: toInput(moment ? moment.end : start + 2 * HOUR, zone) }),
    name: field(t('form.place'), { maxlength: '200', list: 'known-places', value: place?.name ?? '', autocomplete: 'off' }, { hint: t('form.place_hint') }),
    latitude: field(t('form.latitude'), { inputmode: 'decimal', autocomplete: 'off', value: String(place?.latitude ?? '') }),
    longitude: field(t('form.longitude'), { inputmode: 'decimal', autocomplete: 'off', value: String(place?.longitude ?? '') }),
    radius: field(t('form.radius'), { type: 'number', min: '1', max: '100000', inputmode: 'numeric', value: place?.radius_m ?? 100 }, { hint: t('form.radius_hint') }),
  };
  const kinds = h('select', { 'aria-label': t('form.category') }, h('option', { value: '' }, t('form.no_category')));
  const category = h('div.field', { hidden: true }, h('span.label', { 'aria-hidden': 'true' }, t('form.category')), kinds);
  const near = h('div.choose', { role: 'group', 'aria-label': t('form.places'), hidden: true });
  const options = h('datalist', { id: 'known-places' });
  const sees = moment || visiting() ? null : visibilityField();
  let isDone = false, isSending = false, isClosed = false;
  const wrong = h('p.wrong', { role: 'alert' });
  const save = h('button.btn.primary', { type: 'submit' }, t(moment ? 'save' : 'form.create'));
  const device = h('button.btn.small', { hidden: !can.locate(), onclick: here }, t('form.here'));

  const exact = ['latitude', 'longitude', 'radius'];
  const where = h('details', { open: place?.latitude != null }, h('summary', null, t('form.where')), h('div.stack', null, h('p.hint', null, t('form.where_hint')),
    h('div.trio', null, exact.map((key) => fields[key].el)), device));

  /** The places of the event, the nearest first where somebody says where that is. @param {{latitude: number, longitude: number}} [at] */
  async function showPlaces(at) {
    const places = await api.places(at && `${at.latitude},${at.longitude}`).catch(() => []);
    for (const one of places) known.set(one.name, one);
    fill(options, [...known.keys()].map((name) => h('option', { value: name })));
    fill(near, places.slice(0, 6).map((one) => h('button', { onclick: () => { fields.name.input.value = one.name; take(one); } }, one.name)));
    near.hidden = !places.length;
  }

  async function showCategories() {
    const all = await api.categories().catch(() => []);
    for (const one of all) kinds.append(h('option', { value: one.id, selected: moment?.categories?.includes(one.id) }, one.name));
    category.hidden = !all.length;
  }

  const values = () => Object.fromEntries(Object.entries(fields).map(([key, f]) => [key, f.input.value]));
  const began = values();
  const current = () => state.status?.current?.id ?? '', event = current();
  // What is written for one event is not sent to another, that somebody opens meanwhile.
  const off = on('status', () => { if (current() !== event) box.close(); });
  const kept = moment ? undefined : unsent.get(event)?.pop();
  const reminder = kept && h('div.row', { role: 'status' }, h('span', null, t('form.unsent')),
    h('button.link', { 'aria-label': `${t('form.discard')}: ${t('form.unsent')}`, onclick: discard }, t('form.discard')));
  if (kept) {
    put(kept.typed);
    // Whom it was for is chosen anew; that it was not for everybody is kept.
    if (kept.isPrivate) sees?.restrict();
  }

  function closed() {
    isClosed = true;
    off();
    sees?.stop();
    // Whether it is to be kept is known once it was sent or not.
    if (!isDone && !isSending) keep();
  }

  function keep() {
    if (moment) return;
    const isPrivate = sees?.draft().private;
    // A time that nobody chose is another one when the form is opened again.
    const typed = Object.fromEntries(Object.entries(values()).filter(([key, value]) => value !== began[key]));
    if (isPrivate || Object.keys(typed).length) unsent.set(event, [...unsent.get(event) ?? [], { typed, isPrivate }].slice(-DRAFTS));
  }

  /** Fills in fields, with which nothing is wrong then. @param {Record<string, string>} typed */
  function put(typed) {
    for (const [key, value] of Object.entries(typed)) { fields[key].input.value = value; fields[key].error(''); }
  }

  /** Begins anew, with an empty form. */
  function discard() {
    if (isSending) return;
    put(began);
    length = lasts();
    sees?.clear();
    wrong.textContent = '';
    fields.title.input.focus();
    reminder.remove();
  }

  /** Fills in where a known place is. @param {any} one */
  function take(one) {
    for (const key of ['latitude', 'longitude']) fields[key].input.value = '';
    if (one.latitude != null) setPlace(one);
    fields.name.error('');
  }

  function setPlace(to) {
    for (const key of ['latitude', 'longitude']) { fields[key].input.value = String(Math.round(to[key] * 1e6) / 1e6); fields[key].error(''); }
    if (to.radius_m) fields.radius.input.value = String(to.radius_m);
  }

  async function here() {
    try {
      const at = await busy(device, t('checkin.looking'), locate);
      setPlace(at);
      await showPlaces(at);
    } catch (error) { fields.latitude.error(error.message); }
  }

  fields.latitude.input.addEventListener('input', () => { const both = position(fields.latitude.input.value); if (both) setPlace(both); });
  fields.name.input.addEventListener('input', () => { const found = known.get(fields.name.input.value); if (found?.latitude != null) take(found); });
  // The wished length stays when the start moves.
  const lasts = () => Date.parse(fields.end.input.value) - Date.parse(fields.start.input.value);
  let length = lasts();
  fields.start.input.addEventListener('change', () => {
    const from = Date.parse(fields.start.input.value);
    if (!moment && from && length > 0) fields.end.input.value = toInput(from + length);
    check(['end']);
  });
  fields.end.input.addEventListener('change', () => {
    length = lasts();
    check(['end']);
  });

  /** @param {string[]} keys @returns {string|undefined} the first field with a problem */
  function check(keys) {
    const found = problems(values());
    for (const key of keys) fields[key].error(found[key] ? t(found[key]) : '');
    return keys.find((key) => found[key]);
  }

  async function submit(pressed) {
    pressed.preventDefault();
    wrong.textContent = '';
    const bad = check(Object.keys(fields));
    if (bad) {
      // It may be folded.
      if (exact.includes(bad)) where.open = true;
      if (bad !== 'title') rest.open = true;
      fields[bad].input.focus();
      return;
    }
    const wished = moment ? whole(values()) : brief(values());
    isSending = true;
    try {
      const answer = await busy(save, t('form.saving'), () => (moment ? api.editMoment(moment.id, wished) : api.createMoment(wished)));
      if (current() === event) keepMoment(answer);
      // Back may have closed it meanwhile, and one is elsewhere.
      if (isClosed) return;
      leave();
      if (!moment) go(`/moments/${encodeURIComponent(answer.id)}`);
    } catch (error) {
      wrong.textContent = error.message;
      if (!isClosed || isDone) return;
      keep();
      complain(error);
    } finally { isSending = false; }
  }

  /** What the form says of the place; nothing where it says nothing. */
  function placeOf(v) {
    const name = v.name.trim(), one = known.get(name);
    const at = v.latitude.trim() && { latitude: decimal(v.latitude), longitude: decimal(v.longitude), radius_m: Math.round(decimal(v.radius)) };
    if (one?.id && at && ['latitude', 'longitude'].every((key) => Math.abs(one[key] - at[key]) < 1e-6) && one.radius_m === at.radius_m) return { id: one.id };
    return name || at ? { ...(name && { name }), ...at } : undefined;
  }

  /** All that the form says, of a moment that there is. */
  function whole(v) {
    const title = v.title.trim() || v.name.trim(), place = placeOf(v);
    return {
      title, description: v.description.trim(), start: fromInput(v.start, zone), end: fromInput(v.end, zone),
      ...(place && { place: place.id || place.name ? place : { name: title, ...place } }), ...(category.hidden ? {} : { categories: kinds.value ? [kinds.value] : [] }),
    };
  }

  /** What somebody said of a new one; the node knows the rest. */
  function brief(v) {
    const place = placeOf(v);
    return {
      ...(v.title.trim() && { title: v.title.trim() }), ...(v.description.trim() && { description: v.description.trim() }),
      ...(v.start !== began.start && { start: fromInput(v.start, zone) }), ...((v.start !== began.start || v.end !== began.end) && { end: fromInput(v.end, zone) }),
      ...(place && { place }), ...(kinds.value && { categories: [kinds.value] }), ...sees?.draft(),
    };
  }

  async function remove() {
    const done = await confirm({
      title: t('moment.delete'), text: t('moment.delete_text', { title: moment.title }), action: t('delete'), work: () => api.deleteMoment(moment.id),
    });
    if (!done) return;
    leave();
    state.moments = state.moments?.filter((m) => m.id !== moment.id) ?? null;
    emit('moments', state.moments);
    go('/moments', { replace: true });
  }

  const details = [fields.description.el, h('div.pair', null, fields.start.el, fields.end.el), zoneNote(), fields.name.el, options, near, where, category];
  const rest = moment ? h('div.stack', null, details) : h('details.rest', { open: Object.keys(kept?.typed ?? {}).some((key) => key !== 'title') }, h('summary', null, t('form.details')), h('div.stack', null, details));
  const box = sheet(t(moment ? 'form.edit' : 'form.new'), [h('form', { onsubmit: submit, novalidate: true },
    reminder, fields.title.el, !moment && h('p.hint', null, t('form.either')), rest, sees?.el, wrong,
    h('div.actions', null, save, h('button.btn', { onclick: leave }, t('cancel')),
      moment && h('span.spring'), moment && h('button.btn.quiet-danger', { onclick: remove }, t('moment.delete'))))], { wide: true, onclose: closed });
  showPlaces();
  showCategories();

  /** Says in which zone the times are, where the reader's clock shows another. */
  function zoneNote() {
    return zone && toInput(start, zone) !== toInput(start) && h('p.hint', null, t('form.zone', { zone: zone.replaceAll('_', ' ') }));
  }

  /** Closes the form without keeping a draft. */
  function leave() {
    isDone = true;
    box.close();
  }
}
