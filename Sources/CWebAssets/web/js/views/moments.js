/** The list of moments: what is on now, what comes next, what was. */
import { shares } from '../lib/levels.js';
import { asks, grouped, ofCategory } from '../lib/moments.js';
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { keepMoment, load, looking, nameOf, on, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { later } from '../ui/later.js';
import { participation } from '../ui/participate.js';
import { busy, complain, empty, toast } from '../ui/parts.js';

/** The sheet in which a moment is made or edited. */
export const momentForm = (moment) => later(() => import('../ui/momentform.js'), (form) => form.momentForm(moment));

/** When a moment is, relative to now. */
export function when(moment) {
  if (moment.status === 'not_started') return t('moment.starts', { when: say.ago(moment.start) });
  if (moment.status === 'ongoing') return t('moment.ends', { when: say.ago(moment.end) });
  return t('moment.ended', { when: say.ago(moment.end) });
}

/** @param {'thumbnail'|'preview'} size */
export function coverOf(moment, size) {
  const frame = h('div.cover', { 'aria-hidden': 'true' });
  const src = () => moment[`cover_${size}`];
  if (!src()) { frame.append(icon('moments')); return frame; }
  const img = h('img', { src: src(), alt: '', decoding: 'async', loading: 'lazy' });
  img.onerror = () => { if (size === 'preview') { size = 'thumbnail'; img.src = src(); } else { img.remove(); frame.append(icon('moments')); } };
  frame.append(img);
  return frame;
}

/** Whether an invitation waits for an answer, which who only reads cannot give. */
const waits = (moment) => shares(state.status?.current?.level) && asks(moment);

/** Leaves an invitation at that. */
function ignore(moment) {
  const button = h('button.btn.small', { 'aria-label': `${t('moments.ignore')}: ${moment.title}`, onclick: () => busy(button, t('moments.ignore'), () => api.ignoreMoment(moment.id))
    .then((m) => { keepMoment(m); toast(t('moments.ignored')); }, complain) }, t('moments.ignore'));
  return button;
}

/** The lists of the API in which this person has a part. */
const LISTS = ['invited', 'joined', 'checked_in', 'mine'];
/** What is on show, which stays while one looks at a moment: a list, of which category. */
const shown = { list: '', category: '' };

/** @param {boolean} large */
function card(moment, large) {
  const path = `/moments/${encodeURIComponent(moment.id)}`;
  return h(`li.card${large ? '.large' : ''}`, null,
    h('a.whole', { href: path, 'aria-label': moment.title }),
    coverOf(moment, large ? 'preview' : 'thumbnail'),
    h('div.words', null, h('h3', null, moment.private && h('span.private', { title: t('guests.private') }, icon('lock'), h('span.sr', null, t('guests.private'))), moment.title),
      (waits(moment) || shown.list === 'invited') && h('p.from', null, [t('moments.from', { name: nameOf(moment.author) }), moment.invited_at && say.ago(moment.invited_at)].filter(Boolean).join(' · ')), h('p.when', { title: say.span(moment.start, moment.end) }, when(moment)),
      moment.place.name && h('p.where', null, icon('pin'), h('span', null, moment.place.name)),
      h('p.counts', null, [
        t(moment.status === 'not_started' ? 'moment.going' : 'moment.were', { n: moment.status === 'not_started' ? moment.joined : moment.checked_in }),
        t('moment.photos', { n: moment.photos }), !moment.private && t('moments.public'),
      ].filter(Boolean).join(' · '))),
    h('div.act', null, participation(moment), waits(moment) && !visiting() && ignore(moment)));
}

/** A list of moments, and a button for more of it. @param {any[]} moments @param {boolean} large */
const cards = (moments, large) => h(`ul.cards${large ? '.big' : ''}`, null, moments.map((m) => card(m, large)));

/**
 * @param {HTMLElement} root @param {string} [list] one of one's own that is asked for; the one that was on show if none is
 * @returns {{stop: () => void}}
 */
export function mountMoments(root, list) {
  setTarget(() => null);
  const create = () => !looking() && h('button.btn.primary.shares', { onclick: () => momentForm() }, icon('plus'), t('moments.new'));
  const tabs = h('div.choose', { role: 'group', 'aria-label': t('moments.which') });
  const body = h('div', { 'aria-live': 'off' });
  let categories = [], own = { list: '', moments: [], next: null, asked: 0 };
  fill(root, h('div.page', null, h('div.page-head', null, h('h2', null, t({ checked_in: 'menu.check_ins', invited: 'menu.invitations' }[list] ?? 'tab.moments')), create()), tabs, body));

  function drawTabs() {
    const tab = (list) => h('button', { 'aria-pressed': String(shown.list === list), onclick: () => choose(list) }, t(`moments.list_${list || 'all'}`));
    const kinds = categories.length > 0 && !shown.list && h('select', { 'aria-label': t('moments.category'), onchange: (event) => { shown.category = event.target.value; draw(); } },
      h('option', { value: '' }, t('moments.all_categories')), categories.map((one) => h('option', { value: one.id, selected: one.id === shown.category }, one.name)));
    fill(tabs, looking() ? null : ['', ...LISTS].map(tab), kinds);
    tabs.hidden = !tabs.children.length;
  }

  async function choose(list) {
    Object.assign(shown, { list, category: list ? '' : shown.category });
    own = { list, moments: [], next: null, asked: own.asked };
    drawTabs();
    tabs.querySelector('[aria-pressed="true"]')?.focus();
    if (list) await more(); else draw();
  }

  /** Reads a page of one's own list, or the loaded part of it again. @param {boolean} [anew] */
  async function more(anew = false) {
    const { list } = shown, number = ++own.asked, count = own.moments.length;
    try {
      let { moments, next } = await api.ownMoments(list, anew ? null : own.next);
      while (anew && next && moments.length < count) {
        const page = await api.ownMoments(list, next);
        moments = [...moments, ...page.moments];
        next = page.next;
      }
      if (number !== own.asked || list !== shown.list) return;
      own = { list, moments: anew ? moments : [...own.moments, ...moments], next: next ?? null, asked: number };
      draw();
    } catch (error) { complain(error); }
  }

  function drawOwn() {
    if (own.list !== shown.list) return;
    const again = own.next && h('button.btn.wide', { onclick: () => busy(again, t('loading'), () => more()) }, t('moments.more'));
    fill(body, own.moments.length ? [cards(own.moments, false), again] : empty(t('moments.none'), t(`moments.none_${shown.list}`)));
  }

  function draw() {
    if (shown.list) { drawOwn(); return; }
    if (!state.moments) return;
    if (!state.moments.length) { fill(body, empty(t('moments.empty'), t('moments.empty_text'), create())); return; }
    const all = ofCategory(state.moments, shown.category, categories);
    const { now, next, past } = grouped(all.filter((m) => !waits(m))), invited = grouped(all.filter(waits));
    const block = (key, list, large) => list.length > 0 && h('section.block', null, h('h3.label', null, t(key)), cards(list, large));
    fill(body, block('moments.invited', [...invited.now, ...invited.next], false), block('moments.now', now, true), block('moments.next', next, false), block('moments.past', past, false),
      !all.length && h('p.hint', null, t('moments.none')));
  }

  const offs = [on('moments', () => { if (shown.list) more(true); else draw(); }),
    on('change', (change) => { if (shown.list && ['moment', 'invite', 'participation'].some((kind) => change.kinds.has(kind))) more(true); })];
  const tick = setInterval(draw, 60000);
  if (looking()) shown.list = '';
  else if (list) shown.list = list;
  drawTabs();
  if (shown.list) choose(shown.list).then(() => tabs.querySelector('[aria-pressed="true"]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })); else draw();
  load.moments().catch(complain);
  api.categories().then((all) => { categories = all; drawTabs(); draw(); }, () => {});
  return { stop() { offs.forEach((off) => off()); clearInterval(tick); } };
}
