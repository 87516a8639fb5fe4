/** The invitation: QR code, link, and for hosts a new one and all that there are. */
import { can, fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { load, on, state } from '../core/store.js';
import { setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { fetched } from '../ui/later.js';
import { busy, complain, empty, failed, toast, toggle } from '../ui/parts.js';
import { hosts, invitable } from '../lib/levels.js';
import { confirm } from '../ui/sheet.js';

const DAY = 86400;

/**
 * @param {HTMLElement} root @returns {{stop: () => void}}
 */
export function mountInvite(root) {
  setTarget(() => null);
  const body = h('div', { 'aria-busy': 'true' });
  const own = state.status.current?.level;
  const all = h('div'), ends = h('p.hint'), phones = h('section.phones', { hidden: !hosts(own) });
  let endDoors = () => {}, stopped = false;
  const input = h('input', { type: 'checkbox', onchange: async () => {
    try {
      await api.changeEvent(state.status.current.id, { nearby: input.checked });
      await load.status();
      await list();
    } catch (error) { nearby(); complain(error); }
  } });
  const door = h('div', null, toggle('people', t('nearby.open'), input), h('p.hint', null, t('nearby.open_text')));
  fill(root, h('div.page.invite', null, h('div.page-head', null, h('h2', null, t('tab.invite')), h('a.btn', { href: '/wall', target: '_blank' }, icon('photos'), t('wall.open')),
    h('button.btn', { onclick: () => api.linkDevice().then(show, complain) }, t('invite.device'))), phones, body, door, ends, all));

  function terms(invitation) {
    return [
      invitation.expires ? t('invite.until', { when: say.moment(invitation.expires) }) : t('invite.no_end'),
      invitation.uses ? t('invite.uses', { used: invitation.used, n: invitation.uses }) : t('invite.used', { n: invitation.used }),
      invitation.level !== 'attendee' && t(`invite.to_${invitation.level}`),
      invitation.approval && t('invite.asks'),
      invitation.nearby && t('nearby.invitation'),
    ].filter(Boolean).join(' · ');
  }

  const listed = (invitation) => h('li', null, h('span', null, h('strong', null, invitation.closed ? t('invite.closed') : terms(invitation)),
    ' ', t('invite.by', { name: invitation.maker.name })),
    !invitation.closed && invitable(own).includes(invitation.level) && h('button.btn.small', { onclick: async () => {
      const closed = await confirm({ title: t('invite.close'), text: t('invite.close_text'), action: t('invite.close'), work: () => api.closeInvitation(invitation.id) });
      if (closed) await read();
    } }, t('invite.close')));

  /** The founder opens it, hosts close it. */
  function nearby() {
    const { founder, nearby: open, nearby_until: until } = state.status.current ?? {};
    input.checked = open;
    door.hidden = !founder && !(open && hosts(own));
    ends.textContent = open ? t('nearby.until', { when: say.moment(until) }) : '';
  }

  async function list() {
    if (!hosts(own)) return;
    const open = all.querySelector('details')?.open;
    const invitations = await api.invitations();
    fill(all, h('details.connections', { open }, h('summary', null, t('invite.all', { n: invitations.length })), h('ul.peers.invitations', null, invitations.map(listed))));
  }

  /** No further device comes by the link that is shown. */
  async function end() {
    try {
      await api.endDeviceLink();
      toast(t('invite.device_ended'));
      await read();
    } catch (error) { complain(error); }
  }

  function show(invitation) {
    const device = invitation.level === 'device';
    const link = h('textarea.link-field', { readonly: true, rows: '3', 'aria-label': t(device ? 'invite.device' : 'invite.link'), spellcheck: 'false', onfocus: () => link.select() }, invitation.link);
    const copy = h('button.btn.primary', { onclick: async () => {
      link.focus();
      link.select();
      try {
        if (can.copy()) await navigator.clipboard.writeText(invitation.link);
        else if (!document.execCommand('copy')) throw new Error();
        toast(t('invite.copied'));
      } catch { toast(t('invite.copy_by_hand')); }
    } }, icon('copy'), t('invite.copy'));
    fill(body, h('div.invitation', null,
      h('figure.qr', null, h('p.poster-title', null, state.status.current.title), h('img', { src: `/api/v1/invitation.svg?id=${invitation.id}`, alt: t(device ? 'invite.device' : 'invite.qr'), width: '300', height: '300' }), h('figcaption', null, t(device ? 'invite.device_scan' : 'invite.scan'))),
      h('div.stack', null, h('p.lead', null, t(device ? 'invite.device_text' : 'invite.text')), link,
        h('div.actions', null, copy, device ? h('button.btn', { onclick: end }, t('invite.device_end')) : h('button.btn', { onclick: () => print() }, icon('print'), t('invite.print'))),
        h('p.hint', null, terms(invitation)), !device && h('p.hint', null, t(invitation.level === 'relay' ? 'invite.relay_care' : invitation.approval ? 'invite.asks_care' : 'invite.care')), hosts(own) && renew(false))));
  }

  function renew(open) {
    const choose = (label, options) => {
      const select = h('select', null, options.map(([value, words]) => h('option', { value: String(value) }, words)));
      return { select, el: h('label.field', null, h('span', null, label), select) };
    };
    const ends = choose(t('invite.expiry'), [[0, t('invite.never')], [3600, t('invite.hours', { n: 1 })], [DAY, t('invite.hours', { n: 24 })], [7 * DAY, t('invite.days', { n: 7 })]]);
    const uses = choose(t('invite.people'), [[0, t('invite.any')], [1, t('invite.persons', { n: 1 })], [10, t('invite.persons', { n: 10 })], [50, t('invite.persons', { n: 50 })]]);
    const levels = choose(t('invite.level'), invitable(own).map((level) => [level, t(`invite.level_${level}`)]));
    const asks = h('input', { type: 'checkbox' });
    const wrong = h('p.wrong', { role: 'alert' });
    const button = h('button.btn', { type: 'submit' }, t('invite.new'));
    const form = h('form', { onsubmit: async (event) => {
      event.preventDefault();
      wrong.textContent = '';
      const options = { level: levels.select.value, approval: asks.checked };
      if (Number(ends.select.value)) options.expires_in_seconds = Number(ends.select.value);
      if (Number(uses.select.value)) options.uses = Number(uses.select.value);
      try {
        show(await busy(button, t('form.saving'), () => api.invite(options)));
        toast(t('invite.made'));
        list().catch(complain);
      } catch (error) { wrong.textContent = error.message; }
    } }, h('div.pair', null, ends.el, uses.el), levels.el, toggle('check', t('invite.ask'), asks), wrong, h('div.actions', null, button));
    return h('details.renew', { open }, h('summary', null, t('invite.another')), form);
  }

  async function read() {
    try {
      show(await api.invitation());
    } catch (error) {
      if (error.status === 404) fill(body, empty(t('invite.none'), t(hosts(own) ? 'invite.none_founder' : 'invite.none_guest')), hosts(own) && renew(true));
      else fill(body, failed(error, read));
    }
    body.removeAttribute('aria-busy');
    list().catch(complain);
  }

  nearby();
  read();
  if (hosts(own)) fetched(() => import('../ui/doors.js')).then((doors) => { if (!stopped) endDoors = doors.showDoors(phones); }).catch(complain);
  const off = on('status', nearby);
  return { stop() { stopped = true; off(); endDoors(); } };
}
