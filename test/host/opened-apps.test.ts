/** Ports of an app that is added at run time: the port is not its sidecar's, and nothing outlives it. */
import { expect, onTestFinished, test } from 'vitest';

import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { openApps } from '../../core/host/apps.ts';
import type { OpenApps } from '../../core/host/apps.ts';
import { readOptions } from '../../core/host/options.ts';
import { SILENT } from '../support/mock-app-parts.ts';

async function openedApps(opened: (() => Promise<void>)[]): Promise<OpenApps> {
  const apps = await openApps(
    {
      options: readOptions(['--headless', '--ephemeral'], {}),
      added: [],
      profile: PROFILES.sidecar,
      mayMove: true,
      clock: systemClock(),
      random: { next: () => 0.5 },
      codec: bufferCodec,
      ids: randomIds(),
      log: SILENT,
      healthPath: () => '/healthz',
      addressOf: () => undefined,
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
