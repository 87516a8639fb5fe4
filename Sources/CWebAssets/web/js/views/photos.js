/** All photos of the event. */
import { fill, h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { looking, state } from '../core/store.js';
import { visiting } from '../core/visit.js';
import { addButton, setTarget } from '../ui/add.js';
import { icon } from '../ui/icons.js';
import { empty } from '../ui/parts.js';
import { createWall } from '../ui/wall.js';

/**
 * @param {HTMLElement} root @param {import('../core/photolist.js').PhotoList} list
 * @returns {{stop: () => void, viewer: any}}
 */
export function mountPhotos(root, list) {
  setTarget(() => null);
  const nothing = () => empty(t('photos.empty'), t('moment.empty_none'));
  const drops = state.status?.visit?.drop_only;
  const wall = createWall(list, looking() ? nothing : () => empty(t('photos.empty'), t(visiting() ? 'moment.empty_text' : 'photos.empty_text'),
    addButton(t('upload.add')), !visiting() && h('a.btn', { href: '/invite' }, icon('invite'), t('photos.invite'))));
  fill(root, h('h2.sr', null, t('tab.photos')), drops && h('p.hint', null, t('visit.drop')), wall.el);
  wall.start();
  return { stop: wall.stop, viewer: { ...wall.viewer, list, home: '/' } };
}
