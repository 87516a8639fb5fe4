/** One search over everything: people, moments, places, photos. It comes when it is wanted. */
import { fill, h } from '../core/dom.js';
import { api, media } from '../core/api.js';
import { say, t } from '../core/i18n.js';
import { nameOf } from '../core/store.js';
import { withStyle } from '../core/style.js';
import { within } from '../core/visit.js';
import { enough, latest } from '../lib/words.js';
import { icon } from './icons.js';
import { avatar, busy, complain, field } from './parts.js';
import { sheet } from './sheet.js';

/** The groups in their order, with how each list answers. */
const GROUPS = {
  people: (a) => a.people.map((person) => ({ id: person.id, title: person.name, link: `/people/${encodeURIComponent(person.id)}`, person })),
  moments: (a) => a.moments.map((moment) => ({ id: moment.id, title: moment.title, link: `/moments/${encodeURIComponent(moment.id)}`, moment })),
  places: (a) => a.places.map((place) => ({ id: place.id, title: place.name, detail: place.address })),
  photos: (a) => a.photos.map((photo) => ({ id: photo.id, title: photo.title, link: `/photos/${encodeURIComponent(photo.id)}`, photo })),
};

/** What else is said of one thing. */
function about({ person, moment, photo, detail }) {
  if (person) return person.common_moments > 0 ? t('person.common_n', { n: person.common_moments }) : person.me ? t('you') : '';
  if (moment) return say.span(moment.start, moment.end);
  if (photo) return nameOf(photo.author);
  return detail ?? '';
}

function face({ person, moment, photo }) {
  if (person) return avatar(person, 'm');
  const held = photo ? photo.held.thumbnail && photo.id : moment?.cover;
  const img = held && h('img', { src: media(held, 'thumbnail'), alt: '', loading: 'lazy', onerror: () => img.remove() });
  return h('span.mini', { 'aria-hidden': 'true' }, img || icon(photo ? 'photos' : moment ? 'moments' : 'pin'));
}

/** Where a thing is shown: a place has a page wherever the page has one of places. */
const linkOf = ({ id, link }, name) => link ?? (name === 'places' && within({ name: 'place', id }).id ? `/places/${encodeURIComponent(id)}` : null);

const row = (name) => (hit) => {
  const link = linkOf(hit, name), inside = [face(hit), h('span', null, h('strong', { dir: 'auto' }, hit.title), h('small', { dir: 'auto' }, about(hit)))];
  return h('li', null, link ? h('a.hit', { href: link }, inside) : h('span.hit', null, inside));
};

function group(name, found) {
  if (!found.items.length) return false;
  const list = h('ul.hits', null, found.items.map(row(name)));
  const more = found.more && h('button.btn.small', { onclick: () => busy(more, t('loading'), async () => {
    const items = GROUPS[name](await api.list(found.more));
    fill(list, items.map(row(name)));
    more.remove();
    list.querySelector('a')?.focus();
  }).catch(complain) }, t('search.more'));
  return h('section', null, h('h3.label', null, t(`search.${name}`)), list, more);
}

/** Opens the sheet. */
export function openSearch() {
  withStyle('person', () => {});
  const results = h('div.results'), state = h('p.hint', { role: 'status', 'aria-live': 'polite' }, t('search.hint'));
  const said = (words, ...children) => { state.textContent = words; fill(results, children); };
  const question = latest(api.search, (found, error, text) => {
    results.removeAttribute('aria-busy');
    if (error) { said(error.message); return; }
    if (!found) { said(t(text ? 'search.short' : 'search.hint')); return; }
    const n = Object.keys(GROUPS).reduce((sum, name) => sum + found[name].items.length, 0);
    said(n ? t('search.found', { n }) : t('search.none', { text }), Object.keys(GROUPS).map((name) => group(name, found[name])));
  });
  const text = field(t('search.label'), { type: 'search', autofocus: true, autocomplete: 'off', enterkeyhint: 'search', maxlength: '200', dir: 'auto', oninput: () => {
    if (enough(text.input.value)) results.setAttribute('aria-busy', 'true');
    question.ask(text.input.value);
  } });
  const box = sheet(t('search.title'), [h('form', { role: 'search', onsubmit: (event) => event.preventDefault() }, text.el), state, results], { onclose: question.stop });
  text.input.focus();
  return box;
}
