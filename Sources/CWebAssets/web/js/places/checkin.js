/** Checking in at a place: by the code that hangs there, by the person's pin, or by the device. */
import { can, h } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { emit } from '../core/store.js';
import { remembered, venues } from '../core/venues.js';
import { icon } from '../ui/icons.js';
import { locate } from '../ui/participate.js';
import { busy, toast } from '../ui/parts.js';
import { sheet } from '../ui/sheet.js';

/** @param {any} place @param {boolean} byCode whether the place's code was opened here @param {() => void} done */
export function checkInAt(place, byCode, done) {
  const wrong = h('p.wrong', { role: 'alert' }), { pin } = remembered.get();
  const deed = (words, kind, where) => {
    const button = h(`button.btn.wide${kind}`, { onclick: async () => {
      wrong.textContent = '';
      try {
        await busy(button, t('checkin.working'), async () => venues.checkIn(place.id, await where()));
        box.close();
        toast(t('checkin.done', { title: place.name }));
        emit('shared');
        done();
      } catch (error) { wrong.textContent = error.message; }
    } }, icon('pin'), words);
    return button;
  };
  const here = { latitude: place.latitude, longitude: place.longitude, source: 'pin' };
  const device = async () => { const { latitude, longitude, accuracy_m } = await locate(); return { latitude, longitude, accuracy_m: Math.round(accuracy_m), source: 'device' }; };
  const box = sheet(t('checkin.title', { title: place.name }), [
    h('p', null, t('checkin.text', { place: place.name, metres: say.metres(place.radius_m) })), wrong,
    h('div.stack', null,
      byCode && deed(t('place.by_code'), '.primary', () => ({ source: 'code' })),
      can.locate() && deed(t('checkin.device'), byCode ? '' : '.primary', device),
      pin && !byCode && deed(pin.name ? t('pin.at', { name: pin.name }) : t('place.by_pin'), '', () => ({ latitude: pin.latitude, longitude: pin.longitude, source: 'pin' })),
      !byCode && deed(t('checkin.at', { place: place.name }), can.locate() ? '' : '.primary', () => here)),
  ]);
}
