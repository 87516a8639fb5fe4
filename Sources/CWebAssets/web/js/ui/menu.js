/** The menu: every section of the page, by its button or a swipe from the edge where it lies. It comes when it is wanted. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { looking, myself, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { asks } from '../lib/moments.js';
import { opens } from '../lib/gesture.js';
import { hosts, moderates, shares, takesPart } from '../lib/levels.js';
import { icon } from './icons.js';
import { later } from './later.js';
import { avatar } from './parts.js';
import { sheet } from './sheet.js';

const giveFeedback = () => later(() => import('./feedback.js'), (form) => form.giveFeedback());
const eventMenu = () => later(() => import('./entry.js'), (form) => form.eventMenu());
const editThemes = () => later(() => import('../places/theming.js'), (form) => form.editThemes());
const you = () => later(() => import('./visitor.js'), (form) => form.you());
const editProfile = () => later(() => import('./profile.js'), (form) => form.editProfile());

/** What of the page there is for this person, in groups: each entry an icon, words, where it leads or what it does, and what waits there. */
function sections() {
  const { status, moments, unread } = state, event = status.current, areas = event.areas ?? ['moments'];
  const guest = visiting(), looks = looking(), has = (area) => areas.includes(area), own = !looks && takesPart(event.level);
  const me = guest ? you : own && status.person ? `/people/${encodeURIComponent(status.person)}` : editProfile;
  const entry = (sign, words, to, waiting = 0) => ({ sign, words: t(words), to, waiting });
  return [[
    !looks && entry('face', 'menu.me', me),
    entry('news', 'tab.news', '/news'),
    own && has('moments') && entry('check', 'menu.check_ins', '/check-ins'),
    own && !guest && has('moments') && entry('send', 'menu.invitations', '/invitations', moments?.filter(asks).length),
    own && !guest && entry('people', 'menu.connections', '/connections', event.requests),
  ], [
    !looks && entry('bell', 'notices.title', '/for-you', unread),
    entry('photos', 'tab.photos', '/'),
    has('moments') && entry('moments', 'tab.moments', '/moments'),
    has('venues') && entry('places', 'tab.places', '/places'),
    has('deals') && entry('deals', 'tab.deals', '/deals'),
    entry('people', 'tab.people', '/people'),
    !guest && entry('bookmark', 'bookmarks.title', '/bookmarks'),
  ], [
    !guest && entry('invite', 'photos.invite', '/invite'),
    !guest && moderates(event.level) && entry('hide', 'hidden.title', '/hidden', event.reports),
    !guest && hosts(event.level) && entry('play', 'theme.all', editThemes),
    !guest && own && shares(event.level) && entry('comment', 'feedback.title', giveFeedback),
    !guest && entry('more', 'event.menu', eventMenu),
  ]].map((group) => group.filter(Boolean)).filter((group) => group.length);
}

let menu = null;

/** Opens the menu, once. */
export function openMenu() {
  if (menu || !state.status?.current || state.status.visit?.drop_only) return;
  const close = () => menu?.close();
  const line = ({ sign, words, to, waiting }) => {
    const inside = [icon(sign), h('span', null, words), waiting > 0 && h('b', null, waiting)];
    const here = location.pathname === to ? 'page' : null;
    return h('li', null, typeof to === 'string' ? h('a.row', { href: to, 'aria-current': here, onclick: close }, inside) : h('button.row', { onclick: () => { close(); to(); } }, inside));
  };
  const { current, name } = state.status;
  const me = [avatar(myself(), 'm'), h('strong', { dir: 'auto' }, name)], { person: id } = state.status;
  const person = name && !looking() && (id && !visiting() ? h('a.portrait.who', { href: `/people/${encodeURIComponent(id)}`, onclick: close }, me) : h('div.portrait', null, me));
  menu = sheet(current.title, [person, h('nav', { 'aria-label': t('menu.title') }, sections().map((group) => h('ul.rows', null, group.map(line))))], { onclose: () => { menu = null; } });
  menu.el.classList.add('drawer');
  follow(menu.el, (drag) => opens(drag) === -1, close);
}

/** Where a drag sideways belongs to something else. */
const TAKEN = 'dialog, canvas, input, textarea, select, [data-sideways], .choose, .viewer';

/** Watches the page for the swipe that opens the menu. */
export const watchSwipe = () => follow(document, (drag) => opens(drag) === 1, openMenu, TAKEN);

/**
 * Follows one finger, and acts once where it has gone.
 * @param {EventTarget} el @param {(drag: import('../lib/gesture.js').Drag) => boolean} is @param {() => void} act @param {string} [taken] selector of what has drags of its own
 */
function follow(el, is, act, taken) {
  let start = null;
  const point = ({ clientX, clientY }) => ({ x: clientX, y: clientY });
  el.addEventListener('touchstart', (event) => {
    start = event.touches.length === 1 && !(taken && event.target.closest?.(taken)) ? point(event.touches[0]) : null;
  }, { passive: true });
  el.addEventListener('touchmove', (event) => { if (event.touches.length > 1) start = null; }, { passive: true });
  el.addEventListener('touchend', (event) => {
    if (!start) return;
    const end = point(event.changedTouches[0]);
    const drag = { from: start.x, dx: end.x - start.x, dy: end.y - start.y, width: innerWidth, rtl: document.documentElement.dir === 'rtl' };
    start = null;
    if (is(drag)) act();
  }, { passive: true });
}
