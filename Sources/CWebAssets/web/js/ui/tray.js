/** The upload tray: every chosen file with its state, from the moment it was chosen until its receipt or its reason. */
import { fill, h, keyed } from '../core/dom.js';
import { say, t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { uploads } from '../core/uploads.js';
import { icon } from './icons.js';
import { later } from './later.js';
import { toggle } from './parts.js';

/** So many rows are drawn at once; the rest is a line that counts them. */
const ROWS = 30;
let drawing = Promise.resolve();

/** A small picture of a file, one at a time so that 200 photos do not fill the memory. */
function picture(upload) {
  const canvas = h('canvas', { width: '88', height: '88', 'aria-hidden': 'true' });
  if (!upload.file || upload.file.type.startsWith('video/')) return canvas;
  drawing = drawing.then(async () => {
    const bitmap = await createImageBitmap(upload.file, { resizeWidth: 132, resizeQuality: 'low' });
    const side = Math.min(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, 88, 88);
    bitmap.close();
  }).catch(() => {});
  return canvas;
}

let shown = false;

/** Puts the tray on the page, once, and goes on with what a closed page left. @returns {typeof uploads} the queue that it shows */
export function showTray() {
  if (!shown) {
    document.body.append(createTray().el);
    uploads.start();
  }
  shown = true;
  return uploads;
}

/** @returns {{el: HTMLElement}} */
export function createTray() {
  const title = h('strong'), summary = h('span.sr', { role: 'status', 'aria-live': 'polite' });
  const foldButton = h('button.plain', { 'aria-label': t('upload.fold'), 'aria-expanded': 'true', onclick: () => fold(!el.classList.contains('folded')) }, icon('down'));
  const close = h('button.plain', { 'aria-label': t('close'), onclick: () => uploads.clear() }, icon('close'));
  const chosen = h('input.sr', { type: 'file', accept: 'image/*,video/*', multiple: true, onchange: () => { strange.hidden = !uploads.give([...chosen.files]); chosen.value = ''; } });
  const strange = h('p.hint', { hidden: true, role: 'status' }, t('upload.strange'));
  const choose = h('label.btn.small', { hidden: true }, chosen, t('upload.choose_again'));
  const bar = h('progress', { max: '100', value: 0, 'aria-label': t('upload.progress') });
  const keep = h('input', { type: 'checkbox', onchange: () => uploads.keepLocation(keep.checked) });
  const placeText = h('span');
  const line = toggle('pin', placeText, keep);
  const list = h('ul'), rest = h('p.hint', { hidden: true });
  const again = h('button.btn.small', { hidden: true, onclick: () => uploads.all.filter((u) => u.state === 'failed' && u.retryable).forEach(uploads.retry) }, icon('refresh'), t('upload.retry_all'));
  const el = h('section.tray', { 'aria-label': t('upload.title'), hidden: true },
    h('header', null, title, h('span.spring'), again, choose, foldButton, close), bar, h('div.files', null, strange, line, list, rest), summary);

  /** @param {boolean} folded */
  function fold(folded) {
    el.classList.toggle('folded', folded);
    foldButton.setAttribute('aria-expanded', String(!folded));
  }

  function place() {
    const waiting = uploads.all.filter((u) => u.state === 'waiting');
    line.hidden = waiting.length === 0;
    keep.checked = waiting.some((u) => u.keep);
    placeText.textContent = t(keep.checked ? 'upload.place_kept' : 'upload.place_removed');
  }

  function words(upload) {
    switch (upload.state) {
      case 'waiting': return t('upload.waiting');
      case 'sending': return t('upload.percent', { n: upload.percent });
      case 'storing': return t('upload.storing');
      case 'paused': return t('upload.paused');
      case 'again': return t('upload.again', { name: upload.name });
      case 'done': return t(state.status?.visit?.held ? 'visit.held' : upload.keep && upload.photo?.latitude == null ? 'upload.no_place' : 'upload.done');
      case 'there': return t(upload.photo.hidden ? 'upload.there_hidden' : 'upload.there');
      default: return upload.reason;
    }
  }

  function make(upload) {
    const small = picture(upload);
    const row = h('li', null, small,
      h('div', null, h('p.name', null, upload.name), h('p.state')), h('span.end'));
    paint(row, upload);
    return row;
  }

  function paint(row, upload) {
    row.className = upload.state;
    row.style.setProperty('--done', `${['sending', 'paused'].includes(upload.state) ? upload.percent : upload.state === 'waiting' ? 0 : 100}%`);
    const text = words(upload), state = row.querySelector('.state');
    const full = upload.state === 'failed' ? text : `${text} · ${say.size(upload.size)}`;
    if (state.textContent !== full) state.textContent = full;
    if (row.dataset.state === upload.state) return;
    row.dataset.state = upload.state;
    const retry = () => h('button.btn.small', { 'aria-label': t('upload.retry_one', { name: upload.name }), onclick: () => uploads.retry(upload) }, t('upload.retry'));
    fill(row.querySelector('.end'), upload.photo?.duration_ms && !upload.photo.hidden && about(upload), ['done', 'there'].includes(upload.state) && !upload.photo?.hidden && icon('check', 'good'), upload.state === 'failed' && (upload.retryable ? retry() : icon('alert', 'bad')));
  }

  /** What a clip is about is said once it is there. */
  const about = (upload) => h('button.btn.small', { onclick: () => later(() => import('./caption.js'), ({ editCaption }) => editCaption(upload.photo, (photo) => { upload.photo = photo; })) }, t('clip.about'));

  function head() {
    const { total, done, there, failed, again: lacking, paused, active } = uploads.counts();
    el.hidden = total === 0;
    const text = paused && paused === active ? t('upload.all_paused', { done, n: total })
      : active ? t('upload.sending', { done: done + failed, n: total })
      : lacking ? t('upload.some_again', { n: lacking })
      : failed ? t('upload.some_failed', { failed, n: total }) : there ? t('upload.some_there', { there, n: total }) : t('upload.all_done', { n: done });
    title.textContent = text;
    if (!active && total && summary.textContent !== text) summary.textContent = text;
    if (active) summary.textContent = '';
    el.classList.toggle('active', active > 0);
    close.hidden = active > 0;
    bar.hidden = !active;
    bar.value = total ? uploads.all.reduce((sum, u) => sum + (u.state === 'waiting' ? 0 : ['sending', 'paused', 'again'].includes(u.state) ? u.percent * 0.95 : 100), 0) / total : 0;
    again.hidden = active > 0 || uploads.all.filter((u) => u.state === 'failed' && u.retryable).length < 2;
    choose.hidden = lacking === 0;
    if (!lacking) strange.hidden = true;
    place();
  }

  function draw() {
    // What is still to come or went wrong first; a long queue shows its front.
    const order = { sending: 0, storing: 0, paused: 0, again: 1, failed: 1, waiting: 2, there: 3, done: 4 };
    const { active, failed, again } = uploads.counts();
    const sorted = active && uploads.all.length <= ROWS ? uploads.all : [...uploads.all].sort((a, b) => order[a.state] - order[b.state] || a.id - b.id);
    keyed(list, sorted.slice(0, ROWS), (u) => String(u.id), make, paint);
    clearTimeout(settle);
    // All is well: the receipt shrinks to a line, and that goes away too.
    if (!active && !failed && !again && uploads.all.length) settle = setTimeout(() => { fold(true); settle = setTimeout(uploads.clear, 8000); }, 2500);
    rest.hidden = uploads.all.length <= ROWS;
    rest.textContent = t('upload.more', { n: Math.max(0, uploads.all.length - ROWS) });
    head();
  }

  let frame = 0, settle = 0, known = 0;
  uploads.on((upload) => {
    if (!upload) { if (uploads.all.length > known) fold(false); known = uploads.all.length; draw(); return; }
    frame ||= requestAnimationFrame(() => { frame = 0; draw(); });
  });
  // Leaving now would lose files, unless the next page finds them: the browser asks first.
  addEventListener('beforeunload', (event) => { if (!uploads.safe) event.preventDefault(); });
  draw();
  return { el };
}
