/** Sends one file so that a break costs little: POST makes an upload, PATCH appends to it, HEAD says how far it is. */
import { problemFrom } from './api.js';

/** A break in a request costs less than this: the node counts what it has of the request, too. */
export const CHUNK = 512 * 1024;
/** No byte moved for so long: the connection is dead, whatever it says. */
const STALL_MS = 10000;

/** The connection broke or is silent; the file is sent on when it is back. */
export class Lost extends Error {}
/** The browser can no longer read the file. */
export class Unreadable extends Error {}

/** @typedef {{status: number, text: string, offset: number|null, location: string|null}} Reply */

/**
 * One request. Rejects with {@link Lost} when the connection breaks, or nothing moves for a while.
 * @param {string} method @param {string} url
 * @param {{headers?: Record<string, string|number>, body?: Blob|null, stall?: number, moved?: (bytes: number) => void, sent?: () => void, signal?: AbortSignal}} [options]
 * @returns {Promise<Reply>}
 */
export function ask(method, url, { headers = {}, body = null, stall = STALL_MS, moved = () => {}, sent = () => {}, signal } = {}) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    let watch = 0;
    const abort = () => request.abort();
    const alive = () => { clearTimeout(watch); watch = setTimeout(abort, stall); };
    const end = (f, value) => { clearTimeout(watch); signal?.removeEventListener('abort', abort); f(value); };
    const lost = () => end(fail, new Lost());
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, String(value));
    request.upload.onprogress = (event) => { alive(); moved(event.loaded); };
    request.upload.onload = () => { alive(); sent(); };
    request.onload = () => {
      const offset = request.getResponseHeader('Upload-Offset');
      end(done, { status: request.status, text: request.responseText, offset: offset === null ? null : Number(offset), location: request.getResponseHeader('Location') });
    };
    request.onerror = lost;
    request.onabort = lost;
    if (signal?.aborted) { lost(); return; }
    signal?.addEventListener('abort', abort);
    alive();
    request.send(body);
  });
}

/** A browser calls a file that is gone a broken connection; reading one byte tells the two apart. */
async function requireReadable(file, offset) {
  try { await file.slice(offset, offset + 1).arrayBuffer(); } catch { throw new Unreadable(); }
}

/**
 * Sends a file, or what is left of it, and returns the photo that the node made of it.
 * @param {object} job
 * @param {Blob} job.file
 * @param {string|null} job.url where the upload is, if it has begun
 * @param {string} job.begin where it begins
 * @param {(url: string|null) => Promise<void>} job.began
 * @param {(offset: number) => Promise<boolean>} job.mayGoOn asked before each part, of bytes that have come: another page may
 *   have taken the file over
 * @param {(bytes: number) => void} job.moved bytes that have left, from the file's beginning
 * @param {() => void} job.sent the last byte has left
 * @param {AbortSignal} job.signal
 * @returns {Promise<any>} null where another page goes on with it
 */
export async function transfer(job) {
  const { file, signal } = job;
  const failed = (reply) => problemFrom(reply.text, reply.status);
  let { url } = job, offset = 0, refused = 0;
  const begin = async () => {
    const reply = await ask('POST', job.begin, { headers: { 'Upload-Length': file.size }, signal });
    if (reply.status !== 201) throw failed(reply);
    url = reply.location;
    offset = 0;
    await job.began(url);
  };
  if (url) {
    const reply = await ask('HEAD', url, { signal });
    if (reply.status === 200) offset = reply.offset;
    // It is too old, or the node knows nothing of it any more.
    else if (reply.status === 404) url = null;
    else throw failed(reply);
  }
  await requireReadable(file, offset);
  if (!url) await begin();
  for (;;) {
    if (!await job.mayGoOn(offset)) return null;
    job.moved(offset);
    const end = Math.min(file.size, offset + CHUNK);
    const reply = await ask('PATCH', url, {
      headers: { 'Upload-Offset': offset }, body: offset < end ? file.slice(offset, end) : null, signal,
      moved: (bytes) => job.moved(offset + bytes), sent: () => { if (end === file.size) job.sent(); },
    });
    if (reply.status === 204) { offset = reply.offset; refused = 0; }
    else if (reply.status === 200 || reply.status === 201) return JSON.parse(reply.text);
    else if (reply.status === 409 && reply.offset !== null && ++refused < 5) offset = reply.offset;
    else if (reply.status === 404 && ++refused < 5) await begin();
    else throw failed(reply);
  }
}
