// What the page's parts need of a browser, for tests that run them in node.
import { readFileSync } from 'node:fs';

/** As much of an element as the page's parts use. */
export class Element {
  constructor(tag) { Object.assign(this, { tag, children: [], attributes: {}, listeners: {}, dataset: {}, parent: null, className: '', isConnected: true, words: null, checked: false }); }
  get firstElementChild() { return this.children[0] ?? null; }
  get nextElementSibling() { return this.parent.children[this.parent.children.indexOf(this) + 1] ?? null; }
  get childNodes() { return this.children; }
  get textContent() { return this.words ?? this.children.map((child) => child.textContent ?? child).join(''); }
  set textContent(text) { this.replaceChildren(); this.words = text; }
  get hidden() { return 'hidden' in this.attributes; }
  set hidden(is) { if (is) this.attributes.hidden = ''; else delete this.attributes.hidden; }
  contains(el) { return el === this || this.children.some((child) => child instanceof Element && child.contains(el)); }
  setAttribute(key, value) { this.attributes[key] = value; }
  getAttribute(key) { return this.attributes[key] ?? null; }
  removeAttribute(key) { delete this.attributes[key]; }
  addEventListener(type, f) { const before = this.listeners[type]; this.listeners[type] = before ? (event) => { before(event); return f(event); } : f; }
  removeEventListener(type) { delete this.listeners[type]; }
  append(...all) { for (const one of all) { this.words = null; if (one instanceof Element) one.parent = this; this.children.push(one); } }
  insertBefore(el, at) { el.remove(); el.parent = this; this.children.splice(at ? this.children.indexOf(at) : this.children.length, 0, el); }
  replaceChildren() { this.children = []; this.words = null; }
  remove() { if (this.parent) this.parent.children = this.parent.children.filter((el) => el !== this); }
  all(tag) { return this.children.flatMap((el) => (el instanceof Element ? [...(el.tag === tag ? [el] : []), ...el.all(tag)] : [])); }
  querySelector(what) { return (what === ':checked' ? this.all('input').find((one) => one.checked) : this.all(what)[0]) ?? null; }
  /** Only for a tag, or for one that has data, as `a[data-id]`. */
  querySelectorAll(what) { const [, tag, key] = what.match(/^(\w+)(?:\[data-(\w+)\])?$/); return this.all(tag).filter((one) => !key || key in one.dataset); }
  appendChild(el) { this.append(el); return el; }
  showModal() {}
  focus() {}
  close() {}
}

const noop = () => {};
const words = JSON.parse(readFileSync(new URL('../../Sources/CWebAssets/web/i18n/en.json', import.meta.url), 'utf8'));

/**
 * Stands in for the browser and for the node, whose answers are functions by method and topic, or by topic.
 * @returns {any[][]} the calls that change something, as they come
 */
export function browse(answers) {
  const calls = [];
  Object.assign(globalThis, {
    Node: Element, addEventListener: noop, removeEventListener: noop, matchMedia: () => ({ matches: true, addEventListener: noop, removeEventListener: noop }), location: { hash: '', pathname: '/' },
    localStorage: { getItem: () => null, setItem: noop }, setInterval: () => 0, clearInterval: noop, isSecureContext: false, getComputedStyle: () => ({ fontSize: '16px', direction: 'ltr' }), history: { pushState: noop, replaceState: noop, go: noop }, scrollY: 0, CSS: { supports: () => false },
    document: { createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag), createTextNode: (text) => text, body: new Element('body'), head: new Element('head'), documentElement: new Element('html'), hidden: false, addEventListener: noop, removeEventListener: noop, querySelector: () => null, querySelectorAll: () => [], title: '' },
    navigator: { languages: ['en'] }, MutationObserver: class { observe() {} disconnect() {} },
    fetch: async (address, options = {}) => {
      const url = String(address);
      if (url.includes('i18n')) return { ok: true, json: async () => words, text: async () => JSON.stringify(words) };
      const [, call] = url.match(/^\/api\/v1\/(\w+)/);
      const body = options.body ? JSON.parse(options.body) : undefined;
      if (options.method !== 'GET') calls.push([options.method, url.slice(8), body]);
      const answer = await (answers[`${options.method} ${call}`] ?? answers[call] ?? (() => ({})))(body);
      return { ok: !(answer.status >= 400), status: answer.status ?? 200, text: async () => JSON.stringify(answer) };
    },
  });
  return calls;
}

/** Waits until what was asked is answered. */
export const settled = () => new Promise((done) => { setImmediate(() => setImmediate(done)); });

/** Loads a module of the web app, which finds the browser that `browse` stands in for. @param {string} path below js */
export const load = (path) => import(`../../Sources/CWebAssets/web/js/${path}`);
