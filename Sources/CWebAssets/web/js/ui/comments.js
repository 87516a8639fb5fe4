/** Comments below a photo or a moment: the newest page, "view previous", a box to write in. */
import { h, keyed } from '../core/dom.js';
import { api } from '../core/api.js';
import { pages, renewed } from '../lib/paths.js';
import { single } from '../lib/single.js';
import { say, t } from '../core/i18n.js';
import { emit, looking, nameOf, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { attachment, commentPicture, lacksPicture } from './attach.js';
import { hiddenNote, hidingDeed } from './hiding.js';
import { icon } from './icons.js';
import { moreButton } from './more.js';
import { avatar, busy, complain, whoLink } from './parts.js';
import { confirm } from './sheet.js';

/** Kinds that change what is said further up, or by whom. */
const ALL = ['hidden', 'profile', 'profile_picture'];
/** Where one types, of those that were opened last. @type {{place: string, el: HTMLElement, put: (text: string) => void}|null} */
let box = null;
/** Of so many photos and moments what was typed and not sent is kept. */
const DRAFTS = 20;

/** Keeps what was typed somewhere and not sent; of too many the oldest goes. @param {Map<string, string>} drafts @param {string} place @param {string} text */
function keep(drafts, place, text) {
  drafts.delete(place);
  if (text.trim()) drafts.set(place, text);
  if (drafts.size > DRAFTS) drafts.delete(drafts.keys().next().value);
}

/**
 * @param {'photos'|'moments'|'places'|'deals'} kind @param {string} target
 * @returns {{el: HTMLElement, refresh: (change?: any, count?: number) => Promise<void>, input: HTMLTextAreaElement, toEnd: () => void}}
 */
export function createComments(kind, target) {
  let all = [], previous = null, loaded = false, isPointed = false;
  /** How many there are, as the node counts them, and how many it counts since. */
  let counted, count;
  /** Comments that changed and were not read again since; null if it may be any, undefined if there are none. */
  let changed;
  /** Counts comments sent or deleted here. An answer requested before does not include them. */
  let deeds = 0;
  /** The words whose answer was lost, and what was there before. @type {null | {text: string, known: Set<string>}} */
  let lost = null;
  /** Those of this event: what is typed or fails once another one is on show is not kept. */
  const { drafts } = state, place = `${kind}/${target}`, draft = drafts.get(place) ?? '';
  const list = h('ol.comments');
  const none = h('p.hint', { hidden: true }, t('comments.none'));
  const older = h('button.link', { hidden: true, onclick: () => busy(older, '', showOlder).catch(complain) }, t('comments.previous'));
  const wrong = h('p.wrong', { role: 'alert' });
  const input = h('textarea', { rows: '1', maxlength: '4000', placeholder: t('comments.write'), 'aria-label': t('comments.write'), enterkeyhint: 'send', value: draft });
  const send = h('button.btn.round', { type: 'submit', 'aria-label': t('comments.send'), disabled: !draft }, icon('send'));
  // A door takes no pictures for comments.
  const picture = visiting() ? null : attachment(() => { send.disabled = !isReady(); });
  const form = h('form.write', { onsubmit: submit }, picture?.el, input, send);
  const isReady = () => Boolean(input.value.trim() || picture?.file);

  function typed() {
    keep(drafts, place, input.value);
    send.disabled = !isReady();
    fit();
  }

  /** Puts what could not be sent before what was typed since. */
  function put(text) {
    input.value = [text, input.value].filter(Boolean).join('\n');
    typed();
  }

  function fit() {
    input.style.height = 'auto';
    if (input.value) input.style.height = `${Math.min(input.scrollHeight + 2, 140)}px`;
  }
  input.addEventListener('input', typed);
  // What was kept has no height before it is seen.
  input.addEventListener('focus', fit);
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') { event.preventDefault(); input.blur(); }
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
  });

  function draw() {
    keyed(list, all, (c) => [c.id, c.hidden?.at, nameOf(c.author), c.author.picture, lacksPicture(c)].join(), make, (el, c) => { el.querySelector('time').textContent = say.ago(c.posted); });
    older.hidden = !previous;
    none.hidden = !loaded || all.length > 0;
    point();
  }

  /** An address may name one of the comments: it is brought into sight, once. */
  function point() {
    const el = !isPointed && location.hash && [...list.children].find((one) => one.dataset.id === location.hash.slice(1));
    if (!el) return;
    isPointed = true;
    el.classList.add('named');
    el.scrollIntoView({ block: 'center' });
  }

  function make(comment) {
    const more = moreButton(() => [hidingDeed(comment, () => refresh().catch(complain)),
      comment.mine && { sign: 'trash', words: t('comments.delete'), act: () => drop(comment), kind: 'danger' }], '.small');
    return h('li', { class: comment.hidden ? 'concealed' : '', data: { id: comment.id } }, avatar(comment.author, 's'), h('div', null,
      h('p.who', null, whoLink(comment.author, h('strong', null, nameOf(comment.author))), ' ', h('time', { datetime: comment.posted, title: say.moment(comment.posted) }, say.ago(comment.posted))),
      comment.text && h('p.said', null, comment.text), commentPicture(comment), hiddenNote(comment)), more.el);
  }

  async function drop(comment) {
    const done = await confirm({
      title: t('comments.delete'), text: t('comments.delete_text'), action: t('delete'), work: () => api.deleteComment(comment.id),
    });
    if (!done) return;
    deeds++;
    if (all.some((c) => c.id === comment.id)) counted--;
    all = all.filter((c) => c.id !== comment.id);
    draw();
  }

  /** The comment of which only the answer was lost, when the same is sent once more; nothing is said twice. */
  async function sentBefore(text) {
    const { comments } = await api.comments(target);
    return comments.find((c) => c.mine && (c.text ?? '') === text && !lost.known.has(c.id));
  }

  async function submit(event) {
    event.preventDefault();
    const text = input.value.trim(), file = picture?.file;
    if (!isReady()) return;
    wrong.textContent = '';
    // Sent again by a key that is held, it would be said twice; and what is typed meanwhile is the next one.
    input.value = '';
    picture?.set(null);
    typed();
    try {
      const comment = (lost?.text === text && await sentBefore(text)) || await api.comment(target, text, file && (await api.upload(file)).id);
      lost = null;
      deeds++;
      emit('shared');
      if (!all.some((c) => c.id === comment.id)) { all = [...all, comment]; counted++; }
      draw();
      list.lastElementChild?.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      if (!error.status) lost = lost?.text === text ? lost : { text, known: new Set(all.map((c) => c.id)) };
      if (el.isConnected) { wrong.textContent = error.message; put(text); if (file && !picture.file) picture.set(file); return; }
      // One has left meanwhile, and may have come back to type something else.
      if (box?.place === place && box.el.isConnected && drafts === state.drafts) box.put(text); else keep(drafts, place, [text, drafts.get(place)].filter(Boolean).join('\n'));
      complain(error);
    }
  }

  async function showOlder() {
    const before = previous, page = await api.comments(target, before);
    // All was read again meanwhile.
    if (before !== previous) return;
    const known = new Set(all.map((c) => c.id));
    all = [...page.comments.filter((c) => !known.has(c.id)), ...all];
    previous = page.previous ?? null;
    draw();
  }

  /** The latest comments are what one came for. */
  function toEnd() { scroll.scrollTop = scroll.scrollHeight; }

  /** Which comments a change is about; null if it may be any. */
  function concerned(change) {
    if (!change || ALL.some((one) => change.kinds.has(one)) || change.kinds.has('media') && all.some(lacksPicture)) return null;
    if (!change.kinds.has('comment')) return [];
    if (!change.targets) return null;
    return change.targets[kind.slice(0, -1)]?.has(target) ? [...change.targets.comment ?? []] : [];
  }

  /** @param {{kinds: Set<string>, targets: any}} [change] any if left out @param {number} [now] how many comments there are now */
  async function refresh(change, now) {
    const ids = concerned(change);
    if (ids && !ids.length && now === counted) return;
    changed = changed === undefined ? ids : changed && ids && [...changed, ...ids];
    count = now;
    await read();
  }

  // One question at a time: of two answers the later one would be shown, though it may be the older one.
  const read = single(async () => {
    if (changed === undefined) return;
    const ids = changed, now = count;
    changed = undefined;
    try {
      for (let done; done !== deeds;) {
        done = deeds;
        const answer = await answered(ids, now);
        if (done === deeds) ({ comments: all, previous } = answer);
      }
    } catch (error) {
      changed = null;
      throw error;
    }
    counted = now;
    // Who reads the latest goes on doing so; who reads further up is not moved.
    const follows = !loaded || scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 40;
    loaded = true;
    draw();
    if (follows) toEnd();
  });

  /** What there is now, of the pages that are open. */
  async function answered(ids, now) {
    const newest = await api.comments(target);
    const comments = ids && renewed(all, newest.comments, now - counted, ids);
    if (comments) return { comments, previous };
    // Pages that are open are read again as well: what was deleted, hidden or muted goes.
    return pages((before) => (before ? api.comments(target, before) : newest), () => all.length);
  }

  const scroll = h('div.scroll', null, older, list, none);
  const el = h('div.talk', null, scroll, wrong, !looking() && [picture?.shown, form]);
  box = { place, el, put };
  return { el, refresh, input, toEnd };
}
