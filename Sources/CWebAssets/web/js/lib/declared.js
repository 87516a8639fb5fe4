/** What a kind's declaration (GET kinds) says of a form: which fields somebody writes, and what is wrong with them. */

/**
 * @typedef {{name: string, type: string, required: boolean, writers: string, filter: boolean, limit?: number, minimum?: number, maximum?: number, choices?: string[]}} Field
 * @typedef {{name: string, plural: string, identity: 'id'|'target', targets: string[], writers: string, calls: string[], picture: boolean, fields: Field[]}} Kind
 */

/** Types that the node says by itself, or that stand for a picture. */
const UNSAID = ['media', 'device', 'ends'];
/** Numbers that are sums of money, in the smallest unit of the event's currency. */
const SUMS = ['price', 'price_before'];
/** A number is chosen by a slider if there are so few. */
const FEW = 10;

/**
 * The fields that somebody writes: of a new or an own record those of its author, of another's those that others write as well.
 * @param {Kind} kind @param {{isOwn: boolean, reaches: (level: string) => boolean}} who
 * @returns {Field[]}
 */
export const written = (kind, { isOwn, reaches }) => kind.fields.filter((field) => {
  if (UNSAID.includes(field.type) || kind.picture && ['width', 'height'].includes(field.name)) return false;
  // What a record cannot be without is its author's as well.
  return field.writers === 'author' || field.required ? isOwn || field.writers !== 'author' && reaches(field.writers) : reaches(field.writers);
});

/** By what a field is filled in. @param {Field} field @returns {'text'|'lines'|'choice'|'slider'|'number'|'money'|'flag'|'time'|'hours'|'references'|'reference'|'person'} */
export function control(field) {
  const { type, limit = 0, minimum, maximum } = field;
  if (type === 'text') return limit > 500 ? 'lines' : 'text';
  if (type === 'number' && SUMS.includes(field.name)) return 'money';
  if (type === 'number' && maximum !== undefined && maximum - minimum < FEW) return 'slider';
  return { metres: 'number', latitude: 'number', longitude: 'number' }[type] ?? type;
}

/** Whether a kind has a position, which is one pin and not two numbers. @param {Field[]} fields */
export const isLocated = (fields) => ['latitude', 'longitude'].every((type) => fields.some((field) => field.type === type));

/** How many bytes a text has on the node. @param {string} text */
const bytes = (text) => new TextEncoder().encode(text).length;

/**
 * What is wrong with a value, as a key of a message with its values; null if nothing is.
 * @param {Field} field @param {any} value @returns {[string, Record<string, any>]|null}
 */
export function problem(field, value) {
  const isEmpty = value === null || value === undefined || value === '' || Array.isArray(value) && !value.length;
  if (isEmpty) return field.required ? ['kind.required', {}] : null;
  if (field.type === 'text' && field.limit && bytes(value) > field.limit) return ['kind.too_long', {}];
  if (field.type === 'references' && value.length > field.limit) return ['kind.too_many', { n: field.limit }];
  const isOdd = field.type === 'number' && !Number.isInteger(value);
  if (['number', 'metres'].includes(field.type) && (isOdd || !(value >= (field.minimum ?? -Infinity) && value <= (field.maximum ?? Infinity)))) {
    return ['kind.range', { from: field.minimum ?? 0, to: field.maximum ?? 0 }];
  }
  return null;
}

/**
 * What is to be sent: of a new record what somebody said, of another what changed, null where it was taken away.
 * @param {Record<string, any>} values @param {Record<string, any>|null} before
 */
export function difference(values, before) {
  const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
  const clean = Object.entries(values).map(([name, value]) => [name, value === '' || value === undefined || Array.isArray(value) && !value.length ? null : value]);
  return Object.fromEntries(clean.filter(([name, value]) => (before ? !same(value, Array.isArray(before[name]) && !before[name].length ? null : before[name]) : value !== null)));
}
