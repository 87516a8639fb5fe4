/** What narrows a search for places: each is a button or a list, all that hold hold at once. */
import { fill, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { isOn } from '../core/venues.js';
import { visiting } from '../core/visit.js';
import { filters, tree, unfiltered } from '../lib/find.js';
import { shares } from '../lib/levels.js';
import { priceWord, ratingWord } from '../kinds/words.js';
import { icon } from '../ui/icons.js';

/** Metres around the pin. */
const RADII = [200, 500, 1000, 2000, 5000];

/**
 * @param {(search: import('../lib/find.js').Search) => void} change told of another search
 * @returns {{el: HTMLElement, draw: (search: any, pin: any, categories: any[]) => void}}
 */
export function createFilters(change) {
  const el = h('div.filters', { role: 'group', 'aria-label': t('find.filters') });
  let drawn = '';

  /** @param {import('../lib/find.js').Search} search */
  function draw(search, pin, categories) {
    const now = JSON.stringify([search, Boolean(pin), categories.map((one) => [one.id, one.name, one.parent]), isOn('ratings')]);
    if (now === drawn) return;
    drawn = now;
    const focused = el.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    const to = (some) => change({ ...search, ...some });
    const pick = (name, options, read = Number) => h('select', { 'aria-label': t(`find.${name}`), data: { name }, class: search[name] ? 'on' : '', onchange: (event) => to({ [name]: read(event.target.value) }) },
      h('option', { value: '' }, t(`find.${name}`)), options.map(([value, words]) => h('option', { value: String(value), selected: value === search[name] }, words)));
    const flag = (name) => h('button', { 'aria-pressed': String(search[name]), data: { name }, onclick: () => to({ [name]: !search[name] }) }, t(`find.${name}`));
    const n = filters(search);
    fill(el,
      categories.length > 0 && pick('category', tree(categories).map(({ category, depth }) => [category.id, `${'\u2003'.repeat(depth)}${category.name}`]), String),
      flag('open'),
      isOn('ratings') && pick('price', [1, 2, 3].map((level) => [level, t('find.price_most', { price: priceWord(level) })])),
      isOn('ratings') && pick('rating', [2, 3, 4, 5].map((level) => [level, t('find.rating_least', { n: level, word: ratingWord(level) })])),
      pin && pick('radius', [...RADII.map((metres) => [metres, t('find.radius_most', { distance: say.distance(metres) })]), ['wide', t('find.wide')]], (value) => (value === 'wide' ? value : Number(value))),
      !visiting() && shares(state.status?.current?.level) && flag('favourite'),
      search.within && h('button', { 'aria-pressed': 'true', data: { name: 'within' }, onclick: () => to({ within: null }) }, t('find.within'), ' ', icon('close')),
      n > 0 && h('button.clear', { data: { name: 'clear' }, onclick: () => change(unfiltered(search)) }, t('find.clear', { n: say.number(n) })));
    if (focused) ([...el.children].find((one) => one.dataset.name === focused) ?? el.firstElementChild)?.focus();
  }

  return { el, draw };
}
