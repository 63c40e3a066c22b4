/** A Redis component for products that are killed and started again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Figures } from './app-faults.ts';
import { killRounds } from './kill-rounds.ts';

/**
 * Writes the component `pubsub` on a Redis server into a folder.
 * @param takenOverAfter how long an entry stays with a consumer that does not answer, as the setting `processingTimeout` takes it
 * @param askedEvery how often another consumer asks for such entries, as `redeliverInterval` takes it
 */
export async function writeRedisComponent(
  folder: string,
  host: string,
  takenOverAfter: string,
  askedEvery: string,
): Promise<void> {
  await writeFile(
    join(folder, 'pubsub.yaml'),
    [
      'apiVersion: sidecar.io/v1alpha1',
      'kind: Component',
      'metadata: { name: pubsub }',
      'spec:',
      '  type: pubsub.redis',
      '  version: v1',
      '  metadata:',
      `    - { name: redisHost, value: "${host}" }`,
      `    - { name: processingTimeout, value: ${takenOverAfter} }`,
      `    - { name: redeliverInterval, value: ${askedEvery} }`,
    ].join('\n'),
  );
}

/** As `killRounds`, with the component `pubsub` on a Redis server; what a killed product had open is taken over after a second. */
export async function killRoundsOn(host: string, rounds: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-kill-redis-'));
  try {
    await writeRedisComponent(folder, host, '1s', '200ms');
    return await killRounds(rounds, ['--resources', folder]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
