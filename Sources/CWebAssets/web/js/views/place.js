/** One place: what is known of it, what people think and say of it, its photos, and whose it is. */
import { fill, h } from '../core/dom.js';
import { api, media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { load, looking, myself, nameOf, on, state } from '../core/store.js';
import { withStyle } from '../core/style.js';
import { isOn, remembered, venues } from '../core/venues.js';
import { visiting } from '../core/visit.js';
import { single } from '../lib/single.js';
import { moderates, shares } from '../lib/levels.js';
import { hoursList } from '../kinds/list.js';
import { dealsPart } from '../deals/here.js';
import { categoryWords, favouriteButton, openness, price, stars } from '../places/card.js';
import { spotPart } from '../places/map.js';
import { ownership, ownerPart } from '../places/owner.js';
import { addButton, setTarget } from '../ui/add.js';
import { createComments } from '../ui/comments.js';
import { createGallery } from '../ui/gallery.js';
import { hiddenNote, hidingDeed } from '../ui/hiding.js';
import { icon } from '../ui/icons.js';
import { later } from '../ui/later.js';
import { moreButton } from '../ui/more.js';
import { busy, complain, empty, failed, toast, whoLink } from '../ui/parts.js';

/** What changes what is told here. */
const CONCERNS = ['place', 'rating', 'fave', 'favourite', 'comment', 'photo', 'check_in', 'place_page', 'ownership', 'claim', 'deal', 'hidden', 'media', 'people'];
/** What an address ends in by which somebody stands at the place. */
const CODE = '#code';

/** What a button is known by while it is drawn anew. @param {Element} el */
const nameOfControl = (el) => el.classList.contains('fave') ? 'fave' : el.getAttribute('aria-label') ?? el.textContent;

/** A link that an owner gave, if it is one to a page. @param {string|undefined} text */
function website(text) {
  if (!text) return null;
  try {
    const url = new URL(text.includes(':') ? text : `https:${'//'}${text}`);
    return ['http:', 'https:'].includes(url.protocol) ? h('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer' }, url.host) : null;
  } catch { return null; }
}

/**
 * @param {HTMLElement} root @param {string} id @param {import('../core/photolist.js').PhotoList} list its photos
 * @returns {{stop: () => void, viewer: any}}
 */
