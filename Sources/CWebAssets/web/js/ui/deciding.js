/** Forms for decisions of hosts about people. Loaded on demand. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { load } from '../core/store.js';
import { governed } from '../lib/levels.js';
import { fromInput, toInput } from '../lib/time.js';
import { complain, field, toast } from './parts.js';
import { confirm } from './sheet.js';

/** Chooses the level of a person. A waiting person with an unknown invitation may also be a relay. @param {{id: string, level: string, name: string}} person @param {string} own */
export async function chooseLevel({ id, level, name }, own) {
  const title = t('people.level_title', { name }), waits = level === 'waiting';
  const choice = (one) => h('label.choice', null, h('input', { type: 'radio', name: 'level', value: one, checked: one === level, required: true }),
    h('span', null, h('strong', null, t(`people.as_${one}`)), h('small', null, t(`people.${one}_text`, { name }))));
  const levels = h('fieldset.choices', null, h('legend.sr', null, title), [...governed(own).reverse(), ...(waits ? ['relay'] : [])].map(choice));
  const work = async () => {
    const to = levels.querySelector(':checked').value;
    if (to !== level) await api.setLevel(id, to);
  };
  const [text, action] = waits ? [t('people.unknown_text', { name }), t('people.let_in')] : [null, t('people.level_set')];
  if (!await confirm({ title, text, action, kind: 'primary', choice: levels, work })) return;
  toast(t('people.raised', { name }));
  load.people().catch(complain);
}

const KINDS = ['photo', 'comment', 'moment'];

/** Records as people count them: "2 photos and 1 comment". @param {Record<string, number>} records how many of each kind */
function counted(records) {
  const others = Object.entries(records).reduce((sum, [kind, n]) => (KINDS.includes(kind) ? sum : sum + n), 0);
  const parts = [...KINDS.map((kind) => [kind, records[kind]]), ['other', others]].filter(([, n]) => n);
  return parts.length ? say.list(parts.map(([kind, n]) => t(`rescue.n_${kind}`, { n }))) : t('rescue.unseen');
}

/**
 * Asks up to when, and finds out what would be shown.
 * @returns {Promise<{until: string, records: Record<string, number>}|null>} nothing if it was called off
 */
async function look({ id, name, removed }) {
  const usual = removed ? toInput(removed) : '';
  const time = field(t('rescue.until'), { type: 'datetime-local', value: usual, max: toInput(Date.now()), autofocus: true }, { hint: t('rescue.until_text', { name }) });
  let found = null;
  const work = async () => {
    // The field has minutes, and what was said in the last of them counts.
    const until = usual && time.input.value === usual ? removed : fromInput(time.input.value);
    if (!until) throw new Error(t('rescue.no_time'));
    found = { until, records: (await api.rescue(id, until, true)).records };
  };
  await confirm({ title: t('rescue.title', { name }), text: t('rescue.text', { name }), action: t('rescue.look'), kind: 'primary', choice: time.el, work });
  return found;
}

/**
 * Shows posts that a removed person shared before the removal and that arrived after it. Previews them first.
 * @param {{id: string, name: string, removed?: string}} person
 */
export async function rescue({ id, name, removed }) {
  const found = await look({ id, name, removed });
  if (!found) return;
  const { until, records } = found, when = say.moment(until);
  let shown = records;
  const work = async () => { shown = (await api.rescue(id, until, false)).records; };
  const choice = h('p.hint', null, t('rescue.show_text'));
  if (!await confirm({ title: t('rescue.title', { name }), text: t('rescue.found', { name, when, what: counted(records) }), action: t('rescue.show'), kind: 'primary', choice, work })) return;
  toast(t('rescue.done', { name, what: counted(shown) }));
}
