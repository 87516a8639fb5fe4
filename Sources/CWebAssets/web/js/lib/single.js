/** After an answer the next question waits so many times as long as that took, so that no page keeps a node busy alone. */
const REST = 3;
/** But not longer than this. */
const LONGEST_REST_MS = 5000;

/**
 * A loader that never runs twice at once: asked again while running, it runs once more afterwards. What takes long rests before it
 * runs again.
 * @param {() => Promise<void>} work @param {{now: () => number, wait: (ms: number) => Promise<void>}} [clock]
 * @returns {() => Promise<void>}
 */
export function single(work, clock = { now: () => performance.now(), wait: (ms) => new Promise((done) => { setTimeout(done, ms); }) }) {
  let running = null, again = false, rested = 0;
  const run = async () => {
    do {
      const rest = rested - clock.now();
      if (rest > 0) await clock.wait(rest);
      again = false;
      const start = clock.now();
      await work();
      rested = clock.now() + Math.min((clock.now() - start) * REST, LONGEST_REST_MS);
    } while (again);
  };
  return () => {
    if (running) { again = true; return running; }
    return (running = run().finally(() => { running = null; }));
  };
}