export function mountPlace(root, id, list) {
  let place = null, categories = [], whose = { owners: [], pages: [], claims: [] }, stopped = false, shown, drawn, isWeekOpen = false;
  const looks = looking(), byCode = location.hash === CODE, { level } = state.status.current, writes = shares(level) && !looks, owns = writes && !visiting();
  const banner = h('div.banner'), head = h('div.moment-head', { 'aria-busy': 'true' }), owner = h('div'), deals = dealsPart(id), spot = spotPart(() => place);
  const comments = createComments('places', id), wide = matchMedia('(min-width: 1000px)'), summary = h('summary');
  const talk = h('details.side-talk', { open: true }, summary, comments.el);
  summary.addEventListener('click', (event) => { if (wide.matches) event.preventDefault(); });
  withStyle('places', () => {});
  setTarget(() => place && { id, title: place.name, may_post: true });
  const gallery = createGallery(list, () => empty(t('place.no_photos'), t('moment.empty_none'), writes && addButton(t('upload.add'))));
  const more = moreButton(() => place ? [
    !visiting() && { sign: 'invite', words: t('place.code'), act: () => later(() => import('../places/code.js'), (code) => code.showCode(place)) },
    moderates(level) && place.approved && { sign: 'close', words: t('place.disapprove'), act: () => approve(false) },
    hidingDeed(place, () => read())] : []);

  const edit = () => later(() => import('../places/form.js'), (form) => form.placeForm(place, { categories, done: take }));
  const rate = () => later(() => import('../places/rating.js'), (sheet) => sheet.ratePlace(place, read));
  const checkIn = () => later(() => import('../places/checkin.js'), (sheet) => sheet.checkInAt(place, byCode, read));

  async function approve(is) {
    try { take(await venues.change('places', id, { approved: is })); toast(t(is ? 'place.approved' : 'place.disapproved')); } catch (error) { complain(error); }
  }

  async function fave(button) {
    try { await busy(button, '', () => api.fave(id, !place.faves?.mine)); await read(); } catch (error) { complain(error); }
    head.querySelector('.fave')?.focus();
  }

  function showBanner() {
    const page = whose.pages.find((one) => one.preview?.held), photo = list.items.find((one) => one.held.preview);
    const src = page?.preview.url ?? (photo && media(photo.id, 'preview')) ?? null;
    if (src === shown) return;
    shown = src;
    fill(banner, src && h('div.cover', null, h('img', { src, alt: '', onerror: () => fill(banner) })));
  }

  function facts() {
    return h('ul.facts-of', null, [
      [place.address, 'pin', () => h('span', { dir: 'auto' }, place.address)],
      [place.telephone, 'phone', () => h('a', { href: `tel:${place.telephone.replace(/[^+\d]/g, '')}` }, place.telephone)],
      ...whose.pages.map((page) => [website(page.website), 'link', () => website(page.website)]),
    ].filter(([is]) => is).map(([, sign, show]) => h('li', null, icon(sign), show())));
  }

  function buttons() {
    const { faves, check_ins: checkIns, ratings } = place;
    const heart = h('button.fave', { 'aria-pressed': String(Boolean(faves?.mine)), 'aria-label': t('viewer.faves', { n: faves?.count ?? 0 }), disabled: !writes, hidden: !writes && !faves?.count, onclick: () => fave(heart) },
      icon('heart', faves?.mine ? 'on' : ''), faves?.count ? say.number(faves.count) : t('viewer.fave'));
    return h('div.actions', null,
      writes && isOn('ratings') && h('button.btn', { class: byCode ? '' : 'primary', onclick: rate }, icon('star'), t(ratings?.mine ? 'rating.again' : 'rating.rate')),
      writes && h('button.btn', { class: byCode ? 'primary' : '', onclick: checkIn }, icon('pin'), t('place.check_in')), heart, favouriteButton(place, read),
      writes && addButton(t('upload.add')), checkIns?.count > 0 && h('span.badge', null, t('place.visits', { n: checkIns.count })));
  }

  function draw() {
    if (stopped || !place) return;
    const now = JSON.stringify([place, whose, categories, openness(place)?.textContent, state.people?.length]);
    if (now === drawn) return;
    drawn = now;
    const words = whose.pages.filter((page) => page.title || page.text), focused = [head, owner].find((el) => el.contains(document.activeElement)) && nameOfControl(document.activeElement);
    head.removeAttribute('aria-busy');
    fill(head,
      h('div.title-line', null, h('h2', { dir: 'auto' }, place.name), owns && h('button.btn.small', { onclick: edit }, icon('edit'), t('edit')), more.el),
      hiddenNote(place),
      h('p.counts', { dir: 'auto' }, categoryWords(place, categories)),
      h('p.venue-facts', null, [stars(place), price(place), openness(place)].filter(Boolean)),
      facts(),
      words.map((page) => h('div.page-words', null, page.title && h('p', { dir: 'auto' }, h('strong', null, page.title)), page.text && h('p.description', null, page.text), h('p.hint', null, t('owner.says', { name: nameOf(page.author) })))),
      place.description && h('p.description', null, place.description),
      place.hours && h('details.week', { open: isWeekOpen, ontoggle: (event) => { isWeekOpen = event.target.open; } }, h('summary', null, t('field.hours')), hoursList(place.hours)),
      buttons(),
      owns && moderates(level) && !place.approved && h('p.approval', null, t('place.unapproved'), ' ', h('button.btn.small', { onclick: () => approve(true) }, icon('check'), t('place.approve'))),
      h('p.by', null, whoLink(place.author, t('place.by', { name: nameOf(place.author) }))));
    fill(owner, ownerPart(place, whose, read));
    deals.own(owns && whose.owners.includes(myself().id));
    more.draw();
    spot.draw();
    summary.textContent = t('moment.comments', { n: place.comments?.count ?? 0 });
    // Who is at a button stays there.
    if (focused) [head, owner].flatMap((el) => [...el.querySelectorAll('button, a, summary')]).find((el) => nameOfControl(el) === focused)?.focus({ preventScroll: true });
    showBanner();
  }

  function take(fresh) {
    place = fresh;
    draw();
  }

  const read = single(async () => {
    try {
      const [fresh, about] = await Promise.all([venues.place(id), ownership(id)]);
      if (stopped) return;
      whose = about;
      take(fresh);
    } catch (error) {
      if (stopped || place && error.status !== 404) return;
      place = null;
      fill(root, h('div.page', null, error.status === 404 ? empty(t('place.gone'), error.message, h('a.btn', { href: '/places' }, t('tab.places'))) : failed(error, () => location.reload())));
    }
  });

  async function again(change) {
    if (change && !CONCERNS.some((kind) => change.kinds.has(kind))) return;
    await read();
    if (!place) return;
    comments.refresh(change, place.comments?.count).catch(() => {});
    deals.refresh();
  }

  /** Who scanned the code of a place stands there, until another pin is set. */
  function remember() {
    if (byCode && place) remembered.set({ pin: { latitude: place.latitude, longitude: place.longitude, name: place.name } });
  }

  fill(root, h('div.moment.venue-page', null, banner, head, h('div.place-more', null, spot.el, deals.el, owner), talk, h('section.gallery-part', null, h('h2.sr', null, t('tab.photos')), gallery.el)));
  read().then(remember);
  api.categories().then((all) => { categories = all; draw(); }, () => {});
  comments.refresh().catch(() => {});
  deals.refresh();
  gallery.start();
  if (!state.people) load.people().then(draw, () => {});
  const offs = [on('change', again), on('reset', () => again()), list.on(showBanner)];
  const tick = setInterval(draw, 60000);
  return {
    stop() { stopped = true; offs.forEach((off) => off()); clearInterval(tick); gallery.stop(); spot.stop(); deals.stop(); },
    viewer: { ...gallery.viewer, list, home: `/places/${encodeURIComponent(id)}` },
  };
}
