/** A clip on the viewer's stage: it plays without sound, begins anew at its end, and waits while another photo is on show. */
import { fill, h, still } from '../core/dom.js';
import { media } from '../core/api.js';
import { t } from '../core/i18n.js';
import { icon } from './icons.js';

/** Whoever turned the sound on hears the next clip, too. */
let isHeard = false;

/**
 * @param {any} clip a photo that moves, whose original is here @param {string} alt what it is called @param {() => void} cannot told if the browser cannot play it
 * @returns {{el: HTMLElement, show: (isOnShow: boolean) => void}}
 */
export function createPlayer(clip, alt, cannot) {
  const video = h('video', { src: media(clip.id, 'original'), loop: true, playsinline: true, preload: 'auto', 'aria-label': alt });
  const playing = h('button.plain', { onclick: () => (video.paused ? play() : video.pause()) }), sound = h('button.plain', { onclick: () => { isHeard = !isHeard; label(); } });
  const el = h('div.clip', null, video, h('div.clip-buttons', null, playing, sound));

  function label() {
    video.muted = !isHeard;
    const words = t(video.paused ? 'clip.play' : 'clip.pause'), heard = t(isHeard ? 'clip.sound_off' : 'clip.sound_on');
    fill(playing, icon(video.paused ? 'play' : 'pause'));
    fill(sound, icon(isHeard ? 'sound' : 'mute'));
    for (const [button, name] of [[playing, words], [sound, heard]]) { button.setAttribute('aria-label', name); button.title = name; }
  }

  /** A browser may refuse to play what is heard before one has touched the page. Whoever pauses meanwhile means that. */
  const play = () => video.play().catch((error) => { if (error.name === 'NotAllowedError') { video.muted = true; video.play().catch(() => {}); } });

  for (const event of ['play', 'pause']) video.addEventListener(event, label);
  video.addEventListener('error', () => { el.remove(); cannot(); });
  let wasOnShow = false;
  label();

  return {
    el,
    /** Told whenever the stage is drawn: what one has paused stays so. */
    show(isOnShow) {
      const isNew = isOnShow !== wasOnShow;
      wasOnShow = isOnShow;
      if (!isNew) return;
      if (!isOnShow) { video.pause(); video.currentTime = 0; return; }
      label();
      if (!still()) play();
    },
  };
}
