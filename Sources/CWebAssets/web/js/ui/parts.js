/** Small parts used everywhere: avatars, fields, toasts, empty states. */
import { fill, h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { offline } from '../core/api.js';
import { on, state } from '../core/store.js';
import { icon } from './icons.js';

const TINTS = 7;

/**
 * A person's picture, or their initials on a quiet colour of their own.
 * @param {{id: string, name: string, picture: string|null}|null} person @param {string} [size] s, m or l
 */
export function avatar(person, size = 'm') {
  const name = person?.name ?? '?';
  const initials = name.split(/\s+/).filter(Boolean).map((word) => [...word][0]).slice(0, 2).join('').toLocaleUpperCase() || '?';
  const tint = [...(person?.id ?? name)].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 9973, 7) % TINTS;
  const el = h(`span.avatar.${size}.tint${tint}`, { 'aria-hidden': 'true' }, initials);
  if (person?.picture) {
    const img = h('img', { src: person.picture, alt: '', loading: 'lazy', decoding: 'async', onerror: () => img.remove() });
    el.append(img);
  }
  return el;
}

/** A link to a person's page around a name or a face. @param {{id: string}} person @param {...any} inside */
export const whoLink = ({ id }, ...inside) => (state.status?.visit?.drop_only ? h('span.who', null, inside) : h('a.who', { href: `/people/${encodeURIComponent(id)}` }, inside));

let fields = 0;

/**
 * A labelled input with a place for what is wrong with it. `field.error(text)` shows or clears it.
 * @param {string} label @param {Record<string, any>} props of the input @param {{hint?: string, tag?: string}} [options]
 * @returns {{el: HTMLElement, input: any, error: (text: string) => void}}
 */
export function field(label, props, { hint, tag = 'input' } = {}) {
  const id = `f${++fields}`;
  const wrong = h('p.wrong', { id: `${id}w`, role: 'alert' });
  const input = h(tag, { id, 'aria-describedby': `${id}w${hint ? ` ${id}h` : ''}`, ...props });
  const el = h('div.field', null, h('label', { for: id }, label), input, hint && h('p.hint', { id: `${id}h` }, hint), wrong);
  const error = (text) => {
    wrong.textContent = text;
    input.setAttribute('aria-invalid', text ? 'true' : 'false');
  };
  input.addEventListener('input', () => error(''));
  return { el, input, error };
}

/**
 * A button that shows it is at work and cannot be pressed twice.
 * @param {HTMLElement} button @param {string} words while working @param {() => Promise<any>} work
 */
export async function busy(button, words, work) {
  const before = [...button.childNodes];
  button.setAttribute('aria-busy', 'true');
  button.disabled = true;
  if (words) fill(button, h('span.spin', { 'aria-hidden': 'true' }), words);
  try {
    return await work();
  } finally {
    button.removeAttribute('aria-busy');
    button.disabled = false;
    if (words) fill(button, before);
  }
}

/**
 * An empty state: what this place is for and what to do next.
 * @param {string} title @param {string} text @param {...any} actions
 */
export const empty = (title, text, ...actions) => h('div.empty', null,
  h('div.prints', { 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
  h('h2', null, title), h('p', null, text), actions.length > 0 && h('div.actions', null, actions));

/** A switch with what it is about. @param {string} sign @param {string|HTMLElement} words @param {HTMLElement} input */
export const toggle = (sign, words, input) => h('label.switch', null, icon(sign), h('span', null, words), input, h('i', { 'aria-hidden': 'true' }));

/** What is shown instead of what could not be read. */
export const failed = (error, again) => h('div.empty', { role: 'alert' }, h('p', null, error.message), h('button.btn', { onclick: again }, icon('refresh'), t('again')));

let region = null;

/** A word at the edge of the screen. What went wrong stays until it is closed. @param {string} text @param {{bad?: boolean}} [options] */
export function toast(text, { bad = false } = {}) {
  region ??= document.body.appendChild(h('div.toasts', { role: 'status', 'aria-live': 'polite' }));
  // A modal dialog makes the rest inert: the word has to be inside it to be seen and heard.
  ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body).append(region);
  const el = h(`div.toast${bad ? '.bad' : ''}`, null, h('span', null, text),
    h('button.plain', { 'aria-label': t('close'), onclick: () => el.remove() }, icon('close')));
  while (region.children.length > 2) region.firstElementChild.remove();
  region.append(el);
  if (!bad) setTimeout(() => el.remove(), 4500);
}

/** Shows an error that has no better place. That the node is away is said by the banner, which ends by itself. @param {Error} error */
export const complain = (error) => { if (error.kind !== 'offline') toast(error.message, { bad: true }); };

// What forms say of a node that was away is no longer true once it is back.
on('live', (live) => {
  const words = offline().message;
  if (live) for (const el of document.querySelectorAll('.wrong')) if (el.textContent === words) el.textContent = '';
});
