/** What happened at the event, newest first: photos, comments, moments, check-ins. */
import { authors, bundled, feedId, readSome } from '../lib/feed.js';
import { dayKey } from '../lib/time.js';
import { single } from '../lib/single.js';
import { runs } from '../lib/window.js';
import { fill, h, keyed } from '../core/dom.js';
import { api, media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { PhotoList } from '../core/photolist.js';
import { looking, nameOf, on, state } from '../core/store.js';
import { addButton, setTarget } from '../ui/add.js';
import { hiddenNote } from '../ui/hiding.js';
import { icon } from '../ui/icons.js';
import { avatar, busy, complain, empty, failed } from '../ui/parts.js';

/** What happened, as a list like those of photos: paged, kept up to date, held back while one reads. */
export function feedList() {
  const photos = async (_, before) => {
    const { items, next, locked } = await api.feed(before);
    if (!before) state.locked = locked ?? [];
    return { photos: items.map((one) => ({ ...one, id: feedId(one) })), next };
  };
  return new PhotoList({ photos, photo: () => Promise.reject(new Error()) });
}

/** So many photos of one entry are shown; the last one counts the rest. */
const MOST = 6;
/** Scrolled further than this, what is new waits behind the pill. */
const AT_TOP = 60;

const momentOf = (id) => state.moments?.find((m) => m.id === id) ?? null;

/** @param {string} id @param {string} words @param {number} [more] how many others are not shown */
function picture(id, words, more = 0) {
  const link = h('a.pic', { href: `/photos/${encodeURIComponent(id)}`, 'aria-label': words, data: { id } });
  const img = h('img', { alt: '', decoding: 'async', loading: 'lazy', src: media(id, 'thumbnail'), onload: () => link.classList.remove('away') });
  img.onerror = () => { img.remove(); link.classList.add('away'); };
  link.append(img);
  if (more) link.append(h('span.more', { 'aria-hidden': 'true' }, t('feed.more', { n: more })));
  return link;
}

const chip = (moment) => moment && h('a.chip', { href: `/moments/${encodeURIComponent(moment.id)}` }, icon('moments'), h('span', null, moment.title));

/** What an entry shows below its first line. @param {import('../lib/feed.js').Entry} entry */
function body(entry) {
  const [item] = entry.items;
  if (entry.type === 'photo') {
    const photos = entry.items.map((one) => one.photo), shown = photos.slice(0, MOST);
    const words = (p) => p.title || t('grid.alt', { name: p.author.name, time: say.clock(p.posted) });
    return [chip(momentOf(item.photo.moment)),
      h('div.pics', { class: shown.length === 1 ? 'one' : '' }, shown.map((p, i) => picture(p.id, words(p), i === MOST - 1 ? photos.length - MOST : 0)))];
  }
  if (entry.type === 'comment') {
    const { target, target_kind: kind, text } = item.comment;
    return [chip(momentOf(target)), h('div.quote', null, h('p.said', null, authors(entry).length > 1 && h('strong', null, `${nameOf(item.author)}: `), text), kind === 'photo' && picture(target, t('feed.commented_photo')))];
  }
  const { moment } = item;
  if (entry.type === 'moment') return [chip(moment), h('p.hint', null, [say.span(moment.start, moment.end), moment.place.name].filter(Boolean).join(' · '))];
  return moment ? [chip(moment)] : item.place && h('p.where', null, icon('pin'), item.place);
}

/** @param {import('../lib/feed.js').Entry} entry */
function draw(entry) {
  const people = authors(entry), names = people.map((p) => (p.me ? t('you_name', { name: p.name }) : nameOf(p)));
  const did = t(`feed.${entry.type}`, { n: entry.type === 'check_in' ? people.length : entry.items.length });
  return [h('div.stacked', null, people.slice(0, 3).map((p) => avatar(p, people.length > 1 ? 's' : 'm'))),
    h('div.told', null,
      h('p.did', null, h('strong', null, say.list(names.length > 4 ? [...names.slice(0, 3), t('feed.others', { n: names.length - 3 })] : names)), ' ', did, ' ', h('time', { datetime: entry.at, title: say.moment(entry.at) }, say.ago(entry.at))),
      body(entry), hiddenNote(item(entry)))];
}

/** The first thing of an entry that others do not see. @param {import('../lib/feed.js').Entry} entry */
const item = (entry) => entry.items.find((one) => one.hidden) ?? entry.items[0];

/** Whether an entry would look different now. @param {import('../lib/feed.js').Entry} entry */
const looks = (entry) => JSON.stringify([entry.items.map((i) => [nameOf(i.author), i.author.picture, i.hidden?.at, i.comment?.id, i.photo?.title, i.photo?.held.thumbnail, i.moment?.title, i.moment?.start, i.moment?.end]),
  !!state.moments, momentOf(entry.items[0].photo?.moment ?? entry.items[0].comment?.target)?.title]);

/**
 * @param {HTMLElement} root @param {import('../core/photolist.js').PhotoList} list what happened
 * @param {import('../core/photolist.js').PhotoList} photos what the viewer steps through
 * @returns {{stop: () => void, viewer: any}}
 */
export function mountFeed(root, list, photos) {
  setTarget(() => null);
  const place = h('div.days'), seen = new WeakMap();
  const live = h('span.sr', { role: 'status', 'aria-live': 'polite' }), locks = h('ul');
  const pill = h('button.pill', { hidden: true, onclick: () => { list.release(); scrollTo({ top: 0 }); } });
  const more = h('button.btn', { hidden: true, onclick: () => busy(more, t('loading'), () => readSome(list, key)).catch(complain) }, t('feed.older'));
  fill(root, h('div.page.feed', null, h('div.page-head', null, h('h2', null, t('tab.feed'))), pill, live, locks, place, more));

  const key = (item) => dayKey(item.at);
  const row = (entry) => { const el = h('li.entry', null, draw(entry)); seen.set(el, looks(entry)); return el; };
  const renew = (el, entry) => {
    const now = looks(entry), time = el.querySelector('.did time');
    if (seen.get(el) !== now) { seen.set(el, now); fill(el, draw(entry)); } else time.textContent = say.ago(entry.at);
  };
  const section = (day) => {
    const words = say.day(day.key);
    return h('section.day', null, h('h3.label', null, words.name, ' ', h('small', null, words.date)), h('ol.entries'));
  };

  function show() {
    const n = list.waiting, words = n ? t('feed.new', { n }) : '';
    pill.hidden = !n;
    if (live.textContent !== words) { live.textContent = words; fill(pill, icon('up'), words); }
    more.hidden = list.complete || !list.started;
    fill(locks, (state.locked ?? []).map(({ author, count, unlockers }) => h('li.warn', null, icon('lock'),
      h('span', null, t('feed.locked', { n: count, name: author.name, people: say.list(unlockers.map((p) => p.name)) })))));
    if (!list.started) { fill(place, h('p.hint', { role: 'status' }, t('loading'))); return; }
    if (!list.items.length) {
      fill(place, empty(t('feed.empty'), t('feed.empty_text'), !looking() && addButton(t('upload.add'))));
      return;
    }
    place.querySelectorAll(':scope > :not(.day)').forEach((el) => el.remove());
    const entries = bundled(list.items, key);
    const days = runs(entries, key);
    const fit = (el, day) => keyed(el.querySelector('ol'), entries.slice(day.first, day.first + day.count), (e) => e.key, row, renew);
    keyed(place, days, (day) => day.key, (day) => { const el = section(day); fit(el, day); return el; }, fit);
  }

  async function read() {
    try {
      await readSome(list, key);
    } catch (error) {
      if (!list.items.length) fill(place, failed(error, read));
    }
  }

  place.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-id]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(link.pathname, { state: { over: true } });
  });

  list.holding = () => scrollY > AT_TOP;
  const reread = single(() => list.refresh().catch(() => {}));
  const refresh = (change) => { reread(); photos.refresh(change).catch(() => {}); };
  /** Whether a picture is missing that has arrived, perhaps. */
  const lacks = () => list.items.some(({ photo }) => photo && !photo.held.thumbnail);
  const isTold = (kind) => (kind === 'media' ? lacks() : !['peers', 'status', 'nearby'].includes(kind));
  const release = () => { if (list.waiting && !list.holding()) list.release(); };
  addEventListener('scroll', release, { passive: true });
  const offs = [
    list.on(show),
    on('moments', show),
    on('change', (change) => { if ([...change.kinds].some(isTold)) refresh(change); }),
    on('reset', () => (list.started ? refresh() : read())),
  ];
  const tick = setInterval(show, 60000);
  show();
  if (list.started) refresh(); else read();
  photos.more().catch(() => {});

  const link = (id) => place.querySelector(`a[data-id="${CSS.escape(id)}"]`);
  return {
    stop() {
      offs.forEach((off) => off());
      clearInterval(tick);
      removeEventListener('scroll', release);
      list.holding = () => false;
    },
    viewer: { list: photos, home: '/feed', box: (id) => link(id)?.getBoundingClientRect() ?? null, focus: (id) => link(id)?.focus({ preventScroll: true }) },
  };
}
