/**
 * Chosen files that survive the page: what is known of each, and its bytes as a Blob, in IndexedDB.
 *
 * Each belongs to one page, which shows by a time in localStorage that it is alive. Another page takes over what a dead
 * page left. (Web Locks do not exist on plain HTTP.)
 */

/** So many bytes are kept; of what is beyond, only name and size. */
const KEPT_BYTES = 500 * 1024 * 1024;
/** A page that has not said so for this long is dead. */
const LEASE_MS = 5000;
const BEAT_MS = 1000;
/** A file that was not chosen again for so long is forgotten. */
const FORGET_MS = 7 * 86400000;
const LEASE = 'mingle.sending.';

/** @typedef {{key: string, page: string, name: string, size: number, moment: string|null, keep: boolean, event: string|null, url: string|null, at: number, kept: boolean}} Entry */

const page = Math.random().toString(36).slice(2);
let opened = null, bytes = 0, beating = 0;

const promise = (request) => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = () => fail(request.error); });

function database() {
  opened ??= new Promise((done, fail) => {
    const request = indexedDB.open('mingle-uploads', 1);
    request.onupgradeneeded = () => { request.result.createObjectStore('entries', { keyPath: 'key' }); request.result.createObjectStore('blobs'); };
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
    request.onblocked = () => fail(new Error('blocked'));
  });
  return opened;
}

/** Runs `body` in one transaction; `without` is the answer of a browser that keeps nothing. */
async function change(without, body) {
  try {
    const db = await database();
    const transaction = db.transaction(['entries', 'blobs'], 'readwrite');
    const ended = new Promise((done, fail) => { transaction.oncomplete = done; transaction.onabort = () => fail(transaction.error); });
    const result = await body(transaction.objectStore('entries'), transaction.objectStore('blobs'));
    await ended;
    return result;
  } catch {
    // A private window, or no room left: the upload goes on as long as the page does.
    return without;
  }
}

function beat() {
  try { localStorage.setItem(LEASE + page, String(Date.now())); } catch { /* nothing is kept either */ }
}

function isAlive(owner) {
  if (owner === page) return true;
  try {
    const at = Number(localStorage.getItem(LEASE + owner) ?? 0);
    if (Date.now() - at < LEASE_MS) return true;
    localStorage.removeItem(LEASE + owner);
  } catch { /* nobody can say */ }
  return false;
}

export const kept = {
  /** Says that this page is alive, until it is hidden for good or `on` is false. @param {boolean} on */
  hold(on) {
    if (on === !!beating) return;
    if (!on) { kept.release(); return; }
    beating = setInterval(beat, BEAT_MS);
    beat();
  },
  /** Lets other pages take over at once. */
  release() {
    clearInterval(beating);
    beating = 0;
    try { localStorage.removeItem(LEASE + page); } catch { /* nothing to release */ }
  },

  /** @param {Omit<Entry, 'page'|'kept'>[]} entries */
  put: (entries) => change(undefined, (store) => { for (const entry of entries) store.put({ ...entry, page, kept: false }); }),

  /** Keeps a file's bytes if there is room. @param {string} key @param {Blob} blob @returns {Promise<boolean>} whether they are kept */
  async keep(key, blob) {
    if (bytes + blob.size > KEPT_BYTES) return false;
    bytes += blob.size;
    const isKept = await change(false, async (store, blobs) => {
      const entry = await promise(store.get(key));
      if (!entry) return false;
      // A file of a picker may be a reference that ends with the page; these bytes are a copy.
      blobs.put(blob, key);
      store.put({ ...entry, kept: true });
      return true;
    });
    if (!isKept) bytes -= blob.size;
    return isKept;
  },

  /** The bytes that are kept. @param {string} key @returns {Promise<Blob|null>} */
  file: (key) => change(null, async (_, blobs) => (await promise(blobs.get(key))) ?? null),

  /** @param {string} key @param {Partial<Entry>} fields */
  set: (key, fields) => change(undefined, async (store) => {
    const entry = await promise(store.get(key));
    if (entry?.page === page) store.put({ ...entry, ...fields });
  }),

  /** Whether this page still has the file to send; not after another page took it over. @param {string} key @returns {Promise<boolean>} */
  mine: (key) => change(true, async (store) => (await promise(store.get(key)))?.page === page),

  /** @param {string} key */
  remove: (key) => change(undefined, async (store, blobs) => {
    const entry = await promise(store.get(key));
    if (entry?.page !== page) return;
    if (entry.kept) bytes -= entry.size;
    store.delete(key);
    blobs.delete(key);
  }),

  /** Takes over what dead pages left. @returns {Promise<{entries: (Entry & {file: Blob|null})[], others: boolean}>} `others`: living pages have more */
  adopt: () => change({ entries: [], others: false }, async (store, blobs) => {
    const taken = [];
    let others = false;
    for (const entry of await promise(store.getAll())) {
      if (entry.page === page) continue;
      if (isAlive(entry.page)) { others = true; continue; }
      if (!entry.kept && Date.now() - entry.at > FORGET_MS) { store.delete(entry.key); continue; }
      store.put({ ...entry, page });
      const file = entry.kept ? await promise(blobs.get(entry.key)) : null;
      if (file) bytes += entry.size;
      taken.push({ ...entry, file: file ?? null });
    }
    return { entries: taken.sort((a, b) => a.at - b.at), others };
  }),
};
