/** Boot and routing: reads the status, puts the right view on show, opens the viewer above it. */
import { fill, h } from './core/dom.js';
import { api } from './core/api.js';
import { loadLanguage, setZone, t } from './core/i18n.js';
import { PhotoList } from './core/photolist.js';
import { startRouter, go } from './core/router.js';
import { forget, load, looking, myself, on, reload, state, tell } from './core/store.js';
import { forgetCode, visiting, within } from './core/visit.js';
import { route } from './lib/paths.js';
import { fetched, prefetch } from './ui/later.js';
import { complain, empty, failed } from './ui/parts.js';
import { createShell } from './ui/shell.js';
import { mountPhotos } from './views/photos.js';

const main = h('main', { id: 'main', tabindex: '-1' });
/** Lists outlive their views, so that Back finds the page as it was. @type {Map<string, PhotoList>} */
const lists = new Map();
let shell = null, view = null, shown = '';
/** The viewer's code, once it has been wanted. */
let viewer = null;

/** What the first paint does not need, in the order in which it is likely to be wanted. */
const code = {
  viewer: () => import('./ui/viewer.js'),
  adding: () => import('./ui/adding.js'),
  moments: () => import('./views/moments.js'),
  moment: () => import('./views/moment.js'),
  news: () => import('./views/news.js'),
  forYou: () => import('./views/foryou.js'),
  notices: () => import('./core/notices.js'),
  people: () => import('./views/people.js'),
  person: () => import('./views/person.js'),
  places: () => import('./views/places.js'),
  place: () => import('./views/place.js'),
  deals: () => import('./views/deals.js'),
  deal: () => import('./views/deal.js'),
  profile: () => import('./ui/profile.js'),
  invite: () => import('./views/invite.js'),
  menu: () => import('./ui/menu.js'),
  feedback: () => import('./ui/feedback.js'),
  momentForm: () => import('./ui/momentform.js'),
  entry: () => import('./ui/entry.js'),
  connecting: () => import('./ui/connecting.js'),
  hidden: () => import('./views/hidden.js'),
  bookmarks: () => import('./views/bookmarks.js'),
  setup: () => import('./views/setup.js'),
};
/** What guests with only a phone do not have, and what they do not need who only look. */
const OWN = ['invite', 'entry', 'connecting', 'hidden', 'bookmarks', 'feedback', 'setup'], DOING = ['adding', 'profile', 'momentForm', 'forYou', 'notices'];

/** @param {string} key @param {() => PhotoList} make */
function kept(key, make) {
  if (!lists.has(key)) lists.set(key, make());
  return lists.get(key);
}

/** What one person shared. */
const byAuthor = (id) => kept(`by/${id}`, () => new PhotoList({ ...api, photos: (_, before, limit) => api.photosBy(id, before, limit) }));
const listOf = (moment) => kept(moment ?? '', () => new PhotoList(api, moment));

/** Puts a view on show, once. @param {string} key what tells it from others @param {() => {stop: () => void}} mount */
function put(key, mount, scroll = 0) {
  if (shown === key) return;
  view?.stop?.();
  shown = key;
  view = mount();
  scrollTo(0, scroll);
}

/** A view whose code comes when it is wanted. @param {string} name of the code @param {(views: any) => any} mount @param {number} [scroll] */
function later(name, mount, scroll = 0) {
  let stopped = false, mounted = null;
  fill(main, h('div.page', null, h('p.hint', { role: 'status' }, t('loading'))));
  fetched(code[name]).then((views) => {
    if (stopped) return;
    mounted = mount(views);
    scrollTo(0, scroll);
  }).catch((error) => { if (!stopped) fill(main, h('div.page', null, failed(error, () => location.reload()))); });
  return { stop() { stopped = true; mounted?.stop(); }, get viewer() { return mounted?.viewer; } };
}

function told(...words) {
  fill(main, h('div.page', null, empty(...words)));
  return { stop() {} };
}

/** Somebody waits to be let in, and shows a host the code that the host sees as the name. */
function waiting() {
  const draw = () => {
    const code = myself().fingerprint?.slice(0, 4).toUpperCase();
    told(code ? t('waiting.code', { code }) : t('waiting.title'), t('waiting.text'));
  };
  draw();
  return { stop: on('people', draw) };
}

/** Whether a level has no access to the event, which would then look empty. @param {string} level */
const isOutside = (level) => ['waiting', 'declined'].includes(level);

