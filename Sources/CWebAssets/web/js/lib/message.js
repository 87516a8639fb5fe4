/** ICU-lite messages: `{name}` and `{n, plural, =0 {none} one {# photo} other {# photos}}`, nothing else. */

const rules = new Map();

/** The index of the brace that closes the one at `open`. @param {string} text @param {number} open */
function closing(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  throw new SyntaxError(`no closing brace in: ${text}`);
}

/** The cases of a plural. @param {string} body `one {…} other {…}` @returns {Map<string, string>} */
function cases(body) {
  const out = new Map();
  let at = 0;
  while (at < body.length) {
    const open = body.indexOf('{', at);
    if (open < 0) break;
    const close = closing(body, open);
    out.set(body.slice(at, open).trim(), body.slice(open + 1, close));
    at = close + 1;
  }
  return out;
}

/** Fills a message. @param {string} text @param {Record<string, string|number>} values @param {string} lang */
export function format(text, values, lang) {
  let out = '', at = 0;
  for (;;) {
    const open = text.indexOf('{', at);
    if (open < 0) return out + text.slice(at);
    const close = closing(text, open);
    out += text.slice(at, open) + slot(text.slice(open + 1, close), values, lang);
    at = close + 1;
  }
}

/**
 * @param {string} inside what stands between the braces @param {Record<string, string|number>} values @param {string} lang
 */
function slot(inside, values, lang) {
  const match = /^\s*(\w+)\s*,\s*plural\s*,([\s\S]*)$/.exec(inside);
  if (!match) {
    const value = values[inside.trim()];
    return typeof value === 'number' ? value.toLocaleString(lang) : String(value ?? '');
  }
  const n = Number(values[match[1]] ?? 0), choices = cases(match[2]);
  if (!rules.has(lang)) rules.set(lang, new Intl.PluralRules(lang));
  const chosen = choices.get(`=${n}`) ?? choices.get(rules.get(lang).select(n)) ?? choices.get('other') ?? '';
  return format(chosen.replaceAll('#', n.toLocaleString(lang)), values, lang);
}
