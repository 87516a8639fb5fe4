/** The photos and moments that one marked. */
import { fill, h } from '../core/dom.js';
import { api, media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { nameOf, on } from '../core/store.js';
import { setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { complain, empty, failed } from '../ui/parts.js';

/** A photo, small, once that is here. */
const image = (photo) => photo?.held.thumbnail && h('img', { alt: '', loading: 'lazy', src: media(photo.id, 'thumbnail') });

function row({ type, at, author, photo, moment }) {
  const href = photo ? `/photos/${encodeURIComponent(photo.id)}` : `/moments/${encodeURIComponent(moment.id)}`;
  const name = photo ? photo.title || photo.name : moment.title;
  return h('li', null, h('span.mini', null, image(photo) || icon(type === 'photo' ? 'photos' : 'moments')),
    h('div', null, h('p', null, h('a', { href }, h('strong', null, name))),
      h('p.meta', null, nameOf(author), ' · ', h('time', { datetime: at, title: say.moment(at) }, say.ago(at)))));
}

/**
 * @param {HTMLElement} root @returns {{stop: () => void}}
 */
export function mountBookmarks(root) {
  setTarget(() => null);
  let items = [], next = null, reads = 0;
  const list = h('ul.hidden-list', { 'aria-busy': 'true' }), none = h('div');
  const more = h('button.btn', { hidden: true, onclick: () => read(next).catch(complain) }, t('bookmarks.more'));
  fill(root, h('div.page', null, h('div.page-head', null, h('h2', null, t('bookmarks.title')), h('a.btn', { href: '/people' }, icon('people'), t('tab.people'))),
    h('p.lead', null, t('bookmarks.text')), none, list, more));

  /** Reads the first page, or the one that follows. */
  async function read(before) {
    const number = ++reads, page = await api.bookmarks(before);
    // A page that follows a list which was read anew meanwhile follows it no more.
    if (number !== reads) return;
    items = before ? [...items, ...page.items] : page.items;
    next = page.next;
    fill(list, items.map(row));
    fill(none, !items.length && empty(t('bookmarks.none'), t('bookmarks.none_text')));
    more.hidden = !next;
  }

  const begin = () => read().catch((error) => fill(none, failed(error, begin))).finally(() => list.removeAttribute('aria-busy'));
  const offs = [on('change', ({ kinds }) => { if (kinds.has('bookmark')) begin(); }), on('reset', begin)];
  begin();
  return { stop() { offs.forEach((off) => off()); } };
}
