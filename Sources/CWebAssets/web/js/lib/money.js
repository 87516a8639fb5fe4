/** Sums of money: whole numbers of the smallest unit of a currency, as people read and type them. Pure. */

/** Digits that a sum has at most, before those behind the decimal sign. */
const MOST = 13;

/** How many digits a currency has behind the decimal sign: 2 for EUR, 0 for JPY; none where no currency is known. @param {string|undefined} currency */
const digits = (currency) => (currency ? new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits : 0);

/** A sum as one reads it. @param {number} units @param {string|undefined} currency ISO 4217; without one a plain number @param {string} lang */
export function money(units, currency, lang) {
  if (!currency) return new Intl.NumberFormat(lang).format(units);
  return new Intl.NumberFormat(lang, { style: 'currency', currency }).format(units / 10 ** digits(currency));
}

/** A sum as one types it: without sign and groups. @param {number} units @param {string|undefined} currency @param {string} lang */
export function typedMoney(units, currency, lang) {
  const n = digits(currency);
  return new Intl.NumberFormat(lang, { minimumFractionDigits: n, maximumFractionDigits: n, useGrouping: false, numberingSystem: 'latn' }).format(units / 10 ** n);
}

/**
 * The sum that somebody typed, with a dot or a comma as decimal sign.
 * @param {string} text @param {string|undefined} currency @returns {number} NaN for what is no sum, such as 4.999 in a currency with two digits
 */
export function readMoney(text, currency) {
  const n = digits(currency), match = /^(\d+)(?:[.,](\d+))?$/.exec(text.trim());
  if (!match) return NaN;
  const [, whole, part = ''] = match;
  return whole.length > MOST || part.length > n ? NaN : Number(whole + part.padEnd(n, '0'));
}
