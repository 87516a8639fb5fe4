/** Who sees a private moment: choosing guests, inviting them, and changing for whom a moment is. */
import { takesPart } from '../lib/levels.js';
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { keepMoment, load, on, state } from '../core/store.js';
import { icon } from './icons.js';
import { latest } from '../lib/words.js';
import { avatar, busy, field, toast, whoLink } from './parts.js';
import { confirm, sheet } from './sheet.js';

/**
 * A list of people to tick.
 * @param {Set<string>} [without] ids of those who are not offered
 * @returns {{el: HTMLElement, chosen: () => string[], clear: () => void, stop: () => void}}
 */
export function guestChooser(without = new Set()) {
  const ticked = new Set(), list = h('ul.choices');
  let found = null;
  const question = latest(api.findPeople, (people, error, text) => {
    name.error(error?.message ?? (people && !people.length ? t('search.none', { text }) : text && !people ? t('search.short') : ''));
    if (!error) { found = people; draw(); }
  });
  const name = field(t('person.find'), { type: 'search', autocomplete: 'off', maxlength: '200', dir: 'auto', oninput: () => question.ask(name.input.value) });
  const only = h('input', { type: 'checkbox', onchange: draw });
  function draw() {
    const people = (found ?? state.people ?? []).filter((p) => !p.me && takesPart(p.level) && !without.has(p.id) && (!only.checked || ticked.has(p.id)));
    fill(list, people.length ? people.map((person) => {
      const box = h('input', { type: 'checkbox', checked: ticked.has(person.id), onchange: () => { if (box.checked) ticked.add(person.id); else ticked.delete(person.id); } });
      return h('li', null, h('label', null, box, avatar(person), h('span', null, h('strong', null, person.name), h('code', null, person.fingerprint))));
    }) : h('li.hint', null, t(only.checked ? 'guests.none_chosen' : 'guests.nobody')));
  }
  const off = on('people', draw);
  draw();
  load.people().catch(() => {});
  return { el: h('div', null, name.el, list, h('label.tick', null, only, h('span', null, t('guests.only_chosen')))), chosen: () => [...ticked], clear() { ticked.clear(); only.checked = false; draw(); }, stop() { question.stop(); off(); } };
}

/** Shows whom the creator invited, and lets the creator change that. */
export async function showGuests(moment) {
  const body = h('div', { 'aria-busy': 'true' });
  let chooser = null;
  sheet(t('guests.title'), [h('p.hint', null, t(moment.private ? 'guests.private_text' : 'guests.public_text')), body], { onclose: () => chooser?.stop() });
  const wrong = h('p.wrong', { role: 'alert' });
  const attempt = async (button, words, work) => {
    wrong.textContent = '';
    try { draw((await busy(button, words, work)).invited); } catch (error) { wrong.textContent = error.message; }
  };
  const guest = (person) => h('li', null, whoLink(person, avatar(person), ' ', h('span', null, person.name)), h('button.btn.small', { 'aria-label': `${t('guests.uninvite')}: ${person.name}`, onclick: async () => {
    let left = null;
    const done = await confirm({ title: t('guests.uninvite'), text: t(moment.private ? 'guests.uninvite_text' : 'guests.uninvite_public', { name: person.name }), action: t('guests.uninvite'), work: async () => { left = await api.uninvite(moment.id, person.id); } });
    if (done) draw(left.invited);
  } }, t('guests.uninvite')));
  function draw(invited) {
    chooser?.stop();
    chooser = guestChooser(new Set(invited.map((p) => p.id)));
    const invite = h('button.btn.primary', { onclick: () => {
      const people = chooser.chosen();
      if (people.length) attempt(invite, t('guests.inviting'), () => api.inviteGuests(moment.id, people)); else wrong.textContent = t('guests.choose');
    } }, t('guests.invite'));
    fill(body, h('h3.label', null, t('guests.invited', { n: invited.length })), invited.length ? h('ul.faces.guests', null, invited.map(guest)) : h('p.hint', null, t('moment.nobody')),
      h('h3.label', null, t('guests.more')), chooser.el, wrong, h('div.actions', null, invite));
  }
  try { draw((await api.participants(moment.id)).invited); } catch (error) { fill(body, h('p.wrong', { role: 'alert' }, error.message)); }
  body.removeAttribute('aria-busy');
}

/** Makes a moment private or public, after it said what cannot be taken back. */
export async function changeVisibility(moment) {
  const key = moment.private ? 'public' : 'private', title = t(`guests.make_${key}`);
  const chooser = moment.private ? null : guestChooser();
  let answer;
  const done = await confirm({
    title, text: t(`guests.make_${key}_text`), action: title, kind: 'primary',
    choice: [h('p.warn', null, icon('alert'), h('span', null, t(`guests.make_${key}_warning`))), chooser && h('h3.label', null, t('guests.who')), chooser?.el],
    work: async () => { answer = await api.setVisibility(moment.id, { private: !moment.private, invite: chooser?.chosen() }); },
  });
  chooser?.stop();
  if (!done) return;
  state.moments = state.moments?.filter((m) => m.id !== moment.id) ?? null;
  keepMoment(answer);
  toast(t(`guests.made_${key}`, { title: answer.title }));
  go(`/moments/${encodeURIComponent(answer.id)}`, { replace: true });
}

/** The field that sets the audience of a new moment. `restrict` selects invited people only; `clear` selects everyone, the default. @returns {{el: HTMLElement, draft: () => {private: boolean, invite: string[]}, restrict: () => void, clear: () => void, stop: () => void}} */
export function visibilityField() {
  const chooser = guestChooser();
  const people = h('div', { hidden: true }, h('h3.label', null, t('guests.who')), chooser.el);
  const only = h('input', { type: 'checkbox', onchange: show });
  function show() { people.hidden = !only.checked; }
  return {
    el: h('fieldset', null, h('legend', null, t('guests.sees')), h('label.tick', null, only, h('span', null, h('strong', null, t('guests.only')), h('small', null, t('guests.only_text')))), people),
    restrict() { only.checked = true; show(); },
    clear() { only.checked = false; chooser.clear(); show(); },
    draft: () => ({ private: only.checked, invite: only.checked ? chooser.chosen() : [] }),
    stop: chooser.stop,
  };
}
