/** What part of the world a map shows, and how that moves. A camera stays inside the world. */
import { metresPerUnit, near, project, unproject, wrap } from './mercator.js';

/** @typedef {{x: number, y: number, zoom: number, width: number, height: number}} Camera the middle in world units, the size in pixels */

/** At zoom 0 the world has this many pixels on each side. Each zoom doubles them. */
const WORLD = 256;
/** At this zoom a pixel is about 4 cm at the equator. */
export const MAX_ZOOM = 22;
/** One position alone is shown at this zoom: a few streets around it. */
const ALONE_ZOOM = 18;
/** A person can place a pin where a pixel is at most so many metres. */
const PLACING_METRES = 2;

/** Pixels of the whole world. @param {{zoom: number}} camera */
export const scale = ({ zoom }) => WORLD * 2 ** zoom;

/** @param {Camera} camera @returns {Camera} with the world filling the view, however small the zoom was */
export function clamped({ x, y, zoom, width, height }) {
  const least = Math.log2(Math.max(WORLD, width, height) / WORLD);
  const to = Math.max(least, Math.min(MAX_ZOOM, zoom));
  const half = height / 2 / scale({ zoom: to });
  return { x: wrap(x), y: Math.max(half, Math.min(1 - half, y)), zoom: to, width, height };
}

/** Where a point of the world is in the view, in pixels. @param {Camera} camera @param {number} x @param {number} y */
export const toView = (camera, x, y) => ({
  x: (near(x, camera.x) - camera.x) * scale(camera) + camera.width / 2,
  y: (y - camera.y) * scale(camera) + camera.height / 2,
});

/** Which point of the world a pixel of the view shows. @param {Camera} camera @param {number} px @param {number} py */
export const toWorld = (camera, px, py) => ({
  x: camera.x + (px - camera.width / 2) / scale(camera),
  y: camera.y + (py - camera.height / 2) / scale(camera),
});

/** Moves what is shown by pixels. @param {Camera} camera @param {number} dx @param {number} dy */
export const panned = (camera, dx, dy) => clamped({ ...camera, x: camera.x - dx / scale(camera), y: camera.y - dy / scale(camera) });

/** Zooms while one pixel keeps showing the same point. @param {Camera} camera @param {number} zoom @param {number} px @param {number} py */
export function zoomed(camera, zoom, px = camera.width / 2, py = camera.height / 2) {
  const fixed = toWorld(camera, px, py), to = { ...camera, zoom: clamped({ ...camera, zoom }).zoom };
  return clamped({ ...to, x: fixed.x - (px - camera.width / 2) / scale(to), y: fixed.y - (py - camera.height / 2) / scale(to) });
}

/** @param {Camera} camera @param {import('./mercator.js').Position} position @param {number} [zoom] */
export const centred = (camera, position, zoom = camera.zoom) => clamped({ ...camera, ...project(position), zoom });

/**
 * Shows all of some bounds, with a margin around them.
 * @param {Camera} camera @param {import('./mercator.js').Bounds} bounds @param {number} margin pixels
 */
export function fitted(camera, bounds, margin) {
  const a = project({ latitude: bounds.north, longitude: bounds.west }), b = project({ latitude: bounds.south, longitude: bounds.east });
  const wide = bounds.west === bounds.east ? 0 : wrap(b.x - a.x) || 1, high = b.y - a.y;
  const room = (size) => Math.max(1, size - 2 * margin);
  const pixels = Math.min(room(camera.width) / wide, room(camera.height) / high);
  const zoom = Number.isFinite(pixels) ? Math.log2(pixels / WORLD) : ALONE_ZOOM;
  return clamped({ ...camera, x: a.x + wide / 2, y: a.y + high / 2, zoom: Math.min(zoom, wide || high ? MAX_ZOOM - 1 : ALONE_ZOOM) });
}

/** @param {Camera} camera @returns {import('./mercator.js').Bounds} */
export function seen(camera) {
  const a = toWorld(camera, 0, 0), b = toWorld(camera, camera.width, camera.height);
  const { latitude: north, longitude: west } = unproject(a.x, Math.max(0, a.y)), { latitude: south, longitude: east } = unproject(b.x, Math.min(1, b.y));
  return b.x - a.x >= 1 ? { south, west: -180, north, east: 180 } : { south, west, north, east };
}

/** A camera on the way from one to another; what both show at the same pixel stays there. @param {number} share from 0 to 1 */
export function between(from, to, share) {
  const zoom = from.zoom + (to.zoom - from.zoom) * share;
  const size = (z) => 2 ** -z, whole = size(from.zoom) - size(to.zoom);
  const moved = Math.abs(to.zoom - from.zoom) < 1e-6 ? share : (size(from.zoom) - size(zoom)) / whole;
  return clamped({ ...to, zoom, x: from.x + (near(to.x, from.x) - from.x) * moved, y: from.y + (to.y - from.y) * moved });
}

/** How many metres a pixel is in the middle. @param {Camera} camera */
export const metresPerPixel = (camera) => metresPerUnit(unproject(camera.x, camera.y).latitude) / scale(camera);

/** Whether a person sees enough to place a pin. @param {Camera} camera */
export const canPlace = (camera) => metresPerPixel(camera) <= PLACING_METRES;
