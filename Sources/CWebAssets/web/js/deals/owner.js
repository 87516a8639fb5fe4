/** What the owner of a deal is told and does: figures, changing and ending it, and which device confirms its uses. */
import { fill, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { deals } from '../core/deals.js';
import { visiting } from '../core/visit.js';
import { stateAt } from '../lib/deals.js';
import { icon } from '../ui/icons.js';
import { later } from '../ui/later.js';
import { complain, toast } from '../ui/parts.js';
import { confirm, sheet } from '../ui/sheet.js';
import { figures } from './card.js';

/** Ends a deal before its time. */
async function endNow(deal, done) {
  const ended = await confirm({ title: t('deal.end_now'), text: t('deal.end_text', { title: deal.title }), action: t('deal.end_now'), work: () => deals.change(deal.id, { end: new Date().toISOString() }) });
  if (ended) done();
}

async function drop(deal) {
  const gone = await confirm({ title: t('deal.delete'), text: t('deal.delete_text', { title: deal.title }), action: t('delete'), work: () => deals.drop(deal.id) });
  if (gone) go('/deals', { replace: true });
}

/** Which other devices may confirm the uses. @param {any[]} devices */
const others = (devices) => devices.filter((one) => !one.this && one.state === 'active');

/** Lets another device confirm the uses from now on. */
function handOn(deal, devices, done) {
  const row = (device) => h('button.btn.wide', { onclick: async () => {
    box.close();
    const handed = await confirm({ title: t('deal.hand_on'), text: t('deal.hand_text', { name: device.name }), action: t('deal.hand_on'), kind: 'primary', work: () => deals.change(deal.id, { confirming: device.id }) });
    if (!handed) return;
    toast(t('deal.handed', { name: device.name }));
    done();
  } }, device.name, ' · ', device.here ? t('deal.device_here') : device.last_wrote ? t('deal.device_wrote', { when: say.ago(device.last_wrote) }) : t('deal.device_silent'));
  const box = sheet(t('deal.hand_on'), [h('p', null, t('deal.hand_choose')), h('div.stack', null, others(devices).map(row))]);
}

/** The owner's part of a deal's page, which is empty for everybody else. @param {() => void} done reads the deal anew */
export function ownerPart(done) {
  const el = h('section.owner');
  let devices = null, isAsked = false, drawn = null;

  /** Which device confirms, and what can be done about it. */
  function confirming(deal) {
    if (deal.confirms) return [t('deal.confirms_here'), devices && others(devices).length > 0 && [' ', h('button.link', { 'aria-haspopup': 'dialog', onclick: () => handOn(deal, devices, done) }, t('deal.hand_on'))]];
    const named = deal.confirming && devices?.find((one) => one.id === deal.confirming);
    return named ? t('deal.confirms_there', { name: named.name }) : t('deal.confirms_maker');
  }

  function draw(deal) {
    drawn = deal;
    if (!deal?.mine || visiting()) { fill(el); return; }
    if (!isAsked) {
      isAsked = true;
      deals.devices().then((all) => { devices = all; draw(drawn); }, complain);
    }
    fill(el, h('h3.label', null, t('deal.yours')), h('p', null, figures(deal)), h('p.hint', null, confirming(deal)),
      h('div.actions', null,
        h('button.btn.small', { onclick: () => later(() => import('./form.js'), (form) => form.dealForm(deal, { done })) }, icon('edit'), t('edit')),
        stateAt(deal, Date.now()) === 'active' && h('button.btn.small', { onclick: () => endNow(deal, done) }, t('deal.end_now')),
        h('button.btn.small.quiet-danger', { onclick: () => drop(deal) }, icon('trash'), t('deal.delete'))));
  }

  return { el, draw };
}
