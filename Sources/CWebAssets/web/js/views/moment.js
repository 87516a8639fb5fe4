/** One moment: cover, when and where, who, its photos and its comments. */
import { fill, h } from '../core/dom.js';
import { api, calendarOf } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { keepMoment, looking, nameOf, on, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { addButton, setTarget } from '../ui/add.js';
import { bookmarkButton } from '../ui/bookmark.js';
import { createComments } from '../ui/comments.js';
import { hiddenNote, hidingDeed } from '../ui/hiding.js';
import { icon } from '../ui/icons.js';
import { later } from '../ui/later.js';
import { moreButton } from '../ui/more.js';
import { participation } from '../ui/participate.js';
import { avatar, complain, empty, toast, whoLink } from '../ui/parts.js';
import { sheet } from '../ui/sheet.js';
import { createGallery } from '../ui/gallery.js';
import { coverOf, momentForm, when } from './moments.js';

/** Who is invited, which is seldom asked. @param {'showGuests'|'changeVisibility'} deed */
const guests = (deed, moment) => later(() => import('../ui/guests.js'), (deeds) => deeds[deed](moment));

async function showParticipants(moment) {
  const body = h('div', { 'aria-busy': 'true' });
  sheet(t('moment.who'), [body]);
  try {
    const { joined, checked_in: checkedIn, invited } = await api.participants(moment.id);
    const group = (key, people) => [h('h3.label', null, t(key, { n: people.length })),
      people.length ? h('ul.faces', null, people.map((p) => h('li', null, whoLink(p, avatar(p), ' ', h('span', null, p.me ? t('you_name', { name: p.name }) : nameOf(p)))))) : h('p.hint', null, t('moment.nobody'))];
    fill(body, group('moment.list_checked_in', checkedIn), group('moment.list_joined', joined), invited.length > 0 && group('guests.invited', invited));
  } catch (error) { fill(body, h('p.wrong', { role: 'alert' }, error.message)); }
  body.removeAttribute('aria-busy');
}

/**
 * @param {HTMLElement} root @param {string} id @param {import('../core/photolist.js').PhotoList} list
 * @returns {{stop: () => void, viewer: any}}
 */
export function mountMoment(root, id, list) {
  let moment = state.moments?.find((m) => m.id === id) ?? null, stopped = false;
  const looks = looking();
  const head = h('div.moment-head');
  const cover = h('div.banner');
  const more = moreButton(() => [moment?.may_edit && !visiting() && { sign: 'cover', words: t('moment.set_cover'), act: pickCover }, hidingDeed(moment, () => read())]);
  let coverShown;
  const comments = createComments('moments', id);
  const wide = matchMedia('(min-width: 1000px)');
  const summary = h('summary');
  // Where there is little room they are folded, but for what was typed and not sent.
  const isOpen = () => wide.matches || Boolean(comments.input.value);
  const talk = h('details.side-talk', { open: isOpen() }, summary, comments.el);
  const open = () => { talk.open = isOpen(); };
  wide.addEventListener('change', open);
  summary.addEventListener('click', (event) => { if (wide.matches) event.preventDefault(); });

  setTarget(() => moment, (m) => (['join', 'check_in'].includes(m.button) ? participation(m) : null));
  const gallery = createGallery(list, () => empty(t('moment.empty'), moment?.may_post ? t('moment.empty_text') : t('moment.empty_none'),
    (moment?.may_post || visiting() && !looks && moment?.status !== 'ended') && addButton(t('upload.add'))));

  const mark = bookmarkButton(() => moment, (marked) => { moment = { ...moment, bookmarked: marked.bookmarked }; });

  /** Asks for a file, which becomes the cover and no photo of the moment. */
  function pickCover() {
    const input = h('input', { type: 'file', accept: 'image/*' });
    input.onchange = async () => {
      if (!input.files[0]) return;
      toast(t('moment.cover_sending'));
      try {
        keepMoment(await api.setCover(id, input.files[0]));
        toast(t('viewer.cover_set'));
        await read();
      } catch (error) { complain(error); }
    };
    input.click();
  }

  async function fave(button) {
    const to = !moment.faved;
    button.disabled = true;
    try { moment = { ...moment, ...await api.fave(id, to) }; } catch (error) { complain(error); }
    draw();
    head.querySelector('.fave')?.focus();
  }

  function draw() {
    if (!moment || stopped) return;
    if (coverShown !== moment.cover_preview) { coverShown = moment.cover_preview; fill(cover, coverShown && coverOf(moment, 'preview')); }
    const heart = h('button.fave', { 'aria-pressed': String(moment.faved), 'aria-label': t('viewer.faves', { n: moment.faves }), onclick: () => fave(heart) },
      icon('heart', moment.faved ? 'on' : ''), moment.faves > 0 ? say.number(moment.faves) : t('viewer.fave'));
    const who = t('moment.participants', { joined: moment.joined, here: moment.checked_in });
    heart.disabled = looks;
    heart.hidden = looks && !moment.faves;
    fill(head,
      h('div.title-line', null, h('h2', null, moment.title), moment.may_edit && h('button.btn.small', { onclick: () => momentForm(moment) }, icon('edit'), t('edit')), more.el),
      hiddenNote(moment),
      moment.private && h('p.private', null, icon('lock'), h('span', null, t('guests.private'))),
      h('p.when', null, h('strong', null, when(moment)), ' ', h('span', null, say.span(moment.start, moment.end))),
      moment.place.name && h('p.where', null, icon('pin'), h('span', null, moment.place.name, moment.place.radius_m ? [' ', h('small', null, t('moment.within', { metres: say.metres(moment.place.radius_m) }))] : null)),
      moment.description && h('p.description', null, moment.description),
      h('p.by', null, whoLink(moment.author, t('moment.by', { name: nameOf(moment.author) }))),
      h('div.actions', null, participation(moment), heart, mark.el,
        looks ? h('span.badge', null, icon('people'), who) : h('button.btn', { onclick: () => showParticipants(moment) }, icon('people'), who),
        h('a.btn', { href: calendarOf(moment.id), download: '' }, icon('calendar'), t('moment.calendar')),
        moment.may_edit && !visiting() && [h('button.btn', { onclick: () => guests('showGuests', moment) }, icon('people'), t('guests.title')),
          h('button.btn', { onclick: () => guests('changeVisibility', moment) }, icon('lock'), t(moment.private ? 'guests.make_public' : 'guests.make_private'))]));
    more.draw();
    mark.draw();
    summary.textContent = t('moment.comments', { n: moment.comments });
  }

  async function read() {
    try {
      moment = await api.moment(id);
      draw();
    } catch (error) {
      if (stopped || moment && error.status !== 404) return;
      moment = null;
      fill(root, h('div.page', null, empty(t('moment.gone'), error.message, h('a.btn', { href: '/moments' }, t('tab.moments')))));
    }
  }

  async function again(change) {
    await read();
    if (moment) comments.refresh(change, moment.comments).catch(() => {});
  }

  fill(root, h('div.moment', null, cover, head, talk, h('section.gallery-part', null, h('h2.sr', null, t('tab.photos')), gallery.el)));
  draw();
  read();
  comments.refresh().catch(() => {});
  gallery.start();
  const offs = [
    on('moments', (all) => { const found = all?.find((m) => m.id === id); if (found) { moment = found; draw(); } }),
    on('change', again),
    on('reset', () => again()),
  ];
  const tick = setInterval(draw, 60000);
  return {
    stop() {
      stopped = true;
      offs.forEach((off) => off());
      clearInterval(tick);
      wide.removeEventListener('change', open);
      gallery.stop();
    },
    viewer: { ...gallery.viewer, list, home: `/moments/${encodeURIComponent(id)}` },
  };
}
