/** The form to make or change a moment. */
import { decimal, position, problems } from '../lib/moments.js';
import { fromInput, toInput } from '../lib/time.js';
import { can, h } from '../core/dom.js';
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
  const known = new Map((state.moments ?? []).filter((m) => m.place?.name).map((m) => [m.place.name, m.place]));
  const place = moment?.place ?? null;
  const start = moment ? moment.start : Math.floor(Date.now() / 60000) * 60000;
  const fields = {
    title: field(t('form.title'), { maxlength: '200', value: moment?.title ?? '', autofocus: !moment, autocomplete: 'off' }),
    description: field(t('form.description'), { rows: '2', maxlength: '4000', value: moment?.description ?? '' }, { tag: 'textarea' }),
    start: field(t('form.start'), { type: 'datetime-local', value: toInput(start) }),
    end: field(t('form.end'), { type: 'datetime-local', value: toInput(moment ? moment.end : start + 2 * HOUR) }),
    name: field(t('form.place'), { maxlength: '200', list: 'known-places', value: place?.name ?? '', autocomplete: 'off' }, { hint: known.size ? t('form.place_hint') : '' }),
    latitude: field(t('form.latitude'), { inputmode: 'decimal', autocomplete: 'off', value: String(place?.latitude ?? '') }),
    longitude: field(t('form.longitude'), { inputmode: 'decimal', autocomplete: 'off', value: String(place?.longitude ?? '') }),
    radius: field(t('form.radius'), { type: 'number', min: '1', max: '100000', inputmode: 'numeric', value: place?.radius_m ?? 100 }, { hint: t('form.radius_hint') }),
  };
  const sees = moment || visiting() ? null : visibilityField();
  let isDone = false, isSending = false, isClosed = false;
  const wrong = h('p.wrong', { role: 'alert' });
  const save = h('button.btn.primary', { type: 'submit' }, t(moment ? 'save' : 'form.create'));
  const device = h('button.btn.small', { hidden: !can.locate(), onclick: here }, t('form.here'));

  const exact = ['latitude', 'longitude', 'radius'];
  const where = h('details', { open: place?.latitude != null }, h('summary', null, t('form.where')), h('div.stack', null, h('p.hint', null, t('form.where_hint')),
    h('div.trio', null, exact.map((key) => fields[key].el)), device));

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

  function setPlace(to) {
    for (const key of ['latitude', 'longitude']) { fields[key].input.value = String(Math.round(to[key] * 1e6) / 1e6); fields[key].error(''); }
    if (to.radius_m) fields.radius.input.value = String(to.radius_m);
  }

  async function here() {
    try { setPlace(await busy(device, t('checkin.looking'), locate)); } catch (error) { fields.latitude.error(error.message); }
  }

  fields.latitude.input.addEventListener('input', () => { const both = position(fields.latitude.input.value); if (both) setPlace(both); });
  fields.name.input.addEventListener('input', () => { const found = known.get(fields.name.input.value); if (found?.latitude != null) setPlace(found); });
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
      fields[bad].input.focus();
      return;
    }
    const v = values();
    const title = v.title.trim() || v.name.trim(), name = v.name.trim() || title;
    const at = v.latitude.trim() && { latitude: decimal(v.latitude), longitude: decimal(v.longitude), radius_m: Math.round(decimal(v.radius)) };
    const wished = {
      title, description: v.description.trim(), start: fromInput(v.start), end: fromInput(v.end),
      ...(at || v.name.trim() ? { place: { name, ...at } } : {}), ...sees?.draft(),
    };
    isSending = true;
    try {
      const answer = await busy(save, t('form.saving'), () => (moment ? api.editMoment(moment.id, wished) : make(wished)));
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

  /** Whoever makes a moment takes part in it. */
  async function make(wished) {
    const made = await api.createMoment(wished);
    return made.button === 'join' ? api.joinMoment(made.id).catch(() => made) : made;
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

  const box = sheet(t(moment ? 'form.edit' : 'form.new'), [h('form', { onsubmit: submit, novalidate: true },
    reminder, !moment && h('p.hint', null, t('form.either')), fields.title.el, fields.description.el,
    h('div.pair', null, fields.start.el, fields.end.el),
    fields.name.el, h('datalist', { id: 'known-places' }, [...known.keys()].map((name) => h('option', { value: name }))),
    where,
    sees?.el, wrong,
    h('div.actions', null, save, h('button.btn', { onclick: leave }, t('cancel')),
      moment && h('span.spring'), moment && h('button.btn.quiet-danger', { onclick: remove }, t('moment.delete'))))], { wide: true, onclose: closed });

  /** Closes the form without keeping a draft. */
  function leave() {
    isDone = true;
    box.close();
  }
}
