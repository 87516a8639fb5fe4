/** What hosts make for all places: the tree of categories. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { venues } from '../core/venues.js';
import { tree } from '../lib/find.js';
import { createFields, openForm } from '../kinds/form.js';
import { icon } from '../ui/icons.js';
import { complain } from '../ui/parts.js';
import { confirm, sheet } from '../ui/sheet.js';

/** Opens the sheet with all categories. @param {(categories: any[]) => void} done told of them as they are then */
export async function editCategories(done) {
  const kind = await venues.kind('category');
  let all = await api.categories();
  const list = h('ul.rows');

  async function again() {
    all = await api.categories();
    draw();
    done(all);
  }

  /** Those below it would be a loop above it. */
  const below = (id, found = new Set([id])) => {
    for (let size = 0; size !== found.size;) { size = found.size; for (const one of all) if (found.has(one.parent)) found.add(one.id); }
    return found;
  };

  function edit(category) {
    const apart = category ? below(category.id) : new Set();
    const options = tree(all).filter(({ category: { id } }) => !apart.has(id)).map(({ category: { id, name }, depth }) => ({ id, name, depth }));
    const fields = createFields(kind, category ?? null, { only: ['name', 'synonyms', 'parent', 'singular', 'short'],
      more: { name: { autofocus: true }, synonyms: { hint: t('category.synonyms_hint') }, parent: { options } } });
    const drop = category?.mine && ((close) => h('button.btn.quiet-danger', { onclick: async () => {
      const gone = await confirm({ title: t('category.delete'), text: t('category.delete_text', { name: category.name }), action: t('delete'), work: () => venues.drop('categories', category.id) });
      if (gone) { close(); again().catch(complain); }
    } }, t('delete')));
    openForm({ title: category ? category.name : t('category.add'), fields, danger: drop, done: () => again().catch(complain),
      send: (values) => (category ? venues.change('categories', category.id, values) : venues.create('categories', values)) });
  }

  function draw() {
    fill(list, tree(all).map(({ category, depth }) => h(`li.depth${Math.min(depth, 4)}`, null,
      category.mine ? h('button.row', { onclick: () => edit(category) }, h('span', null, h('strong', { dir: 'auto' }, category.name), category.synonyms && h('small', { dir: 'auto' }, category.synonyms)), icon('edit'))
        : h('div.row', null, h('span', null, h('strong', { dir: 'auto' }, category.name), category.synonyms && h('small', { dir: 'auto' }, category.synonyms))))),
    !all.length && h('li.hint', null, t('category.none')));
  }

  draw();
  sheet(t('category.all'), [h('p.hint', null, t('category.text')), list, h('div.actions', null, h('button.btn.primary', { onclick: () => edit(null) }, icon('plus'), t('category.add')))], { wide: true });
}
