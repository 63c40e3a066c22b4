/** An address that a person wrote is distinguished from an equal default one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readOptions } from '../../core/host/options.ts';
import { SecretValue } from '../../core/event-router/rules/secret-value.ts';
import { EVENT_ROUTER_DEFAULTS } from '../../core/contract/event-router/settings.ts';
import { listenersNamedBy } from '../../core/event-router/connection/named-listeners.ts';
import { openSettings } from '../../core/host/settings.ts';

function config(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-written-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'sidelight.yaml');
  writeFileSync(file, text);
  return file;
}

test.each([
  [[], undefined, []],
  [['eventRouter.mode=embedded'], undefined, []],
  [['eventRouter.listen.router=localhost:7443'], undefined, ['router']],
  [[], 'eventRouter: { listen: { ingress: "localhost:9443" } }', ['ingress']],
  [[], 'eventRouter:\n  rbac: enforce\n', []],
  [
    ['eventRouter.listen.router=localhost:1'],
    'eventRouter: { listen: { ingress: "localhost:2" } }',
    ['router', 'ingress'],
  ],
] as const)('flags %j, file %j: %j', (sets, text, expected) => {
  const file = text === undefined ? [] : ['--config', config(text)];
  const options = readOptions(['--ephemeral', ...file, ...sets.flatMap((one) => ['--set', one])], {});
  expect([...options.writtenListeners]).toEqual(expected);
});

test.each([
  ['https://localhost:7443/topics/a/api/events', 'https://localhost:9443/a', ['router', 'ingress']],
  ['https://localhost:7444/topics/a/api/events', 'https://127.0.0.1:9443/a', ['ingress']],
  ['https://router.example:7443/topics/a', 'https://localhost/a', []],
] as const)('a component at %s and %s names %j', (topicEndpoint, subscriberEndpoint, expected) => {
  const secret = new SecretValue('k');
  const input = {
    tenantId: 't',
    subscriptionId: 's',
    clientId: 'c',
    clientSecret: secret,
    scope: '/subscriptions/s',
  };
  const guest = {
    component: 'a',
    output: { topicEndpoint, accessKey: secret },
    input: { ...input, subscriberEndpoint, handshakePort: 9000 },
  };
  expect([...listenersNamedBy(guest, EVENT_ROUTER_DEFAULTS.listen)]).toEqual(expected);
  expect([...listenersNamedBy(undefined, EVENT_ROUTER_DEFAULTS.listen)]).toEqual([]);
});

test('a flag for one member leaves the rest of the block in a file as it is', () => {
  const file = config('eventRouter: { rbac: enforce, delivery: { timeScale: 1 } }');
  const sets = ['eventRouter.delivery.jitter=0', 'eventRouter.identity=strict'];
  const { current } = openSettings(
    readOptions(['--ephemeral', '--config', file, ...sets.flatMap((one) => ['--set', one])], {}),
  );
  expect(current.eventRouter).toMatchObject({
    rbac: 'enforce',
    identity: 'strict',
    delivery: { timeScale: 1, jitter: 0, maxConcurrentDeliveries: 8 },
  });
});
