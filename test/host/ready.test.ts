/** The text of a start. */
import { expect, test } from 'vitest';
import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import { createTurnableChannel } from '../../core/adapters/http-app-channel/turnable.ts';
import type { SettingKey } from '../../core/domain/settings.ts';
import { enteredAddresses } from '../../core/host/app-addresses.ts';
import { farewell, welcome } from '../../core/host/ready.ts';
import { openSettings } from '../../core/host/settings.ts';
import type { Settings } from '../../core/host/settings.ts';

const AT = {
  console: 'http://127.0.0.1:8080',
  open: 'http://127.0.0.1:8080/open',
  rpc: 'http://127.0.0.1:8080/rpc',
  token: 'secret',
  apps: [{ appId: 'app', sidecar: 'http://127.0.0.1:3500', protocol: 'http', mock: true }],
} as const;

function exampleFor(pubsubname: string): string {
  const lines = welcome({ ...AT, pubsubname }, [], undefined).split('\n');
  return lines.find((line) => line.includes('curl')) ?? '';
}

test('the example request carries the API token that the sidecar asks for, by its variable', () => {
  const apiToken = { header: 'sidecar-api-token', variable: 'SIDECAR_API_TOKEN' };
  expect(welcome({ ...AT, pubsubname: 'pubsub', apiToken }, [], undefined)).toContain(
    `/publish/pubsub/orders' -H "sidecar-api-token: $SIDECAR_API_TOKEN" -H 'Content-Type`,
  );
  expect(exampleFor('pubsub')).not.toContain('token');
});

test('an address that was entered in the console is told from one of a flag', () => {
  const apps = [{ ...AT.apps[0], app: 'http://127.0.0.1:8080', mock: false }];
  const line = (more: object): string | undefined =>
    welcome({ ...AT, apps, ...more }, [], undefined)
      .split('\n')
      .find((each) => each.startsWith('  App '));
  expect(line({})).toBe('  App       http://127.0.0.1:8080');
  expect(line({ entered: ['shop'] })).toBe('  App       http://127.0.0.1:8080');
  expect(line({ entered: ['app'] })).toBe(
    '  App       http://127.0.0.1:8080   (entered on the Apps screen, and kept)',
  );
});

test('only an address that was entered while Sidelight ran counts as entered', () => {
  const value = { shop: 'http://127.0.0.1:8080', flagged: 'http://127.0.0.1:8081' };
  const turnable = createTurnableChannel('http://127.0.0.1:6001', (url) => createHttpAppChannel({ url }));
  const apps = [{ appId: 'app', turnable }, { appId: 'shop', turnable }, { appId: 'flagged' }];
  const settingsOf = (set: ReadonlyMap<SettingKey, unknown>): Settings => openSettings({ set, setTexts: [] });
  expect(enteredAddresses(settingsOf(new Map()), apps)).toEqual([]);
  expect(enteredAddresses(settingsOf(new Map([['app.address', value]])), apps)).toEqual([]);
  const settings = settingsOf(new Map());
  settings.set('app.address', value);
  expect(enteredAddresses(settings, apps)).toEqual(['shop']);
});

test('a link of the console says how long it is good, and what helps then', () => {
  const text = welcome(AT, [], AT.open);
  expect(text).toContain(`  Console   ${AT.open}\n            This link works once, within ten minutes.`);
  expect(text).toContain(`Then that browser opens ${AT.console} without it.`);
  expect(text).toContain(
    'For another browser the console makes a new link in Settings, About. So does each start.',
  );
  expect(welcome(AT, [], undefined)).not.toContain('works once');
});

test.each([
  ['pubsub', 'pubsub'],
  ['a[1-9]{b}', 'a%5B1-9%5D%7Bb%7D'],
  ["x'; touch y; '$(id)`id`", 'x%27%3B%20touch%20y%3B%20%27%24(id)%60id%60'],
])('the example request names the component %j as plain text', (name, part) => {
  expect(exampleFor(name)).toContain(
    `curl -g -X POST 'http://127.0.0.1:3500/v1.0/publish/${part}/orders' -H`,
  );
});

test('the last line says that Sidelight ended, and what it kept', () => {
  expect(farewell('/data')).toBe('Sidelight has ended. Its messages and settings are kept in /data.');
  expect(farewell(undefined)).toBe('Sidelight has ended. It kept nothing.');
});
