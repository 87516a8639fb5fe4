/**
 * Pins that would lie on each other become one mark. Marks belong to cells of the world, not of the view: panning changes
 * none. Any two marks of a zoom are at least APART cells from each other.
 */
import { near, project } from './mercator.js';

/** A zoom's cells have this side, in pixels, at that zoom; up to twice that before the next one. */
export const CELL = 32;
/** The least distance of two marks, in cells; at most 1, since only neighbours are compared. */
const APART = 15 / 16;
/** So many zooms are kept. */
const KEPT = 8;

/** @typedef {{x: number, y: number, count: number, pin: number, cell: number}} Mark in world units; `pin` is the index of its first pin */

/** Cells by column and row: several times as fast as a Map. @param {number} most cells */
function cellTable(most) {
  const bits = Math.max(4, Math.ceil(Math.log2(most * 2 + 1))), mask = 2 ** bits - 1;
  const slots = new Int32Array(mask + 1).fill(-1), columns = new Int32Array(most), rows = new Int32Array(most);
  const slot = (column, row) => {
    let at = (Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b)) >>> (32 - bits);
    while (slots[at] >= 0 && (columns[slots[at]] !== column || rows[slots[at]] !== row)) at = (at + 1) & mask;
    return at;
  };
  return {
    columns, rows, size: 0,
    /** The cell's number, or −1. */
    find: (column, row) => slots[slot(column, row)],
    /** The cell's number, also of a new one. */
    make(column, row) {
      const at = slot(column, row);
      if (slots[at] < 0) { columns[this.size] = column; rows[this.size] = row; slots[at] = this.size++; }
      return slots[at];
    },
  };
}

/**
 * @param {import('./mercator.js').Position[]} pins
 * @returns marks by zoom; each zoom is worked out when it is first asked for
 */
export function createClusters(pins) {
  const xs = new Float64Array(pins.length), ys = new Float64Array(pins.length);
  pins.forEach((pin, i) => { const { x, y } = project(pin); xs[i] = x; ys[i] = y; });
  // The order of the pins as they come must not decide which ones belong together.
  const order = Int32Array.from(pins.keys()).sort((a, b) => ys[a] - ys[b] || xs[a] - xs[b]);
  const levels = new Map();
  let last = null;

  /** Which cell each pin is in, and the middle of each cell's pins. */
  function fillCells(side) {
    const cells = cellTable(pins.length), cellOf = new Int32Array(pins.length), count = new Int32Array(pins.length);
    const x = new Float64Array(pins.length), y = new Float64Array(pins.length), first = new Int32Array(pins.length);
    for (const pin of order) {
      const cell = cellOf[pin] = cells.make(Math.min(side - 1, Math.floor(xs[pin] * side)), Math.min(side - 1, Math.floor(ys[pin] * side)));
      if (!count[cell]++) first[cell] = pin;
      x[cell] += (xs[pin] - x[cell]) / count[cell];
      y[cell] += (ys[pin] - y[cell]) / count[cell];
    }
    return { cells, cellOf, count, x, y, first };
  }

  /** Joins cells whose middles are too near: the fuller takes the emptier. */
  function build(zoom) {
    const side = 2 ** zoom * (256 / CELL), apart = APART / side;
    const { cells, cellOf, count, x, y, first } = fillCells(side);
    const owner = new Int32Array(cells.size).fill(-1), marks = new Array(cells.size).fill(null);
    const full = [], single = [];
    for (let cell = 0; cell < cells.size; cell++) (count[cell] > 1 ? full : single).push(cell);
    full.sort((a, b) => count[b] - count[a]);
    for (const cell of full.concat(single)) {
      if (owner[cell] >= 0) continue;
      owner[cell] = cell;
      const mark = marks[cell] = { x: x[cell], y: y[cell], count: count[cell], pin: first[cell], cell };
      for (let step = 0; step < 9; step++) {
        const other = cells.find((cells.columns[cell] + (step % 3) - 1 + side) % side, cells.rows[cell] + Math.floor(step / 3) - 1);
        if (other < 0 || owner[other] >= 0 || Math.hypot(near(x[other], mark.x) - mark.x, y[other] - mark.y) >= apart) continue;
        owner[other] = cell;
        mark.count += count[other];
      }
    }
    return { side, cells, cellOf, owner, marks };
  }

  function level(zoom) {
    let found = levels.get(zoom);
    if (!found) {
      if (levels.size >= KEPT) levels.delete(levels.keys().next().value);
      levels.set(zoom, found = build(zoom));
    }
    return found;
  }

  return {
    xs, ys,
    /**
     * The marks of a zoom in a part of the world, and some beside it; the same array while the same cells are asked for.
     * @param {number} zoom whole @param {number} west x @param {number} north y @param {number} east x, above west @param {number} south y
     * @returns {Mark[]}
     */
    within(zoom, west, north, east, south) {
      const { side, cells, marks } = level(zoom);
      const left = Math.floor(west * side) - 1, right = Math.min(left + side - 1, Math.floor(east * side) + 1);
      const top = Math.max(0, Math.floor(north * side) - 1), bottom = Math.min(side - 1, Math.floor(south * side) + 1);
      const key = `${zoom} ${left} ${top} ${right} ${bottom}`;
      if (last?.key === key) return last.found;
      const found = [];
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          const mark = marks[cells.find(((column % side) + side) % side, row)];
          if (mark) found.push(mark);
        }
      }
      last = { key, found };
      return found;
    },
    /** The pins that a mark stands for, by index. @param {number} zoom the mark's @param {Mark} mark @returns {number[]} */
    members(zoom, mark) {
      const { cellOf, owner } = level(zoom);
      return [...pins.keys()].filter((pin) => owner[cellOf[pin]] === mark.cell);
    },
    /** Whether pins are one mark. @param {number} zoom whole @param {number[]} some indices */
    isOne(zoom, some) {
      const { cellOf, owner } = level(zoom);
      return some.every((pin) => owner[cellOf[pin]] === owner[cellOf[some[0]]]);
    },
  };
}
