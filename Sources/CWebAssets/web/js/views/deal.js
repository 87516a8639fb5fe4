/** One deal: what it offers, how long it still lasts, using it, and what people think and say of it. */
import { fill, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { deals } from '../core/deals.js';
import { load, looking, nameOf, on, state } from '../core/store.js';
import { withStyle } from '../core/style.js';
import { everySecond } from '../core/ticks.js';
import { isOn } from '../core/venues.js';
import { visiting, within } from '../core/visit.js';
import { isUsedUp, stateAt } from '../lib/deals.js';
import { shares } from '../lib/levels.js';
import { single } from '../lib/single.js';
import { clock, cost, left, runClocks } from '../deals/card.js';
import { ownerPart } from '../deals/owner.js';
import { pathOf as placePath, stars } from '../places/card.js';
import { setTarget } from '../ui/add.js';
import { createComments } from '../ui/comments.js';
import { hiddenNote, hidingDeed } from '../ui/hiding.js';
import { icon } from '../ui/icons.js';
import { later } from '../ui/later.js';
import { moreButton } from '../ui/more.js';
import { empty, failed, whoLink } from '../ui/parts.js';

/** What changes what is told here. */
const CONCERNS = ['deal', 'deal_use', 'deal_confirmation', 'rating', 'comment', 'place', 'ownership', 'hidden', 'media', 'people'];

/**
 * @param {HTMLElement} root @param {string} id @returns {{stop: () => void}}
 */
export function mountDeal(root, id) {
  let deal = null, stood = '', shown = null, stopped = false;
  const { level } = state.status.current, writes = shares(level) && !looking();
  const banner = h('div.banner'), head = h('div.moment-head', { 'aria-busy': 'true' }), owner = ownerPart(() => read());
  const comments = createComments('deals', id), wide = matchMedia('(min-width: 1000px)'), summary = h('summary');
  const talk = h('details.side-talk', { open: true }, summary, comments.el);
  summary.addEventListener('click', (event) => { if (wide.matches) event.preventDefault(); });
  setTarget(() => null);
  withStyle('places', () => {});
  withStyle('deals', () => {});
  const more = moreButton(() => (deal ? [hidingDeed(deal, () => read())] : []));

  const use = (act) => later(() => import('../deals/use.js'), act);
  const rate = () => later(() => import('../places/rating.js'), (form) => form.rateDeal(deal, read));

  /** Using it, or what became of that; its owner does not use it. */
  function useButton() {
    if (!writes) return null;
    if (deal.use) return h('button.btn.primary.use', { onclick: () => use((screen) => screen.showUse(deal)) }, icon('check'), t('deal.show_use'));
    if (deal.mine || stateAt(deal, Date.now()) !== 'active' || isUsedUp(deal)) return null;
    return h('button.btn.add.use', { onclick: () => use((screen) => screen.useDeal(deal, take)) }, icon('deals'), t('deal.use'));
  }

  function showBanner() {
    const src = deal.preview?.held ? deal.preview.url : null;
    if (src === shown) return;
    shown = src;
    fill(banner, src && h('div.cover', null, h('img', { src, alt: '', onerror: () => fill(banner) })));
  }

  function draw() {
    if (stopped || !deal) return;
    const { place, author } = deal, focused = head.contains(document.activeElement) && document.activeElement.className.split(' ').at(-1);
    stood = stateAt(deal, Date.now());
    head.removeAttribute('aria-busy');
    fill(head,
      h('div.title-line', null, h('h2', { dir: 'auto' }, deal.title), more.el),
      hiddenNote(deal),
      h('p.where', null, icon('pin'), within({ name: 'place', id: place.id }).id ? h('a', { href: placePath(place.id), dir: 'auto' }, place.name) : h('span', { dir: 'auto' }, place.name)),
      h('p.venue-facts.offer', null, [cost(deal), clock(deal), left(deal)].filter(Boolean)),
      h('p.when', null, say.span(deal.start, deal.end)),
      isOn('ratings') && h('p.venue-facts', null, stars(deal)),
      deal.text && h('p.description', null, deal.text),
      deal.terms && h('div.page-words', null, h('p.hint', null, t('field.terms')), h('p.description', null, deal.terms)),
      deal.use && h('p.hint', null, t(`deal.use_${deal.use.state}`)),
      h('div.actions', null, useButton(), writes && isOn('ratings') && h('button.btn.rate', { onclick: rate }, icon('star'), t(deal.ratings?.mine ? 'rating.again' : 'rating.rate'))),
      h('p.by', null, whoLink(author, t('deal.by', { name: nameOf(author) }))));
    owner.draw(deal);
    more.draw();
    summary.textContent = t('moment.comments', { n: deal.comments?.count ?? 0 });
    if (focused) head.querySelector(`.${focused}`)?.focus();
    showBanner();
  }

  function take(fresh) {
    deal = fresh;
    draw();
  }

  // One question at a time: of two answers the later one would be shown, though it may be the older one.
  const read = single(async () => {
    try {
      const fresh = await deals.deal(id);
      if (!stopped) take(fresh);
    } catch (error) {
      if (stopped || deal && error.status !== 404) return;
      deal = null;
      fill(root, h('div.page', null, error.status === 404 ? empty(t('deal.gone'), error.message, h('a.btn', { href: '/deals' }, t('tab.deals'))) : failed(error, () => location.reload())));
    }
  });

  async function again(change) {
    if (change && !CONCERNS.some((kind) => change.kinds.has(kind))) return;
    await read();
    if (deal) comments.refresh(change, deal.comments?.count).catch(() => {});
  }

  function tick(now) {
    if (!deal) return;
    if (stateAt(deal, now) !== stood) draw();
    runClocks(head, now);
  }

  fill(root, h('div.moment.deal-page', null, banner, head, owner.el, talk));
  read();
  comments.refresh().catch(() => {});
  if (!state.people && !visiting()) load.people().then(draw, () => {});
  const offs = [on('change', again), on('reset', () => again()), everySecond(tick)];
  return { stop() { stopped = true; offs.forEach((off) => off()); } };
}
