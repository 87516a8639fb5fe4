/**
 * Web mercator: positions become points of a world that is one unit wide and high, with x to the east and y to the south.
 * Distances in metres hold near a point; the poles beyond MAX_LATITUDE are cut off.
 */

/** @typedef {{latitude: number, longitude: number}} Position degrees */
/** @typedef {{south: number, west: number, north: number, east: number}} Bounds degrees; west is above east across the date line */

/** Where the world's square ends, in degrees. */
export const MAX_LATITUDE = 85.0511287798066;
/** The equator's length, in metres. */
const EQUATOR = 40075016.68557849;
/** What the program keeps of a position, in parts of a degree: about a centimetre. */
const PARTS = 1e7;

const RADIAN = Math.PI / 180;

/** The part of x that lies inside the world: 1.25 and −0.75 are 0.25. @param {number} x */
export const wrap = (x) => x - Math.floor(x);

/** The copy of x that is nearest to another x, also across the date line. @param {number} x @param {number} to */
export const near = (x, to) => x + Math.round(to - x);

/** Whether numbers make a position. @param {any} latitude @param {any} longitude */
export const isPosition = (latitude, longitude) => Number.isFinite(latitude) && Number.isFinite(longitude)
  && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

/** @param {Position} position @returns {{x: number, y: number}} each from 0 to 1 */
export function project({ latitude, longitude }) {
  const sine = Math.sin(Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * RADIAN);
  return { x: wrap(longitude / 360 + 0.5), y: Math.max(0, Math.min(1, 0.5 - Math.atanh(sine) / (2 * Math.PI))) };
}

/** @param {number} x any copy of the world @param {number} y @returns {Position} */
export const unproject = (x, y) => ({ latitude: Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) / RADIAN, longitude: wrap(x) * 360 - 180 });

/** A position as it is stored. @param {Position} position @returns {Position} */
export const rounded = ({ latitude, longitude }) => ({ latitude: Math.round(latitude * PARTS) / PARTS, longitude: Math.round(longitude * PARTS) / PARTS });

/** How many metres one unit of the world has. @param {number} latitude degrees */
export const metresPerUnit = (latitude) => EQUATOR * Math.cos(Math.min(MAX_LATITUDE, Math.abs(latitude)) * RADIAN);

/**
 * The smallest bounds around positions, across the date line if that is shorter.
 * @param {Position[]} positions what is none is left out @returns {Bounds|null} nothing around nothing
 */
export function boundsOf(positions) {
  const all = positions.filter((one) => isPosition(one?.latitude, one?.longitude));
  if (!all.length) return null;
  const longitudes = all.map((one) => one.longitude).sort((a, b) => a - b);
  let east = longitudes.length - 1, widest = longitudes[0] + 360 - longitudes[east];
  // The bounds leave out the widest gap between neighbours.
  for (let i = 1; i < longitudes.length; i++) {
    if (longitudes[i] - longitudes[i - 1] > widest) { widest = longitudes[i] - longitudes[i - 1]; east = i - 1; }
  }
  let south = 90, north = -90;
  for (const { latitude } of all) { south = Math.min(south, latitude); north = Math.max(north, latitude); }
  return { south, north, west: longitudes[(east + 1) % longitudes.length], east: longitudes[east] };
}

/** The longest of 1, 2, 5, 10, 20 … that is not above a length. @param {number} length above 0 */
export function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return ([5, 2].find((step) => step * power <= length) ?? 1) * power;
}
