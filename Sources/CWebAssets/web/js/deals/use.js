/** Using a deal: asked once, then shown large to the staff, with what the venue's device says of it as soon as it does. */
import { fill, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { deals } from '../core/deals.js';
import { emit, load, myself, on, state } from '../core/store.js';
import { everySecond } from '../core/ticks.js';
import { visiting } from '../core/visit.js';
import { single } from '../lib/single.js';
import { icon } from '../ui/icons.js';
import { avatar } from '../ui/parts.js';
import { confirm, sheet } from '../ui/sheet.js';

/** What changes what is known of a use. */
const CONCERNS = ['deal', 'deal_use', 'deal_confirmation', 'hidden'];

/** What became of the use, and the sign of it. @param {{state: string, confirmed?: string}} use @returns {[string, any]} */
export function outcome({ state: is, confirmed }) {
  if (is === 'confirmed') return [confirmed ? t('deal.confirmed_at', { when: say.moment(confirmed) }) : t('deal.use_confirmed'), 'check'];
  return is === 'used_up' ? [t('deal.not_confirmed_up'), 'alert'] : [t('deal.not_confirmed'), 'moments'];
}

/** The time with its seconds, where the event is. */
const secondsNow = (now) => new Intl.DateTimeFormat(document.documentElement.lang || 'en', { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone: state.status?.current?.time_zone }).format(now);

/** Asks, as a deal is used once for ever. @param {any} deal @param {(deal: any) => void} done told what the deal is then */
export async function useDeal(deal, done) {
  let fresh = null;
  const used = await confirm({ title: deal.title, text: t('deal.use_text'), action: t('deal.use_now'), kind: 'primary', work: async () => {
    await deals.use(deal.id);
    // A guest becomes somebody by what the guest does first.
    if (visiting()) await load.status().catch(() => {});
    // The use counts even if this answer is lost.
    fresh = await deals.deal(deal.id).catch(() => ({ ...deal, use: { at: new Date().toISOString(), state: 'waiting' } }));
  } });
  if (!used) return;
  done(fresh);
  showUse(fresh);
  emit('shared');
}

/** Shows a use to the staff; what moves and ticks on it tells it from a picture of it. @param {any} deal with its use */
export function showUse(deal) {
  const told = h('p.use-state', { role: 'status' }), time = h('p.use-time', { role: 'timer', 'aria-label': t('deal.now') });
  let drawn = '', stopped = false;

  function draw({ use }) {
    const [words, sign] = outcome(use);
    if (words === drawn) return;
    drawn = words;
    told.dataset.state = use.state;
    fill(told, icon(sign), h('span', null, words));
  }

  const read = single(async () => {
    try {
      const fresh = await deals.deal(deal.id);
      if (!stopped && fresh.use) draw(fresh);
    } catch { /* what was known stays; the stream reports a silent node */ }
  });
  const tick = (now) => { time.textContent = secondsNow(now); };
  const offs = [everySecond(tick), on('change', ({ kinds }) => { if (CONCERNS.some((kind) => kinds.has(kind))) read(); }), on('reset', read)];
  const me = myself();
  const box = sheet(deal.title, [
    h('p.use-place', { dir: 'auto' }, icon('pin'), deal.place.name),
    h('div.use-mark', { 'aria-hidden': 'true' }, h('i')), time,
    h('div.portrait', null, avatar(me, 'l'), h('strong', { dir: 'auto' }, me.name || t('visit.unnamed'))),
    told, deal.terms && h('p.description', null, deal.terms),
    h('p.hint', null, t('deal.used_at', { when: say.moment(deal.use.at) })),
  ], { wide: true, onclose: () => { stopped = true; offs.forEach((off) => off()); } });
  box.el.classList.add('use-screen');
  draw(deal);
  tick(Date.now());
  // It may have been confirmed while this opened.
  if (deal.use.state === 'waiting') read();
}
