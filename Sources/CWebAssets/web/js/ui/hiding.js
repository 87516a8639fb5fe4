/** Taking something out of everybody's sight and back, saying that it is, and telling moderators what should be. */
import { h } from '../core/dom.js';
import { api } from '../core/api.js';
import { t } from '../core/i18n.js';
import { state } from '../core/store.js';
import { moderates, shares } from '../lib/levels.js';
import { icon } from './icons.js';
import { complain, field, toast } from './parts.js';
import { confirm } from './sheet.js';

/** Who hid something, and why. @param {string} [id] of what is looked at */
export function hidingWords(hidden, id = hidden.record) {
  const name = hidden.by.name;
  if (hidden.record !== id) return t('hidden.with', { name });
  // A moderator's node says this by itself (docs/protocol.md, "Reports that hide"): it is nobody's word.
  if (hidden.reported) return t('hidden.reported');
  return hidden.reason ? t('hidden.by_reason', { name, reason: hidden.reason }) : t('hidden.by', { name });
}

/** A line for what others do not see; nothing for all else. */
export const hiddenNote = (record) => (record?.hidden
  ? h('p.hidden-note', null, icon('hide'), h('span', null, `${hidingWords(record.hidden, record.id ?? record.hidden.record)}. ${t('hidden.others')}`)) : null);

/** Why something is reported, as docs/api.md has it. @param {string} reason */
export const why = (reason) => t(`report.reason_${reason}`);
const REASONS = ['spam', 'rude', 'indecent', 'personal', 'other'];

/** Asks for words, and does something with them. */
async function ask({ label, done, ...words }, work, end, more) {
  const said = field(label, { maxlength: '200', autocomplete: 'off', autofocus: true });
  if (!await confirm({ ...words, choice: [more, said.el], work: () => work(said.input.value.trim()) })) return;
  toast(done);
  end();
}

/** @param {string} id @param {() => void} done */
export const hide = (id, done) => ask({ title: t('hidden.title_do'), text: t('hidden.text'), label: t('hidden.reason'), action: t('hidden.action'), done: t('hidden.done') },
  (reason) => api.hide(id, reason), done);

/** Who reads a report, and when reports hide what it is about. @param {{readers: number, level?: string, threshold?: number}} readers */
export function readersWords({ readers: n, level, threshold }) {
  if (n) return t(level === 'founder' ? 'report.read_founder' : level === 'moderator' ? 'report.read_moderators' : 'report.read_hosts', { n });
  return t('report.read_nobody', { n: threshold ?? 0 });
}

async function report(id) {
  let readers;
  try { readers = await api.reportReaders(id); } catch (error) { complain(error); return; }
  const { threshold: n = 0 } = readers, words = readersWords(readers);
  const reasons = h('select', { 'aria-label': t('report.why') }, REASONS.map((reason) => h('option', { value: reason }, why(reason))));
  const text = [words, readers.readers ? t('report.hides', { n }) : '', t('report.for_good')].filter(Boolean).join(' ');
  ask({ title: t('report.title'), text, label: t('report.more'), action: t('report.action'), done: `${t('report.done')} ${words}` },
    (text) => api.report(id, reasons.value, text), () => {}, reasons);
}

/** @param {string} id @param {() => void} done */
export async function unhide(id, done) {
  try {
    await api.unhide(id);
    toast(t('hidden.shown'));
  } catch (error) { complain(error); }
  // Another moderator may have been first.
  done();
}

/**
 * What moderators and others may do against something: hide it or show it again, or report it. Of what is hidden with something else
 * nothing.
 * @param {any} about @param {() => void} done @returns {import('./more.js').Deed|null}
 */
export function hidingDeed(about, done) {
  const level = state.status?.current?.level;
  if (!about) return null;
  const { id, hidden } = about;
  if (!moderates(level)) {
    const can = shares(level) && !about.author.me && !about.private;
    return can ? { sign: 'flag', words: t('report.action'), act: () => report(id) } : null;
  }
  // Others decide about what is the person's own.
  if (hidden && (hidden.record !== id || about.author.me && (hidden.reported || !hidden.by.me))) return null;
  return { sign: 'hide', words: t(hidden ? 'hidden.show' : 'hidden.action'), act: () => (hidden ? unhide(id, done) : hide(id, done)) };
}
