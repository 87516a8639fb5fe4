/** Languages: one flat JSON file each, complete by test, ICU-lite plurals. */
import { format } from '../lib/message.js';
import * as time from '../lib/time.js';

const LANGUAGES = ['en', 'es'];
let words = {};
let lang = 'en';
/** The event's time zone; nothing where the reader's clock shows the same. @type {string|undefined} */
let zone;

/** Loads the reader's language; English if there is none. */
export async function loadLanguage() {
  const wanted = [...(navigator.languages ?? []), navigator.language ?? 'en'];
  const found = wanted.find((tag) => LANGUAGES.includes(tag.slice(0, 2).toLowerCase()));
  const file = found ? found.slice(0, 2).toLowerCase() : 'en';
  lang = found ?? 'en';
  const answer = await fetch(new URL(`../../i18n/${file}.json`, import.meta.url));
  words = await answer.json();
  document.documentElement.lang = lang;
}

/**
 * The words for a key. A missing key shows itself; the tests see to it that there is none.
 * @param {string} key @param {Record<string, string|number>} [values]
 */
export const t = (key, values = {}) => (key in words ? format(words[key], values, lang) : key);

/** Says in which zone times are: that of the event, if it has one. @param {string} [name] of the IANA data base */
export function setZone(name) {
  zone = name === new Intl.DateTimeFormat().resolvedOptions().timeZone ? undefined : name;
}

/** Times and sizes in the reader's language. */
export const say = {
  clock: (at) => time.clock(at, lang, zone),
  moment: (at) => time.moment(at, new Date(), lang, zone),
  span: (a, b) => time.span(a, b, new Date(), lang, zone),
  ago: (at) => time.relative(at, Date.now(), lang),
  size: (n) => time.size(n, lang),
  dayKey: (at) => time.dayKey(at, zone),
  day: (key) => time.dayName(key, new Date(), lang),
  list: (words) => new Intl.ListFormat(lang, { type: 'conjunction' }).format(words),
  number: (n) => n.toLocaleString(lang),
  metres: (n) => new Intl.NumberFormat(lang, { style: 'unit', unit: 'meter' }).format(n),
};
