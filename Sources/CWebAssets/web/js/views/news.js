/** What happened at the event: what matters most now first, everything in order of time, or what happens near the person's pin. */
import { near } from '../lib/find.js';
import { entryKey, heldBack } from '../lib/news.js';
import { dayKey } from '../lib/time.js';
import { single } from '../lib/single.js';
import { runs } from '../lib/window.js';
import { fill, h, keyed, memory } from '../core/dom.js';
import { api, media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { looking, nameOf, on, state } from '../core/store.js';
import { isOn, remembered } from '../core/venues.js';
import { within } from '../core/visit.js';
import { addButton, setTarget } from '../ui/add.js';
import { hiddenNote } from '../ui/hiding.js';
import { icon } from '../ui/icons.js';
import { later } from '../ui/later.js';
import { avatar, busy, complain, empty, failed } from '../ui/parts.js';

/** Scrolled further than this, what is new waits behind the pill. */
const AT_TOP = 60;
const ORDERS = ['best', 'newest', 'near'];

/** What outlives the view, so that Back finds it as it was. */
export const newsList = () => ({ order: memory.get('news') === 'newest' ? 'newest' : 'best', items: [], next: null, pages: 0, isNew: false });

/** @param {string} id @param {string} words @param {number} [more] how many others are not shown */
function picture(id, words, more = 0) {
  const link = h('a.pic', { href: `/photos/${encodeURIComponent(id)}`, 'aria-label': words, data: { id } });
  const img = h('img', { alt: '', decoding: 'async', loading: 'lazy', src: media(id, 'thumbnail'), onload: () => link.classList.remove('away') });
  img.onerror = () => { img.remove(); link.classList.add('away'); };
  link.append(img);
  if (more) link.append(h('span.more', { 'aria-hidden': 'true' }, t('news.more', { n: more })));
  return link;
}

/** What has a page of its own is a link to that. */
function chip(thing) {
  if (!thing) return null;
  const { kind, id, title } = thing, has = ['moment', 'place', 'deal'].includes(kind) && within({ name: kind, id }).id, sign = { moment: 'moments', deal: 'deals' }[kind] ?? 'pin';
  return has ? h('a.chip', { href: `/${kind}s/${encodeURIComponent(id)}` }, icon(sign), h('span', null, title)) : h('p.where', null, icon(sign), title);
}

/** Comments beneath what they are about, the earliest first. */
const talk = ({ comments, comment_count: count }) => comments.length > 0 && h('div.talk', null,
  count > comments.length && h('p.hint', null, t('news.earlier', { n: count - comments.length })),
  [...comments].reverse().map((c) => [h('p.said', null, h('strong', null, `${nameOf(c.author)}: `), c.text ?? t('news.picture')), hiddenNote(c)]));

/** What an entry shows below its first line. */
function body(item) {
  const { photos, photo_count: count, thing, moment } = item;
  if (item.type === 'photo') {
    const words = (p) => p.title || t('grid.alt', { name: p.author.name, time: say.clock(p.posted) });
    return [chip(item.context), h('div.pics', { class: photos.length === 1 ? 'one' : '' }, photos.map((p, i) => picture(p.id, words(p), i === photos.length - 1 ? count - photos.length : 0)))];
  }
  if (item.type === 'comment') return [thing?.kind === 'photo' ? h('div.pics.one', null, picture(thing.id, t('news.commented_photo'))) : chip(thing)];
  if (item.type === 'moment') return [chip(thing), h('p.hint', null, [say.span(moment.start, moment.end), moment.place.name].filter(Boolean).join(' · '))];
  const word = item.rating && h('p.hint', null, t(`rating.word_${Math.round(item.rating)}`));
  return [thing ? chip(thing) : item.place && h('p.where', null, icon('pin'), item.place), word];
}

/** What was done, after the names. */
function did(item) {
  const { thing, count } = item, title = thing?.title ? t('quote', { text: thing.title }) : t(`thing.${thing?.kind ?? 'photo'}`);
  if (['comment', 'rating'].includes(item.type)) return t(`news.${item.type}`, { n: count, thing: title });
  return t(`news.${item.type}`, { n: item.type === 'photo' ? item.photo_count : count });
}

function draw(item) {
  const { people, count } = item, shown = people.slice(0, 3), rest = count - shown.length;
  const names = [...shown.map((p) => (p.me ? t('you_name', { name: p.name }) : nameOf(p))), ...(rest > 0 ? [t('news.others', { n: rest })] : [])];
  return [h('div.stacked', null, shown.map((p) => avatar(p, count > 1 ? 's' : 'm'))),
    h('div.told', null, h('p.did', null, h('strong', null, say.list(names)), ' ', did(item), ' ', h('time', { datetime: item.at, title: say.moment(item.at) }, say.ago(item.at))),
      body(item), item.type !== 'comment' && hiddenNote(item), talk(item))];
}

/** Whether an entry would look different now. */
const looks = (item) => JSON.stringify([item.people.map((p) => [nameOf(p), p.picture]), item.count, item.hidden?.at, item.thing?.title, item.context?.title,
  item.comments.map((c) => [c.id, c.hidden?.at]), item.comment_count, item.photos.map((p) => [p.id, p.title, p.held.thumbnail]), item.photo_count, item.moment?.title, item.moment?.start, item.moment?.end]);

/**
 * @param {HTMLElement} root @param {ReturnType<typeof newsList>} list
 * @param {import('../core/photolist.js').PhotoList} photos what the viewer steps through
 * @returns {{stop: () => void, viewer: any}}
 */
export function mountNews(root, list, photos) {
  setTarget(() => null);
  let reads = 0;
  const place = h('div.days'), seen = new WeakMap(), locks = h('ul');
  const live = h('span.sr', { role: 'status', 'aria-live': 'polite' });
  const pill = h('button.pill', { hidden: true, onclick: () => { scrollTo({ top: 0 }); begin(); } }, icon('up'), t('news.new'));
  const more = h('button.btn', { hidden: true, onclick: () => busy(more, t('loading'), () => read(list.next)).catch(complain) }, t('news.older'));
  const orders = ORDERS.filter((order) => order !== 'near' || isOn('venues')).map((order) => h('button.btn', { onclick: () => choose(order), data: { order } }, t(`news.${order}`)));
  fill(root, h('div.page.news', null, h('div.page-head', null, h('h2', null, t('tab.news')), h('div.orders', { role: 'group', 'aria-label': t('news.order') }, orders)), pill, live, locks, place, more));

  const row = (item) => { const el = h('li.entry', null, draw(item)); seen.set(el, looks(item)); return el; };
  const renew = (el, item) => {
    const now = looks(item);
    if (seen.get(el) !== now) { seen.set(el, now); fill(el, draw(item)); } else el.querySelector('.did time').textContent = say.ago(item.at);
  };
  const day = (item) => (list.order === 'best' ? '' : dayKey(item.at));
  const section = ({ key }) => {
    const words = key && say.day(key);
    return h('section.day', null, words && h('h3.label', null, words.name, ' ', h('small', null, words.date)), h('ol.entries'));
  };

  function show() {
    for (const el of orders) el.setAttribute('aria-pressed', String(el.dataset.order === list.order));
    pill.hidden = !list.isNew;
    live.textContent = list.isNew ? t('news.new') : '';
    more.hidden = !list.next;
    fill(locks, (state.locked ?? []).map(({ author, count, unlockers }) => h('li.warn', null, icon('lock'),
      h('span', null, t('news.locked', { n: count, name: author.name, people: say.list(unlockers.map((p) => p.name)) })))));
    if (!list.pages) { fill(place, h('p.hint', { role: 'status' }, t('loading'))); return; }
    if (!list.items.length) { fill(place, empty(t('news.empty'), t('news.empty_text'), !looking() && addButton(t('upload.add')))); return; }
    place.querySelectorAll(':scope > :not(.day)').forEach((el) => el.remove());
    const days = runs(list.items, day);
    const fit = (el, one) => keyed(el.querySelector('ol'), list.items.slice(one.first, one.first + one.count), entryKey, row, renew);
    keyed(place, days, (one) => `${list.order}${one.key}`, (one) => { const el = section(one); fit(el, one); return el; }, fit);
  }

  /** Reads the first page, or the one that follows; `holds` leaves in place what is being read. */
  async function read(before, holds = false) {
    const number = ++reads, { order } = list, page = await api.news(order === 'near' ? 'newest' : order, before, order === 'near' ? near(remembered.get().pin) : null);
    if (number !== reads || order !== list.order) return;
    if (!before) state.locked = page.locked ?? [];
    if (holds && list.pages) {
      const { items, isNew } = heldBack(list.items, page.items, list.pages === 1);
      Object.assign(list, { items, isNew });
    } else if (before) Object.assign(list, { items: [...list.items, ...page.items], next: page.next ?? null, pages: list.pages + 1 });
    else Object.assign(list, { items: page.items, next: page.next ?? null, pages: 1, isNew: false });
    show();
  }

  const begin = () => read().catch((error) => { if (!list.items.length) fill(place, failed(error, begin)); });

  function choose(order) {
    if (order === list.order) return;
    // Where the person is, no browser tells: it is the pin, which is asked for once.
    if (order === 'near' && !remembered.get().pin) { later(() => import('../places/position.js'), ({ askPosition }) => askPosition(null, null, (pin) => { remembered.set({ pin }); choose(order); })); return; }
    if (order !== 'near') memory.set('news', order);
    Object.assign(list, { order, items: [], next: null, pages: 0, isNew: false });
    show();
    begin();
  }

  place.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-id]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(link.pathname, { state: { over: true } });
  });

  const holds = () => scrollY > AT_TOP || list.pages > 1;
  const reread = single(() => read(null, holds()).catch(() => {}));
  const refresh = (change) => { reread(); photos.refresh(change).catch(() => {}); };
  /** Whether a picture is missing that has arrived, perhaps. */
  const lacks = () => list.items.some((item) => item.photos.some((photo) => !photo.held.thumbnail));
  const isTold = (kind) => (kind === 'media' ? lacks() : !['peers', 'status', 'nearby'].includes(kind));
  const release = () => { if (list.isNew && scrollY <= AT_TOP) begin(); };
  addEventListener('scroll', release, { passive: true });
  const offs = [
    on('change', (change) => { if ([...change.kinds].some(isTold)) refresh(change); }),
    on('people', show),
    on('reset', () => refresh()),
  ];
  const tick = setInterval(show, 60000);
  show();
  if (list.pages) refresh(); else begin();
  photos.more().catch(() => {});

  const link = (id) => place.querySelector(`a[data-id="${CSS.escape(id)}"]`);
  return {
    stop() {
      offs.forEach((off) => off());
      clearInterval(tick);
      removeEventListener('scroll', release);
    },
    viewer: { list: photos, home: '/news', box: (id) => link(id)?.getBoundingClientRect() ?? null, focus: (id) => link(id)?.focus({ preventScroll: true }) },
  };
}
