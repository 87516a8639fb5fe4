/** The page's addresses: History API, links taken over, scroll kept for Back, which closes what lies over a view first. */
import { route } from '../lib/paths.js';

let handler = () => {};
/** The path whose view is shown. */
let shown = '';
/** How each sheet over the view is closed, the lowest first. @type {(() => void)[]} */
const over = [];
/** Entries of the history above the view's own: one for each sheet, once `settle` has run. */
let entries = 0;
/** Whether entries of closed sheets are being left, which changes no address. */
let leaving = false;
/** What the view's own entry becomes once no sheet's lies over it. @type {{of: string, path: string, state: any} | null} */
let becoming = null;
history.scrollRestoration = 'manual';

/**
 * @param {(to: import('../lib/paths.js').Route, state: any) => void} f called for every change of address
 */
export function startRouter(f) {
  handler = f;
  addEventListener('popstate', (event) => {
    const { sheets = 0, ...state } = event.state ?? {};
    if (!sheets && location.pathname === becoming?.of) history.replaceState(becoming.state, '', becoming.path);
    if (!sheets) becoming = null;
    if (leaving) { leaving = false; settle(); return; }
    entries = sheets;
    const closing = over.splice(entries).reverse();
    closing.forEach((close) => close());
    if (!closing.length || location.pathname !== shown) show(state);
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="/"]');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.hasAttribute('download') || link.target || link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    go(link.pathname);
  });
  show(history.state ?? {});
}

function show(state) {
  shown = location.pathname;
  handler(route(shown), state);
}

/** Does something once the history stands still: on its way it takes no new entry. @param {() => void} act */
function onceStill(act) {
  if (leaving) addEventListener('popstate', () => onceStill(act), { once: true });
  else act();
}

/** Goes to an address of this page. @param {string} path @param {{replace?: boolean, state?: any}} [options] */
export const go = (path, { replace = false, state: { sheets, ...state } = {} } = {}) => onceStill(() => {
  if (replace && entries) {
    becoming = { of: becoming?.of ?? shown, path, state };
    history.replaceState(history.state, '', path);
    show(state);
    return;
  }
  // The entry of a sheet is of no more use, so the new address takes it.
  if (replace || entries) history.replaceState(state, '', path);
  else {
    keepScroll();
    history.pushState(state, '', path);
  }
  entries = 0;
  over.length = 0;
  show(state);
});

/** Goes back if this page is where one came from, else to the given address. @param {string} otherwise */
export const back = (otherwise) => onceStill(() => {
  if (history.state?.over) history.go(-1 - entries);
  else go(otherwise, { replace: true });
});

/**
 * Lets Back close what now lies over the view.
 * @param {() => void} close @returns {() => void} to be called once it is closed, whoever closed it
 */
export function cover(close) {
  over.push(close);
  settle();
  return () => {
    const at = over.indexOf(close);
    if (at >= 0) over.splice(at, 1);
    settle();
  };
}

/** Gives each sheet its entry, and leaves those of closed sheets. */
function settle() {
  if (leaving) return;
  if (!entries && over.length) keepScroll();
  while (entries < over.length) history.pushState({ ...history.state, sheets: ++entries }, '');
  if (entries === over.length) return;
  leaving = true;
  history.go(over.length - entries);
  entries = over.length;
}

function keepScroll() {
  history.replaceState({ ...history.state, scroll: scrollY }, '');
}
