/** Adding photos: the sheet behind the button, files dropped anywhere, and why not when one may not. Loaded on demand. */
import { shares } from '../lib/levels.js';
import { posting } from '../lib/moments.js';
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { uploads } from '../core/uploads.js';
import { state } from '../core/store.js';
import { goal } from './add.js';
import { icon } from './icons.js';
import { takePart } from './participate.js';
import { toggle } from './parts.js';
import { sheet } from './sheet.js';

/** Opens the sheet to add photos. */
export async function addPhotos() {
  const { moment } = goal();
  // Who closes the sheet again has not taken part: that comes with the photos.
  if (moment && posting(moment) === 'ended' && !await ready()) return;
  const keep = h('input', { type: 'checkbox' });
  const picker = (text, name, more) => {
    const input = h('input.sr', { type: 'file', accept: 'image/*,video/*', ...more, onchange: () => { box.close(); give([...input.files], keep.checked); } });
    return h('label.btn.wide', { class: more.capture ? '' : 'add' }, input, icon(name), text);
  };
  const touch = matchMedia('(pointer: coarse)').matches;
  const box = sheet(t('upload.add'), [
    h('p', null, moment ? t('upload.to_moment', { title: moment.title }) : t('upload.to_event', { title: state.status.current.title })),
    toggle('pin', t('upload.keep_place'), keep),
    h('div.stack', null, picker(t('upload.choose'), 'photos', { multiple: true }), touch && picker(t('upload.camera'), 'camera', { accept: 'image/*', capture: 'environment' }),
      touch && picker(t('upload.record'), 'play', { accept: 'video/*', capture: 'environment' })),
    h('p.hint', null, t('upload.clip_hint')),
    !touch && h('p.hint', null, t('upload.drop_hint')),
  ]);
}

/** Joins the moment that is on show and checks in, where one has to before adding to it. @returns {Promise<boolean>} whether one may add */
async function ready() {
  const { moment } = goal();
  if (!moment) return true;
  const rule = posting(moment);
  if (rule === 'ok') return true;
  try {
    const now = rule === 'ended' ? moment : await takePart(moment);
    // One may have gone elsewhere meanwhile.
    if (goal().moment?.id !== moment.id) return false;
    if (now.may_post) return true;
    explain(now, posting(now));
  } catch (error) { if (error.kind !== 'offline') explain(moment, rule, error); }
  return false;
}

/** Adds files that were chosen already, where the view on show says. @param {File[]} files @param {boolean} [keep] their location, too */
export async function give(files, keep = false) {
  if (files.length && await ready()) add(files, goal().moment, keep);
}

/** What is done is no longer counted among what is added now; what failed stays to be tried again. @param {File[]} files */
function add(files, moment, keep) {
  const { active, failed, again } = uploads.counts();
  if (!active && !failed && !again) uploads.clear();
  uploads.add(files, moment?.id ?? null, keep);
}

function explain(moment, rule, error) {
  const help = goal().remedy(moment);
  const box = sheet(t('upload.not_yet'), [
    h('p', null, error?.message ?? t(`upload.why_${rule}`, { title: moment.title })),
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
  addEventListener('drop', async (event) => {
    if (!files(event)) return;
    event.preventDefault();
    end();
    // They are gone once the event is over.
    const dropped = [...event.dataTransfer.files];
    give(dropped);
  });
}
