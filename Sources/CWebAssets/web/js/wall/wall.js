/** The venue's screen: pictures as they are shared, for hours. It keeps a fixed number of elements and a few lists of ids. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { loadLanguage, t } from '../core/i18n.js';
import { load, on, state } from '../core/store.js';
import { startStream } from '../core/stream.js';
import { single } from '../lib/single.js';
import { createRota, isForAll } from './rota.js';
import { createTile } from './tile.js';

/** The picture of the code by which guests come to share photos; where nothing serves it, there is none. */
const CODE = '/api/v1/doors/code.svg';

/** How long a picture stays before another tile changes, and how long while new ones wait. */
const STEP_MS = 6000, HURRY_MS = 3500;
/** The large tile changes every second time. */
const TURNS = [0, 1, 0, 2, 0, 3];
/** Kinds of changes by which any photo may go. */
const ANY = ['hidden', 'people', 'person', 'moment'];
/** Of more changed photos than this, which they are is forgotten: then all on the screen are looked at. */
const MOST_TOUCHED = 200;
/** A turn that takes longer was lost with the connection, and the next one begins. */
const LOST_MS = 60000;
/** How long the buttons stay after somebody moved. */
const AWAKE_MS = 3000;

const tiles = ['first', 'second', 'third', 'fourth'].map(createTile);
const rota = createRota(api);
const title = h('h1');
const nothing = h('p.nothing', { role: 'status' });
const lost = h('p.lost', { role: 'status' });
const invitation = h('aside.code', { hidden: true });
let paused = false, turn = 0, timer = 0, due = 0, awake = 0, began = -LOST_MS;

const shown = () => new Set(tiles.flatMap((tile) => tile.ids()));

/** The tiles that there is room for: where the code is, there is no fourth. */
const places = () => (invitation.hidden ? tiles : tiles.slice(0, 3));

async function put(tile) {
  const photo = await rota.next(shown());
  // The code may have come to its place meanwhile.
  return photo !== null && places().includes(tile) && tile.show(photo);
}

/** Changes one tile, or fills those that are empty. What cannot be read now is tried again later. */
async function step() {
  if (performance.now() - began < LOST_MS) return;
  began = performance.now();
  try {
    const empty = places().filter((tile) => !tile.ids().length);
    if (empty.length) { for (const tile of empty) if (!await put(tile)) break; }
    else await put(rota.waiting() ? tiles[0] : places()[TURNS[turn++ % TURNS.length]] ?? tiles[0]);
  } catch { /* The stream says when the node is back. */ }
  began = -LOST_MS;
  nothing.textContent = shown().size ? '' : t('wall.empty');
}

/** Plans the next turn, unless an earlier one is planned. It waits for no turn: one may be lost with the connection. */
function run() {
  const at = performance.now() + (rota.waiting() ? HURRY_MS : STEP_MS);
  if (timer && at >= due) return;
  clearTimeout(timer);
  due = at;
  timer = setTimeout(() => {
    timer = 0;
    if (!paused && !document.hidden) step();
    run();
  }, at - performance.now());
}

/** Takes away what was hidden or deleted. @param {(id: string) => boolean} concerns */
async function check(concerns) {
  for (const tile of tiles) {
    for (const id of tile.ids().filter(concerns)) {
      const photo = await api.photo(id).catch((error) => (error.status === 404 ? null : undefined));
      if (photo === undefined || photo && isForAll(photo)) continue;
      if (tile.ids().includes(id)) tile.clear();
    }
  }
}

/** What changed since it was last looked at; null: anything may have. @type {Set<string>|null} */
let touched = new Set();
const look = single(async () => {
  const ids = touched;
  touched = new Set();
  await check((id) => !ids || ids.has(id));
  await rota.look().catch(() => {});
  // Without a picture nobody waits for the next turn, and a new one does not wait for a long one.
  if (!paused && places().some((tile) => !tile.ids().length)) step();
  if (rota.waiting()) run();
});

function changed(change) {
  const isAny = !change || ANY.some((kind) => change.kinds.has(kind));
  if (!isAny && !change.kinds.has('photo') && !change.kinds.has('media')) return;
  if (isAny || !change.targets || touched?.size > MOST_TOUCHED) touched = null;
  else if (touched) change.targets.photo?.forEach((id) => touched.add(id));
  look();
}

/** Shows the code if something serves it. */
function readCode() {
  const img = h('img', { alt: t('wall.code'), width: '320', height: '320' });
  img.onload = () => {
    fill(invitation, img, h('p', null, t('wall.scan')));
    invitation.hidden = false;
    tiles[3].clear();
  };
  img.src = CODE;
}

const pause = h('button', { onclick: () => setPaused(!paused) });
const full = h('button', { onclick: fullScreen });
const buttons = h('div.buttons', null, pause, full);

function setPaused(to) {
  paused = to;
  pause.textContent = t(paused ? 'wall.go_on' : 'wall.pause');
  if (!paused) step();
}

function fullScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => {});
}

function wake() {
  document.body.classList.add('awake');
  clearTimeout(awake);
  awake = setTimeout(() => document.body.classList.remove('awake'), AWAKE_MS);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'f') fullScreen();
  else if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); setPaused(!paused); }
}

/** A screen that nobody touches would else go dark. Browsers give this only to pages of this machine and of secure ones. */
const stayOn = () => { if (!document.hidden) navigator.wakeLock?.request('screen').catch(() => {}); };

function name() {
  const event = state.status?.current;
  title.textContent = event?.title ?? 'Mingle';
  document.title = title.textContent;
}

async function boot() {
  await loadLanguage();
  setPaused(false);
  full.textContent = t('wall.full');
  fill(document.body, h('main', null, h('header', null, title, lost), tiles.map((tile) => tile.el), invitation, nothing, buttons));
  on('status', name);
  on('live', (live) => { lost.textContent = live ? '' : t('wall.lost'); });
  on('change', changed);
  on('reset', () => { changed(null); readCode(); });
  addEventListener('pointermove', wake);
  addEventListener('keydown', key);
  document.addEventListener('visibilitychange', stayOn);
  stayOn();
  readCode();
  await load.status().catch(() => {});
  await look();
  await step();
  startStream();
  run();
}

boot();
