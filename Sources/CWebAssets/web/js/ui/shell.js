/** The frame around every view. */
import { moderates, shares, takesPart } from '../lib/levels.js';
import { asks } from '../lib/moments.js';
import { titled } from '../lib/paths.js';
import { fill, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { looking, myself, on, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { addButton } from './add.js';
import { icon } from './icons.js';
import { later } from './later.js';
import { avatar } from './parts.js';

// These sheets come when they are wanted.
const search = () => later(() => import('./search.js'), (sheet) => sheet.openSearch());
const editProfile = () => later(() => import('./profile.js'), (sheet) => sheet.editProfile());
/** One's own page; who waits to be let in has none yet. */
const profile = () => { const { current, person } = state.status; if (person && takesPart(current?.level)) go(`/people/${encodeURIComponent(person)}`); else editProfile(); };
const eventMenu = () => later(() => import('./entry.js'), (sheet) => sheet.eventMenu());
const menu = () => later(() => import('./menu.js'), (side) => side.openMenu());
const explain = () => later(() => import('./visitor.js'), (sheet) => sheet.explain());
const you = () => later(() => import('./visitor.js'), (sheet) => sheet.you());

/** The line that tells guests that they only look. */
const visitorNote = () => h('p.visit-note', null, h('span', null, t('visit.note')), ' ', h('button.link', { 'aria-haspopup': 'dialog', onclick: explain }, t('visit.how')));

/**
 * @param {HTMLElement} main where views go
 * @returns {{el: HTMLElement, mark: (name: string) => void}}
 */
export function createShell(main) {
  const title = h('span'), guest = visiting(), looks = looking();
  const titleButton = guest ? h('span.event-title', null, title) : h('button.event-title', { 'aria-haspopup': 'dialog', onclick: eventMenu }, title);
  const facts = h('p.facts');
  const me = h('button.me', guest ? { 'aria-label': t('visit.you'), 'aria-haspopup': 'dialog', onclick: you } : { 'aria-label': t('profile.title'), onclick: profile });
  const tab = (name, path) => h('a.tab', { href: path, data: { name } }, icon(name), h('span', null, t(`tab.${name}`)));
  const photos = tab('photos', '/'), moments = tab('moments', '/moments'), places = tab('places', '/places'), deals = tab('deals', '/deals'), news = tab('news', '/news'), people = tab('people', '/people'), invited = tab('invite', '/invite');
  // Who sees only what is their own needs no other place.
  const few = state.status?.visit?.drop_only;
  const asking = h('b'), inviting = h('b');
  people.append(asking);
  moments.append(inviting);
  // On a phone the invitation is a button beside one's face: five tabs are too many for a thumb.
  const invite = h('a.plain.invite-top', { href: '/invite', 'aria-label': t('photos.invite'), title: t('photos.invite'), data: { name: 'invite' } }, icon('invite'));
  const unread = h('b'), bell = h('a.plain.bell', { href: '/for-you', 'aria-label': t('notices.title'), title: t('notices.title'), data: { name: 'forYou' } }, icon('bell'), unread);
  const find = h('button.plain.find-top', { 'aria-label': t('search.title'), title: t('search.title'), 'aria-haspopup': 'dialog', onclick: search }, icon('search'));
  const add = addButton(h('span', null, t('tab.add')));
  const nav = h(`nav.tabs${few ? '.few' : ''}`, { 'aria-label': t('tab.label') });
  const sections = h('button.plain.menu-top', { 'aria-label': t('menu.title'), title: t('menu.title'), 'aria-haspopup': 'dialog', onclick: menu }, icon('menu'));
  const el = h('header.top', null, !few && sections, h('div.heading', null, h('h1', null, titleButton), facts, looks && visitorNote()), nav, (!looks || !few) && h('div.corner', null, !few && find, !few && !looks && bell, !guest && invite, !looks && me));

  /** What waits for an answer, as a number on a tab: each kind by its count and the words for it. @param {HTMLElement} badge @param {[any, string][]} kinds */
  function count(badge, kinds) {
    const asked = kinds.filter(([n]) => n > 0);
    fill(badge, asked.length > 0 && shares(state.status.current.level) && [h('span', { 'aria-hidden': 'true' }, asked.reduce((sum, [n]) => sum + n, 0)),
      h('span.sr', null, asked.map(([n, key]) => `${n} ${t(key, { n })}`).join(', '))]);
  }

  /** The tabs of the areas that are on. A phone has room for four: what comes then is in the menu. */
  function drawTabs({ areas = ['moments'] }) {
    const shown = few ? [photos] : [photos, areas.includes('moments') && moments, areas.includes('venues') && places, areas.includes('deals') && deals, news, people].filter(Boolean);
    for (const [at, one] of shown.entries()) one.classList.toggle('extra', at > 3);
    const all = [...shown.slice(0, 2), !looks && add, ...shown.slice(2), !guest && invited].filter(Boolean);
    // What has the keyboard's focus is not taken away for nothing.
    if (all.length !== nav.children.length || all.some((one, at) => nav.children[at] !== one)) fill(nav, all);
  }

  function draw() {
    const { status } = state, event = status?.current;
    el.hidden = !event;
    main.classList.toggle('alone', !event);
    if (!event) return;
    drawTabs(event);
    // Who only reads is not offered what would be refused: see .reader in views.css.
    document.body.classList.toggle('reader', !shares(event.level));
    fill(title, event.title, !guest && [' ', icon('down')]);
    const n = state.unread;
    document.title = titled(`${event.title} · Mingle`, n);
    fill(unread, n > 0 && [h('span', { 'aria-hidden': 'true' }, n), h('span.sr', null, t('notices.waiting', { n }))]);
    if (!looks) fill(me, guest && !state.status.person ? icon('face') : avatar(myself()));
    if (guest) { fill(facts, !few && [h('span', null, t('facts.people', { n: event.people })), h('span', null, t('moment.photos', { n: event.photos }))]); return; }
    count(asking, [[event.requests, 'connections.waiting'], [event.waiting, 'people.to_let_in'], [moderates(event.level) && event.reports, 'hidden.to_decide']]);
    count(inviting, [[state.moments?.filter(asks).length, 'moments.to_answer']]);
    // Relays are peers but not people. Until the list of people is loaded, the count is unknown.
    const here = state.people?.filter((p) => takesPart(p.level) && !p.door && (p.here || p.me)).length;
    fill(facts,
      // While the node is away nobody knows who is here.
      state.live && h('a', { href: '/people' }, h(`i.dot${status.sync.peers ? '.on' : ''}`, { 'aria-hidden': 'true' }), !status.sync.peers ? t('facts.alone') : here !== undefined && t('facts.here', { n: here })),
      h('span', null, t('facts.people', { n: event.people - (state.people ?? []).filter((p) => p.door && takesPart(p.level)).length })),
      status.sync.blobs_waiting > 0 && h('span.coming', null, t('facts.waiting', { size: say.size(status.sync.bytes_waiting) })));
  }

  on('status', draw);
  on('people', draw);
  on('moments', draw);
  on('live', draw);
  on('unread', draw);
  draw();
  return {
    el,
    /** Marks the tab that is open. @param {string} name */
    mark(name) {
      for (const one of [photos, moments, places, deals, news, people, invited, bell, invite]) {
        if (one.dataset.name === name) one.setAttribute('aria-current', 'page'); else one.removeAttribute('aria-current');
      }
    },
  };
}
