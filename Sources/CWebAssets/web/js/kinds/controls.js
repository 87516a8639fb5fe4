/** What somebody fills in for one field of a kind, as its declaration says. */
import { fill, h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { nameOf, state } from '../core/store.js';
import { control, problem } from '../lib/declared.js';
import { readMoney } from '../lib/money.js';
import { decimal } from '../lib/moments.js';
import { fromInput, toInput } from '../lib/time.js';
import { icon } from '../ui/icons.js';
import { field as labelled, toggle } from '../ui/parts.js';
import { hoursTable } from './hours.js';
import { choiceName, currency, fieldName, typedMoney, valueWord } from './words.js';

/**
 * @typedef {object} Control
 * @property {HTMLElement} el @property {() => any} read the value; null for none @property {(text: string) => void} error shows what is wrong
 * @property {() => void} focus @property {() => [string, any]|null} check
 */

let count = 0;

/** A group of parts under one name, with a place for what is wrong. @param {string} label @param {any[]} parts @param {string} [hint] */
export function group(label, parts, hint) {
  const wrong = h('p.wrong', { role: 'alert' });
  const el = h('fieldset.control', null, h('legend', null, label), hint && h('p.hint', null, hint), parts, wrong);
  return { el, error: (text) => { wrong.textContent = text; }, focus: () => el.querySelector('input')?.focus() };
}

function typed(field, value, { label, hint, ...props }) {
  const one = labelled(label, { autocomplete: 'off', ...props, value: value ?? '' }, { hint, tag: control(field) === 'lines' ? 'textarea' : 'input' });
  return { ...one, read: () => one.input.value.trim() || null, focus: () => one.input.focus() };
}

function number(field, value, more) {
  const one = typed(field, value, { inputmode: 'decimal', ...more });
  return { ...one, read: () => (one.input.value.trim() ? decimal(one.input.value) : null) };
}

/** A sum of money, typed in the event's currency. */
function sum(field, value, { label, ...more }) {
  const one = typed(field, value === undefined || value === null ? null : typedMoney(value), { label: [label, currency()].filter(Boolean).join(', '), inputmode: 'decimal', ...more });
  const read = () => (one.input.value.trim() ? readMoney(one.input.value, currency()) : null);
  return { ...one, read, check: () => (Number.isNaN(read()) ? ['kind.bad_sum', { example: typedMoney(499) }] : problem(field, read())) };
}

/** A time as one types it: what nobody changed keeps its seconds. */
function time(field, value, more) {
  const zone = state.status?.current?.time_zone, before = value && toInput(value, zone), one = typed(field, before, { type: 'datetime-local', ...more });
  return { ...one, read: () => (value && one.input.value === before ? value : fromInput(one.input.value, zone) || null) };
}

function select(label, options, value, isRequired) {
  const one = labelled(label, {}, { tag: 'select' });
  fill(one.input, !isRequired && h('option', { value: '' }, t('kind.none')), options.map(([id, words]) => h('option', { value: id, selected: id === value }, words)));
  if (value) one.input.value = value;
  return { ...one, read: () => one.input.value || null, focus: () => one.input.focus() };
}

/** A slider whose left end says nothing; its value is said in words. */
export function slider(field, value, { label, onchange = () => {} }) {
  const none = field.minimum - 1, id = `s${++count}`;
  const words = h('output', { for: id });
  const input = h('input', { id, type: 'range', min: none, max: field.maximum, step: '1', value: value ?? none, 'aria-describedby': `${id}w`, oninput: () => { draw(); onchange(); } });
  const wrong = h('p.wrong', { id: `${id}w`, role: 'alert' });
  const read = () => (Number(input.value) > none ? Number(input.value) : null);
  function draw() {
    const said = read() === null ? t('kind.unsaid') : valueWord(field.name, read());
    words.textContent = said;
    input.setAttribute('aria-valuetext', said);
    wrong.textContent = '';
  }
  draw();
  return { el: h('div.field.slider', null, h('label', { for: id }, label), words, input, wrong), read, error: (text) => { wrong.textContent = text; }, focus: () => input.focus() };
}

/**
 * Records to tick, as many as the field holds; deeper ones stand further in.
 * @param {{id: string, name: string, depth?: number}[]} options
 */
export function ticks(field, value, { label, hint, options }) {
  const chosen = new Set(value ?? []), boxes = new Map();
  const draw = () => { for (const [id, box] of boxes) box.disabled = chosen.size >= field.limit && !chosen.has(id); };
  const rows = options.map(({ id, name, depth = 0 }) => {
    const box = h('input', { type: 'checkbox', checked: chosen.has(id), onchange: () => { if (box.checked) chosen.add(id); else chosen.delete(id); one.error(''); draw(); } });
    boxes.set(id, box);
    return h(`li.depth${Math.min(depth, 4)}`, null, h('label', null, box, h('span', null, name)));
  });
  const one = group(label, [h('ul.choices', null, rows)], hint);
  draw();
  return { ...one, read: () => [...chosen].filter((id) => boxes.has(id)) };
}

function flag(_, value, { label }) {
  const input = h('input', { type: 'checkbox', role: 'switch', checked: Boolean(value) }), wrong = h('p.wrong', { role: 'alert' });
  return { el: h('div', null, toggle('check', label, input), wrong), read: () => input.checked, error: (text) => { wrong.textContent = text; }, focus: () => input.focus() };
}

/** A picture of a record: chosen here, sent with the rest. @param {string|null} now the address of the present one */
export function pictureControl(label, now) {
  let file = null;
  const wrong = h('p.wrong', { role: 'alert' }), shown = h('div.chosen');
  const show = (src, done) => fill(shown, h('img', { src, alt: t('kind.picture_chosen'), onload: done }));
  if (now) show(now);
  const input = h('input.sr', { type: 'file', accept: 'image/*', onchange: () => {
    if (!input.files[0]) return;
    [file] = input.files;
    wrong.textContent = '';
    const url = URL.createObjectURL(file);
    show(url, () => URL.revokeObjectURL(url));
  } });
  return { el: h('div.field.picture', null, h('span.label', null, label), shown, h('label.btn.small', null, input, icon('camera'), t('kind.choose')), wrong),
    file: () => file, error: (text) => { wrong.textContent = text; }, focus: () => input.focus() };
}

const makers = {
  text: typed, lines: (field, value, more) => typed(field, value, { rows: '3', ...more }), number, money: sum, time, slider, flag,
  choice: (field, value, { label }) => select(label, field.choices.map((word) => [word, choiceName(word)]), value, field.required),
  hours: (_, value, { label }) => hoursTable(value, label),
  references: ticks,
  reference: (field, value, { label, options }) => select(label, options.map(({ id, name, depth = 0 }) => [id, `${'\u2003'.repeat(depth)}${name}`]), value, field.required),
  person: (field, value, { label }) => select(label, (state.people ?? []).filter((p) => !p.relay).map((p) => [p.id, nameOf(p)]), value, field.required),
};

/**
 * The control of a field.
 * @param {import('../lib/declared.js').Field} field @param {any} value
 * @param {{label?: string, hint?: string, options?: {id: string, name: string, depth?: number}[], [prop: string]: any}} [more]
 * @returns {Control}
 */
export function createControl(field, value, more = {}) {
  const one = makers[control(field)](field, value, { label: fieldName(field.name), options: [], ...more });
  return { ...one, check: () => one.check?.() ?? problem(field, one.read()) };
}
