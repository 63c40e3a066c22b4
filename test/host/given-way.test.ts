/** A default port that gives way: the sentence tells who has it. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { choosePort } from '../../core/host/ports.ts';

async function listening(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

test.each([
  ['another process', false, 'is in use by another process; this sidecar listens on'],
  ['an app of this run', true, 'belongs to another app here; this sidecar listens on'],
])('of %s', async (_, isOurs, text) => {
  const standard = await listening();
  const wish = { flag: '--sidecar-port', what: 'sidecar', given: undefined, standard };
  const { port, notice } = await choosePort(wish, true, new Set(isOurs ? [standard] : []));
  expect(port).toBeGreaterThan(standard);
  expect(notice).toContain(`${standard} ${text} ${port}`);
});
