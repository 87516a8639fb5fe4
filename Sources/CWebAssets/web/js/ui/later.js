/** Code that comes when it is wanted. While the node is away it is waited for: the banner says so, and no error is shown. */
import { Problem, silence } from '../core/api.js';
import { on, state } from '../core/store.js';
import { complain } from './parts.js';

/** A page that is loaded again for code it cannot get is not loaded again sooner than this. */
const RELOAD_MS = 60000;

/** Resolves when the node answers again. */
const back = () => new Promise((done) => {
  const off = on('live', (live) => { if (live) { off(); done(); } });
});

/** The node is there and the code is not: it is that of another version, which this page can only get as a whole. */
function renew() {
  const last = Number(sessionStorage.getItem('mingle.renewed'));
  if (Date.now() - last < RELOAD_MS) throw new Problem({});
  sessionStorage.setItem('mingle.renewed', String(Date.now()));
  location.reload();
  return new Promise(() => {});
}

/**
 * Gets code, again when the node is back if it is away.
 * @template T @param {() => Promise<T>} code an import @returns {Promise<T>}
 */
export async function fetched(code) {
  try { return await code(); } catch { silence.heard(); }
  if (!state.live) await back();
  try { return await code(); } catch { return renew(); }
}

/**
 * Does something with such code, but not once one has gone elsewhere meanwhile.
 * @template T @param {() => Promise<T>} code @param {(module: T) => any} act
 */
export async function later(code, act) {
  const at = location.pathname;
  try {
    const module = await fetched(code);
    if (location.pathname === at) await act(module);
  } catch (error) { complain(error); }
}

/** Gets code that is likely to be wanted, one after the other, once there is nothing else to do. @param {(() => Promise<any>)[]} codes */
export function prefetch(codes) {
  const idle = globalThis.requestIdleCallback ?? ((f) => setTimeout(f, 200));
  const next = () => codes.length && codes.shift()().catch(() => {}).then(() => idle(next));
  idle(next);
}
