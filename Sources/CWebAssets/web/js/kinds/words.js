/** What the fields of kinds and their values are called. */
import { say, t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { DAYS } from '../lib/hours.js';
import * as sums from '../lib/money.js';

/** A name of the API as words, for what has none of its own. @param {string} name */
const plain = (name) => { const words = name.replace(/_m$/, '').replaceAll('_', ' '); return words.charAt(0).toUpperCase() + words.slice(1); };

/** What a field is called. @param {string} name */
export const fieldName = (name) => { const key = `field.${name}`, words = t(key); return words === key ? plain(name) : words; };

/** A word of a choice. @param {string} word */
export const choiceName = (word) => plain(word);

/** The language that the page speaks. */
const lang = () => document.documentElement.lang || 'en';

/** The event's currency, of whose smallest units sums are; none where nobody said. @returns {string|undefined} */
export const currency = () => state.status?.current?.currency;

/** A sum as one reads it. @param {number} units */
export const money = (units) => sums.money(units, currency(), lang());

/** A sum as one types it. @param {number} units */
export const typedMoney = (units) => sums.typedMoney(units, currency(), lang());

/** A day of the week. @param {string} day @param {'long'|'short'} [length] */
export const dayName = (day, length = 'long') => new Intl.DateTimeFormat(lang(), { weekday: length, timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + DAYS.indexOf(day)));

/** A time of day as one writes it here. @param {string} time 18:30 */
export const timeOfDay = (time) => new Intl.DateTimeFormat(lang(), { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(new Date(`2024-01-01T${time === '24:00' ? '00:00' : time}Z`));

/** One word for a mean of ratings from 1 to 5. @param {number} mean */
export const ratingWord = (mean) => t(`rating.word_${Math.min(5, Math.max(1, Math.round(mean)))}`);

/** One word for how dear something is, from 1 to 4. @param {number} level */
export const priceWord = (level) => t(`rating.price_${Math.min(4, Math.max(1, Math.round(level)))}`);

/** What a slider's value is called, of a field of which values have names. @param {string} name @param {number} value */
export function valueWord(name, value) {
  if (name === 'price_level') return priceWord(value);
  return ['overall', 'service', 'atmosphere', 'products'].includes(name) ? `${say.number(value)} · ${ratingWord(value)}` : say.number(value);
}
