/** What people reported and moderators hid, and what can be done about it; what guests tell the hosts. */
import { fill, h } from '../core/dom.js';
import { api, media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { notices } from '../core/notices.js';
import { nameOf, on } from '../core/store.js';
import { setTarget } from '../ui/add.js';
import { hide, hidingWords, unhide, why } from '../ui/hiding.js';
import { icon } from '../ui/icons.js';
import { avatar, empty, failed, whoLink } from '../ui/parts.js';

/** Characters of a comment that its line shows. */
const MOST = 60;

/** What an entry of the log is about, in a line. */
function about({ kind, author, photo, comment, moment }) {
  const all = [...photo?.title || photo?.name || comment?.text || moment?.title || ''];
  const name = all.length > MOST ? `${all.slice(0, MOST).join('')}…` : all.join('');
  const kinds = ['photo', 'comment', 'moment'];
  return [t(`hidden.${kinds.includes(kind) ? kind : 'record'}`), name && t('quote', { text: name }), author && t('hidden.of', { name: nameOf(author) })].filter(Boolean).join(' ');
}

/** Where it is looked at. */
const address = ({ photo, moment }) => (photo ? `/photos/${encodeURIComponent(photo.id)}`
  : moment ? `/moments/${encodeURIComponent(moment.id)}` : null);

/**
 * @param {HTMLElement} root @returns {{stop: () => void}}
 */
export function mountHidden(root) {
  setTarget(() => null);
  const list = h('ul.hidden-list', { 'aria-busy': 'true' }), told = h('ul.hidden-list'), log = h('ul.peers'), none = h('div'), feedback = h('section.block');
  fill(root, h('div.page', null, h('div.page-head', null, h('h2', null, t('hidden.title')), h('a.btn', { href: '/people' }, icon('people'), t('tab.people'))),
    told, none, list, feedback, h('details.connections', null, h('summary', null, t('hidden.log')), log)));

  const deed = (words, entry, act) => h('button.btn.small', { 'aria-label': `${words}: ${about(entry)}`, onclick: () => act(entry.record, read) }, words);

  function row(entry, state, deeds) {
    const link = address(entry), words = h('strong', null, about(entry));
    const picture = h('span.mini', null, entry.photo?.held.thumbnail ? h('img', { alt: '', loading: 'lazy', src: media(entry.photo.id, 'thumbnail') }) : icon(entry.kind === 'photo' ? 'photos' : entry.kind === 'comment' ? 'comment' : 'moments'));
    return h('li', null, picture, h('div', null, h('p', null, link ? h('a', { href: link }, words) : words), state), deeds);
  }

  const hidden = (entry) => row(entry, h('p.meta', null, hidingWords({ ...entry, reason: entry.reason ?? '' }), ' · ', h('time', { datetime: entry.at, title: say.moment(entry.at) }, say.ago(entry.at))),
    deed(t('hidden.show'), entry, unhide));

  /** What waits for a moderator's word. */
  const reported = (entry) => row(entry, [entry.hidden && h('p.meta', null, hidingWords(entry.hidden)),
    entry.reports.map(({ by, reason, text }) => h('p.meta', null, [`${by.name}: ${why(reason)}`, text].filter(Boolean).join(' · ')))],
  h('div.actions', null, deed(t('hidden.action'), entry, hide), deed(t('report.leave'), entry, unhide)));

  const deedOf = ({ hides, reported: byItself }) => (byItself ? 'hidden.log_device' : hides ? 'hidden.log_hid' : 'hidden.log_showed');
  const line = (entry) => h('li', null, h('strong', null, t(deedOf(entry), { name: entry.by.name }), ' ', about(entry)),
    h('span', null, [say.moment(entry.at), entry.reported ? t('hidden.was_reported') : entry.reason].filter(Boolean).join(' · ')));

  /** What a guest tells the hosts. */
  const said = ({ author, text, posted }) => h('li.person', null, avatar(author, 'm'), h('div', null,
    h('p.name', null, whoLink(author, h('strong', null, nameOf(author))), h('time.hint', { datetime: posted, title: say.moment(posted) }, say.ago(posted))), h('p.said', { dir: 'auto' }, text)));

  async function read() {
    try {
      const [current, all, open, words] = await Promise.all([api.hidden(), api.hidingLog(), api.reported(), api.feedback()]);
      fill(feedback, words.feedback.length > 0 && [h('h3.label', null, t('feedback.heading')), h('ul.people', null, words.feedback.map(said))]);
      fill(told, open.map(reported));
      fill(list, current.filter(({ record }) => !open.some((entry) => entry.record === record)).map(hidden));
      // What stands here is read.
      for (const { id } of words.feedback) notices.opened(id);
      fill(none, !current.length && !open.length && !words.feedback.length && empty(t('hidden.none'), t('hidden.none_text')));
      fill(log, all.length ? all.map(line) : h('li', null, t('hidden.log_empty')));
    } catch (error) {
      fill(none, failed(error, read));
    }
    list.removeAttribute('aria-busy');
  }

  const offs = [on('change', ({ kinds }) => { if (['hidden', 'report', 'feedback'].some((kind) => kinds.has(kind))) read(); }), on('reset', read)];
  read();
  return { stop() { offs.forEach((off) => off()); } };
}
