/** The button by which who shares marks a photo or a moment, to find it again: nobody else learns of it. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { shares } from '../lib/levels.js';
import { icon } from './icons.js';
import { complain, toast } from './parts.js';

/**
 * @param {() => {id: string, bookmarked: boolean}|null} record what it is about now
 * @param {(record: object) => void} keep takes the record as it is then
 */
export function bookmarkButton(record, keep) {
  const el = h('button.plain.bookmark', { 'aria-label': t('bookmarks.mark'), title: t('bookmarks.mark'), onclick: press });

  function draw() {
    const is = Boolean(record()?.bookmarked);
    el.hidden = visiting() || !shares(state.status?.current?.level);
    fill(el, icon('bookmark', is ? 'on' : ''));
    el.setAttribute('aria-pressed', String(is));
  }

  async function press() {
    const of = record();
    try {
      keep({ ...of, ...await api.bookmark(of.id, !of.bookmarked) });
      toast(t(of.bookmarked ? 'bookmarks.unmarked' : 'bookmarks.marked'));
    } catch (error) { complain(error); }
    draw();
  }

  return { el, draw };
}
