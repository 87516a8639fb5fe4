/** Languages: one flat JSON file each, complete by test, ICU-lite plurals. */
import { format } from '../lib/message.js';
import * as time from '../lib/time.js';

/** Languages that are written from right to left (Unicode CLDR, `characterOrder`). */
const RIGHT_TO_LEFT = ['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'];
/** Of how many of the reader's languages the node is asked for words. */
const MOST = 4;
let words = {};
let lang = 'en';
/** The event's time zone; nothing where the reader's clock shows the same. @type {string|undefined} */
let zone;

/** The words of a language; null where there are none: a language is there when its file is. @param {string} file */
async function wordsOf(file) {
  const answer = await fetch(new URL(`../../i18n/${file}.json`, import.meta.url));
  return answer.ok ? answer.json() : null;
}

/** The file of a language tag: `es` of `es-MX` (RFC 5646). @param {string} tag */
const fileOf = (tag) => tag.split('-')[0].toLowerCase();

/** Loads the first of the reader's languages for which there are words; English if there is none. */
export async function loadLanguage() {
  const tags = navigator.languages?.length ? navigator.languages : [navigator.language ?? 'en'];
  const files = [...new Set(tags.map(fileOf))].slice(0, MOST);
  for (const file of [...files, 'en']) {
    const found = await wordsOf(file);
    if (!found) continue;
    words = found;
    lang = tags.find((tag) => fileOf(tag) === file) ?? 'en';
    break;
  }
  document.documentElement.lang = lang;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(fileOf(lang)) ? 'rtl' : 'ltr';
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
  /** How far away something is. @param {number} metres */
  distance: (metres) => (metres < 1000 ? say.metres(metres < 20 ? metres : Math.round(metres / 10) * 10)
    : new Intl.NumberFormat(lang, { style: 'unit', unit: 'kilometer', maximumFractionDigits: metres < 10000 ? 1 : 0 }).format(metres / 1000)),
  percent: (share) => new Intl.NumberFormat(lang, { style: 'percent' }).format(share),
};
