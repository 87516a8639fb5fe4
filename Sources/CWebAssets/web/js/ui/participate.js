/** The moment's main button (join, check in, or how things stand) and the check-in sheet. */
import { decimal } from '../lib/moments.js';
import { can, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { keepMoment, looking } from '../core/store.js';
import { icon } from './icons.js';
import { busy, complain, field, toast } from './parts.js';
import { sheet } from './sheet.js';

/** How long the device may look for its position, and for a better one once it has one. */
const LOCATE_MS = 8000, BETTER_MS = 3000;
/** An older position is none, and one as exact as this is taken at once. */
const FRESH_MS = 5000, EXACT_M = 25;

/** The main button of a moment, after its `button` word. */
export function participation(moment) {
  const words = t(`button.${moment.button}`);
  if (looking() && moment.button !== 'ended') return null;
  if (moment.button === 'join') {
    const button = h('button.btn.primary.shares', { onclick: (event) => {
      event.preventDefault();
      busy(button, words, () => api.joinMoment(moment.id)).then((m) => { keepMoment(m); toast(t('moment.joined_now', { title: m.title })); }, complain);
    } }, words);
    return button;
  }
  if (moment.button === 'check_in') {
    return h('button.btn.primary.shares', { onclick: (event) => { event.preventDefault(); checkIn(moment); } }, icon('pin'), words);
  }
  return h(`span.badge.${moment.button}`, null, moment.button !== 'ended' && icon('check'), words);
}

/**
 * Asks the device where it is: the first exact position, else the most exact that comes in some seconds.
 * @returns {Promise<{latitude: number, longitude: number, accuracy_m: number}>}
 */
export function locate() {
  return new Promise((resolve, reject) => {
    if (!can.locate()) { reject(new Error(t('place.cannot'))); return; }
    let best = null, late = 0, watch = 0;
    const end = (words) => {
      clearTimeout(late);
      navigator.geolocation.clearWatch(watch);
      if (best) resolve(best); else reject(new Error(t(words)));
    };
    const within = (ms) => { clearTimeout(late); late = setTimeout(() => end('place.late'), ms); };
    // Some browsers never answer when they have no source of positions.
    within(LOCATE_MS);
    watch = navigator.geolocation.watchPosition(({ coords: { latitude, longitude, accuracy } }) => {
      if (!best) within(BETTER_MS);
      if (!best || accuracy < best.accuracy_m) best = { latitude, longitude, accuracy_m: accuracy };
      if (accuracy <= EXACT_M) end();
    }, (error) => end(error.code === 1 ? 'place.denied' : 'place.late'), { enableHighAccuracy: true, timeout: LOCATE_MS, maximumAge: FRESH_MS });
  });
}

/** The position to check in with: that of the device, or the place's own where the device tells none. */
async function there({ place }) {
  if (place.latitude == null) return {};
  const pin = { latitude: place.latitude, longitude: place.longitude };
  if (!can.locate()) return pin;
  toast(t('checkin.looking'));
  return locate().catch(() => pin);
}

/**
 * Does what the rules ask for before one may add to a moment: joins it, and checks in while it is on.
 * @returns {Promise<any>} the moment as it is then
 */
export async function takePart(moment) {
  let now = moment;
  if (now.button === 'join') now = await api.joinMoment(now.id);
  if (now.button === 'check_in' && !now.may_post) {
    now = await api.checkIn(now.id, await there(now));
    toast(t('checkin.done', { title: now.title }));
  }
  if (now !== moment) keepMoment(now);
  return now;
}

/** Checks in: by the device's position if it has one, else by what the person says. */
export function checkIn(moment) {
  const { place } = moment;
  const status = h('p', { role: 'status' }), wrong = h('p.wrong', { role: 'alert' });
  const latitude = field(t('form.latitude'), { inputmode: 'decimal', autocomplete: 'off' });
  const longitude = field(t('form.longitude'), { inputmode: 'decimal', autocomplete: 'off' });
  const here = h('button.btn.primary.wide', { onclick: () => send(here, place.latitude == null ? {} : { latitude: place.latitude, longitude: place.longitude }) },
    icon('pin'), t('checkin.at', { place: place.name || moment.title }));
  const device = h('button.btn.wide', { onclick: fromDevice, hidden: !can.locate() || place.latitude == null }, t('checkin.device'));
  const typed = h('button.btn', { type: 'submit' }, t('checkin.send'));
  const form = h('form', { onsubmit: (event) => {
    event.preventDefault();
    const at = { latitude: decimal(latitude.input.value), longitude: decimal(longitude.input.value) };
    if (!latitude.input.value || !(Math.abs(at.latitude) <= 90)) { latitude.error(t('form.bad_latitude')); latitude.input.focus(); return; }
    if (!longitude.input.value || !(Math.abs(at.longitude) <= 180)) { longitude.error(t('form.bad_longitude')); longitude.input.focus(); return; }
    send(typed, at);
  } }, h('div.pair', null, latitude.el, longitude.el), typed);
  let box = null;

  async function send(button, at) {
    wrong.textContent = '';
    try {
      keepMoment(await busy(button, t('checkin.working'), () => api.checkIn(moment.id, at)));
      box.close();
      toast(t('checkin.done', { title: moment.title }));
    } catch (error) { wrong.textContent = error.message; }
  }

  async function fromDevice() {
    wrong.textContent = '';
    try {
      await busy(device, t('checkin.looking'), async () => {
        const at = await locate();
        if (box.el.open) await send(here, at);
      });
    } catch (error) { status.textContent = error.message; }
  }

  status.textContent = place.radius_m ? t('checkin.text', { place: place.name || moment.title, metres: say.metres(place.radius_m) }) : '';
  box = sheet(t('checkin.title', { title: moment.title }), [
    status, wrong, h('div.stack', null, device, here), place.latitude != null && h('details', null, h('summary', null, t('checkin.type')), form),
  ]);
  if (can.locate() && place.latitude != null) fromDevice();
}