/** @param {import('./lib/paths.js').Route} asked @param {number} scroll */
function base(asked, scroll) {
  const to = within(asked, state.status?.visit);
  const event = state.status?.current;
  if (!event) { shown = shown === 'setup' ? shown : ''; put('setup', () => later('setup', (views) => views.mountSetup(main))); return; }
  const name = isOutside(event.level) && to.name !== 'people' ? event.level : to.name;
  const key = `${event.id}/${name}/${to.id ?? ''}`;
  const mounts = {
    photos: () => mountPhotos(main, listOf(null)),
    moments: () => later('moments', (views) => views.mountMoments(main), scroll),
    checkIns: () => later('moments', (views) => views.mountMoments(main, 'checked_in'), scroll),
    invited: () => later('moments', (views) => views.mountMoments(main, 'invited'), scroll),
    connections: () => later('people', (views) => views.mountPeople(main, true), scroll),
    moment: () => later('moment', (views) => views.mountMoment(main, to.id, listOf(to.id)), scroll),
    news: () => later('news', (views) => views.mountNews(main, kept('news', views.newsList), listOf(null)), scroll),
    forYou: () => later('forYou', (views) => views.mountForYou(main), scroll),
    places: () => later('places', (views) => views.mountPlaces(main), scroll),
    place: () => later('place', (views) => views.mountPlace(main, to.id, listOf(to.id)), scroll),
    deals: () => later('deals', (views) => views.mountDeals(main), scroll),
    deal: () => later('deal', (views) => views.mountDeal(main, to.id), scroll),
    person: () => later('person', (views) => views.mountPerson(main, to.id, byAuthor(to.id)), scroll),
    people: () => later('people', (views) => views.mountPeople(main), scroll),
    invite: () => later('invite', (views) => views.mountInvite(main), scroll),
    hidden: () => later('hidden', (views) => views.mountHidden(main), scroll),
    bookmarks: () => later('bookmarks', (views) => views.mountBookmarks(main), scroll),
    waiting,
    declined: () => told(t('declined.title'), t('declined.text')),
    unknown: () => told(t('lost.title'), t('lost.text'), h('a.btn', { href: '/' }, t('tab.photos'))),
  };
  shell.mark({ moment: 'moments', place: 'places', deal: 'deals', checkIns: 'moments', invited: 'moments', connections: 'people', person: 'people', hidden: 'people', bookmarks: 'people' }[to.name] ?? to.name);
  put(key, mounts[name], scroll);
}

async function openPhoto(id, history) {
  if (!view?.viewer) base({ name: 'photos', id: null }, 0);
  const context = view.viewer;
  if (!context) return;
  const isWanted = () => location.pathname === `/photos/${encodeURIComponent(id)}`;
  viewer ??= await fetched(code.viewer);
  if (!isWanted()) return;
  try {
    const photo = context.list.items.find((p) => p.id === id) ?? await api.photo(id);
    if (isWanted()) viewer.showPhoto(photo, context);
  } catch (error) {
    go(context.home, { replace: true, state: history });
    complain(error);
  }
}

/** Closes what is open above the view: one went Back, or elsewhere. */
function closeSheets() {
  for (const el of document.querySelectorAll('dialog.sheet[open]')) el.close();
}

/** What happened at a thing is read by opening it. @param {string} id */
const opened = (id) => { if (!looking()) fetched(code.notices).then(({ notices }) => notices.opened(id)).catch(() => {}); };

/** @param {import('./lib/paths.js').Route} to */
function routed(to, history) {
  closeSheets();
  if (to.name === 'photo' && state.status?.current) { opened(to.id); openPhoto(to.id, history); return; }
  viewer?.closeViewer();
  base(to, history.scroll ?? 0);
  if (['moment', 'place', 'deal'].includes(to.name)) opened(to.id);
}

/** Another event is current, or none. */
function eventChanged() {
  viewer?.closeViewer();
  forget();
  lists.clear();
  view?.stop?.();
  view = null;
  shown = '';
  base(route(location.pathname), 0);
  if (state.status.current) reload('people', 'moments');
}

/** The node went away before the page was complete: it begins anew once the node is back. */
function startOver() {
  tell(false);
  setTimeout(() => load.status().then(() => location.reload(), startOver), 2000);
}

/** What belongs to every page and the first paint does not need. */
async function complete() {
  if (!looking()) {
    const [{ showTray }, { acceptDrops }] = await Promise.all([fetched(() => import('./ui/tray.js')), fetched(code.adding)]);
    showTray();
    acceptDrops();
    if (!state.status?.visit?.drop_only) (await fetched(code.notices)).watch();
    (await fetched(code.menu)).watchSwipe();
    if (visiting()) (await fetched(() => import('./ui/naming.js'))).askForName();
  }
  prefetch(Object.keys(code).filter((name) => !(visiting() && OWN.includes(name) || looking() && DOING.includes(name))).map((name) => code[name]));
}

async function boot() {
  forgetCode();
  const status = load.status(), above = import('./ui/strips.js');
  for (const one of [status, above]) one.catch(() => {});
  await loadLanguage();
  try {
    await status;
  } catch (error) {
    const out = visiting() && error.status === 403;
    fill(document.body, h('main.alone', null, h('div.empty.boot', { role: 'alert' }, out && h('h1', null, t('visit.out')), h('p', null, error.message), out && h('p', null, t('visit.out_text')),
      h('button.btn.primary', { onclick: () => location.reload() }, t('again')))));
    if (visiting() && !out) startOver();
    return;
  }
  const zone = () => setZone(state.status.current?.time_zone);
  zone();
  on('status', zone);
  shell = createShell(main);
  fill(document.body, h('a.skip', { href: '#main', onclick: (event) => { event.preventDefault(); main.focus(); } }, t('skip')), shell.el, main);
  const strips = above.then(({ createStrips }) => shell.el.before(createStrips()), startOver);
  // Warnings that came later would move what is being read.
  if (state.status.warnings.length) await strips;
  const current = () => { const { id, level } = state.status.current ?? {}; return id && id + (isOutside(level) ? level : ''); };
  const looks = looking();
  let event = current();
  // This page, another window or the command line may have switched; or a host has let in who waited.
  on('status', () => { if (looking() !== looks) location.reload(); else if (current() !== event) { event = current(); eventChanged(); } });
  startRouter(routed);
  if (event) reload(...(state.status.visit?.drop_only ? [] : ['people']), 'moments');
  import('./core/stream.js').then((stream) => stream.startStream(), startOver);
  complete().catch(complain);
}

boot();
