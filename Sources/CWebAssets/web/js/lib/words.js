/** What can be searched for. */

/** Scripts without spaces between words: one letter is enough. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Whether a text has something to search for: two letters side by side, a tag, an emoji, or a letter of a script without spaces.
 * @param {string} text
 */
export const enough = (text) => /[\p{L}\p{N}]\p{M}*[\p{L}\p{N}]|#[\p{L}\p{N}]|\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/u.test(text) || UNSPACED.test(text);

/**
 * Runs the latest of several questions, some time after the last: one that is late is never heard.
 * @template T
 * @param {(text: string) => Promise<T>} ask @param {(answer: T|null, error: Error|null, text: string) => void} answered null: nothing was asked
 * @param {number} [pause] ms
 * @returns {{ask: (text: string) => void, stop: () => void}}
 */
export function latest(ask, answered, pause = 250) {
  let timer = 0, number = 0, asked = null;
  return {
    ask(text) {
      const word = text.trim();
      if (word === asked) return;
      asked = word;
      clearTimeout(timer);
      const mine = ++number;
      const hear = (answer, error) => { if (mine === number) answered(answer, error, word); };
      if (!enough(word)) { hear(null, null); return; }
      timer = setTimeout(() => ask(word).then((answer) => hear(answer, null), (error) => { if (mine === number) asked = null; hear(null, error); }), pause);
    },
    stop() { clearTimeout(timer); number += 1; },
  };
}
