/** What others did that concerns the person, newest first, each with the way to the very thing. */
import { fill, h, keyed } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { notices } from '../core/notices.js';
import { go } from '../core/router.js';
import { nameOf, on } from '../core/store.js';
import { setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { moreButton } from '../ui/more.js';
import { avatar, busy, complain, empty, failed } from '../ui/parts.js';

/** Where there are more people than are named, so many are. */
const NAMED = 2;

/** Kinds of things of which one can hear nothing more. */
const MUTABLE = ['photo', 'moment', 'place', 'deal'];

const called = ({ kind, title }) => (title ? t('quote', { text: title }) : t(`thing.${kind}`));

function names({ people, count }) {
  const shown = count > people.length ? people.slice(0, NAMED) : people;
  const rest = count - shown.length;
  return say.list([...shown.map(nameOf), ...(rest > 0 ? [t('news.others', { n: rest })] : [])]);
}

/** Who did what, as a sentence. */
function sentence(notice) {
  const { kind, thing, count: n } = notice, what = t(`notices.${kind}`, { n, thing: called(thing) });
  return [!['hidden', 'shown', 'report'].includes(kind) && [h('strong', null, names(notice)), ' '], what];
}

/** What tells whether a row would look different now. */
const looks = (notice) => JSON.stringify([notice.id, notice.count, notice.time, notice.read, notice.text, notice.people.map(nameOf), notice.thing.title]);

/**
 * @param {HTMLElement} root @returns {{stop: () => void}}
 */
export function mountForYou(root) {
  setTarget(() => null);
  let items = [], next = null, reads = 0;
  const list = h('ul.notices', { 'aria-busy': 'true' }), none = h('div'), silenced = h('div');
  const all = h('button.btn', { onclick: () => busy(all, '', () => notices.read(null)).catch(complain) }, icon('check'), t('notices.read_all'));
  const more = h('button.btn', { hidden: true, onclick: () => busy(more, t('loading'), () => read(next)).catch(complain) }, t('news.older'));
  fill(root, h('div.page.news', null, h('div.page-head', null, h('h2', null, t('notices.title')), all), none, list, more, silenced));

  function row(notice) {
    const { thing, link, time } = notice, words = h('span', null, sentence(notice));
    const deeds = moreButton(() => [MUTABLE.includes(thing.kind)
      && { sign: 'bell', words: t('notices.mute'), act: () => notices.mute(thing, true).catch(complain) }], '.small');
    return h(`li.notice${notice.read ? '' : '.unread'}`, null,
      h('div.stacked', null, notice.people.length ? notice.people.slice(0, 3).map((p) => avatar(p, notice.people.length > 1 ? 's' : 'm')) : icon('flag')),
      h('div.told', null, h('p.did', null, link ? h('a', { href: link, data: { thing: thing.id } }, words) : words, ' ',
        h('time', { datetime: time, title: say.moment(time) }, say.ago(time)), !notice.read && h('span.sr', null, t('notices.unread'))),
      notice.text && h('p.said', null, notice.text)), deeds.el);
  }

  function show() {
    keyed(list, items, looks, row, (el, { time }) => { el.querySelector('time').textContent = say.ago(time); });
    fill(none, !items.length && empty(t('notices.none'), t('notices.none_text')));
    all.hidden = !items.some((one) => !one.read);
    more.hidden = !next;
  }

  function take(page) {
    items = page.notifications;
    next = page.next ?? null;
    fill(silenced, page.muted?.length > 0 && [h('h3.label', null, t('notices.muted')), h('ul.notices', null, page.muted.map((thing) => h('li.notice', null,
      h('span', null, called(thing)), h('button.link', { onclick: () => notices.mute(thing, false).catch(complain) }, t('notices.unmute')))))]);
    show();
  }

  /** Reads the first page, or the one that follows. */
  async function read(before) {
    const number = ++reads, page = await notices.list(before);
    // A page that follows a list which was read anew meanwhile follows it no more.
    if (number !== reads) return;
    if (!before) { take(page); return; }
    items = [...items, ...page.notifications];
    next = page.next ?? null;
    show();
  }

  list.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-thing]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    // The address names the comment, too.
    go(link.getAttribute('href'), { state: { over: link.pathname.startsWith('/photos/') } });
  });

  const begin = () => read().catch((error) => fill(none, failed(error, begin))).finally(() => list.removeAttribute('aria-busy'));
  const offs = [on('notices', (page) => { reads++; take(page); }), on('people', show)];
  begin();
  return { stop() { offs.forEach((off) => off()); } };
}
