/** The pictures that a person has had, full screen, one after the other. They come when they are wanted. */
import { fill, h } from '../core/dom.js';
import { api, offline } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { cover } from '../core/router.js';
import { icon } from './icons.js';
import { later } from './later.js';
import { complain } from './parts.js';

/** The bytes of a picture, to be worn again. */
async function bytes(picture) {
  const answer = await fetch(picture.preview).catch(() => { throw offline(); });
  if (!answer.ok) throw new Error(t('error.status', { status: answer.status }));
  return answer.blob();
}

/** @param {{id: string, name: string, me: boolean}} person */
export async function showFaces(person) {
  let { pictures, next } = await api.facesOf(person.id), at = 0;
  if (!pictures.length) return;
  const button = (sign, words, onclick, className) => h(`button.plain${className}`, { 'aria-label': words, title: words, onclick }, icon(sign));
  const img = h('img', { decoding: 'async', onerror: () => { words.textContent = t('viewer.on_its_way'); } }), words = h('span.place', { role: 'status' });
  const prev = button('left', t('viewer.newer'), () => step(-1), '.side.prev'), after = button('right', t('viewer.older'), () => step(1), '.side.next');
  const wear = person.me && h('button.btn.small', { onclick: () => bytes(pictures[at]).then((blob) => { el.close(); return later(() => import('./profile.js'), (form) => form.editProfile(blob)); }).catch(complain) }, t('person.wear'));
  const el = h('dialog.viewer.faces-viewer', { 'aria-label': t('person.pictures', { name: person.name }) },
    h('div.theatre', null, h('div.bar', null, button('close', t('viewer.close'), () => el.close(), ''), words, h('span.spring'), wear), h('div.portrait-stage', null, img), prev, after));

  function draw() {
    const picture = pictures[at];
    img.src = picture.preview;
    img.alt = t('person.picture_of', { name: person.name, when: say.moment(picture.posted) });
    words.textContent = t('viewer.place', { at: at + 1, n: next ? `${pictures.length}+` : pictures.length });
    prev.hidden = at === 0;
    after.hidden = at === pictures.length - 1 && !next;
    if (wear) wear.hidden = picture.current;
  }

  async function step(by) {
    if (at + by === pictures.length && next) {
      try {
        const page = await api.facesOf(person.id, next);
        pictures = [...pictures, ...page.pictures];
        next = page.next;
      } catch (error) { complain(error); return; }
    }
    if (!pictures[at + by]) return;
    at += by;
    draw();
  }

  el.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) { event.preventDefault(); step(by); }
  });
  el.addEventListener('close', () => { el.remove(); uncover(); });
  document.body.append(el);
  draw();
  el.showModal();
  const uncover = cover(() => el.close());
  return el;
}

/** A list that is read page by page, in a sheet. @param {HTMLElement} list @param {(before?: string) => Promise<{items: any[], next?: string}>} read @param {(item: any) => HTMLElement} row */
export function paged(list, read, row) {
  const more = h('button.btn.small', { hidden: true, onclick: () => go(next) }, t('search.more'));
  let next = null;
  async function go(before) {
    try {
      const page = await read(before);
      list.append(...page.items.map(row));
      next = page.next ?? null;
      more.hidden = !next;
    } catch (error) { complain(error); }
  }
  fill(list);
  go();
  return more;
}
