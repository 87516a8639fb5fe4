/** Styles of what comes later than the page. */
import { h } from './dom.js';

const asked = new Set();

/** Has a style sheet loaded, once. @param {string} name of a file in css @param {() => void} ready when it is there, if it was not */
export function withStyle(name, ready) {
  if (asked.has(name)) { ready(); return; }
  asked.add(name);
  document.head.append(h('link', { rel: 'stylesheet', href: new URL(`../../css/${name}.css`, import.meta.url).href, onload: ready, onerror: ready }));
}
