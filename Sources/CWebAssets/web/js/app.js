/** Boot and routing: reads the status, puts the right view on show, opens the viewer above it. */
import { fill, h } from './core/dom.js';
import { api } from './core/api.js';
import { loadLanguage, t } from './core/i18n.js';
import { PhotoList } from './core/photolist.js';
import { startRouter, go } from './core/router.js';
import { forget, load, on, reload, state } from './core/store.js';
import { startStream } from './core/stream.js';
import { forgetCode, visiting, within } from './core/visit.js';
import { feedId } from './lib/feed.js';
import { route } from './lib/paths.js';
import { acceptDrops } from './ui/add.js';
import { complain, empty, failed } from './ui/parts.js';
import { closeSheets } from './ui/sheet.js';
import { createShell } from './ui/shell.js';
import { createTray } from './ui/tray.js';
import { closeViewer, showPhoto } from './ui/viewer.js';
import { mountFeed } from './views/feed.js';
import { mountMoment } from './views/moment.js';
import { mountMoments } from './views/moments.js';
import { mountPhotos } from './views/photos.js';
import { mountSetup } from './views/setup.js';

const main = h('main', { id: 'main', tabindex: '-1' });
/** Lists outlive their views, so that Back finds the page as it was. @type {Map<string, PhotoList>} */
const lists = new Map();
let shell = null, view = null, shown = '';

function listOf(moment) {
  const key = moment ?? '';
  if (!lists.has(key)) lists.set(key, new PhotoList(api, moment));
  return lists.get(key);
}

/** What happened, as a list like those of photos: paged, kept up to date, held back while one reads. */
function feedList() {
  const page = async (_, before) => {
    const { items, next, locked } = await api.feed(before);
    if (!before) state.locked = locked ?? [];
    return { photos: items.map((item) => ({ ...item, id: feedId(item) })), next };
  };
  if (!lists.has('feed')) lists.set('feed', new PhotoList({ photos: page, photo: () => Promise.reject(new Error()) }));
  return lists.get('feed');
}

/** Puts a view on show, once. @param {string} key what tells it from others @param {() => {stop: () => void}} mount */
function put(key, mount, scroll = 0) {
  if (shown === key) return;
  view?.stop?.();
  shown = key;
  view = mount();
  scrollTo(0, scroll);
}

/** A view that most look at later or never, whose code comes when it is wanted. @param {Promise<object>} code @param {string} mount */
function later(code, mount) {
  let stopped = false, mounted = null;
  code.then((views) => { if (!stopped) mounted = views[mount](main); },
    (error) => { if (!stopped) fill(main, h('div.page', null, failed(error, () => location.reload()))); });
  return { stop() { stopped = true; mounted?.stop(); } };
}

function told(...words) {
  fill(main, h('div.page', null, empty(...words)));
  return { stop() {} };
}

/** Whether a level has no access to the event, which would then look empty. @param {string} level */
const isOutside = (level) => ['waiting', 'declined'].includes(level);

/** @param {import('./lib/paths.js').Route} asked @param {number} scroll */
function base(asked, scroll) {
  const to = within(asked);
  const event = state.status?.current;
  if (!event) { shown = shown === 'setup' ? shown : ''; put('setup', () => ({ stop: mountSetup(main) })); return; }
  const name = isOutside(event.level) && to.name !== 'people' ? event.level : to.name;
  const key = `${event.id}/${name}/${to.id ?? ''}`;
  const mounts = {
    photos: () => mountPhotos(main, listOf(null)),
    moments: () => mountMoments(main),
    moment: () => mountMoment(main, to.id, listOf(to.id)),
    feed: () => mountFeed(main, feedList(), listOf(null)),
    people: () => later(import('./views/people.js'), 'mountPeople'),
    invite: () => later(import('./views/invite.js'), 'mountInvite'),
    hidden: () => later(import('./views/hidden.js'), 'mountHidden'),
    bookmarks: () => later(import('./views/bookmarks.js'), 'mountBookmarks'),
    waiting: () => told(t('waiting.title'), t('waiting.text')),
    declined: () => told(t('declined.title'), t('declined.text')),
    unknown: () => told(t('lost.title'), t('lost.text'), h('a.btn', { href: '/' }, t('tab.photos'))),
  };
  shell.mark({ moment: 'moments', hidden: 'people', bookmarks: 'people' }[to.name] ?? to.name);
  put(key, mounts[name], scroll);
}

async function openPhoto(id, history) {
  if (!view?.viewer) base({ name: 'photos', id: null }, 0);
  const context = view.viewer;
  if (!context) return;
  try {
    const photo = context.list.items.find((p) => p.id === id) ?? await api.photo(id);
    if (location.pathname === `/photos/${encodeURIComponent(id)}`) showPhoto(photo, context);
  } catch (error) {
    go(context.home, { replace: true, state: history });
    complain(error);
  }
}

/** @param {import('./lib/paths.js').Route} to */
function routed(to, history) {
  closeSheets();
  if (to.name === 'photo' && state.status?.current) { openPhoto(to.id, history); return; }
  closeViewer();
  base(to, history.scroll ?? 0);
}

/** Another event is current, or none. */
function eventChanged() {
  closeViewer();
  forget();
  lists.clear();
  view?.stop?.();
  view = null;
  shown = '';
  base(route(location.pathname), 0);
  if (state.status.current) reload('people', 'moments');
}

async function boot() {
  forgetCode();
  await loadLanguage();
  try {
    await load.status();
  } catch (error) {
    fill(document.body, h('div.empty.boot', { role: 'alert' }, h('p', null, error.message), h('button.btn.primary', { onclick: () => location.reload() }, t('again'))));
    return;
  }
  shell = createShell(main);
  fill(document.body, h('a.skip', { href: '#main', onclick: (event) => { event.preventDefault(); main.focus(); } }, t('skip')), shell.strips, shell.el, main);
  if (!visiting()) { document.body.append(createTray().el); acceptDrops(); }
  const current = () => { const { id, level } = state.status.current ?? {}; return id && id + (isOutside(level) ? level : ''); };
  let event = current();
  // This page, another window or the command line may have switched; or a host has let in who waited.
  on('status', () => { if (current() !== event) { event = current(); eventChanged(); } });
  startRouter(routed);
  if (event) reload('people', 'moments');
  startStream();
}

boot();
