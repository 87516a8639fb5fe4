/** What the founder changes for everybody: what the event is called, what it has, and when reports hide something by themselves. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { load } from '../core/store.js';
import { busy, field, toast } from './parts.js';
import { sheet } from './sheet.js';

/** How many people's reports hide something; 0: none do. */
const THRESHOLDS = [0, 1, 2, 3, 5, 10];
/** Parts of the product that an event can do without. */
const AREAS = ['moments', 'venues', 'deals', 'ratings', 'nearby'];

/** Opens the sheet. @param {{id: string, title: string, report_threshold: number, areas: string[]}} event */
export function eventForm(event) {
  const title = field(t('setup.event_title'), { value: event.title, maxlength: '200', autocomplete: 'off', required: true });
  const choices = [...new Set([...THRESHOLDS, event.report_threshold])].sort((a, b) => a - b);
  const select = h('select', null, choices.map((n) => h('option', { value: String(n), selected: n === event.report_threshold }, t('event.threshold_n', { n }))));
  const areas = AREAS.map((area) => h('input', { type: 'checkbox', value: area, checked: event.areas.includes(area) }));
  const options = areas.map((box) => h('label.tick', null, box, h('span', null, h('strong', null, t(`area.${box.value}`)), h('small', null, t(`area.${box.value}_text`)))));
  const wrong = h('p.wrong', { role: 'alert' });
  const save = h('button.btn.primary', { type: 'submit' }, t('save'));

  async function submit(sent) {
    sent.preventDefault();
    wrong.textContent = '';
    const change = {}, name = title.input.value.trim(), threshold = Number(select.value);
    if (!name) { title.error(t('setup.need_title')); title.input.focus(); return; }
    if (name !== event.title) change.title = name;
    if (threshold !== event.report_threshold) change.report_threshold = threshold;
    const chosen = areas.filter((box) => box.checked).map((box) => box.value);
    if (AREAS.some((area) => chosen.includes(area) !== event.areas.includes(area))) change.areas = chosen;
    try {
      if (Object.keys(change).length) await busy(save, t('form.saving'), async () => { await api.changeEvent(event.id, change); await load.status(); });
      box.close();
      toast(t('event.changed'));
    } catch (error) { wrong.textContent = error.message; }
  }

  const box = sheet(t('event.change'), [h('form', { onsubmit: submit, novalidate: true }, title.el,
    h('fieldset.choices', null, h('legend', null, t('event.areas')), options),
    h('label.field', null, h('span', null, t('event.threshold')), select), wrong,
    h('div.actions', null, save, h('button.btn', { type: 'button', onclick: () => box.close() }, t('cancel'))))]);
}
