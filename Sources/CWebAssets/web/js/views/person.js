/** One person: who it is, what the two have in common, and what the person shared; one's own is the same, with editing. */
import { takesPart } from '../lib/levels.js';
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { deals } from '../core/deals.js';
import { on } from '../core/store.js';
import { withStyle } from '../core/style.js';
import { isOn } from '../core/venues.js';
import { visiting } from '../core/visit.js';
import { pathOf as dealPath } from '../deals/card.js';
import { setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { fetched, later } from '../ui/later.js';
import { avatar, complain, empty, failed, whoLink } from '../ui/parts.js';
import { sheet } from '../ui/sheet.js';
import { createGallery } from '../ui/gallery.js';

/** Parts of a person in moments, each with its number. */
const PARTS = [['crossed', 'crossed_paths'], ['common', 'common_moments'], ['made', 'made'], ['joined', 'joined'], ['checked_in', 'checked_in']];
/** What changes a profile: who is who, who is connected, and what people share. */
const CONCERNS = ['people', 'profile', 'profile_picture', 'connection', 'friendship', 'participation', 'check_in', 'moment', 'photo', 'hidden', 'deal_use', 'deal_confirmation'];

const faces = () => import('../ui/faces.js');

/** Opens a list of the person's in a sheet. */
function showList(title, read, row) {
  const list = h('ul.hits');
  later(faces, ({ paged }) => sheet(title, [list, paged(list, read, row)]));
}

const momentRow = (moment) => h('li', null, h('a.hit', { href: `/moments/${encodeURIComponent(moment.id)}` },
  h('span.mini', { 'aria-hidden': 'true' }, icon(moment.private ? 'lock' : 'moments')),
  h('span', null, h('strong', { dir: 'auto' }, moment.title), h('small', null, say.span(moment.start, moment.end)))));
const personRow = (person) => h('li', null, whoLink(person, avatar(person, 'm'), ' ', h('strong', null, person.name)));

const dealRow = (deal) => h('li', null, h('a.hit', { href: dealPath(deal.id) }, h('span.mini', { 'aria-hidden': 'true' }, icon('deals')),
  h('span', null, h('strong', { dir: 'auto' }, deal.title), h('small', null, [deal.place.name, t(`deal.use_${deal.use.state}`)].join(' · ')))));

/** A number as it is known: beyond a thousand nothing is counted. */
const number = (n) => (n >= 1000 ? `${say.number(1000)}+` : say.number(n));

/**
 * @param {HTMLElement} root @param {string} id @param {import('../core/photolist.js').PhotoList} list of what the person shared
 * @returns {{stop: () => void, viewer: any}}
 */
export function mountPerson(root, id, list) {
  let profile = null, used = [], links = null, stopped = false, reads = 0;
  const head = h('div.person-head', { 'aria-busy': 'true' }), facts = h('ul.facts-list');
  setTarget(() => null);
  const gallery = createGallery(list, () => h('p.hint', null, t('person.no_photos')));
  withStyle('person', () => {});

  /** What became of somebody who takes part no more. */
  const standing = ({ level }) => !takesPart(level) && h('p.hint', null, t(`person.${['left', 'removed'].includes(level) ? level : 'outside'}`));

  function deeds({ person, own }) {
    if (person.me) {
      return [h('button.btn.small', { onclick: () => later(() => import('../ui/profile.js'), (form) => form.editProfile()) }, icon('edit'), t('edit')),
        own && (own.last_name || own.email) && h('p.hint', null, [own.last_name, own.email].filter(Boolean).join(' · '), ' ', h('small', null, t('person.only_here')))];
    }
    if (visiting()) return false;
    const buttons = links?.buttons(person);
    return [h('div.deeds', null, links?.tag(person), buttons), buttons && h('p.hint', null, t('connections.public'))];
  }

  function draw() {
    if (stopped || !profile) return;
    const { person, counts, last_seen: seen } = profile;
    head.removeAttribute('aria-busy');
    const portrait = avatar(person, 'l');
    fill(head, counts.pictures ? h('button.portrait-button', { 'aria-label': t('person.pictures', { name: person.name }), onclick: () => later(faces, (f) => f.showFaces(person)) }, portrait) : portrait,
      h('div', null, h('h2', { dir: 'auto' }, person.name), h('p.name', null, person.me && h('span.tag', null, t('you')),
        takesPart(person.level) && person.level !== 'attendee' && !person.door && h('span.tag.host', null, t(`people.${person.level}`)),
        person.by_door && h('span.tag', null, t('people.by_door', { name: person.by_door })), person.door && h('span.tag', null, t('people.door')),
        person.muted && h('span.tag', null, t('people.muted'))),
      standing(person),
      h('p.meta', null, person.joined && h('span', null, t('person.since', { when: say.moment(person.joined) })), ' ', h('code', { title: t('people.fingerprint') }, person.fingerprint)),
      seen && h('p.meta', null, t('person.seen', { when: say.ago(seen.at) }), ' ', seen.title && (seen.moment ? h('a', { href: `/moments/${encodeURIComponent(seen.moment)}` }, seen.title) : seen.title)),
      deeds(profile)));
    const fact = (words, n, open) => n > 0 && h('li', null, h('button.fact', { onclick: open }, h('strong', null, number(n)), ' ', words));
    fill(facts,
      !visiting() && fact(t('person.common_connections', { n: counts.common_connections }), counts.common_connections, () => showList(t('person.common_connections', { n: 2 }), (before) => api.connectionsWith(id, before).then((a) => ({ items: a.people, next: a.next })), personRow)),
      fact(t('person.used_deals', { n: used.length }), used.length, () => showList(t('person.used_deals', { n: 2 }), async () => ({ items: used, next: null }), dealRow)),
      PARTS.map(([part, count]) => fact(t(`person.${part}`, { n: counts[count] }), counts[count], () => showList(t(`person.${part}`, { n: 2 }), (before) => api.momentsOf(id, part, before).then((a) => ({ items: a.moments, next: a.next })), momentRow))));
  }

  /** The deals that one used. @param {number} mine the number of the reading */
  async function readUsed(mine) {
    const all = await deals.list({ list: 'used' }).catch(() => []);
    if (stopped || mine !== reads) return;
    used = all.reverse();
    draw();
  }

  async function read() {
    const mine = ++reads;
    try {
      const found = await api.person(id);
      if (stopped || mine !== reads) return;
      profile = found;
      draw();
      if (found.person.me && isOn('deals')) readUsed(mine);
    } catch (error) {
      if (stopped || profile && error.status !== 404) return;
      fill(root, h('div.page', null, error.status === 404 ? empty(t('person.gone'), error.message, h('a.btn', { href: '/people' }, t('tab.people'))) : failed(error, () => location.reload())));
    }
  }

  fill(root, h('div.page.profile', null, head, facts), h('section.gallery-part', null, h('h3.label', null, t('tab.photos')), gallery.el));
  read();
  gallery.start();
  if (!visiting()) {
    // The requests of others stand on the page of all people.
    fetched(() => import('../ui/connecting.js')).then(({ connecting }) => { if (!stopped) links = connecting(h('div'), draw); }, complain);
  }
  const offs = [on('change', ({ kinds }) => { if (CONCERNS.some((kind) => kinds.has(kind))) read(); }), on('reset', read)];
  return {
    stop() { stopped = true; links?.stop(); offs.forEach((off) => off()); gallery.stop(); },
    viewer: { ...gallery.viewer, list, home: `/people/${encodeURIComponent(id)}` },
  };
}
