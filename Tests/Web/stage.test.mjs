// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { Element, browse, load, settled } from './element.mjs';

browse({});
Object.assign(globalThis, { devicePixelRatio: 2 });
Element.prototype.classList = { add: () => {}, remove: () => {}, toggle: () => {} };
Element.prototype.scrollTo = () => {};
Element.prototype.toggleAttribute = () => {};
Object.defineProperty(Element.prototype, 'style', { get() { this.styles ??= { setProperty(key, value) { this[key] = value; }, removeProperty(key) { delete this[key]; } }; return this.styles; } });
for (const side of ['clientWidth', 'clientHeight', 'scrollWidth', 'scrollHeight']) Object.defineProperty(Element.prototype, side, { get() { return parseFloat(this.styles?.width) || 400; } });
await (await load('core/i18n.js')).loadLanguage();
const { createStage } = await load('ui/stage.js');

const photo = { id: 'p1', width: 3200, height: 3200, held: { thumbnail: true, preview: true, original: false } };
/** A stage with a photo on show. @param {boolean} isThere whether the node answers */
function show(isThere = true) {
  const stage = createStage({ step: () => false, close: () => {}, fave: () => {}, reach: async () => isThere }, []);
  stage.set(photo, [], [], () => 'Photo');
  const note = () => { const p = stage.el.all('p')[0]; return p.hidden ? '' : p.textContent; };
  return { stage, note, preview: stage.el.all('img').at(-1), frame: stage.el.all('div').find((el) => el.className === 'frame') };
}

test('a picture that did not come because the node is away is not called one that the browser cannot show', async () => {
  for (const isThere of [true, false]) {
    const { note, preview } = show(isThere);
    preview.onerror();
    await settled();
    assert.equal(/cannot|can’t show/.test(note()), isThere, note());
  }
});

test('a photo is shown whole, then twice as large, then pixel by pixel, then whole', () => {
  const { stage, frame } = show();
  assert.deepEqual([stage.zoom(), frame.styles.width, stage.isZoomed()], [2, '800px', true]);
  assert.deepEqual([stage.zoom(), frame.styles.width], [4, '1600px']);
  assert.deepEqual([stage.zoom(), frame.styles.width, stage.isZoomed()], [1, undefined, false]);
});

test('a clip plays without sound while it is on show, waits while another is, and zooms never', async () => {
  globalThis.matchMedia = () => ({ matches: false });
  Object.assign(Element.prototype, { paused: true, play() { this.paused = false; this.listeners.play?.(); return Promise.resolve(); }, pause() { this.paused = true; this.listeners.pause?.(); } });
  const clip = { ...photo, id: 'c1', duration_ms: 6000, held: { thumbnail: true, preview: true, original: true } };
  const { stage, note } = show(), name = (p) => p.id;
  stage.set(clip, [photo], [], name);
  const video = stage.el.all('video')[0], [playing, sound] = stage.el.all('button');
  assert.deepEqual([video.paused, video.muted, 'loop' in video.attributes, stage.zoom(), note()], [false, true, true, 1, '']);
  playing.listeners.click();
  assert.deepEqual([video.paused, playing.attributes['aria-label']], [true, 'Play']);
  stage.set({ ...clip, faved: true }, [photo], [], name);
  assert.equal(video.paused, true, 'a change of the photo plays nothing that was paused');
  sound.listeners.click();
  assert.deepEqual([video.muted, sound.attributes['aria-label']], [false, 'Sound off']);
  stage.set(photo, [], [clip], name);
  assert.deepEqual([video.paused, video.currentTime], [true, 0]);
  stage.set({ ...clip, id: 'c2', held: { ...clip.held, original: false } }, [], [], name);
  assert.ok(stage.el.all('p').some((p) => p.textContent === 'The clip is not on this device yet.'));
  video.listeners.error();
  assert.equal(stage.el.all('video').length, 0);
});
