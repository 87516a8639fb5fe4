/** Choosing many photos of a gallery: by a button, a long press or the keys; then they are saved, or one's own deleted. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { withStyle } from '../core/style.js';
import { createSelection } from '../lib/selection.js';
import { icon } from './icons.js';
import { complain, toast } from './parts.js';
import { isUncommon, offerAll, saveChosen } from './save.js';
import { confirm } from './sheet.js';

/** A finger that stays this long means to choose. */
const PRESS_MS = 450;
/** Further than this (px) it scrolls. */
const PRESS_SLACK = 10;

/**
 * @param {HTMLElement} gallery whose links have the photos' ids @param {import('../core/photolist.js').PhotoList} list
 * @returns {() => void} stops it
 */
export function offerSelection(gallery, list) {
  // Somebody may have gone on before this was here.
  if (!gallery.isConnected) return () => {};
  const chosen = createSelection();
  const start = h('button.btn.small', { onclick: () => begin() }, icon('check'), h('span', null, t('select.start')));
  const all = h('button.btn.small', { 'aria-haspopup': 'dialog', onclick: () => offerAll(list.moment ?? null) }, icon('save'), h('span', null, t('save.all')));
  const tools = h('div.tools', { hidden: true }, start, all);
  const count = h('strong', { role: 'status' });
  const save = h('button.btn.primary', { onclick: () => take(false) }, icon('save'), h('span', null, t('save')));
  const jpeg = h('button.btn', { onclick: () => take(true) }, 'JPEG');
  const remove = h('button.btn', { onclick: drop }, icon('trash'), h('span', null, t('delete')));
  const bar = h('div.selection', { role: 'toolbar', 'aria-label': t('select.title') },
    h('button.plain', { 'aria-label': t('select.end'), title: t('select.end'), onclick: () => end() }, icon('close')), count, h('span.spring'), remove, jpeg, save);
  let on = false, pressed = null, timer = 0, held = false, ready = false;

  const links = () => gallery.querySelectorAll('a[data-id]');
  const linkAt = (event) => event.target.closest?.('a[data-id]') ?? null;
  const photos = () => list.items.filter((photo) => chosen.has(photo.id));

  function mark(link) {
    if (!on) { link.removeAttribute('role'); link.removeAttribute('aria-checked'); return; }
    const is = String(chosen.has(link.dataset.id));
    if (link.getAttribute('aria-checked') === is) return;
    link.setAttribute('role', 'checkbox');
    link.setAttribute('aria-checked', is);
  }

  function draw() {
    tools.hidden = !ready || on || !list.items.length;
    for (const link of links()) mark(link);
    if (!on) return;
    const some = photos(), own = some.filter((photo) => photo.mine).length;
    const words = t('select.count', { n: some.length });
    if (count.textContent !== words) fill(count, words);
    save.disabled = !some.length;
    jpeg.hidden = !some.some(isUncommon);
    remove.hidden = !own;
  }

  /** Tiles come and go while one scrolls. */
  const tiles = new MutationObserver(() => { for (const link of links()) mark(link); });

  function begin(id) {
    if (!on) {
      on = true;
      gallery.classList.add('selecting');
      gallery.append(bar);
      tiles.observe(gallery, { childList: true, subtree: true });
    }
    if (id) pick(id); else { draw(); gallery.querySelector('a[data-id][tabindex="0"]')?.focus({ preventScroll: true }); }
  }

  function end() {
    if (!on) return;
    on = false;
    chosen.clear();
    tiles.disconnect();
    bar.remove();
    gallery.classList.remove('selecting');
    draw();
    if (!document.activeElement || document.activeElement === document.body) start.focus({ preventScroll: true });
  }

  function pick(id, toHere = false) {
    const fits = toHere ? chosen.extend(id, list.items.map((photo) => photo.id)) : chosen.toggle(id);
    if (!fits) toast(t('select.full'), { bad: true });
    draw();
  }

  function take(asJPEG) {
    saveChosen(photos().map((photo) => photo.id), asJPEG);
    end();
  }

  async function drop() {
    const own = photos().filter((photo) => photo.mine), others = chosen.size() - own.length;
    const text = [t('select.delete_text'), others > 0 && t('select.delete_others', { n: others })].filter(Boolean).join(' ');
    const done = await confirm({ title: t('select.delete', { n: own.length }), text, action: t('delete'), work: async () => {
      // One by one: what failed can be tried again, and what is deleted is gone from the list.
      for (const { id } of own) { await api.deletePhoto(id); list.remove(id); }
    } });
    if (done) { toast(t('select.deleted', { n: own.length })); end(); }
  }

  function clicked(event) {
    const link = linkAt(event);
    if (!link || !(on || held) || event.ctrlKey || event.metaKey || event.button) return;
    event.preventDefault();
    event.stopPropagation();
    // The same press has chosen it already.
    if (held) { held = false; return; }
    pick(link.dataset.id, event.shiftKey);
  }

  function down(event) {
    held = false;
    const link = linkAt(event);
    if (event.pointerType !== 'touch' || !event.isPrimary || !link) return;
    pressed = { x: event.clientX, y: event.clientY };
    clearTimeout(timer);
    timer = setTimeout(() => { held = true; begin(link.dataset.id); navigator.vibrate?.(12); }, PRESS_MS);
  }

  const up = () => clearTimeout(timer);
  const moved = (event) => { if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > PRESS_SLACK) up(); };
  // A long press would else open the browser's own menu.
  const menu = (event) => { if (event.pointerType === 'touch' && linkAt(event)) event.preventDefault(); };

  function key(event) {
    if (!on || document.querySelector('dialog[open]')) return;
    const link = linkAt(event);
    if (event.key === 'Escape') { event.preventDefault(); end(); }
    if (event.key === ' ' && link) { event.preventDefault(); pick(link.dataset.id, event.shiftKey); }
  }

  const heard = { click: clicked, pointerdown: down, pointermove: moved, pointerup: up, pointercancel: up, contextmenu: menu };
  for (const [type, f] of Object.entries(heard)) gallery.addEventListener(type, f, true);
  document.addEventListener('keydown', key);
  const off = list.on(() => {
    if (list.complete) chosen.keep(new Set(list.items.map((photo) => photo.id)));
    draw();
  });
  gallery.append(tools);
  withStyle('select', () => { ready = true; draw(); });

  return () => {
    end();
    up();
    off();
    tools.remove();
    document.removeEventListener('keydown', key);
    for (const [type, f] of Object.entries(heard)) gallery.removeEventListener(type, f, true);
  };
}
