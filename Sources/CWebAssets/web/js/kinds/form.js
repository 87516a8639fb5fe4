/** A form for a record of any kind, made of its declaration. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { difference, isLocated, written } from '../lib/declared.js';
import { reaches } from '../lib/levels.js';
import { busy, toast } from '../ui/parts.js';
import { sheet } from '../ui/sheet.js';
import { createControl, pictureControl } from './controls.js';
import { pinControl } from './pin.js';
import { fieldName } from './words.js';

/**
 * The controls of a form.
 * @param {import('../lib/declared.js').Kind} kind @param {any|null} record the one to change
 * @param {{only?: string[], more?: Record<string, any>, pins?: any[]}} [options] the fields in their order; what each control needs besides
 */
export function createFields(kind, record, { only, more = {}, pins } = {}) {
  const who = { isOwn: !record || record.mine, reaches: (level) => reaches(state.status?.current?.level, level) };
  const can = written(kind, who), fields = only ? only.map((name) => can.find((one) => one.name === name)).filter(Boolean) : can;
  const isPinned = isLocated(fields), controls = new Map();
  for (const field of fields) {
    if (isPinned && field.type === 'longitude') continue;
    if (isPinned && field.type === 'latitude') {
      controls.set('position', pinControl(record?.latitude === undefined ? null : { latitude: record.latitude, longitude: record.longitude }, fieldName('position'), pins));
    } else controls.set(field.name, createControl(field, record?.[field.name] ?? more[field.name]?.value, more[field.name]));
  }
  const picture = kind.picture && (!only || only.includes('picture')) && who.isOwn ? pictureControl(fieldName('picture'), record?.preview?.held ? record.preview.url : null) : null;
  if (picture) controls.set('picture', picture);

  return {
    controls,
    els: [...controls.values()].map((one) => one.el),
    /** Shows what is wrong at each field. @returns {boolean} whether nothing is */
    check() {
      let first = null;
      for (const one of controls.values()) {
        const bad = one.check?.() ?? null;
        one.error(bad ? t(...bad) : '');
        if (bad) first ??= one;
      }
      first?.focus();
      return !first;
    },
    /** What is to be sent, the picture first. @returns {Promise<Record<string, any>>} */
    async values() {
      const said = [...controls].flatMap(([name, one]) => (name === 'picture' ? [] : name === 'position' ? Object.entries(one.read() ?? {}) : [[name, one.read()]]));
      const file = picture?.file();
      return { ...difference(Object.fromEntries(said), record), ...(file && { picture: (await api.upload(file)).id }) };
    },
    stop() { for (const one of controls.values()) one.stop?.(); },
  };
}

/**
 * Opens a form in a sheet.
 * @param {{title: string, fields: ReturnType<typeof createFields>, send: (values: any) => Promise<any>, done: (record: any) => void, said?: string, lead?: any, tail?: any, danger?: any}} options
 *   `lead` and `tail` stand before and after the fields; `danger` makes a button of what closes the form
 */
export function openForm({ title, fields, send, done, said, lead, tail, danger }) {
  const wrong = h('p.wrong', { role: 'alert' }), save = h('button.btn.primary', { type: 'submit' }, t('save'));
  const submit = async (event) => {
    event.preventDefault();
    wrong.textContent = '';
    if (!fields.check()) return;
    try {
      const record = await busy(save, t('form.saving'), async () => {
        const values = await fields.values();
        return Object.keys(values).length ? send(values) : null;
      });
      box.close();
      if (!record) return;
      if (said) toast(said);
      done(record);
    } catch (error) {
      // The node names what is wrong by its name in the API.
      const at = fields.controls.get(/`(\w+)`/.exec(error.message)?.[1]);
      if (at) { at.error(error.message); at.focus(); } else wrong.textContent = error.message;
    }
  };
  const box = sheet(title, [h('form', { onsubmit: submit, novalidate: true }, lead, fields.els, tail, wrong,
    h('div.actions', null, save, h('button.btn', { onclick: () => box.close() }, t('cancel')), danger && [h('span.spring'), danger(() => box.close())]))], { wide: true, onclose: fields.stop });
  return box;
}
