/** The frame around every view. */
import { moderates, shares, takesPart } from '../lib/levels.js';
import { asks } from '../lib/moments.js';
import { warnings } from '../lib/warnings.js';
import { fill, h, keyed, memory } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { myself, on, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { addPhotos } from './add.js';
import { eventMenu } from './entry.js';
import { icon } from './icons.js';
import { avatar, complain } from './parts.js';
import { visitorNote } from './visitor.js';

/** Who one is; the sheet comes when it is wanted. */
const editProfile = () => import('./profile.js').then((sheet) => sheet.editProfile()).catch(complain);

/**
 * @param {HTMLElement} main where views go
 * @returns {{el: HTMLElement, strips: HTMLElement, mark: (name: string) => void}}
 */
export function createShell(main) {
  const title = h('span'), looking = visiting();
  const titleButton = looking ? h('span.event-title', null, title) : h('button.event-title', { 'aria-haspopup': 'dialog', onclick: eventMenu }, title);
  const facts = h('p.facts');
  const me = h('button.me', { 'aria-label': t('profile.title'), onclick: editProfile });
  const tab = (name, path) => h('a.tab', { href: path, data: { name } }, icon(name), h('span', null, t(`tab.${name}`)));
  const tabs = [tab('photos', '/'), tab('moments', '/moments'), tab('feed', '/feed'), tab('people', '/people'), ...(looking ? [] : [tab('invite', '/invite')])];
  const asking = h('b'), inviting = h('b');
  tabs[3].append(asking);
  tabs[1].append(inviting);
  // On a phone the invitation is a button beside one's face: five tabs are too many for a thumb.
  const invite = h('a.plain.invite-top', { href: '/invite', 'aria-label': t('photos.invite'), title: t('photos.invite'), data: { name: 'invite' } }, icon('invite'));
  const add = h('button.btn.add', { onclick: addPhotos }, icon('plus'), h('span', null, t('tab.add')));
  const nav = h('nav.tabs', { 'aria-label': t('tab.label') }, tabs[0], tabs[1], !looking && add, tabs.slice(2));
  const el = h('header.top', null, h('div.heading', null, h('h1', null, titleButton), facts, looking && visitorNote()), nav, !looking && h('div.corner', null, invite, me));
  const strips = h('div.strips');

  /** What waits for an answer, as a number on a tab: each kind by its count and the words for it. @param {HTMLElement} badge @param {[any, string][]} kinds */
  function count(badge, kinds) {
    const asked = kinds.filter(([n]) => n > 0);
    fill(badge, asked.length > 0 && shares(state.status.current.level) && [h('span', { 'aria-hidden': 'true' }, asked.reduce((sum, [n]) => sum + n, 0)),
      h('span.sr', null, asked.map(([n, key]) => `${n} ${t(key, { n })}`).join(', '))]);
  }

  function draw() {
    const { status } = state, event = status?.current;
    el.hidden = !event;
    main.classList.toggle('alone', !event);
    if (!event) return;
    // Who only reads is not offered what would be refused: see .reader in views.css.
    document.body.classList.toggle('reader', !shares(event.level));
    fill(title, event.title, !looking && [' ', icon('down')]);
    document.title = `${event.title} · Mingle`;
    if (looking) { fill(facts, h('span', null, t('facts.people', { n: event.people })), h('span', null, t('moment.photos', { n: event.photos }))); return; }
    fill(me, avatar(myself()));
    count(asking, [[event.requests, 'connections.waiting'], [event.waiting, 'people.to_let_in'], [moderates(event.level) && event.reports, 'hidden.to_decide']]);
    count(inviting, [[state.moments?.filter(asks).length, 'moments.to_answer']]);
    // Relays are peers but not people. Until the list of people is loaded, the count is unknown.
    const here = state.people?.filter((p) => takesPart(p.level) && (p.here || p.me)).length;
    fill(facts,
      h('a', { href: '/people' }, h(`i.dot${status.sync.peers ? '.on' : ''}`, { 'aria-hidden': 'true' }), !status.sync.peers ? t('facts.alone') : here !== undefined && t('facts.here', { n: here })),
      h('span', null, t('facts.people', { n: event.people })),
      status.sync.blobs_waiting > 0 && h('span.coming', null, t('facts.waiting', { size: say.size(status.sync.bytes_waiting) })));
  }

  function warn() {
    const { status, live } = state;
    const gone = new Set(memory.get('dismissed') ?? []);
    const list = [];
    if (!live) list.push({ id: 'lost', text: t(looking ? 'visit.lost' : 'strip.lost'), stays: true });
    for (const one of warnings(status)) list.push({ id: one.id, text: one.text ?? t('strip.discovery', { reason: one.reason }) });
    keyed(strips, list.filter((one) => one.stays || !gone.has(one.id)), (one) => one.id, (one) => h(`div.strip${one.stays ? '.lost' : ''}`, { role: one.stays ? 'alert' : 'status' },
      one.stays ? h('span.spin', { 'aria-hidden': 'true' }) : icon('alert'), h('p', null, one.text),
      !one.stays && h('button.plain', { 'aria-label': t('strip.dismiss'), onclick: () => {
        memory.set('dismissed', [...new Set([...(memory.get('dismissed') ?? []), one.id])].slice(-20));
        warn();
      } }, icon('close'))));
  }

  on('status', () => { draw(); warn(); });
  on('people', draw);
  on('moments', draw);
  on('live', warn);
  draw();
  warn();
  return {
    el,
    strips,
    /** Marks the tab that is open. @param {string} name */
    mark(name) {
      for (const one of [...tabs, invite]) {
        if (one.dataset.name === name) one.setAttribute('aria-current', 'page'); else one.removeAttribute('aria-current');
      }
    },
  };
}
