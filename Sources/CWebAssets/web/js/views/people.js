/** Who takes part, who is here, and how this device is connected to them. */
import { fill, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { load, on, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { fetched, later } from '../ui/later.js';
import { api } from '../core/api.js';
import { governed, hosts, moderates, nextLevel, takesPart } from '../lib/levels.js';
import { avatar, complain, field, toast, whoLink } from '../ui/parts.js';
import { latest } from '../lib/words.js';
import { confirm } from '../ui/sheet.js';

/** What is said of a level; of attendees nothing. @param {string} level */
const tag = (level) => level !== 'attendee' && h(`span.tag${hosts(level) ? '.host' : ''}`, null, t(`people.${level}`));

/** What takes a form; it comes when it is wanted. */
const decide = (deed, ...about) => later(() => import('../ui/deciding.js'), (deeds) => deeds[deed](...about));

/** What the viewer may do about a person. @param {object} person @param {any} connect */
function deeds(person, connect) {
  const { id, level, name } = person, own = state.status?.current?.level, next = nextLevel(own, person);
  const waits = level === 'waiting', unknown = waits && !person.invited_to;
  const button = (word, onclick, ...inside) => h('button.btn.small', { onclick, 'aria-label': `${word}: ${name}` }, inside, word);
  const deed = (word, text, work, kind = 'primary') => {
    const action = t(`people.${word}`);
    return button(action, async () => {
      if (!await confirm({ title: action, text: t(`people.${text}_text`, { name }), action, kind, work })) return;
      toast(t('people.raised', { name }));
      load.people().catch(complain);
    });
  };
  const mute = async () => {
    try {
      await api.mute(id, !person.muted);
      toast(t(person.muted ? 'people.unmuted' : 'people.muted_text', { name }));
      load.people().catch(complain);
    } catch (error) { complain(error); }
  };
  return h('div.deeds', null, person.me ? button(t('edit'), () => later(() => import('../ui/profile.js'), (form) => form.editProfile()), icon('edit')) : [connect,
    !person.relay && (person.muted || !['waiting', 'declined'].includes(level)) && button(t(person.muted ? 'people.unmute' : 'people.mute'), mute),
    next && deed(['left', 'removed'].includes(level) ? 'readmit' : `make_${next}`, next, () => api.setLevel(id, next)),
    level === 'removed' && next === 'attendee' && button(t('rescue.action'), () => decide('rescue', person)),
    (unknown ? hosts(own) : governed(own).includes(level)) && button(t(unknown ? 'people.let_in' : 'people.level'), () => decide('chooseLevel', person, own)),
    waits && hosts(own) && deed('decline', 'decline', () => api.setLevel(id, 'declined'), 'danger'),
    governed(own).includes(level) && deed('remove', 'remove', () => api.removePerson(id), 'danger')]);
}

// While the node is away nobody knows who is here.
const row = (person, links) => h(`li.person${person.me ? '.me-row' : ''}`, null, avatar(person, 'm'),
  h('div', null, h('p.name', null, whoLink(person, h('strong', null, person.name)), person.me && h('span.tag', null, t('you')), person.common_moments > 0 && h('span.tag', null, t('person.common_n', { n: person.common_moments })), !(person.door && takesPart(person.level)) && tag(person.level), person.by_door && h('span.tag', null, t('people.by_door', { name: person.by_door })), person.door && takesPart(person.level) && h('span.tag', null, t('people.door')), person.muted && h('span.tag', null, t('people.muted')), links?.tag(person)),
    h('p.meta', null, state.live && (person.here || person.me
      ? h('span.here', null, h('i.dot.on', { 'aria-hidden': 'true' }), t('people.here'))
      : h('span', null, h('i.dot', { 'aria-hidden': 'true' }), t('people.away'))),
    person.removed && h('span', null, t(person.level === 'declined' ? 'people.declined_when' : 'people.removed_when', { when: say.moment(person.removed) })),
    h('code', { title: t('people.fingerprint') }, person.fingerprint))),
  // Doors are closed on the Invite page.
  !person.door && deeds(person, links?.buttons(person)));

const connection = (peer) => h('li', null, h('strong', null, peer.person?.name ?? peer.address),
  h('span', null, [peer.person && peer.address, peer.since && t('people.since', { when: say.ago(peer.since) })].filter(Boolean).join(' · ')));

/**
 * A field that finds people by their names. @param {(found: any[]|null) => void} show null: everybody
 * @returns {{el: HTMLElement, stop: () => void}}
 */
function finder(show) {
  const question = latest(api.findPeople, (found, error, text) => {
    name.error(error?.message ?? (found && !found.length ? t('search.none', { text }) : text && !found ? t('search.short') : ''));
    if (!error) show(found);
  });
  const name = field(t('person.find'), { type: 'search', autocomplete: 'off', maxlength: '200', dir: 'auto', oninput: () => question.ask(name.input.value) });
  return { el: name.el, stop: question.stop };
}

/** Who takes part, as guests are told: names and faces. */
function mountNames(root) {
  const list = h('ul.people'), count = h('p.lead'), find = finder((people) => { found = people; draw(); });
  let found = null;
  fill(root, h('div.page', null, h('div.page-head', null, h('h2', null, t('tab.people'))), count, find.el, list));
  const name = (person) => h('li.person', null, avatar(person, 'm'), h('div', null, h('p.name', null, whoLink(person, h('strong', null, person.name)), person.me && h('span.tag', null, t('you')), person.by_door && h('span.tag', null, t('people.phone')), tag(person.level))));
  function draw() {
    const people = (state.people ?? []).filter((p) => takesPart(p.level) && !p.door);
    fill(list, (found ?? [...people].sort((a, b) => a.name.localeCompare(b.name))).map(name));
    count.textContent = state.people ? t('facts.people', { n: people.length }) : '';
  }
  const off = on('people', draw);
  draw();
  load.people().catch(complain);
  return { stop() { find.stop(); off(); } };
}

/**
 * @param {HTMLElement} root @param {boolean} [connected] whether only those are shown with whom one is connected
 * @returns {{stop: () => void}}
 */
export function mountPeople(root, connected = false) {
  setTarget(() => null);
  if (visiting()) return mountNames(root);
  const waiting = h('b'), hidden = h('a.btn', { href: '/hidden' }, icon('hide'), t('hidden.title'), waiting);
  let links = null, stopped = false, found = null;
  const find = finder((people) => { found = people; draw(); });
  const requests = h('section.requests'), list = h('ul.people'), peers = h('ul.peers'), count = h('p.lead');
  fill(root, h('div.page', null, h('div.page-head', null, h('h2', null, t(connected ? 'menu.connections' : 'tab.people')),
    h('div.actions', null, hidden, h('a.btn', { href: '/bookmarks' }, icon('bookmark'), t('bookmarks.title')), h('a.btn', { href: '/invite' }, icon('invite'), t('photos.invite')))),
    requests, count, find.el, list, h('details.connections', null, h('summary', null, t('people.connections')), h('p.hint', null, t('people.connections_text')), peers)));

  function draw() {
    const { people, peers: known } = state;
    const event = state.status?.current;
    hidden.hidden = !moderates(event?.level);
    waiting.textContent = event?.reports || '';
    if (people) {
      const rank = (p) => (p.relay || p.door ? 5 : p.level === 'waiting' && hosts(event?.level) ? 0 : p.me ? 1 : !takesPart(p.level) ? 4 : p.here ? 2 : 3);
      const sorted = [...people].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
      const shown = (found ?? sorted).filter((person) => !connected || links?.isConnected(person));
      fill(list, connected && links && !shown.length ? h('li.hint', null, t('connections.none')) : shown.map((person) => row(person, links)));
      const inside = people.filter((p) => takesPart(p.level) && !p.door);
      count.textContent = !state.live ? t('facts.people', { n: inside.length }) : inside.length === 1 ? t('people.only_you') : t('people.count', { here: inside.filter((p) => p.here || p.me).length, n: inside.length });
    }
    if (known) fill(peers, known.length ? known.map(connection) : h('li', null, t('people.no_connection')));
  }

  const offs = [on('people', draw), on('status', draw), on('peers', draw), on('live', draw)];
  draw();
  load.people().catch(complain);
  load.peers().catch(() => {});
  fetched(() => import('../ui/connecting.js')).then(({ connecting }) => { if (!stopped) links = connecting(requests, draw); }, complain);
  return { stop() { stopped = true; find.stop(); links?.stop(); offs.forEach((off) => off()); } };
}
