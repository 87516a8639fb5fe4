/** What the owners of a place offer just now, the one that ends first at the top. */
import { fill, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { isOn, venues } from '../core/venues.js';
import { money, recordList } from '../kinds/list.js';

/** @param {string} id of the place @returns {{el: HTMLElement, refresh: () => Promise<void>}} */
export function dealsPart(id) {
  const el = h('section.deals'), meta = (deal) => [deal.price !== undefined && money(deal.price), t('deal.ends', { when: say.ago(deal.end) })].filter(Boolean).join(' · ');

  async function refresh() {
    if (!isOn('deals')) return;
    try {
      const [kind, all] = await Promise.all([venues.kind('deal'), venues.list('deals', { target: id })]);
      fill(el, all.length > 0 && [h('h3.label', null, t('deal.here')), recordList(kind, all, meta)]);
    } catch { /* the place is told without them; the stream reports a silent node */ }
  }

  return { el, refresh };
}
