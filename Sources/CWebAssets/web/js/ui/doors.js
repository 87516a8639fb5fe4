/** Letting phones take part: the door beside this node, its code and poster, and all doors of the event. Loaded on demand. */
import { fill, h } from '../core/dom.js';
import { api, problemFrom } from '../core/api.js';
import { t } from '../core/i18n.js';
import { on, state } from '../core/store.js';
import { single } from '../lib/single.js';
import { icon } from './icons.js';
import { busy, complain, field, toast, toggle } from './parts.js';
import { confirm } from './sheet.js';

/** A drawing of the door as it is now: by its address alone a browser would show the former one again. @param {HTMLImageElement} img */
async function draw(img, path) {
  const answer = await fetch(`/api/v1/doors/${path}`, { cache: 'no-store' });
  if (!answer.ok) throw problemFrom(await answer.text(), answer.status);
  const url = URL.createObjectURL(await answer.blob());
  img.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
  img.src = url;
}

/** Prints a poster alone, without the page around it. @param {'a4'|'a6'} size */
function print(size) {
  const root = document.documentElement;
  const img = h(`img.poster.${size}`, { alt: '', onload: () => {
    root.classList.add('printing');
    addEventListener('afterprint', () => { root.classList.remove('printing'); img.remove(); }, { once: true });
    globalThis.print();
  } });
  document.body.append(img);
  draw(img, `poster.svg?size=${size}&language=${root.lang}`).catch((error) => { img.remove(); complain(error); });
}

/** @param {HTMLElement} el what is kept up to date @returns {() => void} ends that */
export function showDoors(el) {
  const top = h('div'), all = h('div');
  const wrong = h('p.wrong', { role: 'alert' });
  /** What is on show of the door here: drawn anew only if it differs, or what is typed would go. */
  let shown = null;
  fill(el, h('h3', null, t('doors.title')), top, wrong, all);

  const count = (door) => t('doors.guests', { n: door.guests });

  async function close(door) {
    const force = h('input', { type: 'checkbox' }), choice = h('label.choice', { hidden: true }, force, h('span', null, t('doors.force')));
    const { name, id } = door.person;
    const work = () => api.closeDoor(id, force.checked).catch((error) => { choice.hidden = error.status !== 409; throw error; });
    if (!await confirm({ title: t('doors.close_title', { name }), text: t('doors.close_text', { n: door.guests }), action: t('doors.close'), choice, work })) return;
    toast(t('doors.closed', { name }));
    read().catch(complain);
  }

  async function renew() {
    if (!await confirm({ title: t('doors.renew'), text: t('doors.renew_text'), action: t('doors.renew'), kind: 'primary', work: api.renewDoor })) return;
    toast(t('doors.renewed'));
    read().catch(complain);
  }

  function offer() {
    const button = h('button.btn.primary', { onclick: async () => {
      wrong.textContent = '';
      try {
        await busy(button, t('doors.opening'), () => api.openDoor({}));
        await read();
      } catch (error) { wrong.textContent = error.message; }
    } }, icon('people'), t('doors.open'));
    return [h('p', null, t('doors.text')), h('div.actions', null, button)];
  }

  /** What guests send, and the Wi-Fi on the poster. */
  function terms({ own }) {
    const held = h('input', { type: 'checkbox', checked: own.held });
    const ssid = field(t('doors.ssid'), { maxlength: '32', autocomplete: 'off', value: own.wifi ?? '' });
    const password = field(t('doors.password'), { maxlength: '63', autocomplete: 'off', spellcheck: 'false' }, { hint: t('doors.password_hint') });
    const save = h('button.btn', { type: 'submit' }, t('doors.save'));
    return h('form', { novalidate: true, onsubmit: async (event) => {
      event.preventDefault();
      const name = ssid.input.value.trim(), secret = password.input.value;
      try {
        await busy(save, t('form.saving'), () => api.openDoor({ held: held.checked, wifi: { ssid: name, ...(secret ? { password: secret } : {}) } }));
        toast(t('doors.saved'));
        await read();
      } catch (error) { ssid.error(error.message); }
    } }, toggle('hide', t('doors.held'), held),
    h('details', { open: Boolean(own.wifi) }, h('summary', null, t('doors.wifi')), h('div.stack', null, ssid.el, password.el)), h('div.actions', null, save));
  }

  function mine(door) {
    const code = h('img', { alt: t('doors.code'), width: '300', height: '300' });
    draw(code, 'code.svg').catch(complain);
    return h('div.invitation', null,
      h('figure.qr', null, code, h('figcaption', null, t('doors.scan'))),
      h('div.stack', null, h('p', null, t('doors.text')), h('p', null, t('doors.address')), h('ul.addresses', null, door.own.addresses.map((one) => h('li', null, h('code', null, one)))),
        h('p.came', { role: 'status' }, count(door)),
        h('div.actions', null, h('button.btn.primary', { onclick: () => print('a4') }, icon('print'), t('doors.poster')), h('button.btn', { onclick: () => print('a6') }, icon('print'), t('doors.card'))),
        terms(door),
        h('div.actions', null, h('button.btn', { onclick: renew }, icon('refresh'), t('doors.renew')), h('button.btn.quiet-danger', { onclick: () => close(door) }, t('doors.close')))));
  }

  const row = (door) => h('li', null, h('span', null, h('strong', null, door.person.name), ' ', [!door.open && t('doors.is_closed'), count(door)].filter(Boolean).join(' · ')),
    door.open && h('button.btn.small', { 'aria-label': `${t('doors.close')}: ${door.person.name}`, onclick: () => close(door) }, t('doors.close')));

  const read = single(async () => {
    const doors = await api.doors();
    const own = doors.find((door) => door.own && door.open);
    const looks = JSON.stringify([own?.person.id, own?.own, own?.person.name]);
    if (looks !== shown) { shown = looks; fill(top, own ? mine(own) : offer()); }
    if (own) top.querySelector('.came').textContent = count(own);
    const open = all.querySelector('details')?.open;
    fill(all, doors.length > 0 && h('details.connections', { open }, h('summary', null, t('doors.all', { n: doors.length })), h('ul.peers.invitations', null, doors.map(row))));
  });

  read().catch((error) => { wrong.textContent = error.message; });
  return on('change', ({ kinds }) => { if (kinds.has('people') && state.live) read().catch(() => {}); });
}
