/** Calls to the node. Every failure is a {@link Problem} with words that can be shown as they are. */
import { query } from '../lib/paths.js';
import { t } from './i18n.js';
import { statusOf, visiting } from './visit.js';

/** What went wrong, after RFC 9457. `name` is the last part of the problem's type; `offline` when the node is silent. */
export class Problem extends Error {
  /** @param {{type?: string, title?: string, status?: number, detail?: string}} body */
  constructor(body) {
    super(body.detail || body.title || t('error.unknown'));
    this.kind = (body.type ?? '').split('/').pop() || 'internal';
    this.status = body.status ?? 0;
  }
}

/** The node did not answer at all. @returns {Problem} */
export const offline = () => new Problem({ type: '/problems/offline', detail: t(visiting() ? 'visit.lost' : 'error.offline') });

/** Reads an error answer. @param {string} text @param {number} status @returns {Problem} */
export function problemFrom(text, status) {
  let body = {};
  try { body = JSON.parse(text); } catch { /* not JSON: the status has to do */ }
  return new Problem({ detail: t('error.status', { status }), ...body, status });
}

/** Who wants to know that a call found the node silent. */
export const silence = { heard: () => {} };

/**
 * @param {string} method @param {string} path @param {any} [body] an object becomes JSON, a Blob is sent as it is
 * @returns {Promise<any>}
 */
export async function call(method, path, body) {
  const options = { method, headers: {} };
  if (body instanceof Blob) options.body = body;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers['Content-Type'] = 'application/json';
  }
  let answer, text;
  try {
    answer = await fetch(`/api/v1/${path}`, options);
    text = await answer.text();
  } catch {
    silence.heard();
    throw offline();
  }
  if (!answer.ok) throw problemFrom(text, answer.status);
  return text ? JSON.parse(text) : null;
}

const id = encodeURIComponent;

