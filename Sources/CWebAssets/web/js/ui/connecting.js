/** Who asks one to connect, and the buttons by which two people do: requests stay between the two, and everybody sees who is connected. It comes when people are shown. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { on, state } from '../core/store.js';
import { shares } from '../lib/levels.js';
import { avatar, complain, toast, whoLink } from './parts.js';
import { confirm } from './sheet.js';

/**
 * @param {HTMLElement} top where requests are shown @param {() => void} changed is told when the buttons are others
 * @returns {{tag: (person: object) => any, buttons: (person: object) => any, stop: () => void}}
 */
export function connecting(top, changed) {
  let found = [], stopped = false, reads = 0;
  const between = (id) => found.find(({ person }) => person.id === id)?.state;

  async function read() {
    const event = state.status?.current?.id, number = ++reads;
    const list = await api.connections();
    // Of two reads on their way the one that began last counts.
    if (stopped || number !== reads || event !== state.status?.current?.id) return;
    found = list;
    const asking = found.filter((one) => one.state === 'asks');
    fill(top, asking.length > 0 && [h('h3', null, t('connections.requests', { n: asking.length })), h('p.hint', null, t('connections.text')), h('ul.people', null, asking.map(request))]);
    changed();
  }

  /** Writes, says what came of it, and looks again: also where it failed, as the other may have been quicker. */
  async function set({ id, name }, on, words) {
    try {
      const now = await api.connect(id, on);
      toast(t(now === 'connected' ? 'connections.confirmed' : words, { name }));
    } catch (error) { complain(error); }
    await read().catch(complain);
  }

  const button = (person, word, onclick, kind = '') => h(`button.btn.small${kind}`, { onclick, 'aria-label': `${t(word)}: ${person.name}`, title: /ask|confirm/.test(word) && t('connections.public') }, t(word));
  const answers = (person) => [
    button(person, 'connections.confirm', () => set(person, true, 'connections.asked'), '.primary.shares'),
    button(person, 'connections.decline', () => set(person, false, 'connections.declined'), '.shares')];

  async function end(person) {
    const work = () => api.connect(person.id, false);
    const words = { title: t('connections.end'), text: t('connections.end_text', { name: person.name }), action: t('connections.end'), work };
    if (!await confirm(words)) return;
    toast(t('connections.ended', { name: person.name }));
    await read().catch(complain);
  }

  const request = ({ person, at }) => h('li.person', null, avatar(person, 'm'),
    h('div', null, h('p.name', null, whoLink(person, h('strong', null, person.name))),
      h('p.meta', null, h('time', { datetime: at, title: say.moment(at) }, say.ago(at)), h('code', { title: t('people.fingerprint') }, person.fingerprint))),
    h('div.deeds', null, answers(person)));

  const offs = [on('change', ({ kinds }) => { if (['connection', 'people', 'profile', 'member'].some((kind) => kinds.has(kind))) read().catch(() => {}); }),
    on('reset', () => read().catch(() => {}))];
  read().catch(complain);
  return {
    isConnected: ({ id }) => between(id) === 'connected',
    /** What is between the two, in a word. */
    tag(person) {
      const is = between(person.id);
      return ['asked', 'connected'].includes(is) && h(`span.tag${is === 'connected' ? '.host' : ''}`, null, t(`connections.is_${is}`));
    },
    /** What can be done about it. */
    buttons(person) {
      const is = between(person.id);
      if (is === 'asks') return answers(person);
      if (is === 'asked') return button(person, 'connections.take_back', () => set(person, false, 'connections.taken_back'), '.shares');
      if (is === 'connected') return button(person, 'connections.end', () => end(person), '.shares');
      const can = !person.me && !person.relay && shares(person.level);
      return can && button(person, 'connections.ask', () => set(person, true, 'connections.asked'), '.shares');
    },
    stop() { stopped = true; offs.forEach((off) => off()); },
  };
}
