/** What is said above everything: that the node is away, and its warnings. Loaded on demand. */
import { warnings } from '../lib/warnings.js';
import { h, keyed, memory } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { on, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { icon } from './icons.js';

/** @returns {HTMLElement} */
export function createStrips() {
  const strips = h('div.strips');

  function warn() {
    const { status, live } = state;
    const gone = new Set(memory.get('dismissed') ?? []);
    const list = [];
    if (!live) list.push({ id: 'lost', text: t(visiting() ? 'visit.lost' : 'strip.lost'), stays: true });
    for (const one of warnings(status)) list.push({ id: one.id, text: one.text ?? t('strip.discovery', { reason: one.reason }) });
    keyed(strips, list.filter((one) => one.stays || !gone.has(one.id)), (one) => one.id, (one) => h(`div.strip${one.stays ? '.lost' : ''}`, { role: one.stays ? 'alert' : 'status' },
      one.stays ? h('span.spin', { 'aria-hidden': 'true' }) : icon('alert'), h('p', null, one.text),
      !one.stays && h('button.plain', { 'aria-label': t('strip.dismiss'), onclick: () => {
        memory.set('dismissed', [...new Set([...(memory.get('dismissed') ?? []), one.id])].slice(-20));
        warn();
      } }, icon('close'))));
  }

  on('status', warn);
  on('live', warn);
  warn();
  return strips;
}
