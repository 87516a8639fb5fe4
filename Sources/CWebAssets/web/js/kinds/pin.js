/** A position as a pin that somebody sets on the map, finds by a place's name, or types. */
import { can, h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { remembered } from '../core/venues.js';
import { decimal, position } from '../lib/moments.js';
import { locate } from '../ui/participate.js';
import { busy, complain, field } from '../ui/parts.js';
import { background, withMap } from './plan.js';

let controls = 0;
const round = (degrees) => Math.round(degrees * 1e6) / 1e6;

/**
 * @param {{latitude: number, longitude: number}|null} value @param {string} label @param {any[]} [pins] what else the map shows
 * @returns {import('./controls.js').Control & {stop: () => void}}
 */
export function pinControl(value, label, pins = []) {
  let at = value, map = null, stopped = false;
  const room = h('div.map-room.small', { 'aria-busy': 'true' }), told = h('p.hint', { role: 'status' }, t('pin.hint')), wrong = h('p.wrong', { role: 'alert' });
  const typed = (name) => field(t(`form.${name}`), { inputmode: 'decimal', autocomplete: 'off', value: value ? String(round(value[name])) : '', oninput: take });
  const latitude = typed('latitude'), longitude = typed('longitude');

  /** What is typed, also both numbers in one field as maps give them. */
  function take() {
    const both = position(latitude.input.value);
    if (both) put(both);
    const read = { latitude: decimal(latitude.input.value), longitude: decimal(longitude.input.value) };
    const isSaid = latitude.input.value.trim() && longitude.input.value.trim();
    at = isSaid && Math.abs(read.latitude) <= 90 && Math.abs(read.longitude) <= 180 ? read : null;
    wrong.textContent = '';
    if (at) { map?.setPin(at); map?.goTo(at); }
  }

  function put(to) {
    latitude.input.value = String(round(to.latitude));
    longitude.input.value = String(round(to.longitude));
  }

  /** A pin was set on the map. */
  function pinned(to) {
    at = to && { latitude: round(to.latitude), longitude: round(to.longitude) };
    if (at) put(at);
    told.textContent = t(at ? 'pin.set' : 'pin.hint');
    wrong.textContent = '';
  }

  /** Finds a place: by its whole name at once, by the beginning of one when it is entered. @param {boolean} isWhole */
  function find(isWhole) {
    const words = search.input.value.trim().toLowerCase(), name = (pin) => pin.title.toLowerCase();
    const found = pins.find((pin) => name(pin) === words) ?? (isWhole || !words ? null : pins.find((pin) => name(pin).startsWith(words)));
    if (!found) { if (!isWhole && words) search.error(t('pin.not_found')); return; }
    pinned(found);
    map?.setPin(at);
    map?.goTo(at, 18);
  }

  const names = `pins${++controls}`, entered = (event) => { if (event.key === 'Enter') { event.preventDefault(); find(false); } };
  const search = field(t('pin.search'), { type: 'search', autocomplete: 'off', list: names, oninput: () => find(true), onchange: () => find(false), onkeydown: entered });
  const byName = pins.length > 0 && [search.el, h('datalist', { id: names }, pins.map((pin) => h('option', { value: pin.title })))];

  /** Where nothing is drawn and nothing known yet, the first pin makes the map. */
  function isFirst({ plans, outlines }) {
    if (stopped || at || plans.length || outlines.length) return;
    map.goTo({ latitude: 0, longitude: 0 }, 18);
    told.textContent = t('pin.first');
  }

  const here = h('button.btn.small', { hidden: !can.locate(), onclick: async () => {
    try {
      const { latitude, longitude } = await busy(here, t('checkin.looking'), locate);
      pinned({ latitude, longitude });
      map?.setPin(at);
      map?.goTo(at, 18);
    } catch (error) { wrong.textContent = error.message; }
  } }, t('form.here'));

  withMap(room, { label, pinning: true, onPin: pinned, onRefused: (words) => { told.textContent = words; } }, () => !stopped).then((made) => {
    if (!made) return;
    map = made;
    map.setPins(pins);
    const begin = at ?? remembered.get().pin;
    if (at) map.setPin(at);
    if (begin) map.goTo(begin, 18); else map.fit(pins);
    if (!begin && !pins.length) background().then(isFirst);
  }).catch(complain);

  return {
    el: h('fieldset.control', null, h('legend', null, label), told, byName, room, here,
      h('details', null, h('summary', null, t('pin.type')), h('div.pair', null, latitude.el, longitude.el)), wrong),
    read: () => at, check: () => (at ? null : ['pin.required', {}]), error: (text) => { wrong.textContent = text; },
    focus: () => (room.querySelector('[tabindex]') ?? latitude.input).focus(),
    stop() { stopped = true; map?.stop(); },
  };
}
