/** A deal in a list, and the lines that tell of it: price, what is left, how long it still lasts. */
import { fill, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { countdown, isUsedUp, stateAt } from '../lib/deals.js';
import { money } from '../kinds/words.js';
import { away } from '../places/card.js';
import { icon } from '../ui/icons.js';

/** The address of a deal's page. @param {string} id */
export const pathOf = (id) => `/deals/${encodeURIComponent(id)}`;

/** What it costs, and what it cost before. @param {any} deal */
export function cost({ price, price_before: before }) {
  if (price === undefined && before === undefined) return null;
  return h('span.cost', null, price !== undefined && h('strong', null, price === 0 ? t('deal.free') : money(price)),
    before !== undefined && h('span', null, h('span.sr', null, t('deal.before')), ' ', h('s', null, money(before))));
}

const lang = () => document.documentElement.lang || 'en';

/** What a deal's clock shows at a time. */
function clockWords(deal, now) {
  const state = stateAt(deal, now);
  if (state === 'ended') return t('deal.ended', { when: say.moment(deal.end) });
  return countdown(Date.parse(state === 'future' ? deal.start : deal.end) - now, lang());
}

/** How long it still lasts, or until it begins; {@link runClocks} keeps it going. @param {any} deal @param {number} [now] */
export function clock(deal, now = Date.now()) {
  const words = clockWords(deal, now), state = stateAt(deal, now);
  return h('span.countdown', null, icon('moments'), state !== 'ended' && h('span', { class: state === 'future' ? '' : 'sr' }, t(state === 'future' ? 'deal.begins_in' : 'deal.ends_in'), ' '),
    h('time', { role: 'timer', data: { end: deal.end, start: deal.start } }, words));
}

/** Shows on each clock below an element what it is. @param {Element} root @param {number} now */
export function runClocks(root, now) {
  for (const el of root.querySelectorAll('time[data-end]')) {
    const words = clockWords(el.dataset, now);
    if (el.textContent !== words) el.textContent = words;
  }
}

/** How many can still use it, of what has not ended. @param {any} deal @param {number} [now] */
export const left = (deal, now = Date.now()) => (deal.left === undefined || stateAt(deal, now) === 'ended' ? null : h('span', null, isUsedUp(deal) ? t('deal.used_up') : t('deal.left', { n: deal.left })));

/** What became of one's own use, in a word. @param {any} deal */
export const useWord = ({ use }) => (use ? h('span.badge', null, icon('check'), t(`deal.use_${use.state}`)) : null);

/** What the owner is told of it: uses, confirmations, comments. @param {any} deal */
export const figures = ({ deal_uses: uses, deal_confirmations: confirmed, comments }) => [t('deal.uses', { n: uses?.count ?? 0 }), t('deal.confirmations', { n: confirmed?.count ?? 0 }), t('deal.comments', { n: comments?.count ?? 0 })].join(' · ');

/** Its picture, or a sign in its place. @param {any} deal */
function cover({ thumbnail }) {
  const el = h('div.cover', { 'aria-hidden': 'true' }, icon('deals'));
  if (thumbnail?.held) fill(el, h('img', { src: thumbnail.url, alt: '', loading: 'lazy', decoding: 'async', onerror: () => fill(el, icon('deals')) }));
  return el;
}

/** @param {any} deal @param {{tag?: 'li'|'div', dashboard?: boolean, place?: boolean}} [how] a dashboard has figures; whether the place is named */
export const dealCard = (deal, { tag = 'li', dashboard = false, place = true } = {}) => h(`${tag}.card.venue.deal`, { data: { id: deal.id }, class: deal.hidden ? 'concealed' : '' },
  h('a.whole', { href: pathOf(deal.id), 'aria-label': deal.title }), cover(deal),
  h('div.words', null, h('h3', { dir: 'auto' }, deal.title),
    h('p.venue-facts', null, [cost(deal), clock(deal), left(deal)].filter(Boolean)),
    place && h('p.counts', null, h('span', { dir: 'auto' }, deal.place.name), ' ', away(deal)),
    dashboard && h('p.counts', null, figures(deal)), useWord(deal)));
