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
