/** Opening hours, a line for each day of the week. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { DAYS, readDay, writeDay } from '../lib/hours.js';
import { dayName } from './words.js';

/** @param {Record<string, string[][]>|null|undefined} value @param {string} label */
export function hoursTable(value, label) {
  const wrong = h('p.wrong', { role: 'alert' });
  const inputs = Object.fromEntries(DAYS.map((day) => [day, h('input', { value: writeDay(value?.[day]), autocomplete: 'off', maxlength: '60', placeholder: t('hours.closed'), 'aria-label': `${label}: ${dayName(day)}`,
    oninput: () => { inputs[day].setAttribute('aria-invalid', 'false'); wrong.textContent = ''; } })]));
  const copy = h('button.link', { onclick: () => { for (const day of DAYS.slice(1)) inputs[day].value = inputs.monday.value; } }, t('hours.copy'));
  const bad = () => DAYS.find((day) => !readDay(inputs[day].value));

  function read() {
    const days = DAYS.map((day) => [day, readDay(inputs[day].value) ?? []]).filter(([, spans]) => spans.length);
    return days.length ? Object.fromEntries(days) : null;
  }

  return {
    el: h('fieldset.control.hours', null, h('legend', null, label), h('p.hint', null, t('hours.hint')),
      DAYS.map((day) => h('label', null, h('span', { 'aria-hidden': 'true' }, dayName(day)), inputs[day])), copy, wrong),
    read,
    check: () => (bad() ? ['hours.bad', { day: dayName(bad()) }] : null),
    error: (text) => { wrong.textContent = text; if (text && bad()) inputs[bad()].setAttribute('aria-invalid', 'true'); },
    focus: () => inputs[bad() ?? 'monday'].focus(),
  };
}
