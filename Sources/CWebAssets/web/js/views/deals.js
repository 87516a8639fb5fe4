/** Deals that can be used now, those that end first at the top, as a list and on the map; and one's own by where they stand. */
import { fill, h, keyed } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { deals as calls } from '../core/deals.js';
import { go as visit } from '../core/router.js';
import { looking, on, state } from '../core/store.js';
import { withStyle } from '../core/style.js';
import { everySecond } from '../core/ticks.js';
import { remembered } from '../core/venues.js';
import { visiting } from '../core/visit.js';
import { byPlace, grouped, isUsedUp, nextTurn, stateAt } from '../lib/deals.js';
import { near } from '../lib/find.js';
import { shares } from '../lib/levels.js';
import { single } from '../lib/single.js';
import { dealCard, pathOf, runClocks } from '../deals/card.js';
import { createPlaceMap } from '../places/map.js';
import { setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { later } from '../ui/later.js';
import { empty, failed } from '../ui/parts.js';

/** What changes which deals are listed, or what is told of them. */
const CONCERNS = ['deal', 'deal_use', 'deal_confirmation', 'favourite', 'place', 'ownership', 'comment', 'hidden', 'media'];
/** Deals of others that begin are told by nobody: they are asked for now and then. */
const AGAIN_MS = 60000;
/** Where one's own deals stand. */
const GROUPS = ['active', 'future', 'ended'];

/** What was on show last, so that Back finds it as it was. */
const last = { event: '', list: 'all', q: '', found: null };

/**
 * @param {HTMLElement} root @returns {{stop: () => void}}
 */
export function mountDeals(root) {
  setTarget(() => null);
  withStyle('places', () => {});
  withStyle('deals', () => {});
  const event = state.status.current.id, { level } = state.status.current, writes = shares(level) && !looking(), wide = matchMedia('(min-width: 1000px)');
  if (last.event !== event) Object.assign(last, { event, list: 'all', q: '', found: null });
  let { list, q, found } = last, { pin = null, mode = 'list' } = remembered.get(), owns = false, turn = Infinity, asked = 0, reads = 0, onMap = '', stopped = false;
  const lists = h('div.filters', { role: 'group', 'aria-label': t('deals.lists') });
  const groups = GROUPS.map((name) => ({ name, label: h('h3.label', { hidden: true }), list: h('ul.cards.venues') }));
  const told = h('p.hint', { role: 'status' }), after = h('div'), deeds = h('div.actions');
  const input = h('input', { type: 'search', 'aria-label': t('deals.search'), placeholder: t('deals.search'), enterkeyhint: 'search', maxlength: '200', dir: 'auto', value: q, oninput: () => { if (!input.value) ask({ q: '' }); } });
  const where = h('button.where', { onclick: place });
  const toggle = h('button.btn.primary.mode', { onclick: () => { mode = mode === 'map' ? 'list' : 'map'; remembered.set({ mode }); draw(); scrollTo(0, 0); } });
  const map = createPlaceMap({ searchHere: null, callout: (at) => h('div', null, at.deals.map((deal) => dealCard(deal, { tag: 'div' }))), picked: reveal });
  const make = () => later(() => import('../deals/form.js'), (form) => form.dealForm(null));
  const newButton = () => owns && h('button.btn.primary.shares', { onclick: make }, icon('plus'), t('deal.new'));
  const head = h('div.actions'), split = h('div.split', null, h('div.found', null, told, deeds, groups.map((one) => [one.label, one.list]), after), map.el);

  /** Another list, other words or another position are asked for. @param {{list?: string, q?: string}} to */
  function ask(to) {
    ({ list, q } = { list, q, ...to });
    Object.assign(last, { list, q, found: null });
    draw();
    run();
  }

  function place() {
    later(() => import('../places/position.js'), ({ askPosition }) => askPosition(pin, map.pins(), (to) => {
      pin = to;
      remembered.set({ pin });
      ask({});
    }));
  }

  function draw() {
    const all = ['all', ...(writes ? [...(visiting() ? [] : ['favourites']), 'used'] : []), ...(owns ? ['mine'] : [])], focused = document.activeElement?.dataset?.list;
    fill(lists, all.map((name) => h('button', { 'aria-pressed': String(name === list), data: { list: name }, onclick: () => ask({ list: name }) }, t(`deals.list_${name}`))));
    if (focused) [...lists.children].find((one) => one.dataset.list === focused)?.focus();
    fill(where, icon('pin'), pin ? t('pin.near', { name: pin.name ?? t('pin.me') }) : t('pin.ask'));
    fill(head, newButton());
    fill(toggle, icon(mode === 'map' ? 'list' : 'map'), t(mode === 'map' ? 'find.as_list' : 'find.as_map'));
    split.dataset.mode = mode;
    toggle.hidden = wide.matches;
    if (wide.matches || mode === 'map') map.open();
  }

  /** Whether the list is of what can be used now, and so near the pin. */
  const isOpen = () => ['all', 'favourites'].includes(list);

  /** Asks for the list; of several answers only that to the latest question is shown. */
  async function run() {
    const mine = ++reads;
    split.setAttribute('aria-busy', 'true');
    try {
      const answer = await calls.list({ q: q.trim(), list: list === 'all' ? null : list, near: isOpen() ? near(pin) : null });
      if (mine !== reads || stopped) return;
      asked = Date.now();
      last.found = found = answer;
      show();
    } catch (error) {
      if (mine !== reads || stopped) return;
      last.found = found = null;
      told.textContent = '';
      for (const one of groups) { keyed(one.list, [], String); one.label.hidden = true; }
      fill(deeds);
      fill(after, failed(error, run));
    } finally { if (mine === reads) split.removeAttribute('aria-busy'); }
  }

  /** What of the answer is on show now, by where it stands. */
  function sorted(now) {
    if (list === 'mine') return grouped(found, now);
    return { active: isOpen() ? found.filter((deal) => stateAt(deal, now) === 'active') : [...found].reverse() };
  }

  function show(now = Date.now()) {
    if (!found) return;
    const of = sorted(now), shown = GROUPS.flatMap((name) => of[name] ?? []), isMine = list === 'mine';
    turn = nextTurn(found, now);
    for (const { name, label, list: el } of groups) {
      const some = of[name] ?? [];
      label.hidden = !isMine || !some.length;
      label.textContent = t(`deals.group_${name}`);
      keyed(el, some, (deal) => JSON.stringify([deal, stateAt(deal, now), isMine]), (deal) => dealCard(deal, { dashboard: isMine }));
    }
    told.textContent = shown.length ? t('deals.found', { n: shown.length }) : '';
    const usable = isOpen() ? shown.filter((deal) => !isUsedUp(deal)) : [];
    fill(deeds, usable.length > 0 && h('button.btn', { onclick: () => visit(pathOf(usable[Math.floor(Math.random() * usable.length)].id)) }, icon('star'), t('find.inspire')));
    fill(after, !shown.length && nothing());
    showMap(shown);
  }

  function nothing() {
    if (q.trim()) return empty(t('find.nothing'), t('deals.nothing_text'), h('button.btn', { onclick: () => { input.value = ''; ask({ q: '' }); } }, t('deals.clear')));
    return empty(t(`deals.none_${list}`), t(pin && isOpen() ? 'deals.none_near' : `deals.none_${list}_text`), newButton());
  }

  /** The map moves only if other places are on it. */
  function showMap(shown) {
    const places = byPlace(shown), now = JSON.stringify([places.map((one) => one.id), pin]);
    map.show(places, pin, now === onMap);
    onMap = now;
  }

  /** A pin was picked: the cards of its place are marked in the list. */
  function reveal(id) {
    for (const one of groups) for (const el of one.list.children) el.classList.toggle('picked', Boolean(id) && found?.find((deal) => deal.id === el.dataset.id)?.place.id === id);
  }

  /** Whether there are deals of one's own, or places for them. */
  const own = single(async () => {
    if (!writes || visiting()) return;
    const [places, mine] = await Promise.all([calls.owned(), calls.list({ list: 'mine' })]);
    if (stopped || owns === (places.length + mine.length > 0)) return;
    owns = !owns;
    draw();
    show();
  });

  const again = single(run);

  function tick(now) {
    // What ends goes by itself, and what is one's own changes its group.
    if (now >= turn) show(now);
    for (const one of groups) runClocks(one.list, now);
    runClocks(map.el, now);
    if (asked && now - asked >= AGAIN_MS) { asked = now; again(); }
  }

  function changed({ kinds }) {
    if (CONCERNS.some((kind) => kinds.has(kind))) again();
    if (kinds.has('ownership') || kinds.has('deal')) own().catch(() => {});
  }

  fill(root, h('div.page.finder', null, h('div.page-head', null, h('h2', null, t('tab.deals')), head),
    h('form.find-line', { role: 'search', onsubmit: (event) => { event.preventDefault(); ask({ q: input.value }); } }, input, h('button.btn', { type: 'submit', 'aria-label': t('deals.search') }, icon('search'))),
    h('div.choose.narrowing', null, where, lists), split, toggle));
  map.setCategories([]);
  draw();
  show();
  run();
  own().catch(() => {});
  const offs = [on('change', changed), on('reset', () => { again(); own().catch(() => {}); }), everySecond(tick)];
  wide.addEventListener('change', draw);
  return { stop() { stopped = true; offs.forEach((off) => off()); wide.removeEventListener('change', draw); map.stop(); } };
}
