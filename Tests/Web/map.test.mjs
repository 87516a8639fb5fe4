// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { MAX_ZOOM, between, canPlace, centred, clamped, fitted, panned, scale, seen, toView, toWorld, zoomed } from '../../Sources/CWebAssets/web/js/lib/camera.js';
import { CELL, createClusters } from '../../Sources/CWebAssets/web/js/lib/cluster.js';
import { georeference, placed, shapesOf } from '../../Sources/CWebAssets/web/js/lib/georeference.js';
import { PLAIN, TINTS, legend } from '../../Sources/CWebAssets/web/js/lib/legend.js';
import { MAX_LATITUDE, boundsOf, metresPerUnit, near, project, roundLength, rounded, unproject } from '../../Sources/CWebAssets/web/js/lib/mercator.js';
import { browse, load } from './element.mjs';

browse({});
await (await load('core/i18n.js')).loadLanguage();
const { createMarks, createPlacing } = await load('map/marks.js');
const { createPinList } = await load('map/controls.js');

/** Numbers from 0 to 1, the same ones for each run. */
function numbers(seed) {
  let state = seed;
  return () => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 2 ** 32; };
}
const positions = (n, next, { latitude = 0, longitude = 0, high = 170, wide = 360 } = {}) => Array.from({ length: n }, () => ({ latitude: latitude + (next() - 0.5) * high, longitude: longitude + (next() - 0.5) * wide }));
const closeTo = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what ?? ''} ${a} is not ${b}`);
/** Pins of one town. */
const town = (n, seed = 1) => positions(n, numbers(seed), { latitude: 55.68, longitude: 12.57, high: 0.05, wide: 0.08 });
const laptop = (position, zoom) => centred(clamped({ x: 0, y: 0, zoom: 0, width: 1280, height: 800 }), position, zoom);

test('a position is the same after there and back', () => {
  for (const position of positions(2000, numbers(1))) {
    const { x, y } = project(position), back = rounded(unproject(x, y));
    closeTo(back.latitude, position.latitude, 1.1e-7);
    closeTo(back.longitude, position.longitude, 1.1e-7);
    assert.ok(x >= 0 && x < 1 && y >= 0 && y <= 1);
  }
});

test('the poles lie on the edge of the world', () => {
  assert.deepEqual([90, 86, -86, -90].map((latitude) => project({ latitude, longitude: 0 }).y).map((y) => y.toFixed(9)), ['0.000000000', '0.000000000', '1.000000000', '1.000000000']);
  closeTo(unproject(0.5, 0).latitude, MAX_LATITUDE, 1e-9);
});

test('a degree has as many metres as on the ground', () => {
  const here = { latitude: 55.68, longitude: 12.57 }, a = project(here), b = project({ ...here, latitude: 55.681 });
  closeTo((a.y - b.y) * metresPerUnit(here.latitude), 111.3, 0.3);
  assert.deepEqual([120, 99, 50, 3.2, 0.7].map(roundLength).map((one) => Number(one.toPrecision(3))), [100, 50, 50, 2, 0.5]);
});

test('bounds go across the date line where that is shorter', () => {
  assert.deepEqual(boundsOf([{ latitude: 1, longitude: 179 }, { latitude: -1, longitude: -178 }]), { south: -1, north: 1, west: 179, east: -178 });
  assert.deepEqual(boundsOf([{ latitude: 1, longitude: 10 }, { latitude: 2, longitude: -20 }, { latitude: NaN, longitude: 0 }]), { south: 1, north: 2, west: -20, east: 10 });
  assert.deepEqual(boundsOf([{ latitude: 1, longitude: 10 }]), { south: 1, north: 1, west: 10, east: 10 });
  assert.equal(boundsOf([]), null);
});

test('what is fitted is seen, also across the date line', () => {
  const next = numbers(3);
  for (let i = 0; i < 200; i++) {
    const some = positions(2 + Math.floor(next() * 5), next, { latitude: next() * 100 - 50, longitude: i % 2 ? 180 : 20, high: 20 * next(), wide: 40 * next() })
      .map(({ latitude, longitude }) => ({ latitude, longitude: longitude > 180 ? longitude - 360 : longitude }));
    const camera = fitted(clamped({ x: 0.2, y: 0.3, zoom: 3, width: 390, height: 600 }), boundsOf(some), 30);
    for (const one of some) {
      const { x, y } = project(one), at = toView(camera, x, y);
      assert.ok(at.x >= 29 && at.x <= 361 && at.y >= 29 && at.y <= 571, `${at.x} ${at.y}`);
    }
  }
  assert.equal(fitted(laptop({ latitude: 0, longitude: 0 }, 3), boundsOf([{ latitude: 1, longitude: 10 }]), 30).zoom, 18);
});

test('the world fills the view, however far one zooms or pans', () => {
  let camera = laptop({ latitude: 0, longitude: 0 }, 0);
  closeTo(scale(camera), 1280, 1e-6);
  for (let i = 0; i < 50; i++) camera = panned(camera, 700, 900);
  assert.ok(camera.x >= 0 && camera.x < 1 && toWorld(camera, 0, 0).y >= -1e-12);
  assert.equal(zoomed(camera, 99).zoom, MAX_ZOOM);
  const across = seen(laptop({ latitude: 0, longitude: 180 }, 10));
  assert.ok(across.west > 170 && across.east < -170);
});

test('zooming keeps what is under the pointer, also half way', () => {
  const from = laptop({ latitude: 55.68, longitude: 12.57 }, 14.3), to = zoomed(from, 17.1, 200, 650), fixed = toWorld(from, 200, 650);
  for (const camera of [to, between(from, to, 0.3), between(from, to, 0.8)]) {
    const at = toView(camera, fixed.x, fixed.y);
    closeTo(at.x, 200, 1e-3);
    closeTo(at.y, 650, 1e-3);
  }
  assert.deepEqual(between(from, to, 1), to);
});

test('a pin is placed only where a pixel is at most two metres', () => {
  const here = { latitude: 55.68, longitude: 12.57 };
  assert.deepEqual([14, 15, 15.5, 16, 22].map((zoom) => canPlace(laptop(here, zoom))), [false, false, true, true, true]);
});

const marksOf = (clusters, camera) => {
  const a = toWorld(camera, 0, 0), b = toWorld(camera, camera.width, camera.height);
  return clusters.within(Math.floor(camera.zoom), a.x, a.y, b.x, b.y);
};
/** All marks of the town, or of the world. */
const whole = (clusters, zoom) => (zoom < 8 ? clusters.within(zoom, 0, 0, 1 - 1e-9, 1) : clusters.within(zoom, 0.5347, 0.3127, 0.5351, 0.3132));

test('clusters count all pins at every zoom, and none lie on each other', () => {
  const far = createClusters(positions(1000, numbers(2))), pins = town(1000), clusters = createClusters(pins);
  for (let zoom = 1; zoom <= 16; zoom++) {
    const marks = whole(zoom < 8 ? far : clusters, zoom), apart = (CELL * 15) / 16 / scale({ zoom });
    assert.equal(marks.reduce((sum, mark) => sum + mark.count, 0), pins.length, `zoom ${zoom}`);
    for (const a of marks) for (const b of marks) if (a !== b) assert.ok(Math.hypot(near(a.x, b.x) - b.x, a.y - b.y) >= apart * 0.999);
  }
});

test('panning changes no cluster, and the order of the pins none either', () => {
  const pins = town(3000), clusters = createClusters(pins), turned = createClusters([...pins].reverse());
  let camera = laptop({ latitude: 55.68, longitude: 12.53 }, 14.4);
  const seenAt = new Map(), key = (mark) => `${mark.x.toFixed(12)} ${mark.y.toFixed(12)}`;
  for (let step = 0; step < 40; step++) {
    camera = panned(camera, -37, step % 2 ? 11 : -13);
    for (const mark of marksOf(clusters, camera)) {
      assert.equal(seenAt.get(key(mark)) ?? mark.count, mark.count);
      seenAt.set(key(mark), mark.count);
    }
    assert.deepEqual(marksOf(turned, camera).map((mark) => [key(mark), mark.count]), marksOf(clusters, camera).map((mark) => [key(mark), mark.count]));
  }
  assert.equal(marksOf(clusters, camera), marksOf(clusters, panned(camera, 0.01, 0)), 'nothing is worked out again for the same cells');
});

test('pins on both sides of the date line become one mark', () => {
  const clusters = createClusters([{ latitude: 0, longitude: 179.9999 }, { latitude: 0, longitude: -179.9999 }]);
  assert.deepEqual(marksOf(clusters, laptop({ latitude: 0, longitude: 180 }, 5)).map((mark) => mark.count), [2]);
  assert.deepEqual(marksOf(clusters, laptop({ latitude: 0, longitude: -179.99 }, 20)).length, 0);
  assert.deepEqual(marksOf(clusters, laptop({ latitude: 0, longitude: 180 }, 18)).map((mark) => mark.count), [1, 1]);
});

test('a mark knows its pins, and which ones no zoom tells apart', () => {
  const here = { latitude: 55.68, longitude: 12.57 }, clusters = createClusters([here, here, { ...here, latitude: 55.6801 }, { latitude: 1, longitude: 1 }]);
  const [mark] = marksOf(clusters, laptop(here, 12));
  assert.deepEqual(clusters.members(12, mark), [0, 1, 2]);
  assert.deepEqual([[0, 1], [0, 1, 2]].map((some) => clusters.isOne(MAX_ZOOM, some)), [true, false]);
});

test('ten thousand pins become clusters in a few milliseconds', () => {
  const pins = town(10000);
  whole(createClusters(pins), 15);
  const clusters = createClusters(pins), start = performance.now();
  for (let zoom = 12; zoom <= 16; zoom++) whole(clusters, zoom);
  assert.ok(performance.now() - start < 250);
});

const plan = (points, size = { width: 1600, height: 900 }) => ({ ...size, points });

test('a plan lies at its reference points exactly, turned and scaled but never mirrored', () => {
  const next = numbers(5);
  for (let i = 0; i < 500; i++) {
    const [a, b] = positions(2, next, { latitude: 60 * next(), longitude: i % 3 ? 12 : 180, high: 0.01, wide: 0.01 }).map(({ latitude, longitude }) => ({ latitude, longitude: longitude > 180 ? longitude - 360 : longitude }));
    const points = [{ x: 4000 * next(), y: 4000 * next(), ...a }, { x: 6000 + 4000 * next(), y: 6000 + 4000 * next(), ...b }];
    const placement = georeference(plan(points));
    for (const point of points) {
      const at = placed(placement, point.x / 10000 * 1600, point.y / 10000 * 900), to = project(point);
      closeTo(near(at.x, to.x), to.x, 1e-13);
      closeTo(at.y, to.y, 1e-13);
    }
    const [zero, right, down] = [placed(placement, 0, 0), placed(placement, 100, 0), placed(placement, 0, 100)];
    assert.ok((right.x - zero.x) * (down.y - zero.y) - (right.y - zero.y) * (down.x - zero.x) > 0);
  }
});

test('a mirrored or degenerate plan is refused', () => {
  const a = { x: 1000, y: 1000, latitude: 55.68, longitude: 12.56 }, b = { x: 9000, y: 8000, latitude: 55.67, longitude: 12.58 };
  assert.ok(georeference(plan([a, b])));
  const bad = [[a], [a, a], [a, b, b], [a, { ...b, x: a.x, y: a.y }], [a, { ...b, x: 1050, y: 1050 }], [a, { ...b, latitude: a.latitude, longitude: a.longitude }], [a, { ...b, x: 10001 }],
    [a, { ...b, y: -1 }], [a, { ...b, latitude: 91 }], [a, { ...b, longitude: NaN }], [a, { ...b, x: '9000' }], [{ ...a, latitude: -80, longitude: -170 }, { ...b, latitude: 80, longitude: 0 }], [a, null], undefined];
  for (const points of bad) assert.equal(georeference(plan(points)), null, JSON.stringify(points));
  for (const size of [{ width: -1600, height: 900 }, { width: 1600, height: 0 }, { width: NaN, height: 900 }, {}]) assert.equal(georeference({ ...size, points: [a, b] }), null);
});

const ring = [[12.5, 55.6], [12.6, 55.6], [12.6, 55.7], [12.5, 55.6]];

test('GeoJSON becomes rings and lines; what is unknown, no position or too short is left out', () => {
  const outline = { type: 'FeatureCollection', crs: {}, features: [
    { type: 'Feature', properties: { name: 'Square' }, geometry: { type: 'Polygon', coordinates: [ring, ring.slice(1)] } },
    { type: 'Feature', geometry: { type: 'MultiPolygon', coordinates: [[ring], [ring]] } },
    { type: 'Feature', geometry: { type: 'GeometryCollection', geometries: [{ type: 'LineString', coordinates: [...ring, ['x', 1], null, [200, 1], [12]] }, { type: 'Point', coordinates: [1, 2] }] } },
    { type: 'MultiLineString', coordinates: [ring, [[1, 2]]] }, { type: 'Feature', geometry: null }, { type: 'Circle', coordinates: ring }, { type: 'Polygon', coordinates: 'no' }, null, 7,
  ] };
  const shapes = shapesOf([outline, null, 'x', { type: 'LineString', coordinates: ring }]);
  assert.deepEqual(shapes.map(({ closed, parts }) => [closed, parts.length, parts[0].length / 2]), [[true, 2, 4], [true, 1, 4], [true, 1, 4], [false, 1, 4], [false, 1, 4], [false, 1, 4]]);
  const { x, y } = project({ latitude: 55.6, longitude: 12.5 });
  assert.deepEqual([...shapes[0].parts[0].slice(0, 2)], [x, y]);
});

test('an outline has limits, and is one piece across the date line', () => {
  const line = (n) => ({ type: 'LineString', coordinates: Array.from({ length: n }, (_, i) => [i / n, 0]) });
  assert.deepEqual(shapesOf([line(80), line(80), line(80)], 100).map(({ parts }) => parts[0].length / 2), [80, 20]);
  let deep = line(3);
  for (let i = 0; i < 1000; i++) deep = { type: 'GeometryCollection', geometries: [deep] };
  assert.deepEqual(shapesOf([deep]), []);
  const [{ parts: [across] }] = shapesOf([{ type: 'LineString', coordinates: [[179.9, 0], [-179.9, 0], [179.8, 1]] }]);
  assert.ok(Math.max(across[0], across[2], across[4]) - Math.min(across[0], across[2], across[4]) < 0.01);
});

test('a person sets the pin where enough is seen, and is told to zoom in elsewhere', () => {
  const told = [], placing = createPlacing({ onPin: (position) => told.push(position), onRefused: (words) => told.push(words) });
  const here = { latitude: 55.68, longitude: 12.57 }, far = laptop(here, 14), near = laptop(here, 18);
  placing.point(far, 640, 400);
  assert.deepEqual([placing.pin(), told], [null, ['Zoom in to place the pin']]);
  placing.point(near, 640, 400);
  assert.deepEqual([placing.pin(), told[1]], [here, here]);
  assert.deepEqual([placing.grabs(near, 640, 100), placing.grabs(far, 640, 380), placing.grabs(near, 645, 380)], [false, false, true]);
  placing.drag(near, 745, 380);
  placing.drop(true);
  assert.ok(told[2].longitude > here.longitude && told[2].latitude === here.latitude, 'its point moves as far as the finger');
  placing.set(null);
  assert.equal(placing.pin(), null);
});

test('a tap means the nearest pin in reach, or all that lie there together', () => {
  const marks = createMarks([]), here = { latitude: 55.68, longitude: 12.57 }, camera = laptop(here, 17);
  marks.set([{ id: 'a', ...here }, { id: 'b', ...here }, { id: 'c', latitude: 55.681, longitude: 12.57 }, { id: 'none', latitude: null, longitude: 1 }]);
  const ids = (x, y, finger) => marks.hit(camera, x, y, finger).map((pin) => pin.id);
  assert.deepEqual([ids(640, 378, false), ids(658, 378, false), ids(658, 378, true), ids(100, 100, true)], [['a', 'b'], [], ['a', 'b'], []]);
  assert.equal(marks.spread(marks.hit(camera, 640, 378, true)), null);
  assert.deepEqual([marks.all.length, marks.inView(camera).length, marks.inView(laptop(here, 21)).length], [3, 3, 2]);
});

test('fifty pins in view are listed as buttons, of which Tab reaches one; more are said', () => {
  const picked = [], list = createPinList({ pick: (id) => picked.push(id), focus: () => {} });
  const pins = Array.from({ length: 60 }, (_, i) => ({ id: `p${i}`, title: `Stall ${i}` }));
  list.show(pins);
  const [all, more] = [list.el.all('button'), list.el.all('p')[0]];
  assert.deepEqual([all.length, all[3].textContent, all.filter((one) => one.tabIndex === 0).length], [50, 'Stall 3', 1]);
  assert.match(more.textContent, /^10 more pins/);
  all[3].listeners.click();
  assert.deepEqual(picked, ['p3']);
  list.show(pins.slice(3, 5));
  assert.deepEqual([list.el.all('button').map((one) => one.textContent), more.textContent], [['Stall 3', 'Stall 4'], '']);
  assert.equal(list.el.all('button')[0], all[3], 'what stays keeps its button, and with it the focus');
});

test('categories have letters of their own', () => {
  const signs = legend([{ id: 'a', name: 'Café' }, { id: 'b', name: 'Cinema' }, { id: 'c', name: 'Stage', short: '♪' }, { id: 'd', name: 'Stand', short: 'Stands' }, { id: 'e', name: 'Cine' }, { id: 'f', name: ' ' }]);
  assert.deepEqual([...signs.values()].map(({ sign }) => sign), ['C', 'Ci', '♪', 'S', 'Cn', PLAIN.sign]);
  assert.ok([...signs.values()].every(({ tint }) => tint >= 1 && tint <= TINTS));
});

test('the map weighs at most 25 KiB, compressed as it is sent', () => {
  const web = new URL('../../Sources/CWebAssets/web/', import.meta.url);
  const files = [...readdirSync(new URL('js/map/', web)).map((name) => `js/map/${name}`), 'css/map.css', ...['camera', 'cluster', 'georeference', 'legend', 'mercator'].map((name) => `js/lib/${name}.js`)];
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, web)), { level: 9 }).length, 0);
  assert.ok(size <= 25 * 1024, `${size} bytes`);
});
