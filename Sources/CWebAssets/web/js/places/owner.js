/** Whose place it is: claims, the host's answer to them, and what an owner says of it. */
import { h } from '../core/dom.js';
import { t } from '../core/i18n.js';
import { looking, myself, nameOf, state } from '../core/store.js';
import { venues } from '../core/venues.js';
import { visiting } from '../core/visit.js';
import { hosts, shares } from '../lib/levels.js';
import { later } from '../ui/later.js';
import { busy, complain, field, toast, whoLink } from '../ui/parts.js';
import { confirm } from '../ui/sheet.js';

/** Whose place it is, what they say of it, and who would like it to be theirs; a door has no claims. @param {string} id */
export async function ownership(id) {
  const list = (kind, more) => venues.list(kind, { target: id, ...more }).catch(() => []);
  const [ownerships, pages, claims] = await Promise.all([list('ownerships'), list('place_pages'), visiting() ? [] : list('claims', { open: true })]);
  return { owners: [...new Set(ownerships.map((one) => one.person))], pages, claims };
}

const person = (id) => state.people?.find((one) => one.id === id) ?? { id, name: '…' };

/** Asks hosts to be made the owner. */
async function claim(place, done) {
  const words = field(t('owner.claim_why'), { rows: '3', maxlength: '1000', autofocus: true }, { tag: 'textarea', hint: t('owner.claim_hint') });
  const sent = await confirm({ title: t('owner.is_yours'), text: t('owner.claim_text'), action: t('owner.claim'), kind: 'primary', choice: words.el,
    work: () => venues.claim(place.id, words.input.value.trim() || null) });
  if (sent) { toast(t('owner.claimed')); done(); }
}

/** The form of what an owner says: picture, title, text, website. */
const editPage = (place, page, done) => later(() => import('../kinds/form.js'), async ({ createFields, openForm }) => {
  const fields = createFields(await venues.kind('place_page'), page ?? null, { only: ['title', 'text', 'website', 'picture'], more: { website: { inputmode: 'url' } } });
  openForm({ title: t('owner.page'), fields, send: (values) => venues.setPage(place.id, values), done, said: t('place.saved') });
});

/**
 * What is said and offered about whose place it is.
 * @param {any} place @param {{owners: string[], pages: any[], claims: any[]}} whose @param {() => void} again reads it anew
 */
export function ownerPart(place, { owners, pages, claims }, again) {
  const { level } = state.status.current, me = myself().id, isMine = owners.includes(me), own = claims.find((one) => one.author.me);
  const act = (words, work, said) => { const button = h('button.btn.small', { onclick: () => busy(button, '', work).then(() => { if (said) toast(said); again(); }, complain) }, words); return button; };
  const answer = (one) => h('li', null, h('span', null, whoLink(one.author, h('strong', null, nameOf(one.author))), one.text && h('span.said', null, one.text)),
    act(t('owner.make'), () => venues.makeOwner(place.id, one.author.id), t('owner.made', { name: one.author.name })),
    act(t('owner.decline'), () => venues.declineOwner(place.id, one.author.id), t('owner.declined', { name: one.author.name })));
  return h('section.owner', null,
    h('p.hint', null, owners.length ? [t('owner.of'), ' ', owners.map((id, i) => [i > 0 && ', ', whoLink(person(id), nameOf(person(id)))])] : t('owner.nobody')),
    !visiting() && h('div.actions', null,
      isMine && h('button.btn.small', { onclick: () => editPage(place, pages.find((one) => one.mine), again) }, t('owner.page')),
      !isMine && !looking() && shares(level) && (own ? [h('span.hint', null, t('owner.waits')), act(t('owner.unclaim'), () => venues.unclaim(place.id))]
        : h('button.btn.small', { onclick: () => claim(place, again) }, t('owner.is_yours')))),
    hosts(level) && claims.length > 0 && [h('h3.label', null, t('owner.claims')), h('ul.faces.claims', null, claims.map(answer))]);
}
