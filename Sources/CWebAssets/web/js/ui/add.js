/** Where photos are added, the button for it, and the sheet, which comes when it is wanted. */
import { h } from '../core/dom.js';
import { visiting } from '../core/visit.js';
import { posting } from '../lib/moments.js';
import { icon } from './icons.js';
import { fetched, later } from './later.js';
import { complain } from './parts.js';

/** Where photos go just now, as the view on show says. @type {() => any|null} a moment, or null for the event itself */
let target = () => null;
/** What the moment's main button would do, offered when one may not post yet. @type {(moment: any) => HTMLElement|null} */
let remedy = () => null;

/** @param {() => any|null} f @param {(moment: any) => HTMLElement|null} [help] */
export function setTarget(f, help = () => null) {
  target = f;
  remedy = help;
}

/** The moment that photos go to, or null, and what helps where they may not. */
export const goal = () => ({ moment: target(), remedy });

const code = () => import('./adding.js');

/** Opens the sheet to add photos. */
const addPhotos = () => later(code, (sheet) => sheet.addPhotos());

/** The button to add photos. For guests it opens the phone's picker at once. @param {HTMLElement|string} words */
export function addButton(words) {
  if (!visiting()) return h('button.btn.add', { onclick: addPhotos }, icon('plus'), words);
  const input = h('input.sr', { type: 'file', accept: 'image/*,video/*', multiple: true,
    // Nobody is to choose photos that are refused then.
    onclick: (event) => { const moment = target(); if (moment && posting(moment) === 'ended') { event.preventDefault(); addPhotos(); } },
    onchange: () => {
      const files = [...input.files];
      input.value = '';
      fetched(code).then((adding) => adding.give(files)).catch(complain);
    } });
  return h('label.btn.add', null, input, icon('plus'), words);
}
