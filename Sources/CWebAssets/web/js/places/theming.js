/** What clips are about: the themes that hosts make, and the one that somebody chooses for a clip. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { themes } from '../core/themes.js';
import { venues } from '../core/venues.js';
import { createControl } from '../kinds/controls.js';
import { createFields, openForm } from '../kinds/form.js';
import { tree } from '../lib/find.js';
import { offered } from '../lib/themes.js';
import { icon } from '../ui/icons.js';
import { complain } from '../ui/parts.js';
import { confirm, sheet } from '../ui/sheet.js';

const PRICE = { name: 'price', type: 'number', required: false, minimum: 0, maximum: 1e12 };

/**
 * The controls by which its author says what a clip is about; nothing where there are no themes.
 * @param {any} clip @returns {Promise<{els: HTMLElement[], check: () => boolean, read: () => {theme?: string, price?: number}}|null>}
 */
export async function themeControls(clip) {
  const place = clip.place && await api.list(`places/${encodeURIComponent(clip.place)}`).catch(() => null);
  const made = await themes(), all = offered(made, place ? place.categories ?? [] : null), own = made.find(({ id }) => id === clip.theme);
  // What was said before stays, also where it is offered no more.
  if (own && !all.includes(own)) all.push(own);
  if (!all.length) return null;
  const theme = createControl({ name: 'theme', type: 'reference', required: false }, clip.theme, { options: all });
  const price = createControl(PRICE, clip.price), isPriced = () => Boolean(all.find(({ id }) => id === theme.read())?.priced);
  function draw() { price.el.hidden = !isPriced(); }
  theme.el.addEventListener('change', draw);
  draw();
  return {
    els: [theme.el, price.el],
    check() {
      const bad = isPriced() ? price.check() : null;
      price.error(bad ? t(...bad) : '');
      return !bad;
    },
    /** A price goes with its theme, so both are said again where one changed. */
    read() {
      if (clip.theme && !own && !theme.read()) return {};
      const to = { theme: theme.read() ?? '', price: isPriced() ? price.read() ?? undefined : undefined };
      return to.theme === (clip.theme ?? '') && to.price === (clip.price ?? undefined) ? {} : to;
    },
  };
}

/** Opens the sheet with all themes, for hosts. */
export async function editThemes() {
  const [kind, categories] = await Promise.all([venues.kind('theme'), api.categories().catch(() => [])]);
  const options = tree(categories).map(({ category: { id, name }, depth }) => ({ id, name, depth }));
  const list = h('ul.rows');
  const draw = async () => fill(list, offered(await themes(), null).map(line), !(await themes()).length && h('li.hint', null, t('theme.none')));
  const again = () => draw().catch(complain);

  function edit(theme) {
    const fields = createFields(kind, theme, { only: ['name', 'priced', 'weight', ...(options.length ? ['categories'] : [])], more: { name: { autofocus: true }, weight: { hint: t('theme.weight_hint') }, categories: { options, hint: t('theme.categories_hint') } } });
    const drop = theme?.mine && ((close) => h('button.btn.quiet-danger', { onclick: async () => {
      const gone = await confirm({ title: t('theme.delete'), text: t('theme.delete_text', { name: theme.name }), action: t('delete'), work: () => venues.drop('themes', theme.id) });
      if (gone) { close(); again(); }
    } }, t('delete')));
    openForm({ title: theme?.name ?? t('theme.add'), fields, danger: drop, done: again, send: (values) => (theme ? venues.change('themes', theme.id, values) : venues.create('themes', values)) });
  }

  const line = (theme) => h('li', null, theme.mine ? h('button.row', { onclick: () => edit(theme) }, h('strong', { dir: 'auto' }, theme.name), icon('edit')) : h('div.row', null, h('strong', { dir: 'auto' }, theme.name)));
  await draw();
  sheet(t('theme.all'), [h('p.hint', null, t('theme.text')), list, h('div.actions', null, h('button.btn.primary', { onclick: () => edit(null) }, icon('plus'), t('theme.add')))], { wide: true });
}
