/** How pins tell categories apart: by letters and, for those who see it, by colour. */

/** How many colours `--pin-1` … css/map.css has. `--pin-0` is for what has no category. */
export const TINTS = 7;

/** @typedef {{sign: string, tint: number}} Sign one or two letters, and a number of a colour */

/** What a pin shows that has no category, or one that is not known. @type {Sign} */
export const PLAIN = { sign: '•', tint: 0 };

const letters = (text) => [...String(text ?? '').normalize('NFC')].filter((c) => /\S/u.test(c));

/**
 * Signs of categories: the short name if that has at most two letters, else the first letters of the name that are still free.
 * @param {{id: string, name: string, short?: string}[]} categories
 * @returns {Map<string, Sign>} by id
 */
export function legend(categories) {
  const out = new Map(), taken = new Set();
  categories.forEach(({ id, name, short }, i) => {
    const own = letters(short), all = letters(name), first = (all[0] ?? PLAIN.sign).toLocaleUpperCase();
    const tries = [...(own.length && own.length <= 2 ? [own.join('')] : []), first, ...all.slice(1).map((c) => first + c.toLocaleLowerCase())];
    const sign = tries.find((one) => !taken.has(one)) ?? tries[0];
    taken.add(sign);
    out.set(id, { sign, tint: 1 + (i % TINTS) });
  });
  return out;
}
