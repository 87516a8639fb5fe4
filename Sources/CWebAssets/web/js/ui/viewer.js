/** One photo, full screen: who, when and where, faves, comments, save, delete, cover; Back closes it. */
import { moderates, shares } from '../lib/levels.js';
import { fill, h } from '../core/dom.js';
import { api, media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { back, go } from '../core/router.js';
import { keepMoment, load, looking, nameOf, on, state } from '../core/store.js';
import { aboutPhoto } from './about.js';
import { bookmarkButton } from './bookmark.js';
import { createComments } from './comments.js';
import { hidingDeed } from './hiding.js';
import { icon } from './icons.js';
import { later } from './later.js';
import { moreButton } from './more.js';
import { muteDeed } from './muting.js';
import { avatar, complain, toast, whoLink } from './parts.js';
import { confirm } from './sheet.js';
import { createStage } from './stage.js';
import { votingButtons } from './voting.js';

/** Kinds of changes that concern a photo though they do not name it: what has arrived, and who is who. */
const SEEN = ['media', 'people', 'profile', 'profile_picture', 'hidden'];

/** @type {null | {show: (photo: any) => void, close: () => void, id: () => string}} */
let open = null;

/** Closes the viewer if it is open; the address has already changed. */
export const closeViewer = () => open?.close();

/**
 * Shows a photo, opening the viewer if need be.
 * @param {object} context
 * @param {PhotoList} context.list what to step through
 * @param {string} context.home where closing leads if one did not come from there
 * @param {(id: string) => DOMRect|null} context.box where the tile is @param {(id: string) => void} context.focus gives focus back
 */
export function showPhoto(photo, context) {
  if (open) open.show(photo); else open = createViewer(photo, context);
}

function createViewer(first, { list, home, box, focus }) {
  let photo = first, comments = null;
  const looks = looking(), leave = () => back(home);
  const button = (name, words, f, more = {}) => h('button.plain', { 'aria-label': words, title: words, onclick: f, ...more }, icon(name));

  const closeButton = button('close', t('viewer.close'), leave);
  const place = h('span.place');
  const zoomButton = h('button.plain', { onclick: zoom });
  const save = h('a.plain', { download: '', 'aria-label': t('viewer.save'), title: t('viewer.save') }, icon('save')), saveJPEG = h('a.plain', { title: t('viewer.save_jpeg') }, 'JPEG');
  /** Takes what one said of a photo, which may be another than that on show by now. */
  const said = (name) => (of) => { if (photo.id === of.id) photo = { ...photo, [name]: of[name] }; list.replace(of); };
  const mark = bookmarkButton(() => photo, said('bookmarked')), votes = votingButtons(list, () => photo, said('votes'));
  const momentOf = () => photo.moment && state.moments?.find((m) => m.id === photo.moment);
  const more = moreButton(() => [
    photo.mine && { sign: 'edit', words: t(photo.title ? 'viewer.caption_edit' : 'viewer.caption_add'), act: caption },
    !looks && photo.held.preview && !photo.duration_ms && { sign: 'face', words: t('viewer.face'), act: setFace },
    momentOf()?.may_edit && { sign: 'cover', words: t('viewer.cover'), act: setCover },
    photo.held_back && moderates(state.status.current.level) && { sign: 'check', words: t('hidden.release'), act: release },
    !looks && shares(state.status.current.level) && muteDeed({ id: photo.id, title: photo.title || photo.name, kind: 'photo' }),
    hidingDeed(photo, () => refresh(null)),
    photo.mine && { sign: 'trash', words: t('viewer.delete'), act: drop, kind: 'danger' }]);
  const talk = button('comment', t('comments.title'), () => { el.classList.toggle('talking'); label(); comments.toEnd(); }, { class: 'talk-button' });
  const prev = button('left', t('viewer.newer'), () => step(-1), { class: 'side prev' });
  const next = button('right', t('viewer.older'), () => step(1), { class: 'side next' });
  const stage = createStage({ step, close: leave, fave: like, reach: () => load.status().then(() => true, () => false) }, [prev, next]);
  const heart = h('button.fave', { onclick: fave }), who = h('div.author'), where = h('p.about'), room = h('div.room');
  const panel = h('aside.panel', { 'aria-label': t('viewer.about') }, h('div.byline', null, who, h('div.buttons', null, votes.el, heart, mark.el, talk)), where, room);
  const el = h('dialog.viewer', { 'aria-label': t('viewer.title') },
    h('div.theatre', null, h('div.bar', null, closeButton, place, h('span.spring'), zoomButton, save, saveJPEG, more.el), stage.el), panel);

  const alt = (p) => p.title || t('grid.alt', { name: p.author.name, time: say.moment(p.taken ?? p.posted) });

  function label() {
    const count = photo.comments > 0 ? ` ${say.number(photo.comments)}` : '';
    fill(talk, icon('comment'), count && h('span', null, count));
    talk.setAttribute('aria-expanded', String(el.classList.contains('talking')));
    fill(heart, icon('heart', photo.faved ? 'on' : ''), h('span', null, photo.faves > 0 ? say.number(photo.faves) : t('viewer.fave')));
    heart.setAttribute('aria-pressed', String(photo.faved));
    // Guests see how many like it.
    heart.disabled = looks;
    heart.hidden = looks && !photo.faves;
    mark.draw();
    votes.draw();
    heart.setAttribute('aria-label', t('viewer.faves', { n: photo.faves }));
  }

  /** Says how large the photo is shown. */
  function size(words = t('viewer.zoom_fit')) {
    const is = stage.isZoomed();
    fill(zoomButton, icon('zoom'), is && h('span', null, words));
    zoomButton.setAttribute('aria-label', `${t('viewer.zoom')}: ${words}`);
    zoomButton.title = t('viewer.zoom');
    zoomButton.setAttribute('aria-pressed', String(is));
  }

  function draw() {
    const at = list.indexOf(photo.id), items = list.items;
    const moment = momentOf();
    place.textContent = at >= 0 && list.complete ? t('viewer.place', { at: at + 1, n: items.length }) : '';
    prev.hidden = at <= 0;
    next.hidden = at < 0 || (at >= items.length - 1 && list.complete);
    stage.set(photo, at > 0 ? items.slice(at - 1, at) : [], at >= 0 ? items.slice(at + 1, at + 3) : [], alt);
    save.href = media(photo.id, 'original', true);
    save.setAttribute('download', photo.name);
    save.hidden = !photo.held.original;
    saveJPEG.href = media(photo.id, 'jpeg', true);
    saveJPEG.hidden = save.hidden || !/\.(hei[cf]|avif)$/i.test(photo.name);
    zoomButton.hidden = Boolean(photo.duration_ms) || (!photo.held.original && !photo.held.preview);
    more.draw();
    fill(who, avatar(photo.author), h('div', null, whoLink(photo.author, h('strong', null, photo.author.me ? t('you_name', { name: photo.author.name }) : nameOf(photo.author))),
      h('time', { datetime: photo.taken ?? photo.posted }, say.moment(photo.taken ?? photo.posted))));
    fill(where, aboutPhoto(photo, moment));
    label();
  }

  function show(to) {
    const other = to.id !== photo.id || !comments;
    photo = to;
    if (other) {
      comments = createComments('photos', photo.id);
      fill(room, comments.el);
      comments.refresh().catch(() => {});
    }
    draw();
    if (other) size();
    if (list.indexOf(photo.id) > list.items.length - 5) list.more().catch(() => {});
  }

  function step(by) {
    const to = list.items[list.indexOf(photo.id) + by];
    if (!to || list.indexOf(photo.id) < 0) return false;
    go(`/photos/${encodeURIComponent(to.id)}`, { replace: true, state: history.state ?? {} });
    return true;
  }

  function zoom() {
    const step = stage.zoom();
    size(step === 1 ? undefined : step === 2 ? '2×' : '1:1');
  }

  /** A double tap likes and takes nothing back: who taps once more means the same. */
  function like() {
    if (looks) return;
    stage.pop();
    if (!photo.faved) fave();
  }

  async function fave() {
    if (looks) return;
    const to = !photo.faved, of = photo;
    photo = { ...photo, faved: to, faves: photo.faves + (to ? 1 : -1) };
    label();
    try {
      const answer = await api.fave(of.id, to);
      if (photo.id === of.id) { photo = { ...photo, ...answer }; label(); }
      list.replace({ ...of, ...answer });
    } catch (error) {
      if (photo.id === of.id) { photo = { ...photo, faved: of.faved, faves: of.faves }; label(); }
      complain(error);
    }
  }

  /** What its author says of it. */
  function caption() {
    const of = photo;
    later(() => import('./caption.js'), ({ editCaption }) => editCaption(of, (fresh) => {
      list.replace(fresh);
      if (photo.id === fresh.id) { photo = { ...photo, ...fresh }; draw(); }
    }));
  }

  async function setCover() {
    try {
      keepMoment(await api.editMoment(photo.moment, { cover: photo.id }));
      toast(t('viewer.cover_set'));
    } catch (error) { complain(error); }
  }

  /** A moderator has looked at it. */
  async function release() {
    try {
      list.replace(await api.release(photo.id));
      toast(t('hidden.shown'));
      await refresh(null);
    } catch (error) { complain(error); }
  }

  /** The profile's sheet shows how it looks before anything is sent. */
  async function setFace() {
    const title = t('viewer.face');
    if (photo.private && !await confirm({ title, text: t('viewer.face_private'), action: title, kind: 'primary', work: async () => {} })) return;
    await later(() => import('./profile.js'), async (form) => form.editProfile(await api.picture(photo.id)));
  }

  async function drop() {
    const of = photo;
    const done = await confirm({ title: t('viewer.delete'), text: t('viewer.delete_text'), action: t('delete'), work: () => api.deletePhoto(of.id) });
    if (!done) return;
    const at = list.indexOf(of.id), to = list.items[at + 1] ?? list.items[at - 1];
    list.remove(of.id);
    if (to && at >= 0) go(`/photos/${encodeURIComponent(to.id)}`, { replace: true, state: history.state ?? {} }); else leave();
  }

  async function refresh(change) {
    const mine = !change?.targets || change.targets.photo?.has(photo.id) || SEEN.some((kind) => change.kinds.has(kind));
    if (!mine) return;
    const id = photo.id, below = comments;
    try {
      const fresh = await api.photo(id);
      below.refresh(change, fresh.comments).catch(() => {});
      if (open && photo.id === id) { photo = { distance_m: photo.distance_m, ...fresh }; draw(); }
    } catch (error) {
      if (error.status === 404 && open && photo.id === id) { toast(t('viewer.gone')); leave(); }
    }
  }

  el.addEventListener('cancel', (event) => { event.preventDefault(); leave(); });
  el.addEventListener('keydown', (event) => {
    if (event.target.closest('textarea, input') || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), f: like, z: zoom, c: () => { el.classList.add('talking'); label(); comments.toEnd(); comments.input.focus(); } }[event.key];
    if (!act || (stage.isZoomed() && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    act();
  });
  const offs = [on('change', refresh), on('reset', () => refresh()), on('moments', draw), list.on(() => { if (open) draw(); })];
  if (!state.moments) load.moments().catch(() => {});

  document.body.append(el);
  show(first);
  // A comment that the address names is looked at first.
  if (location.hash) { el.classList.add('talking'); label(); }
  el.showModal();
  closeButton.focus({ preventScroll: true });
  stage.grow(box(first.id));

  return {
    show,
    id: () => photo.id,
    close() {
      open = null;
      offs.forEach((off) => off());
      const toasts = el.querySelector('.toasts');
      if (toasts) document.body.append(toasts);
      el.close();
      el.remove();
      if (list.indexOf(photo.id) >= 0) focus(photo.id);
    },
  };
}
