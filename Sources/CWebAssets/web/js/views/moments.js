/** The list of moments: what is on now, what comes next, what was. */
import { shares } from '../lib/levels.js';
import { asks, grouped } from '../lib/moments.js';
import { fill, h } from '../core/dom.js';
import { api, media } from '../core/api.js';
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
  if (!moment.cover) { frame.append(icon('moments')); return frame; }
  const img = h('img', { src: media(moment.cover, size), alt: '', decoding: 'async', loading: 'lazy' });
  img.onerror = () => { if (size === 'preview') { size = 'thumbnail'; img.src = media(moment.cover, size); } else { img.remove(); frame.append(icon('moments')); } };
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

/** @param {boolean} large */
function card(moment, large) {
  const path = `/moments/${encodeURIComponent(moment.id)}`;
  return h(`li.card${large ? '.large' : ''}`, null,
    h('a.whole', { href: path, 'aria-label': moment.title }),
    coverOf(moment, large ? 'preview' : 'thumbnail'),
    h('div.words', null, h('h3', null, moment.private && h('span.private', { title: t('guests.private') }, icon('lock'), h('span.sr', null, t('guests.private'))), moment.title),
      waits(moment) && h('p.from', null, t('moments.from', { name: nameOf(moment.author) })), h('p.when', { title: say.span(moment.start, moment.end) }, when(moment)),
      moment.place.name && h('p.where', null, icon('pin'), h('span', null, moment.place.name)),
      h('p.counts', null, [
        t(moment.status === 'not_started' ? 'moment.going' : 'moment.were', { n: moment.status === 'not_started' ? moment.joined : moment.checked_in }),
        t('moment.photos', { n: moment.photos }),
      ].join(' · '))),
    h('div.act', null, participation(moment), waits(moment) && !visiting() && ignore(moment)));
}

/**
 * @param {HTMLElement} root @returns {{stop: () => void}}
 */
export function mountMoments(root) {
  setTarget(() => null);
  const create = () => !looking() && h('button.btn.primary.shares', { onclick: () => momentForm() }, icon('plus'), t('moments.new'));
  const body = h('div');
  fill(root, h('div.page', null, h('div.page-head', null, h('h2', null, t('tab.moments')), create()), body));

  function draw() {
    if (!state.moments) return;
    if (!state.moments.length) { fill(body, empty(t('moments.empty'), t('moments.empty_text'), create())); return; }
    const { now, next, past } = grouped(state.moments.filter((m) => !waits(m))), invited = grouped(state.moments.filter(waits));
    const block = (key, list, large) => list.length > 0 && h('section.block', null, h('h3.label', null, t(key)), h(`ul.cards${large ? '.big' : ''}`, null, list.map((m) => card(m, large))));
    fill(body, block('moments.invited', [...invited.now, ...invited.next], false), block('moments.now', now, true), block('moments.next', next, false), block('moments.past', past, false));
  }

  const off = on('moments', draw);
  const tick = setInterval(draw, 60000);
  draw();
  load.moments().catch(complain);
  return { stop() { off(); clearInterval(tick); } };
}
