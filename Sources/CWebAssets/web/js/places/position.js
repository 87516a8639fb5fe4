/** Where the person is: the pin that the person sets, or what the device measures where it may. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { isOn } from '../core/venues.js';
import { pinControl } from '../kinds/pin.js';
import { sheet } from '../ui/sheet.js';

/** The places of the event, by which one finds oneself. */
async function places() {
  if (!isOn('venues')) return [];
  const all = await api.places().catch(() => []);
  return all.map(({ id, latitude, longitude, name }) => ({ id, latitude, longitude, title: name, category: null }));
}

/**
 * Asks for it in a sheet.
 * @param {{latitude: number, longitude: number, name?: string}|null} now @param {any[]|null} pins the places that the map shows; null: those of the event
 * @param {(pin: {latitude: number, longitude: number}|null) => void} done null: forgotten
 */
export async function askPosition(now, pins, done) {
  const pin = pinControl(now, t('pin.mine'), pins ?? await places());
  const use = h('button.btn.primary', { type: 'submit' }, t('pin.use'));
  const end = (to) => { box.close(); done(to); };
  const submit = (event) => {
    event.preventDefault();
    const bad = pin.check();
    pin.error(bad ? t(...bad) : '');
    if (!bad) end(pin.read());
  };
  const box = sheet(t('pin.title'), [h('form', { onsubmit: submit, novalidate: true }, h('p.hint', null, t('pin.text')), now?.name && h('p', null, t('pin.at', { name: now.name })), pin.el,
    h('div.actions', null, use, now && h('button.btn', { onclick: () => end(null) }, t('pin.forget'))))], { wide: true, onclose: pin.stop });
}
