/** Ports of an app that is added at run time: the port is not its sidecar's, and nothing outlives it. */
import { UNCOUNTED } from '../../core/domain/request-bodies.ts';
import { connect } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { ResponseRule } from '../../core/contract/mock-app.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { openApps } from '../../core/host/apps.ts';
import type { OpenApps } from '../../core/host/apps.ts';
import { readOptions } from '../../core/host/options.ts';
import { closeInReverse } from '../../core/host/opened.ts';
import { RuleRoom } from '../../core/mock-app/rule-room.ts';
import { freePort } from '../support/free-port.ts';
import { SILENT } from '../support/mock-app-parts.ts';

async function openedApps(
  opened: (() => Promise<void>)[],
  flags: readonly string[] = [],
  addressOf: (appId: string) => string | undefined = () => undefined,
): Promise<OpenApps> {
  const apps = await openApps(
    {
      options: readOptions(['--headless', '--ephemeral', ...flags], {}),
      added: [],
      profile: PROFILES.sidecar,
      mayMove: true,
      clock: systemClock(),
      random: { next: () => 0.5 },
      codec: bufferCodec,
      ids: randomIds(),
      log: SILENT,
      ruleRoom: new RuleRoom(),
      mockBodies: UNCOUNTED,
      healthPath: () => '/healthz',
      addressOf,
    },
    opened,
  );
  onTestFinished(() => apps.close());
  return apps;
}

test('the mock app of an added app does not take the port of its sidecar, and removed apps leave nothing to close', async () => {
  const opened: (() => Promise<void>)[] = [];
  const apps = await openedApps(opened);
  const { length } = opened;
  const own = Number(new URL(apps.list[0]?.channel.url ?? '').port);
  // The port that the next mock app would take.
  const next = await apps.add('first');
  const wished = Number(new URL(next.channel.url).port);
  await apps.drop('first');
  expect(wished).toBeGreaterThan(own);
  const added = await apps.add('shop', wished);
  expect(Number(new URL(added.channel.url).port)).not.toBe(wished);
  expect(opened).toHaveLength(length);
});

test('an app that is being added when all are closed leaves no mock app open', async () => {
  const apps = await openedApps([]);
  const adding = apps.add('shop').catch((error: unknown) => error);
  await apps.close();
  expect(await adding).toMatchObject({ message: 'Sidelight is ending.' });
  expect(apps.list.map(({ appId }) => appId)).toEqual(['app']);
});

/** An address that no channel can use, for one app. */
const unusable = (of: string) => (appId: string) => (appId === of ? 'no address' : undefined);

test('the mock app of an app that cannot be made is closed with what a failed start had opened', async () => {
  const port = await freePort();
  const opened: (() => Promise<void>)[] = [];
  await expect(openedApps(opened, ['--app-port', String(port)], unusable('app'))).rejects.toThrow();
  expect(await isOpen(port)).toBe(true);
  const failed: string[] = [];
  await closeInReverse(opened, (reason) => failed.push(reason));
  expect({ isOpen: await isOpen(port), failed }).toEqual({ isOpen: false, failed: [] });
});

test('an app that cannot be added leaves no mock app open', async () => {
  const apps = await openedApps([], ['--app-port', '0'], unusable('shop'));
  const { length } = listening();
  await expect(apps.add('shop')).rejects.toThrow();
  // A closed server counts until the end of the turn.
  await expect.poll(listening).toHaveLength(length);
});

test('a part that cannot be closed after a failed start keeps no other one open', async () => {
  const closed: string[] = [];
  const failed: string[] = [];
  await closeInReverse(
    [
      async () => void closed.push('first'),
      () => Promise.reject(new Error('the disk is gone')),
      async () => void closed.push('last'),
    ],
    (reason) => failed.push(reason),
  );
  expect({ closed, failed }).toEqual({ closed: ['last', 'first'], failed: ['the disk is gone'] });
});

/** Servers that keep this process alive. */
function listening(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap');
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

test('the rules of all mock apps together have a limit; the refusal names it and changes nothing', async () => {
  const apps = await openedApps([]);
  const answers = (characters: number): readonly ResponseRule[] => [
    {
      ruleId: 'long',
      enabled: true,
      match: {},
      answer: { kind: 'respond', status: 200, body: 'x'.repeat(characters) },
    },
  ];
  const mocks = await Promise.all(
    Array.from({ length: 9 }, async (_, n) => {
      const { mock } = await apps.add(`app-${n}`);
      if (mock === undefined) throw new Error('it has no mock app');
      return mock;
    }),
  );
  const MEBI = 1024 * 1024;
  for (const mock of mocks.slice(0, 8)) mock.setRules(answers(4 * MEBI - 1000));
  const [ninth] = mocks.slice(8);
  ninth?.setRules(answers(1000));
  const refusal = { field: 'rules', expected: expect.stringContaining('at most 33554432 characters') };
  expect(() => ninth?.setRules(answers(MEBI))).toThrow(expect.objectContaining(refusal));
  expect(ninth?.state().rules).toMatchObject([{ answer: { body: 'x'.repeat(1000) } }]);
  // Fewer characters of one app give room to the others.
  mocks[0]?.setRules(answers(2 * MEBI));
  ninth?.setRules(answers(MEBI));
});
