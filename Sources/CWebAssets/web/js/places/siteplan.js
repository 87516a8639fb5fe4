/** A site plan: a picture that lies on the map by two of its points, or outlines of a GeoJSON file. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { venues } from '../core/venues.js';
import { pinControl } from '../kinds/pin.js';
import { icon } from '../ui/icons.js';
import { busy, complain, field, toast } from '../ui/parts.js';
import { confirm, sheet } from '../ui/sheet.js';

/** The width and height of a picture have so many parts. */
const PARTS = 10000;
/** Bytes of an outline that a record holds. */
const MOST = 48000;

/** Two points of the picture, each with the sliders that put it and a pin on the map. @param {HTMLImageElement} img @param {any[]} places */
function pointControls(img, places) {
  const marks = ['a', 'b'].map((name) => h(`span.mark.${name}`, { 'aria-hidden': 'true' }, name.toUpperCase()));
  const points = ['a', 'b'].map((name, i) => {
    const pin = pinControl(null, t('plan.where', { name: name.toUpperCase() }), places);
    const slide = (axis, value) => h('input', { type: 'range', min: '0', max: String(PARTS), step: '10', value: String(value), 'aria-label': t(`plan.${axis}`, { name: name.toUpperCase() }), oninput: draw });
    const x = slide('x', i ? PARTS - 1000 : 1000), y = slide('y', i ? PARTS - 1000 : 1000);
    function draw() {
      marks[i].style.setProperty('inset-inline-start', `${x.value / 100}%`);
      marks[i].style.setProperty('inset-block-start', `${y.value / 100}%`);
    }
    draw();
    const put = (to) => { x.value = String(to.x); y.value = String(to.y); draw(); };
    return { name, pin, x, y, put, el: h('fieldset.control', null, h('legend', null, t('plan.point', { name: name.toUpperCase() })), x, y, pin.el) };
  });
  let turn = 0;
  const tapped = (event) => {
    const box = img.getBoundingClientRect(), at = (part, size) => Math.round(Math.min(1, Math.max(0, part / size)) * PARTS);
    points[turn].put({ x: at(event.clientX - box.left, box.width), y: at(event.clientY - box.top, box.height) });
    turn = 1 - turn;
  };
  return {
    points,
    el: h('div.stack', null, h('p.hint', null, t('plan.tap')), h('div.plan-picture', { dir: 'ltr', onclick: tapped }, img, marks), points.map((one) => one.el)),
    stop() { for (const { pin } of points) pin.stop(); },
  };
}

/** Opens the sheet with the plans there are, and a form for one more. @param {any[]} places for the map @param {() => void} done */
export async function editPlans(places, done) {
  let picture = null, outline = '', set = null;
  const list = h('ul.rows'), room = h('div'), wrong = h('p.wrong', { role: 'alert' });
  const title = field(t('field.title'), { maxlength: '200', autocomplete: 'off', value: t('plan.usual') });
  const save = h('button.btn.primary', { type: 'submit' }, t('plan.add'));
  const file = (words, accept, take) => {
    const input = h('input.sr', { type: 'file', accept, onchange: () => { if (input.files[0]) take(input.files[0]); } });
    return h('label.btn.small', null, input, icon(accept === 'image/*' ? 'camera' : 'map'), words);
  };

  function takePicture(chosen) {
    picture = chosen;
    set?.stop();
    const url = URL.createObjectURL(chosen), img = h('img', { src: url, alt: t('kind.picture_chosen'), onload: () => URL.revokeObjectURL(url) });
    set = pointControls(img, places);
    fill(room, set.el);
  }

  async function takeOutline(chosen) {
    wrong.textContent = '';
    outline = '';
    if (chosen.size > MOST) { wrong.textContent = t('plan.too_large'); return; }
    try { outline = JSON.stringify(JSON.parse(await chosen.text())); told.textContent = chosen.name; } catch { wrong.textContent = t('plan.no_geojson'); }
  }

  const told = h('span.hint', { role: 'status' });

  /** What is to be sent; nothing if something is missing, which is said. */
  async function values() {
    if (!picture && !outline) { wrong.textContent = t('plan.needs'); return null; }
    const out = { title: title.input.value.trim() || t('plan.usual'), ...(outline && { outline }) };
    if (!picture) return out;
    const bad = set.points.find(({ pin }) => pin.check());
    for (const { pin } of set.points) pin.error(pin.check() ? t(...pin.check()) : '');
    if (bad) { bad.pin.focus(); return null; }
    for (const { name, x, y, pin } of set.points) {
      const { latitude, longitude } = pin.read();
      Object.assign(out, { [`${name}_x`]: Number(x.value), [`${name}_y`]: Number(y.value), [`${name}_latitude`]: latitude, [`${name}_longitude`]: longitude });
    }
    return { ...out, picture: (await api.upload(picture)).id };
  }

  async function submit(event) {
    event.preventDefault();
    wrong.textContent = '';
    try {
      const made = await busy(save, t('form.saving'), async () => { const all = await values(); return all && venues.create('site_plans', all); });
      if (!made) return;
      toast(t('plan.added'));
      box.close();
      done();
    } catch (error) { wrong.textContent = error.message; }
  }

  const row = (plan) => h('li.row', null, h('strong', { dir: 'auto' }, plan.title), plan.mine && h('button.btn.small', { 'aria-label': `${t('delete')}: ${plan.title}`, onclick: async () => {
    if (await confirm({ title: plan.title, text: t('plan.delete_text'), action: t('delete'), work: () => venues.drop('site_plans', plan.id) })) { await read(); done(); }
  } }, t('delete')));
  const read = async () => fill(list, (await venues.list('site_plans')).map(row));
  const box = sheet(t('plan.title'), [h('p.hint', null, t('plan.text')), list, h('form', { onsubmit: submit, novalidate: true }, title.el,
    h('div.actions', null, file(t('plan.picture'), 'image/*', takePicture), file(t('plan.outline'), '.geojson,.json,application/geo+json', takeOutline), told), room, wrong, h('div.actions', null, save))],
  { wide: true, onclose: () => set?.stop() });
  read().catch(complain);
}
