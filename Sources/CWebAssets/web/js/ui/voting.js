/** Votes on a photo, in the list of those around a position: thumbs at first, and how others voted once one has. */
import { fill, h } from '../core/dom.js';
import { api } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { looking } from '../core/store.js';
import { icon } from './icons.js';
import { complain } from './parts.js';

/**
 * @param {import('../core/photolist.js').PhotoList} list what one steps through @param {() => any} photo what it is about now
 * @param {(photo: any) => void} keep takes the photo as it is then
 */
export function votingButtons(list, photo, keep) {
  const sides = [['up', true], ['down', false]].map(([side, is]) => ({ side, is, el: h(`button.plain.vote.${side}`, { onclick: () => press(is) }) }));
  const el = h('div.votes', { role: 'group', 'aria-label': t('vote.title') }, sides.map((one) => one.el));

  function draw() {
    const { mine, votes } = photo(), all = votes ? votes.up + votes.down : 0;
    // What others say of one's own photo is told below it.
    el.hidden = !list.isRanked || looking() || mine;
    for (const { side, is, el: button } of sides) {
      const share = all ? say.percent(votes[side] / all) : '';
      fill(button, icon('thumb', votes?.mine === is ? 'on' : ''), share && h('span', null, share));
      button.setAttribute('aria-pressed', String(votes?.mine === is));
      button.setAttribute('aria-label', [t(`vote.${side}`), share].filter(Boolean).join(', '));
      button.title = t(`vote.${side}`);
    }
  }

  async function press(is) {
    const of = photo();
    try {
      await api.vote(of.id, of.votes?.mine === is ? null : is);
      const { votes } = await api.photo(of.id);
      keep({ ...of, votes });
    } catch (error) { complain(error); }
    draw();
  }

  return { el, draw };
}
