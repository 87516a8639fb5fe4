/** Finds out when the node answers again. */
import { ask } from './transfer.js';

/** It is tried so often, and now and then for longer, as a slow node needs it. */
const TRY_MS = 1000, STALL_MS = 1500, LONG_STALL_MS = 10000, HIDDEN_TRY_MS = 10000;

/**
 * @param {() => string} address what to ask for; whatever the node answers, it is there
 * @param {() => void} found told when it answers
 */
export function watcher(address, found) {
  let trying = 0, tries = 0, probe = null;

  async function attempt() {
    const cut = probe = new AbortController();
    try {
      await ask('HEAD', address(), { stall: tries % 4 === 3 ? LONG_STALL_MS : STALL_MS, signal: cut.signal });
    } catch {
      if (probe !== cut) return;
      tries++;
      trying = setTimeout(attempt, document.hidden ? HIDDEN_TRY_MS : TRY_MS);
      return;
    }
    if (probe !== cut) return;
    trying = 0;
    found();
  }

  return {
    /** Whether the connection is lost, as far as is known. */
    get lost() { return !!trying; },
    /** The connection broke. @param {number} breaks in a row: the more, the later it is tried */
    lose(breaks) {
      if (trying) return;
      tries = 0;
      trying = setTimeout(attempt, Math.min(TRY_MS, 50 * 2 ** breaks));
    },
    /** Tries at once. */
    kick() {
      if (!trying) return;
      clearTimeout(trying);
      const old = probe;
      attempt();
      old?.abort();
    },
  };
}
