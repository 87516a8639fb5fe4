// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { single } from '../../Sources/CWebAssets/web/js/lib/single.js';

/** A clock that stands still unless somebody waits or works. */
function standing() {
  const clock = { time: 1000, waits: [], now: () => clock.time, wait: async (ms) => { clock.waits.push(ms); clock.time += ms; } };
  return clock;
}

test('asked while it runs, a loader runs once more and not more often', async () => {
  const clock = standing();
  let runs = 0;
  const load = single(async () => { runs += 1; await Promise.resolve(); }, clock);
  await Promise.all([load(), load(), load()]);
  assert.equal(runs, 2);
});

test('what takes long rests before it is asked again, so that it has a quarter of the time at most', async () => {
  const clock = standing();
  const load = single(async () => { clock.time += 100; }, clock);
  await load();
  assert.deepEqual(clock.waits, []);
  await load();
  assert.deepEqual(clock.waits, [300]);
  clock.time += 120;
  await load();
  assert.deepEqual(clock.waits, [300, 180]);
});

test('nobody rests longer than five seconds, and after an error not at all', async () => {
  const clock = standing();
  let fails = true;
  const load = single(async () => {
    clock.time += 60000;
    if (fails) throw new Error('no answer');
  }, clock);
  await assert.rejects(load());
  fails = false;
  await load();
  assert.deepEqual(clock.waits, []);
  await load();
  assert.deepEqual(clock.waits, [5000]);
});
