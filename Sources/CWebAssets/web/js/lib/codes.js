/** Codes that one phone shows and another one takes. */

/** A code as it is read aloud: two groups of four. @param {string} code */
export const inGroups = (code) => `${code.slice(0, 4)} ${code.slice(4)}`;

/**
 * The time left, as minutes and seconds; empty once there is none.
 * @param {string} expires @param {number} now in ms since 1970
 */
export function left(expires, now) {
  const seconds = Math.ceil((Date.parse(expires) - now) / 1000);
  return seconds > 0 ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` : '';
}
