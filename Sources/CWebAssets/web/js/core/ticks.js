/** One clock for all that counts seconds on the page. It rests while nobody looks at the page. */

/** A timer that is early would show a second twice. */
const LATE_MS = 5;
const listeners = new Set();
let timer = 0;

function run() {
  clearTimeout(timer);
  timer = 0;
  if (!listeners.size || document.hidden) return;
  timer = setTimeout(() => { for (const f of [...listeners]) f(Date.now()); run(); }, 1000 - Date.now() % 1000 + LATE_MS);
}

function looked() {
  if (!document.hidden) for (const f of [...listeners]) f(Date.now());
  run();
}

/** Calls a function at each second, and at once when somebody looks at the page again. @param {(now: number) => void} f @returns {() => void} stops it */
export function everySecond(f) {
  if (!listeners.size) document.addEventListener('visibilitychange', looked);
  listeners.add(f);
  run();
  return () => {
    listeners.delete(f);
    if (listeners.size) return;
    document.removeEventListener('visibilitychange', looked);
    run();
  };
}
