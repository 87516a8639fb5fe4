// Run with: node --test Tests/Web
import assert from 'node:assert/strict';
import test from 'node:test';
import { browse, load } from './element.mjs';

browse({});
await (await load('core/i18n.js')).loadLanguage();
const { locate } = await load('ui/participate.js');

/** Where the device says that it is, as a test says; what was asked of it is noted. */
const device = { told: null, failed: null, options: null, ended: 0 };
globalThis.isSecureContext = true;
globalThis.navigator.geolocation = {
  watchPosition: (told, failed, options) => { Object.assign(device, { told, failed, options }); return 7; },
  clearWatch: (watch) => { device.ended = watch; },
};
const fix = (latitude, accuracy) => device.told({ coords: { latitude, longitude: 12, accuracy } });

test('an exact position is taken at once, and an old one never', async () => {
  const found = locate();
  fix(1, 90);
  fix(2, 20);
  assert.deepEqual([await found, device.ended, device.options.maximumAge], [{ latitude: 2, longitude: 12, accuracy_m: 20 }, 7, 5000]);
});

test('where none is exact, the most exact of some seconds is taken, and the search ends', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const found = locate();
  fix(1, 900);
  fix(2, 60);
  fix(3, 80);
  context.mock.timers.tick(3000);
  assert.equal((await found).latitude, 2);
  // Who has a position keeps it, whatever goes wrong behind it.
  const kept = locate();
  fix(4, 60);
  device.failed({ code: 3 });
  assert.equal((await kept).latitude, 4);
});

test('a device that does not answer or may not is waited for no longer', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const silent = assert.rejects(locate(), /location/i);
  context.mock.timers.tick(8000);
  await silent;
  const denied = assert.rejects(locate(), /location/i);
  device.failed({ code: 1 });
  await denied;
});
