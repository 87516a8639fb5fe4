/** What the owners of a place offer just now, the one that ends first at the top. */
import { fill, h, keyed } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { deals } from '../core/deals.js';
import { withStyle } from '../core/style.js';
import { everySecond } from '../core/ticks.js';
import { isOn } from '../core/venues.js';
import { visiting } from '../core/visit.js';
import { stateAt } from '../lib/deals.js';
import { later } from '../ui/later.js';
import { icon } from '../ui/icons.js';
import { dealCard, runClocks } from './card.js';

/** @param {string} id of the place @returns {{el: HTMLElement, refresh: () => Promise<void>, own: (is: boolean) => void, stop: () => void}} */
export function dealsPart(id) {
  const title = h('h3.label', null, t('deal.here')), list = h('ul.cards.venues'), offer = h('div.actions'), el = h('section.deals', { hidden: true }, title, list, offer);
  withStyle('deals', () => {});
  let all = [], off = null, isOwn = false, stopped = false;

  function draw() {
    const now = Date.now(), shown = all.filter((deal) => stateAt(deal, now) === 'active');
    keyed(list, shown, (deal) => JSON.stringify(deal), (deal) => dealCard(deal, { place: false }));
    el.hidden = !shown.length && !isOwn;
    title.hidden = !shown.length;
  }

  function tick(now) {
    if (all.some((deal) => Date.parse(deal.end) <= now)) { all = all.filter((deal) => Date.parse(deal.end) > now); draw(); }
    runClocks(list, now);
  }

  return {
    el,
    async refresh() {
      if (!isOn('deals')) return;
      try {
        const found = await deals.list({ target: id });
        if (stopped) return;
        all = found;
        off ??= everySecond(tick);
        draw();
      } catch { /* the place is told without them; the stream reports a silent node */ }
    },
    /** Says whether the place is one's own. */
    own(is) {
      if (is === isOwn || !isOn('deals') || visiting()) return;
      isOwn = is;
      fill(offer, is && h('button.btn.small', { onclick: () => later(() => import('./form.js'), (form) => form.dealForm(null, { place: id })) }, icon('plus'), t('deal.new')));
      draw();
    },
    stop() { stopped = true; off?.(); },
  };
}
