// The calls of a node that uploads use, for tests that run the page's parts in node.

/** Takes uploads as the node does, and breaks where a test wants it to. */
export class FakeNode {
  constructor() { this.reset(); }

  reset() {
    Object.assign(this, {
      uploads: new Map(), photos: [], there: new Set(), refused: new Map(), answers: [],
      away: false, silent: false, loseAnswers: 0, cutAt: Infinity, taken: 0, largest: 0, busy: 0, most: 0, count: 0,
    });
  }

  /** Once so many bytes came, the connection breaks. */
  breakAfter(bytes) { this.cutAt = this.taken + bytes; }

  /** @returns {{status: number, text?: string, offset?: number, location?: string}|null} null: the connection breaks */
  answer(method, url, headers, body) {
    if (this.away) return null;
    const { pathname, searchParams: query } = new URL(url, 'http://node');
    if (!pathname.startsWith('/api/v1/uploads')) return { status: 200 };
    if (method === 'POST') {
      const id = `n${++this.count}`;
      this.uploads.set(id, { query, length: Number(headers['Upload-Length']), bytes: 0, photo: null });
      return { status: 201, text: '{}', location: `/api/v1/uploads/${id}` };
    }
    const id = pathname.split('/').pop(), upload = this.uploads.get(id);
    if (!upload) return { status: 404, text: '{"type":"/problems/not-found"}' };
    if (method === 'DELETE') { this.uploads.delete(id); return { status: 204 }; }
    if (method === 'HEAD') return { status: 200, offset: upload.bytes };
    return this.answers.shift() ?? this.append(upload, Number(headers['Upload-Offset']), body?.size ?? 0);
  }

  append(upload, offset, size) {
    if (offset !== upload.bytes) return { status: 409, text: '{"type":"/problems/conflict"}', offset: upload.bytes };
    this.largest = Math.max(this.largest, size);
    const came = Math.min(size, this.cutAt - this.taken);
    upload.bytes += came;
    this.taken += came;
    if (came < size) {
      this.cutAt = Infinity;
      return null;
    }
    if (upload.bytes < upload.length) return { status: 204, offset: upload.bytes };
    const name = upload.query.get('name');
    if (this.refused.has(name)) {
      const [status, kind] = this.refused.get(name);
      return { status, text: JSON.stringify({ type: `/problems/${kind}`, detail: `${name}: no` }) };
    }
    if (!upload.photo) {
      upload.photo = { id: name, ...(this.there.has(name) ? { already_shared: true } : {}) };
      this.photos.push(upload);
    }
    if (this.loseAnswers-- > 0) return null;
    return { status: 201, text: JSON.stringify(upload.photo), offset: upload.bytes };
  }

  /** XMLHttpRequest, answered by this node. */
  requests() {
    const node = this;
    return class {
      upload = {};
      headers = {};
      open(method, url) { Object.assign(this, { method, url }); }
      setRequestHeader(name, value) { this.headers[name] = value; }
      getResponseHeader(name) { return { 'Upload-Offset': this.reply.offset, Location: this.reply.location }[name] ?? null; }
      abort() { if (!this.over) { this.over = true; this.onabort(); } }
      send(body) {
        if (node.silent) return;
        if (this.method === 'PATCH') node.most = Math.max(node.most, ++node.busy);
        setImmediate(() => {
          if (this.method === 'PATCH') node.busy--;
          if (this.over) return;
          this.over = true;
          const reply = node.answer(this.method, this.url, this.headers, body);
          if (!reply) { this.onerror(); return; }
          this.upload.onload();
          Object.assign(this, { reply, status: reply.status, responseText: reply.text ?? '' });
          this.onload();
        });
      }
    };
  }
}