/** The API, one function a call. Shapes are those of docs/api.md. */
export const api = {
  leaveVisit: () => call('DELETE', 'visit'),
  signInCode: () => call('POST', 'sign-in-codes'),
  signIn: (code) => call('POST', 'sign-in', { code }),
  doors: () => call('GET', 'doors').then((a) => a.doors),
  openDoor: (terms) => call('POST', 'doors', terms),
  renewDoor: () => call('POST', 'doors/code'),
  closeDoor: (door, force) => call('DELETE', `doors/${id(door)}${force ? '?force=true' : ''}`),
  status: () => (visiting() ? call('GET', 'visit').then(statusOf) : call('GET', 'status')),
  setName: (name) => call('PUT', 'profile', { name }),
  picture,
  setPicture: (file) => call('PUT', 'profile/picture', file),
  startEvent: (title, preset) => call('POST', 'events', { title, preset }),
  join: (link, device) => call('POST', 'join', { link, device }),
  nearby: () => call('GET', 'nearby').then((a) => a.nearby),
  changeEvent: (event, change) => call('PUT', `events/${id(event)}`, change),
  switchTo: (event) => call('PUT', 'events/current', { id: event }),
  leave: (event, erase) => call('DELETE', `events/${id(event)}${erase ? '?erase=true' : ''}`),
  invitation: () => call('GET', 'invitation'),
  linkDevice: () => call('POST', 'device-link'),
  endDeviceLink: () => call('DELETE', 'device-link'),
  invite: (options) => call('POST', 'invitations', options),
  invitations: () => call('GET', 'invitations').then((a) => a.invitations),
  closeInvitation: (invitation) => call('DELETE', `invitations/${id(invitation)}`),
  setLevel: (person, level) => call('PUT', `people/${id(person)}/level`, { level }),
  mute: (person, muted) => call(muted ? 'PUT' : 'DELETE', `people/${id(person)}/muted`),
  connections: () => call('GET', 'connections').then((a) => a.connections),
  connect: (person, on) => call(on ? 'PUT' : 'DELETE', `connections/${id(person)}`).then((a) => a.connection),
  removePerson: (person) => call('DELETE', `people/${id(person)}`),
  rescue: (person, until, preview) => call('POST', `people/${id(person)}/rescue${preview ? '?preview=true' : ''}`, { until }),
  people: () => call('GET', 'people').then((a) => [...a.people, ...(a.relays ?? []).map((r) => ({ ...r, relay: true }))]),
  findPeople: (q) => call('GET', query('people', { q })).then((a) => a.people),
  person: (person) => call('GET', `people/${id(person)}`),
  facesOf: (person, before) => call('GET', query(`people/${id(person)}/pictures`, { before })),
  momentsOf: (person, part, before) => call('GET', query(`people/${id(person)}/moments`, { in: part, before })),
  connectionsWith: (person, before) => call('GET', query(`people/${id(person)}/connections`, { before })),
  contact: () => call('GET', 'profile'),
  setContact: (fields) => call('PATCH', 'profile', fields),
  readCard: (file) => call('POST', 'profile/card', file),
  search: (q) => call('GET', query('search', { q })),
  /** A list that an answer names, as `more` of a search. */
  list: (path) => call('GET', path),
  peers: () => call('GET', 'peers').then((a) => a.peers),
  moments: () => call('GET', 'moments').then((a) => a.moments),
  ownMoments: (list, before) => call('GET', query('moments', { list, before })),
  setCover: (m, file) => call('PUT', `moments/${id(m)}/cover`, file),
  places: (near) => call('GET', query('places', { near, limit: 200 })).then((a) => a.places ?? []),
  categories: () => call('GET', 'categories?limit=500').then((a) => a.categories ?? []),
  moment: (m) => call('GET', `moments/${id(m)}`),
  createMoment: (draft) => call('POST', 'moments', draft),
  editMoment: (m, fields) => call('PATCH', `moments/${id(m)}`, fields),
  deleteMoment: (m) => call('DELETE', `moments/${id(m)}`),
  joinMoment: (m) => call('POST', `moments/${id(m)}/join`),
  ignoreMoment: (m) => call('POST', `moments/${id(m)}/ignore`),
  checkIn: (m, position) => call('POST', `moments/${id(m)}/check-in`, position),
  inviteGuests: (m, people) => call('POST', `moments/${id(m)}/guests`, { people }),
  uninvite: (m, person) => call('DELETE', `moments/${id(m)}/guests/${id(person)}`),
  setVisibility: (m, change) => call('POST', `moments/${id(m)}/visibility`, change),
  participants: (m) => call('GET', `moments/${id(m)}/participants`),
  photosBy: (author, before, limit) => call('GET', query('photos', { author, before, limit })),
  /** With `near`, those around a position, which are one page. */
  photos: (target, before, limit, { near, ...narrowed } = {}) => call('GET', near ? query('photos/nearby', { near, limit }) : query('photos', { target, ...narrowed, before, limit })),
  photoTimes: (target, narrowed) => call('GET', query('photos/times', { target, ...narrowed })),
  /** What its author says of a photo. @param {{title?: string, theme?: string, price?: number}} said */
  setCaption: (p, said) => call('PATCH', `photos/${id(p)}`, said),
  release: (p) => call('PATCH', `photos/${id(p)}`, { held_back: false }),
  photo: (p) => call('GET', `photos/${id(p)}`),
  deletePhoto: (p) => call('DELETE', `photos/${id(p)}`),
  // Newest first; the page shows them in the order in which they were said.
  comments: (target, before) => call('GET', query('comments', { target, before })).then((a) => ({ comments: a.comments.reverse(), previous: a.next })),
  comment: (target, text, picture) => call('POST', 'comments', { target, ...(text && { text }), ...(picture && { picture }) }),
  /** A picture for a record, which names it by its `id`. */
  upload: (file) => call('POST', 'pictures', file),
  deleteComment: (c) => call('DELETE', `comments/${id(c)}`),
  hide: (record, reason) => call('PUT', `hidden/${id(record)}`, { reason }),
  unhide: (record) => call('DELETE', `hidden/${id(record)}`),
  hidden: () => call('GET', 'hidden').then((a) => a.log),
  hidingLog: () => call('GET', 'hidden/log').then((a) => a.log),
  report: (record, reason, text) => call('PUT', `reports/${id(record)}`, { reason, text }),
  reportReaders: (record) => call('GET', `reports/${id(record)}`),
  reported: () => call('GET', 'reports').then((a) => a.reported.filter((r) => r.open)),
  giveFeedback: (text) => call('POST', 'feedback', { text }),
  feedback: (before) => call('GET', query('feedback', { before })),
  news: (order, before, near) => call('GET', query('news', { order, before, near })),
  notifications: (before, limit) => call('GET', query('notifications', { before, limit })),
  readNotifications: (target) => call('PUT', 'notifications/read', target ? { target } : {}),
  muteNotifications: (target, muted) => call('PUT', 'notifications/muted', { target, muted }),
  bookmarks: (before) => call('GET', query('bookmarks', { before })),
  bookmark: (target, on) => call(on ? 'PUT' : 'DELETE', `bookmarks/${id(target)}`),
  /** @param {string} target @param {boolean|null} up null: neither */
  vote: (target, up) => (up === null ? call('DELETE', `votes/${id(target)}`) : call('PUT', `votes/${id(target)}`, { up })),
  fave: (target, on) => call(on ? 'PUT' : 'DELETE', `faves/${id(target)}`),
};

/** A photo as a file, large enough for a profile picture. @param {string} photo @returns {Promise<Blob>} */
async function picture(photo) {
  const answer = await fetch(media(photo, 'preview')).catch(() => { throw offline(); });
  if (!answer.ok) throw problemFrom(await answer.text(), answer.status);
  return answer.blob();
}

/** The address of a moment's file for calendars. @param {string} moment */
export const calendarOf = (moment) => `/api/v1/moments/${id(moment)}/calendar.ics`;

/**
 * The address of a photo's bytes.
 * @param {string} photo @param {string} size @param {boolean} [download]
 */
export const media = (photo, size, download = false) => `/api/v1/media/${id(photo)}/${size}${download ? '?download=1' : ''}`;
