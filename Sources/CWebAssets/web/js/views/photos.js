/** All photos of the event, or some of them. */
import { fill, h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { looking, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { addButton, setTarget } from '../ui/add.js';
import { createGallery } from '../ui/gallery.js';
import { icon } from '../ui/icons.js';
import { empty } from '../ui/parts.js';

/** Some of the photos, or all in another order, by the event; they stay while one looks at one of them. */
let kept = { event: '', list: null };

/**
 * @param {HTMLElement} root @param {import('../core/photolist.js').PhotoList} all
 * @returns {{stop: () => void, viewer: any}}
 */
export function mountPhotos(root, all) {
  setTarget(() => null);
  const event = state.status?.current?.id ?? '', drops = state.status.visit?.drop_only;
  if (kept.event !== event) kept = { event, list: null };
  const tools = h('div.narrow', { hidden: drops }), place = h('div');
  const nothing = () => empty(t('photos.empty'), t('moment.empty_none'));
  const none = () => empty(t('photos.none'), t('photos.none_text'), h('button.btn', { onclick: () => show(null) }, t('photos.all')));
  const far = () => empty(t('photos.far'), t('photos.far_text'), h('button.btn', { onclick: () => show(null) }, t('photos.all')));
  const first = looking() ? nothing : () => empty(t('photos.empty'), t(visiting() ? 'moment.empty_text' : 'photos.empty_text'),
    addButton(t('upload.add')), !visiting() && h('a.btn', { href: '/invite' }, icon('invite'), t('photos.invite')));
  let gallery = null, narrow = null, scrubber = null, stopped = false;

  /** @param {import('../core/photolist.js').PhotoList|null} list nothing: all photos */
  function show(list) {
    gallery?.stop();
    scrubber?.stop();
    scrubber = null;
    kept.list = list;
    gallery = createGallery(list ?? all, list?.isRanked ? far : list ? none : first);
    fill(place, gallery.el);
    gallery.start();
    narrow?.draw(list ?? all);
    if (!drops && !list?.isRanked) addScrubber(gallery, list ?? all);
  }

  async function addScrubber(to, list) {
    const code = await import('../ui/scrubber.js').catch(() => null);
    if (code && to === gallery && !stopped) scrubber = code.createScrubber(to, list);
  }

  fill(root, h('h2.sr', null, t('tab.photos')), drops && h('p.hint', null, t('visit.drop')), tools, place);
  show(kept.list);
  if (!drops) import('../ui/narrow.js').then((code) => { if (!stopped) { narrow = code.createNarrowing(tools, show); narrow.draw(kept.list ?? all); } }, () => {});
  return {
    stop() { stopped = true; gallery.stop(); scrubber?.stop(); narrow?.stop(); },
    get viewer() { return { ...gallery.viewer, list: kept.list ?? all, home: '/' }; },
  };
}
