/** What lies below the pins: plans and outlines of the hosts, or a grid so that one sees how far one moves. */
import { scale, toView } from '../lib/camera.js';
import { georeference, placed, shapesOf } from '../lib/georeference.js';
import { metresPerUnit, roundLength, unproject } from '../lib/mercator.js';

/** The most pixels of a square of the grid, and of the scale bar. */
const SQUARE = 120;
/** At most so many plans, each drawn while its picture is there. */
const MAX_PLANS = 20;
/** Units of an outline's own path: a canvas counts in small numbers, too few for the whole world. */
const LOCAL = 2 ** 28;
/** Within such a share of a degree the grid keeps its lines, though squares of equal metres shrink towards the poles. */
const STEADY = 0.25;

/**
 * The length of the scale bar: metres that are round, and their pixels.
 * @param {import('../lib/camera.js').Camera} camera
 */
export function measure(camera) {
  const { latitude } = unproject(camera.x, camera.y);
  const perPixel = metresPerUnit(Math.round(latitude / STEADY) * STEADY) / scale(camera);
  const metres = roundLength(SQUARE * perPixel);
  return { metres, pixels: metres / perPixel };
}

/** A shape as a path around its first point. @param {import('../lib/georeference.js').Shape} shape */
function pathOf({ closed, parts }) {
  const path = new Path2D(), [x, y] = parts[0];
  for (const part of parts) {
    for (let i = 0; i < part.length; i += 2) path[i ? 'lineTo' : 'moveTo']((part[i] - x) * LOCAL, (part[i + 1] - y) * LOCAL);
    if (closed) path.closePath();
  }
  return { closed, path, x, y };
}

/** @param {() => void} changed told when a picture has come */
export function createBackground(changed) {
  let plans = [], shapes = [], ground = [];

  function load({ url, ...plan }) {
    const placement = georeference(plan);
    if (!placement) return null;
    const image = new Image();
    image.onload = changed;
    image.src = url;
    return { image, placement, width: plan.width, height: plan.height };
  }

  function drawGrid(ink, camera, colours) {
    const { pixels } = measure(camera), { width, height } = camera;
    // Lines are counted from the world's corner, so that they stay where they are while one pans.
    const x = width / 2 - (camera.x * scale(camera)) % pixels, y = height / 2 - (camera.y * scale(camera)) % pixels;
    ink.beginPath();
    for (let at = x - Math.ceil(x / pixels) * pixels; at < width; at += pixels) { ink.moveTo(Math.round(at) + 0.5, 0); ink.lineTo(Math.round(at) + 0.5, height); }
    for (let at = y - Math.ceil(y / pixels) * pixels; at < height; at += pixels) { ink.moveTo(0, Math.round(at) + 0.5); ink.lineTo(width, Math.round(at) + 0.5); }
    ink.lineWidth = 1;
    ink.strokeStyle = colours.grid;
    ink.stroke();
  }

  function drawPlan(ink, camera, { image, placement: { a, b, x, y }, width, height }) {
    if (!image.naturalWidth) return;
    const size = scale(camera), corner = toView(camera, x, y);
    ink.save();
    ink.transform(a * size, b * size, -b * size, a * size, corner.x, corner.y);
    ink.drawImage(image, 0, 0, width, height);
    ink.restore();
  }

  function drawShape(ink, camera, colours, { closed, path, x, y }) {
    const size = scale(camera) / LOCAL, corner = toView(camera, x, y);
    ink.save();
    ink.translate(corner.x, corner.y);
    ink.scale(size, size);
    if (closed) { ink.fillStyle = colours.land; ink.fill(path, 'evenodd'); }
    ink.lineWidth = (closed ? 1.5 : 5) / size;
    ink.strokeStyle = closed ? colours.edge : colours.street;
    ink.stroke(path);
    ink.restore();
  }

  return {
    /**
     * @param {{plans?: {url: string, width: number, height: number, points: import('../lib/georeference.js').Reference[]}[], outlines?: any[]}} background
     */
    set({ plans: pictures = [], outlines = [] }) {
      plans = pictures.slice(0, MAX_PLANS).map(load).filter(Boolean);
      const found = shapesOf(outlines);
      shapes = found.map(pathOf);
      const corners = plans.flatMap(({ placement, width, height }) => [[0, 0], [width, 0], [0, height], [width, height]].map(([u, v]) => placed(placement, u, v)));
      const ends = found.flatMap(({ parts }) => parts.flatMap((part) => Array.from({ length: part.length / 2 }, (_, i) => ({ x: part[2 * i], y: part[2 * i + 1] }))));
      ground = [...corners, ...ends].map(({ x, y }) => unproject(x, y));
    },
    /** The positions of its edges, for fitting it. @returns {import('../lib/mercator.js').Position[]} */
    get ground() { return ground; },
    /** @param {CanvasRenderingContext2D} ink @param {import('../lib/camera.js').Camera} camera @param {Record<string, string>} colours */
    draw(ink, camera, colours) {
      ink.fillStyle = colours.ground;
      ink.fillRect(0, 0, camera.width, camera.height);
      if (!shapes.length && !plans.some(({ image }) => image.naturalWidth)) drawGrid(ink, camera, colours);
      for (const plan of plans) drawPlan(ink, camera, plan);
      for (const shape of shapes) if (shape.closed) drawShape(ink, camera, colours, shape);
      for (const shape of shapes) if (!shape.closed) drawShape(ink, camera, colours, shape);
    },
    stop() { for (const { image } of plans) { image.onload = null; image.src = ''; } },
  };
}
