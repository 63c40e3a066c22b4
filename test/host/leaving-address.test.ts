/** The setting `app.address` is changed while an app leaves: it is turned, not asked, and nothing ends for that. */
import { expect, test } from 'vitest';

import { createTurnableChannel } from '../../core/adapters/http-app-channel/turnable.ts';
import { addressIn, followAddresses } from '../../core/host/app-addresses.ts';
import { Settings } from '../../core/host/settings.ts';
import { ScriptedApp } from '../support/scripted-app.ts';
import { ManualClock } from '../support/manual-clock.ts';

test("a failed change of a removed app's address is logged", async () => {
  const settings = new Settings(new Map(), new Map());
  const lines: string[] = [];
  const said = new Promise<void>((go) => {
    const log = {
      write: (level: string, part: string, text: string) => {
        lines.push(`${level} ${part}: ${text}`);
        go();
      },
    };
    const turnable = createTurnableChannel('http://mock', (url) => new ScriptedApp(new ManualClock(), url));
    const ask = async () => Promise.reject(new Error('There is no app late.'));
    followAddresses([{ appId: 'late', turnable }], settings, { rediscovery: { ask } }, log);
  });
  settings.set('app.address', { late: 'http://127.0.0.1:7001' });
  await said;
  expect(lines).toEqual([
    'debug discovery: late is not asked at http://127.0.0.1:7001: There is no app late.',
  ]);
});

test('an address that was set with one slash behind its scheme is called with two', () => {
  const settings = new Settings(new Map(), new Map());
  settings.set('app.address', { shop: 'http:/127.0.0.1:8080/base', cart: 'grpc://127.0.0.1:1' });
  expect(addressIn(settings, 'shop')).toBe('http://127.0.0.1:8080/base');
  expect(addressIn(settings, 'cart')).toBe('grpc://127.0.0.1:1');
  expect(addressIn(settings, 'toString')).toBeUndefined();
});
