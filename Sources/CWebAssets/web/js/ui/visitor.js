/** What visitors are told: that they only look, and how to take part. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { sheet } from './sheet.js';

/** Opens the sheet that says how to take part. */
const explain = () => sheet(t('visit.how'), [
  h('p', null, t('visit.how_text')),
  h('ol.steps', null, h('li', null, t('visit.step_node')), h('li', null, t('visit.step_invitation')), h('li', null, t('visit.step_join'))),
]);

/** The line above everything. @returns {HTMLElement} */
export const visitorNote = () => h('p.visit-note', null, h('span', null, t('visit.note')), ' ', h('button.link', { 'aria-haspopup': 'dialog', onclick: explain }, t('visit.how')));
