// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { invitable, nextLevel } from '../../Sources/CWebAssets/web/js/lib/levels.js';
import { format } from '../../Sources/CWebAssets/web/js/lib/message.js';

const root = fileURLToPath(new URL('../../Sources/CWebAssets/web/', import.meta.url));
const walk = (dir) => readdirSync(dir).flatMap((name) => (statSync(join(dir, name)).isDirectory() ? walk(join(dir, name)) : [join(dir, name)]));
const scripts = walk(join(root, 'js'));
const read = (path) => readFileSync(path, 'utf8');
const imports = (text) => [...text.matchAll(/^import [^;]*?from '([^']+)'/gms)].map((m) => m[1]);
/** The modules that the page begins with; others come when a view is wanted that needs them. */
const first = (path, found = new Set()) => {
  if (found.has(path)) return found;
  found.add(path);
  imports(read(path)).forEach((from) => first(join(path, '..', from), found));
  return found;
};
const begins = first(join(root, 'js/app.js'));
const languages = readdirSync(join(root, 'i18n')).map((file) => file.replace('.json', ''));
const words = (lang) => JSON.parse(read(join(root, `i18n/${lang}.json`)));

test('lib imports only lib, core nothing above it, ui never views', () => {
  const below = ['lib', 'core', 'ui'], parts = [...below, 'map', 'kinds', 'places'];
  const allowed = {
    lib: ['lib'], core: ['lib', 'core'], ui: below, map: [...below, 'map'], kinds: [...below, 'map', 'kinds'], places: parts,
    deals: [...parts, 'deals'], views: [...parts, 'deals', 'views'], wall: ['lib', 'core', 'wall'],
  };
  for (const path of scripts) {
    const layer = relative(join(root, 'js'), path).split('/')[0];
    if (!(layer in allowed)) continue;
    for (const from of imports(read(path))) {
      const target = relative(join(root, 'js'), join(path, '..', from)).split('/')[0];
      assert.ok(allowed[layer].includes(target), `${path} imports ${from}`);
    }
  }
});

test('every module that the page begins with is preloaded and no other, none is too long', () => {
  const html = read(join(root, 'index.html'));
  for (const path of scripts) {
    const url = `/assets/${relative(root, path)}`;
    assert.equal(html.includes(`"${url}"`), begins.has(path), url);
    assert.ok(read(path).split('\n').length <= 250, `${path} is longer than 250 lines`);
  }
  for (const [, url] of html.matchAll(/(?:href|src)="\/assets\/([^"]+)"/g)) assert.ok(statSync(join(root, url)).isFile());
});

test('no inline code or style, no address outside, no markup from data', () => {
  const html = ['index.html', 'wall.html'].map((page) => read(join(root, page))).join('\n');
  assert.doesNotMatch(html, /<style|\sstyle=|<script(?![^>]*src=)|\son\w+=/);
  for (const path of [...scripts, ...['index.html', 'wall.html'].map((page) => join(root, page)), ...walk(join(root, 'css'))]) {
    const text = read(path).replaceAll('http://www.w3.org/2000/svg', '');
    assert.doesNotMatch(text, /https?:\/\//, path);
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, path);
  }
});

test('the page begins with at most 25 modules and 60 KiB, compressed as they are sent, and is small altogether', () => {
  const styles = [...read(join(root, 'index.html')).matchAll(/rel="stylesheet" href="\/assets\/([^"]+)"/g)].map((m) => join(root, m[1]));
  const files = [...begins, join(root, 'index.html'), ...styles].map((path) => readFileSync(path));
  const size = (data) => gzipSync(data, { level: 9 }).length;
  // Compressed one by one, each file pays for its own dictionary.
  const sum = (all) => all.reduce((sum, data) => sum + size(data), 0);
  assert.ok(begins.size <= 25, `${begins.size} modules`);
  assert.ok(sum(files) <= 60 * 1024, `${sum(files)} bytes`);
  const later = [...scripts, ...walk(join(root, 'css'))].filter((path) => !begins.has(path) && !styles.includes(path)).map((path) => readFileSync(path));
  assert.ok(styles.length && later.length && sum([...files, ...later]) <= 260 * 1024);
});

test('every language has the same keys, with the same slots', () => {
  const english = words('en');
  const slots = (text) => [...new Set([...text.matchAll(/(?<!=\d |one |other )\{(\w+)[,}]/g)].map((m) => m[1]))].sort().join();
  for (const file of readdirSync(join(root, 'i18n'))) {
    const other = words(file.slice(0, -5));
    assert.deepEqual(Object.keys(other).sort(), Object.keys(english).sort(), file);
    for (const key of Object.keys(english)) assert.equal(slots(other[key]), slots(english[key]), `${file}: ${key}`);
  }
});

test('whatever somebody can make of a person has words', () => {
  const english = words('en');
  for (const own of ['founder', 'successor', 'host']) for (const level of ['waiting', 'declined', 'removed', 'guest']) for (const invited_to of invitable(own)) {
    const next = nextLevel(own, { level, invited_to, relay: invited_to === 'relay' });
    for (const key of next ? [`people.make_${next}`, `people.${next}_text`] : []) assert.ok(key in english, key);
  }
});

test('the page names each level, and calls nobody a co-host', () => {
  const english = words('en');
  const names = { founder: 'Founder', successor: 'Co-owner', host: 'Host', moderator: 'Moderator', guest: 'View only' };
  for (const [level, name] of Object.entries(names)) assert.equal(english[`people.${level}`], name);
  for (const [key, text] of Object.entries(english)) assert.doesNotMatch(text, /co-host/i, key);
});

test('no text uses a word of the program\'s inside', () => {
  const inside = /\b(blobs?|deltas?|epochs?|fabrics?|frontiers?|journals?|nodes?|nodos?|payloads?|peers?|sync level)\b/i;
  for (const lang of languages) for (const [key, text] of Object.entries(words(lang))) assert.doesNotMatch(text, inside, key);
});

test('every key used is there, and every key there is used', () => {
  const english = words('en');
  const text = scripts.map(read).join('\n');
  for (const [, key] of text.matchAll(/\bt\('([\w.]+)'/g)) assert.ok(key in english, key);
  const prefixes = [...text.matchAll(/`([a-z_]+\.(?:[a-z_]+_)?)\$\{/g)].map((m) => m[1]);
  for (const key of Object.keys(english)) {
    assert.ok(text.includes(`'${key}'`) || prefixes.some((p) => key.startsWith(p)), `${key} is not used`);
  }
});

test('every message can be filled', () => {
  const values = new Proxy({}, { get: () => 2, has: () => true });
  for (const lang of languages) for (const text of Object.values(words(lang))) assert.doesNotMatch(format(text, values, lang), /[{}]|undefined/);
});
