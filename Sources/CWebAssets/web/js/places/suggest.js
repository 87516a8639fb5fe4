/** A search field that suggests while one types: a combobox with a list, by keyboard, mouse and touch. */
import { fill, h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { enough, latest } from '../lib/words.js';
import { icon } from '../ui/icons.js';

/** Milliseconds after the last key before anything is asked. */
const PAUSE = 200;
let count = 0;

/**
 * @param {object} options
 * @param {string} options.label @param {string} options.value what it begins with
 * @param {(text: string) => Promise<{kind: string, id: string, text: string, detail?: string}[]>} options.ask
 * @param {(suggestion: {kind: string, id: string, text: string}) => void} options.choose
 * @param {(text: string) => void} options.submit what was typed is searched for
 * @returns {{el: HTMLElement, input: HTMLInputElement, set: (text: string) => void, search: () => void, stop: () => void}} `search` is what a button beside it does
 */
export function suggestField({ label, value, ask, choose, submit }) {
  const id = `suggest${++count}`;
  let options = [], active = -1;
  const list = h('ul.suggestions', { id, role: 'listbox', 'aria-label': t('find.suggestions'), hidden: true });
  const told = h('span.sr', { role: 'status' });
  const input = h('input', { type: 'search', role: 'combobox', 'aria-label': label, placeholder: label, 'aria-autocomplete': 'list', 'aria-controls': id, 'aria-expanded': 'false',
    autocomplete: 'off', enterkeyhint: 'search', maxlength: '200', dir: 'auto', value, oninput: typed, onkeydown: pressed, onblur: close });
  const question = latest(ask, (found, error) => { if (found && !error) open(found); else close(); }, PAUSE);

  function typed() {
    question.ask(input.value);
    if (!enough(input.value)) close();
    // The field's own cross leaves nothing to search for.
    if (!input.value) submit('');
  }

  function open(found) {
    options = found;
    active = -1;
    fill(list, options.map((one, i) => h('li', { id: `${id}-${i}`, role: 'option', 'aria-selected': 'false', onpointerdown: (event) => event.preventDefault(), onclick: () => take(one) },
      icon(one.kind === 'category' ? 'list' : 'pin'), h('span', { dir: 'auto' }, one.text), one.detail && h('small', { dir: 'auto' }, one.detail))));
    show();
    told.textContent = options.length ? t('find.suggested', { n: options.length }) : '';
  }

  function show() {
    list.hidden = !options.length;
    input.setAttribute('aria-expanded', String(!list.hidden));
    [...list.children].forEach((li, i) => li.setAttribute('aria-selected', String(i === active)));
    if (active >= 0 && !list.hidden) input.setAttribute('aria-activedescendant', `${id}-${active}`); else input.removeAttribute('aria-activedescendant');
    list.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }

  function close() {
    options = [];
    active = -1;
    fill(list);
    show();
  }

  /** Nothing that is still on its way opens the list again. */
  function settle() {
    question.stop();
    close();
  }

  function take(one) {
    settle();
    choose(one);
  }

  function search() {
    settle();
    submit(input.value.trim());
  }

  const step = (by) => { active = active + by < -1 ? options.length - 1 : active + by >= options.length ? -1 : active + by; show(); };

  function pressed(event) {
    const is = !list.hidden;
    const act = {
      ArrowDown: is && (() => step(1)), ArrowUp: is && (() => step(-1)),
      Enter: () => (is && active >= 0 ? take(options[active]) : search()),
      Escape: is && settle,
    }[event.key];
    if (!act || event.isComposing) return;
    event.preventDefault();
    act();
  }

  return { el: h('div.suggest', null, input, list, told), input, set: (text) => { input.value = text; }, search, stop: question.stop };
}
