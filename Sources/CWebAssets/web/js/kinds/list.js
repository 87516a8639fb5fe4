/** Records of any kind as cards and as a whole, as far as their declaration tells what they are. */
import { h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { nameOf } from '../core/store.js';
import { control } from '../lib/declared.js';
import { icon } from '../ui/icons.js';
import { whoLink } from '../ui/parts.js';
import { sheet } from '../ui/sheet.js';
import { choiceName, dayName, fieldName, money, timeOfDay, valueWord } from './words.js';
import { DAYS } from '../lib/hours.js';

/** Fields that name a record, the best first. */
const NAMES = ['title', 'name', 'text', 'description'];
/** The opening hours as lines. @param {Record<string, string[][]>} hours */
export const hoursList = (hours) => h('dl.hours-list', null, DAYS.map((day) => h('div', null, h('dt', null, dayName(day)),
  h('dd', null, hours[day]?.length ? hours[day].map((span) => span.map(timeOfDay).join(' – ')).join(', ') : t('hours.closed')))));

/** What a record says in one field; nothing for what has no words. */
function value(field, record) {
  const it = record[field.name];
  if (it === undefined || it === null) return null;
  if (control(field) === 'money') return money(it);
  if (field.type === 'hours') return hoursList(it);
  const words = { text: () => it, number: () => valueWord(field.name, it), metres: () => say.metres(it), choice: () => choiceName(it), time: () => say.moment(it), flag: () => t(it ? 'kind.yes' : 'kind.no') }[field.type];
  return words ? h('span', { dir: 'auto' }, words()) : null;
}

/** What a record is called. @param {any} record */
export const titleOf = (record) => NAMES.map((name) => record[name]).find(Boolean) ?? '';

const image = (record, size) => record[size]?.held && h('img', { src: record[size].url, alt: '', loading: 'lazy' });

/** Everything that a record says. @param {import('../lib/declared.js').Kind} kind @param {any} record @param {...any} deeds */
export function showRecord(kind, record, ...deeds) {
  const title = titleOf(record), rows = kind.fields.filter((field) => record[field.name] !== title).map((field) => [field, value(field, record)]).filter(([, shown]) => shown);
  return sheet(title, [image(record, 'preview'), h('dl.record', null, rows.map(([field, shown]) => h('div', null, h('dt', null, fieldName(field.name)), h('dd', null, shown)))),
    h('p.hint', null, whoLink(record.author, nameOf(record.author)), ' · ', say.moment(record.posted)), deeds.length > 0 && h('div.actions', null, deeds)]);
}

/** @param {import('../lib/declared.js').Kind} kind @param {any} record @param {{meta?: any, open?: () => void}} [more] */
export function recordCard(kind, record, { meta, open = () => showRecord(kind, record) } = {}) {
  return h('li.card', null, h('button.whole', { onclick: open, 'aria-label': titleOf(record), 'aria-haspopup': 'dialog' }),
    h('div.cover', { 'aria-hidden': 'true' }, image(record, 'thumbnail') || icon('bookmark')),
    h('div.words', null, h('h3', { dir: 'auto' }, titleOf(record)), meta && h('p.counts', null, meta)));
}

/** @param {import('../lib/declared.js').Kind} kind @param {any[]} records @param {(record: any) => any} [meta] */
export const recordList = (kind, records, meta = () => null) => h('ul.cards', null, records.map((record) => recordCard(kind, record, { meta: meta(record) })));
