/** Finding places: by words, categories and filters, as a list and on the map; what is going on, and a place by chance. */
import { fill, h, keyed } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { go as visit } from '../core/router.js';
import { looking, on, state } from '../core/store.js';
import { withStyle } from '../core/style.js';
import { isOn, remembered, venues } from '../core/venues.js';
import { visiting } from '../core/visit.js';
import { asked, filters as narrowed, isAny, near, restored, unfiltered } from '../lib/find.js';
import { hosts, moderates, shares } from '../lib/levels.js';
import { single } from '../lib/single.js';
import { categoryWords, createPictures, openness, pathOf, placeCard } from '../places/card.js';
import { createFilters } from '../places/filters.js';
import { createPlaceMap } from '../places/map.js';
import { suggestField } from '../places/suggest.js';
import { setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { later } from '../ui/later.js';
import { moreButton } from '../ui/more.js';
import { busy, complain, empty, failed } from '../ui/parts.js';

/** What changes which places are found, or what is told of them. */
const CONCERNS = ['place', 'category', 'rating', 'favourite', 'place_page', 'hidden', 'check_in'];
/** One's own lists of places. */
const LISTS = ['favourite', 'rated', 'visited'];
/** Places of which it is said that they are trending, at most. */
const TRENDING = 4;

/** What was on show last, so that Back finds it as it was. */
const last = { event: '', list: '', asked: '', answer: null };

/** The chance by which a place is chosen. */
const chance = () => Math.floor(Math.random() * 2 ** 31);

/**
 * @param {HTMLElement} root @returns {{stop: () => void}}
 */
export function mountPlaces(root) {
  setTarget(() => null);
  if (!isOn('venues')) { fill(root, h('div.page', null, empty(t('find.off'), t('find.off_text')))); return { stop() {} }; }
  withStyle('places', () => {});
  const kept = remembered.get(), wide = matchMedia('(min-width: 1000px)'), { level } = state.status.current, takesPart = shares(level) && !looking(), writes = takesPart && !visiting();
  let search = restored(kept.search), pin = kept.pin ?? null, list = last.event === state.status.current.id ? last.list : '', mode = kept.mode ?? 'list', categories = [], answer = null, reads = 0, stopped = false;
  const pictures = createPictures();
  const results = h('ul.cards.venues'), told = h('p.hint', { role: 'status' }), after = h('div');
  const trends = h('ul.cards.venues'), inspired = h('ul.cards.venues', { 'aria-live': 'polite' });
  const popular = h('div.trending', null, h('h3.label', null, t('find.trending')), trends), every = h('div.trending', null, h('div.actions', null, inspireButton()), inspired, h('h3.label', null, t('find.every')));
  const filters = createFilters(go);
  const field = suggestField({ label: t('find.label'), value: search.q, ask: (text) => venues.suggest(text, near(pin)), choose: chosen, submit: (q) => go({ ...search, q }) });
  const where = h('button.where', { onclick: place });
  const lists = h('select', { 'aria-label': t('find.lists'), hidden: !takesPart, onchange: () => { list = lists.value; draw(); run(); } },
    ['all', ...LISTS.filter((one) => writes || one !== 'favourite'), ...(moderates(level) ? ['unapproved'] : [])].map((one) => h('option', { value: one === 'all' ? '' : one }, t(`find.list_${one}`))));
  const toggle = h('button.btn.primary.mode', { onclick: () => { mode = mode === 'map' ? 'list' : 'map'; remembered.set({ mode }); draw(); scrollTo(0, 0); } });
  const map = createPlaceMap({ searchHere: (within) => go({ ...search, within }), callout: (one) => placeCard(one, { categories, pictures, tag: 'div' }), picked: reveal });
  const add = (name) => later(() => import('../places/form.js'), (form) => form.placeForm(null, { categories, places: map.pins(), name }));
  const addButton = (words, name = '') => writes && h('button.btn.primary.shares', { onclick: () => add(name) }, icon('plus'), words);
  const more = moreButton(() => hosts(level) && writes ? [
    { sign: 'list', words: t('category.all'), act: () => later(() => import('../places/hosting.js'), (host) => host.editCategories(take)) },
    { sign: 'map', words: t('plan.title'), act: () => later(() => import('../places/siteplan.js'), (host) => host.editPlans(map.pins(), map.redraw)) }] : []);
  const split = h('div.split', null, h('div.found', null, told, popular, every, results, after), map.el);

  /** Another search is asked for. @param {import('../lib/find.js').Search} to */
  function go(to) {
    search = to;
    list = '';
    remembered.set({ search });
    field.set(search.q);
    draw();
    run();
  }

  /** A suggestion was taken: a category is searched at once, a place is opened. */
  function chosen(one) {
    if (one.kind === 'category') go({ ...search, q: '', category: one.id });
    else visit(pathOf(one.id));
  }

  /** Asks where the person is. */
  function place() {
    later(() => import('../places/position.js'), ({ askPosition }) => askPosition(pin, map.pins(), (to) => {
      pin = to;
      remembered.set({ pin });
      go(pin ? search : { ...search, radius: 0 });
    }));
  }

  function take(all) {
    categories = all;
    map.setCategories(all);
    if (search.category && !all.some((one) => one.id === search.category)) go({ ...search, category: '' }); else { draw(); show(); }
  }

  function draw() {
    filters.draw(search, pin, categories);
    fill(where, icon('pin'), pin ? t('pin.near', { name: pin.name ?? t('pin.me') }) : t('pin.ask'));
    where.classList.toggle('on', Boolean(pin));
    lists.value = list;
    lists.classList.toggle('on', Boolean(list));
    fill(toggle, icon(mode === 'map' ? 'list' : 'map'), t(mode === 'map' ? 'find.as_list' : 'find.as_map'));
    split.dataset.mode = mode;
    filters.el.hidden = Boolean(list);
    toggle.hidden = wide.matches;
    if (wide.matches || mode === 'map') map.open();
  }

  const question = () => JSON.stringify([list, search, pin]);

  /** Asks for what is searched for; of several answers only that to the latest question is shown. */
  async function run() {
    const mine = ++reads;
    results.setAttribute('aria-busy', 'true');
    const lively = !list && isAny(search) ? venues.trending(TRENDING).catch(() => []) : [];
    try {
      const found = list ? await venues.own(list) : await venues.find(asked(search, pin)), trending = await lively;
      if (mine !== reads || stopped) return;
      answer = { ...found, trending };
      Object.assign(last, { event: state.status.current?.id, list, asked: question(), answer });
      show();
      map.show(found.places, pin, search.within);
    } catch (error) {
      if (mine !== reads || stopped) return;
      answer = null;
      told.textContent = '';
      popular.hidden = every.hidden = true;
      fill(results);
      fill(after, failed(error, run));
    } finally { if (mine === reads) results.removeAttribute('aria-busy'); }
  }

  const card = (one) => placeCard(one, { categories, pictures, favoured: () => { if (search.favourite || list === 'favourite') run(); } });

  const looks = (one) => JSON.stringify([one.id, one.name, one.address, one.distance_m, one.ratings, one.favourites, one.photos, one.hidden?.at, openness(one)?.textContent, categoryWords(one, categories)]);

  function show() {
    if (!answer) return;
    const { places, category, around, next, trending } = answer;
    told.textContent = [places.length && t('find.found', { n: places.length }), category && t('find.of_category', { name: category.name }), around && t('find.around', { name: around.name })].filter(Boolean).join(' · ');
    popular.hidden = !trending.length;
    every.hidden = Boolean(list) || !isAny(search) || !places.length;
    // What did not change stays as it is, with its picture and the focus.
    keyed(trends, trending, looks, card);
    keyed(results, places, looks, card);
    const words = search.q.trim();
    fill(after, places.length > 0 ? [next && list && moreOf(next), !list && words && h('p.hint', null, t('find.not_there'), ' ', addButton(t('find.add_it'), words))]
      : list ? empty(t('find.none'), t(`find.none_${list}`))
      : isAny(search) ? empty(t('find.empty'), t('find.empty_text'), addButton(t('place.add')))
      : empty(t('find.nothing'), t('find.nothing_text'), narrowed(search) > 0 && h('button.btn', { onclick: () => go(unfiltered(search)) }, t('find.clear_all')), addButton(t('find.add_it'), words)));
  }

  /** The rest of one's own list. */
  function moreOf(cursor) {
    const button = h('button.btn', { onclick: () => busy(button, t('loading'), async () => {
      const of = list, page = await venues.own(of, cursor);
      if (of !== list || !answer) return;
      answer = { ...answer, places: [...answer.places, ...page.places], next: page.next };
      show();
    }).catch(complain) }, t('moments.more'));
    return button;
  }

  function inspireButton() {
    const button = h('button.btn', { onclick: () => busy(button, '', async () => {
      // That there is none is an answer, too.
      const one = await venues.inspire(near(pin), chance()).then(card, (error) => { if (error.status === 404) return h('li.hint', null, error.message); throw error; });
      fill(inspired, one);
    }).catch(complain) }, icon('star'), t('find.inspire'));
    return button;
  }

  /** A pin was picked: its card in the list is brought into sight. */
  function reveal(id) {
    for (const el of results.children) el.classList.toggle('picked', el.dataset.id === id);
    if (wide.matches) [...results.children].find((el) => el.dataset.id === id)?.scrollIntoView({ block: 'nearest' });
  }

  fill(root, h('div.page.finder', null, h('div.page-head', null, h('h2', null, t('tab.places')), h('div.actions', null, addButton(t('place.add')), more.el)),
    h('form.find-line', { role: 'search', onsubmit: (event) => { event.preventDefault(); field.search(); } }, field.el, h('button.btn', { type: 'submit', 'aria-label': t('find.search') }, icon('search'))),
    h('div.choose.narrowing', null, where, lists, filters.el), split, toggle));
  draw();
  if (last.event === state.status.current.id && last.asked === question()) {
    ({ answer } = last);
    show();
    map.show(answer.places, pin, search.within);
  }
  run();
  api.categories().catch(() => []).then((all) => { if (!stopped) take(all); });
  const again = single(run), offs = [on('change', ({ kinds }) => { if (CONCERNS.some((kind) => kinds.has(kind))) again(); }), on('reset', again)];
  wide.addEventListener('change', draw);
  return { stop() { stopped = true; offs.forEach((off) => off()); wide.removeEventListener('change', draw); field.stop(); pictures.stop(); map.stop(); } };
}
