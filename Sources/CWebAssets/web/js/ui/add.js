/** Adding photos: the sheet behind the button, files dropped anywhere, and why not when one may not. */
import { shares } from '../lib/levels.js';
import { posting } from '../lib/moments.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { uploads } from '../core/uploads.js';
import { state } from '../core/store.js';
import { icon } from './icons.js';
import { toggle } from './parts.js';
import { sheet } from './sheet.js';

/** Where photos go just now, as the view on show says. @type {() => any|null} a moment, or null for the event itself */
let target = () => null;
/** What the moment's main button would do, offered when one may not post yet. @type {(moment: any) => HTMLElement|null} */
let remedy = () => null;

/** @param {() => any|null} f @param {(moment: any) => HTMLElement|null} [help] */
export function setTarget(f, help = () => null) {
  target = f;
  remedy = help;
}

/** Opens the sheet to add photos. */
export function addPhotos() {
  const moment = target();
  const rule = moment ? posting(moment) : 'ok';
  if (rule !== 'ok') return explain(moment, rule);
  const keep = h('input', { type: 'checkbox', onchange: () => say() });
  const words = h('span');
  const say = () => { words.textContent = t(keep.checked ? 'upload.place_kept' : 'upload.place_removed'); };
  say();
  const picker = (text, name, more) => {
    const input = h('input.sr', { type: 'file', accept: 'image/*', ...more, onchange: () => { box.close(); uploads.add([...input.files], moment?.id ?? null, keep.checked); } });
    return h('label.btn.wide', { class: more.capture ? '' : 'add' }, input, icon(name), text);
  };
  const touch = matchMedia('(pointer: coarse)').matches;
  const box = sheet(t('upload.add'), [
    h('p', null, moment ? t('upload.to_moment', { title: moment.title }) : t('upload.to_event', { title: state.status.current.title })),
    toggle('pin', words, keep),
    h('div.stack', null, picker(t('upload.choose'), 'photos', { multiple: true }), touch && picker(t('upload.camera'), 'camera', { capture: 'environment' })),
    !touch && h('p.hint', null, t('upload.drop_hint')),
  ]);
  return box;
}

function explain(moment, rule) {
  const help = remedy(moment);
  const box = sheet(t('upload.not_yet'), [
    h('p', null, t(`upload.why_${rule}`, { title: moment.title })),
    help && h('div.actions', null, help),
  ]);
  help?.addEventListener('click', () => box.close());
}

/** Takes files dropped anywhere on the page. */
export function acceptDrops() {
  const veil = h('div.veil', { hidden: true, 'aria-hidden': 'true' }, h('p', null, t('upload.drop')));
  document.body.append(veil);
  const files = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files') && shares(state.status?.current?.level);
  let inside = 0;
  const end = () => { inside = 0; veil.hidden = true; };
  addEventListener('dragenter', (event) => { if (files(event)) { inside++; veil.hidden = false; event.preventDefault(); } });
  addEventListener('dragleave', () => { if (--inside <= 0) end(); });
  addEventListener('dragover', (event) => { if (files(event)) event.preventDefault(); });
  addEventListener('drop', (event) => {
    if (!files(event)) return;
    event.preventDefault();
    end();
    const moment = target(), rule = moment ? posting(moment) : 'ok';
    if (rule !== 'ok') explain(moment, rule);
    else uploads.add([...event.dataTransfer.files], moment?.id ?? null);
  });
}
