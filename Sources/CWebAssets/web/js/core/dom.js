/** The one way this page makes elements. Data only ever becomes text or an attribute, never markup. */

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * Makes an element: `h('button.btn.primary', {type: 'submit', onclick: f}, 'Save')`.
 * A button submits nothing unless its type says so. Properties: `on…` listeners, `class`, `style` (an object), `data` (an object), true / false for bare attributes.
 * @param {string} tag name and classes, as in CSS @param {Record<string, any>|null} [props] @param {...(Child|Child[])} children
 * @returns {HTMLElement & Record<string, any>}
 */
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split('.');
  const el = document.createElement(name || 'div');
  if (name === 'button') el.type = name;
  if (classes.length) el.className = classes.join(' ');
  for (const [key, value] of Object.entries(props ?? {})) set(el, key, value);
  append(el, children);
  return el;
}

/** @param {HTMLElement} el @param {string} key */
function set(el, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith('on')) el.addEventListener(key.slice(2), value);
  else if (key === 'class') el.className = `${el.className} ${value}`.trim();
  else if (key === 'style') for (const [k, v] of Object.entries(value)) el.style.setProperty(k, String(v));
  else if (key === 'data') Object.assign(el.dataset, value);
  else if (key === 'value') el.value = value;
  else if (key === 'checked') el.checked = true;
  else el.setAttribute(key, value === true ? '' : String(value));
}

/**
 * @param {Element} el @param {(Child|Child[])[]} children
 */
export function append(el, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    el.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces what an element holds. @param {Element} el @param {...(Child|Child[])} children */
export function fill(el, ...children) {
  el.replaceChildren();
  append(el, children);
}

const made = new WeakMap();

/**
 * Makes the children of an element match a list while keeping the elements that stay (and with them focus and scroll).
 * @template T
 * @param {Element} parent @param {T[]} items @param {(item: T) => string} key
 * @param {(item: T) => HTMLElement} make @param {(el: HTMLElement, item: T) => void} [update]
 */
export function keyed(parent, items, key, make, update) {
  const old = made.get(parent) ?? new Map();
  const now = new Map();
  const keys = new Set(items.map(key));
  for (const [k, el] of old) if (!keys.has(k)) el.remove();
  let at = parent.firstElementChild;
  for (const item of items) {
    const k = key(item);
    let el = old.get(k);
    if (el) update?.(el, item); else el = make(item);
    now.set(k, el);
    if (el === at) at = at.nextElementSibling; else parent.insertBefore(el, at);
  }
  made.set(parent, now);
}

/** Whether the reader asked for less motion. */
export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** How much larger than usual the reader wants text. */
export const textScale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

/** Whether something that needs a secure context is here. */
export const can = {
  locate: () => isSecureContext && 'geolocation' in navigator,
  copy: () => isSecureContext && !!navigator.clipboard?.writeText,
};

/** Small things remembered in this browser; forgetting them is never an error. */
export const memory = {
  /** @param {string} key @returns {any} */
  get(key) { try { return JSON.parse(localStorage.getItem(`mingle.${key}`)); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(`mingle.${key}`, JSON.stringify(value)); } catch { /* private window */ } },
};
