/** Puts a plan's picture and drawn outlines where they belong in the world. What cannot be placed is refused or left out. */
import { isPosition, metresPerUnit, near, project } from './mercator.js';

/** Reference points count in these parts of the picture's width and height. */
export const PARTS = 10000;
/** Two reference points are at least this share of the picture's diagonal from each other: nearer ones turn it by chance. */
const LEAST_SHARE = 0.02;
/** A picture's pixel is at most so many metres. */
const MAX_METRES = 1000;
/** What is drawn of all outlines, and how deep collections may hold collections. */
const MAX_POINTS = 20000, MAX_DEPTH = 6;

/** @typedef {{x: number, y: number, latitude: number, longitude: number}} Reference x and y in 1/10 000 of the picture */
/** @typedef {{a: number, b: number, x: number, y: number}} Placement of a pixel (u, v): x + a·u − b·v, y + b·u + a·v in world units */

/** @param {Reference|undefined} point */
const isReference = (point) => !!point && isPosition(point.latitude, point.longitude)
  && [point.x, point.y].every((part) => Number.isFinite(part) && part >= 0 && part <= PARTS);

/**
 * Places a picture by two points: it is turned, scaled and moved, never mirrored or stretched.
 * @param {{width: number, height: number, points: Reference[]}} plan its size in pixels
 * @returns {Placement|null} nothing for a plan of no or negative size, or with points outside it or too near to each other
 */
export function georeference({ width, height, points }) {
  const [one, two] = points ?? [];
  if (!(width > 0 && height > 0 && Number.isFinite(width * height)) || points?.length !== 2 || !isReference(one) || !isReference(two)) return null;
  const u = one.x / PARTS * width, v = one.y / PARTS * height, du = two.x / PARTS * width - u, dv = two.y / PARTS * height - v;
  const from = project(one), to = project(two), dx = near(to.x, from.x) - from.x, dy = to.y - from.y;
  const length = du * du + dv * dv;
  if (Math.sqrt(length) < LEAST_SHARE * Math.hypot(width, height)) return null;
  const a = (dx * du + dy * dv) / length, b = (dy * du - dx * dv) / length;
  const metres = Math.hypot(a, b) * metresPerUnit(one.latitude);
  if (!(metres > 0 && metres <= MAX_METRES)) return null;
  return { a, b, x: from.x - a * u + b * v, y: from.y - b * u - a * v };
}

/** Where a pixel of a placed picture lies in the world. @param {Placement} placement @param {number} u @param {number} v */
export const placed = ({ a, b, x, y }, u, v) => ({ x: x + a * u - b * v, y: y + b * u + a * v });

/** @typedef {{closed: boolean, parts: Float64Array[]}} Shape x and y in turn, in world units; the parts of a closed one are its outer ring and its holes */

/**
 * The shapes of outlines. Points, unknown members and what is no position are left out.
 * @param {any[]} outlines GeoJSON objects: longitude stands before latitude @param {number} [most] points of all shapes
 * @returns {Shape[]}
 */
export function shapesOf(outlines, most = MAX_POINTS) {
  const out = [];
  let left = most;

  /** One line without breaks, also across the date line. */
  function part(list, least) {
    const line = [];
    for (const at of Array.isArray(list) ? list : []) {
      if (left <= 0) break;
      if (!Array.isArray(at) || !isPosition(at[1], at[0])) continue;
      const { x, y } = project({ latitude: at[1], longitude: at[0] });
      line.push(line.length ? near(x, line[line.length - 2]) : x, y);
      left--;
    }
    return line.length >= 2 * least ? Float64Array.from(line) : null;
  }

  function shape(lists, closed) {
    const parts = (Array.isArray(lists) ? lists : []).map((list) => part(list, closed ? 3 : 2)).filter(Boolean);
    // A hole is beside its outer ring, whichever copy of the world that begins in.
    for (const one of parts) { const by = near(one[0], parts[0][0]) - one[0]; if (by) for (let i = 0; i < one.length; i += 2) one[i] += by; }
    if (parts.length) out.push({ closed, parts });
  }

  function walk(object, depth) {
    if (!object || typeof object !== 'object' || depth > MAX_DEPTH || left <= 0) return;
    const { type, coordinates } = object, all = (list, f) => { for (const one of Array.isArray(list) ? list : []) f(one); };
    if (type === 'FeatureCollection') all(object.features, (one) => walk(one, depth + 1));
    else if (type === 'Feature') walk(object.geometry, depth + 1);
    else if (type === 'GeometryCollection') all(object.geometries, (one) => walk(one, depth + 1));
    else if (type === 'Polygon') shape(coordinates, true);
    else if (type === 'MultiPolygon') all(coordinates, (one) => shape(one, true));
    else if (type === 'LineString') shape([coordinates], false);
    else if (type === 'MultiLineString') shape(coordinates, false);
  }

  for (const outline of outlines ?? []) walk(outline, 0);
  return out;
}
