/** A folder for a real sidecar with the component `pubsub` on a Redis server of its own; both are gone at the end of the test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { RedisServer } from './redis-server.ts';

/** @param againMs a message that was not processed is handed over again after this time */
export async function redisFolder(againMs: number): Promise<string> {
  const server = await RedisServer.start();
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-tap-redis-'));
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const settings = {
    redisHost: server.host,
    redisPassword: '',
    processingTimeout: `${againMs}ms`,
    redeliverInterval: `${againMs / 2}ms`,
  };
  const metadata = Object.entries(settings).map(([name, value]) => ({ name, value }));
  const component = {
    apiVersion: 'dapr.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'pubsub' },
    spec: { type: 'pubsub.redis', version: 'v1', metadata },
  };
  await writeFile(join(folder, 'pubsub.yaml'), JSON.stringify(component));
  return folder;
}
