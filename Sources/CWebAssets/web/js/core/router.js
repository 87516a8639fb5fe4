/** The page's addresses: History API, links taken over, scroll kept for Back. */
import { route } from '../lib/paths.js';

let handler = () => {};
history.scrollRestoration = 'manual';

/**
 * @param {(to: import('../lib/paths.js').Route, state: any) => void} f called for every change of address
 */
export function startRouter(f) {
  handler = f;
  addEventListener('popstate', (event) => handler(route(location.pathname), event.state ?? {}));
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="/"]');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.hasAttribute('download') || link.target || link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    go(link.pathname);
  });
  handler(route(location.pathname), history.state ?? {});
}

/** Goes to an address of this page. @param {string} path @param {{replace?: boolean, state?: any}} [options] */
export function go(path, { replace = false, state = {} } = {}) {
  if (replace) history.replaceState(state, '', path);
  else {
    history.replaceState({ ...history.state, scroll: scrollY }, '');
    history.pushState(state, '', path);
  }
  handler(route(location.pathname), state);
}

/** Goes back if this page is where one came from, else to the given address. @param {string} otherwise */
export function back(otherwise) {
  if (history.state?.over) history.back();
  else go(otherwise, { replace: true });
}
