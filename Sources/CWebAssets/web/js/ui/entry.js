/** The ways between events: start one, join one, and the menu behind the title that switches and leaves. */
import { h, keyed } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { go } from '../core/router.js';
import { load, on, state } from '../core/store.js';
import { icon } from './icons.js';
import { later } from './later.js';
import { busy, complain, field, toast } from './parts.js';
import { confirm, sheet } from './sheet.js';

/** What stands for the title where nobody who was met knows it; nobody types that. */
const UNTITLED = '…';
/** What an event begins with; the founder can change it. */
const PRESETS = ['party', 'festival', 'fair'];

/** @param {() => Promise<void>} done @returns {HTMLFormElement} */
export function startForm(done) {
  const title = field(t('setup.event_title'), { maxlength: '200', autocomplete: 'off', placeholder: t('setup.event_example'), autofocus: true });
  const presets = h('select', null, PRESETS.map((preset) => h('option', { value: preset }, t(`preset.${preset}`))));
  const button = h('button.btn.primary', { type: 'submit' }, t('setup.start_do'));
  return h('form', { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const value = title.input.value.trim();
    if (!value) { title.error(t('setup.need_title')); title.input.focus(); return; }
    try { await busy(button, t('setup.starting'), async () => { await api.startEvent(value, presets.value); await done(); }); }
    catch (error) { title.error(error.message); }
  } }, title.el, h('label.field', null, h('span', null, t('preset.label')), presets), h('div.actions', null, button));
}

/** The same for joining, which may take half a minute, or more where the network is slow. */
export function joinForm(done) {
  const link = field(t('setup.link'), { rows: '3', autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none', autofocus: true }, { hint: t('setup.link_hint'), tag: 'textarea' });
  const button = h('button.btn.primary', { type: 'submit' }, t('setup.join_do'));
  const bar = h('progress', { max: '30', value: 0, hidden: true, 'aria-label': t('setup.looking') });
  const words = h('p.hint', { role: 'status' });
  link.input.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); form.requestSubmit(); } });
  const form = h('form', { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const value = link.input.value.trim();
    if (!value) { link.error(t('setup.need_link')); link.input.focus(); return; }
    link.error('');
    const join = async (device) => { await api.join(value, device); await done(); };
    if (value.includes('//device/')) return void confirm({ title: t('invite.device'), text: t('setup.device'), action: t('setup.join_do'), kind: 'primary', work: () => join(true) });
    const from = Date.now();
    const tick = () => {
      const seconds = (Date.now() - from) / 1000;
      bar.value = Math.min(29.5, seconds);
      words.textContent = seconds < 8 ? t('setup.looking') : t('setup.still_looking');
    };
    bar.hidden = false;
    tick();
    const timer = setInterval(tick, 250);
    try { await busy(button, t('setup.joining'), () => join()); }
    catch (error) { link.error(error.message); link.input.focus(); }
    finally { clearInterval(timer); bar.hidden = true; words.textContent = ''; }
  } }, link.el, bar, words, h('div.actions', null, button));
  return form;
}

/** The events on this network that anyone may join; hidden while there are none. */
export function nearbyList(done) {
  const list = h('ul.rows'), el = h('section', { hidden: true }, h('h3', null, t('nearby.title')), list), links = {};
  const nodes = (event) => t('nearby.nodes', { n: event.nodes });
  const row = (event) => {
    const button = h('button.btn.small', { 'aria-label': `${t('setup.join_do')}: ${event.title}`, onclick: () =>
      busy(button, t('setup.joining'), async () => { await api.join(links[event.id]); await done(); }).catch(complain) }, t('setup.join_do'));
    return h('li.row', null, h('span', null, h('strong', null, event.title), h('small', null, nodes(event))), button);
  };
  const look = async () => {
    const found = await api.nearby().catch(() => []);
    for (const event of found) links[event.id] = event.link;
    keyed(list, found, (event) => event.id + event.title, row, (one, event) => { one.querySelector('small').textContent = nodes(event); });
    el.hidden = !found.length;
  };
  const off = on('change', ({ kinds }) => kinds.has('nearby') && look());
  // Each call lasts a minute.
  const timer = setInterval(() => {
    if (el.isConnected) { if (!document.hidden) look(); } else { off(); clearInterval(timer); }
  }, 25000);
  look();
  return el;
}

/** Opens the list of events. */
export function eventMenu() {
  const { events, current } = state.status;
  const row = (event) => {
    const button = h('button.row', { 'aria-current': event.id === current?.id ? 'true' : null, onclick: async () => {
      if (event.id === current?.id) box.close();
      else try {
        await busy(button, '', () => api.switchTo(event.id));
        box.close();
        go('/');
        await load.status();
      } catch (error) { complain(error); }
      } }, h('span', null, h('strong', null, event.title),
      h('small', null, t('event.counts', { people: event.people, photos: event.photos }))), event.id === current?.id && icon('check'));
    return h('li', null, button);
  };
  const entered = (opened) => async () => { opened().close(); go('/'); await load.status(); };
  const other = (title, form) => () => {
    box.close();
    const inner = sheet(title, [form(entered(() => inner))]);
  };
  const box = sheet(t('event.menu'), [
    h('ul.rows', null, events.map(row)),
    h('div.stack', null,
      h('button.btn.wide', { onclick: other(t('setup.start'), startForm) }, icon('plus'), t('setup.start')),
      h('button.btn.wide', { onclick: other(t('setup.join'), joinForm) }, icon('invite'), t('setup.join'))),
    nearbyList(entered(() => box)),
    current?.founder && h('p.apart', null, h('button.link', { onclick: () => change(current, box) }, t('event.change'))),
    current && h('p.apart', null, h('button.link.danger', { onclick: () => leave(current, box) }, t('event.leave', { title: current.title }))),
  ]);
}

/** Its form comes when it is wanted. */
function change(event, menu) {
  menu.close();
  later(() => import('./eventform.js'), (form) => form.eventForm(event));
}

async function leave(event, menu) {
  const erase = h('input', { type: 'checkbox' });
  let farewell;
  const done = await confirm({
    title: t('event.leave', { title: event.title }), text: t('event.leave_text'), action: t('event.leave_do'), typed: event.title !== UNTITLED && event.title,
    choice: h('label.choice', null, erase, h('span', null, h('strong', null, t('event.leave_erase')), h('small', null, t('event.leave_erase_text')))),
    work: async () => { farewell = await api.leave(event.id, erase.checked); },
  });
  if (!done) return;
  menu.close();
  go('/', { replace: true });
  await load.status();
  const outcome = t(farewell?.state === 'leaving' && !farewell.told ? 'event.leaving' : 'event.left', { title: event.title });
  // What stays that was to be deleted, and why nobody was told, is said in the node's words.
  toast([outcome, farewell?.detail].filter(Boolean).join(' '));
}
