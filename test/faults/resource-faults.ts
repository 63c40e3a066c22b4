/** A resource file that is there only in part, cut at one byte after another, and then whole again. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { FaultStand, tell } from './app-faults.ts';
import type { Figures } from './app-faults.ts';

const FILE = `apiVersion: dapr.io/v1alpha1
kind: Component
metadata:
  name: pubsub
spec:
  type: pubsub.in-memory
  version: v1
  metadata:
    - name: note
      value: "half a file is no file"
`;

interface Row {
  readonly name: string;
  readonly state: string;
  readonly problems: readonly unknown[];
}

/**
 * @param folder of resources, which the product watches
 * @param everyBytes between two cuts
 */
export async function halfWritten(folder: string, everyBytes: number): Promise<Figures> {
  await writeFile(join(folder, 'pubsub.yaml'), FILE);
  const stand = await FaultStand.start(['--resources', folder]);
  try {
    let [tried, cuts, silent] = [await stand.publish(5, 'orders', 'whole'), 0, 0];
    for (let at = 1; at < FILE.length; at += everyBytes) {
      cuts += 1;
      await writeFile(join(folder, 'pubsub.yaml'), FILE.slice(0, at));
      await stand.running.call('components.reload', {});
      const { items, problems = [] } = (await stand.running.call('components.list', {})) as {
        items: readonly Row[];
        problems?: readonly unknown[];
      };
      const acknowledged = await stand.publish(1, 'orders', `half-${at}`);
      tried += acknowledged;
      const isReported =
        problems.length > 0 || items.some((row) => row.state === 'failed' || row.problems.length > 0);
      // Refused, and nothing says why.
      if (acknowledged === 0 && !isReported && items.some(({ name }) => name === 'pubsub')) silent += 1;
    }
    await writeFile(join(folder, 'pubsub.yaml'), FILE);
    await stand.running.call('components.reload', {});
    await vi.waitUntil(() => stand.isAlive(), { timeout: 300_000 });
    tried += await stand.publish(5, 'orders', 'again');
    await stand.ended('orders');
    const processed = await stand.count('topic:orders state:processed');
    return tell('resource file half written', {
      tried,
      survived: await stand.isAlive(),
      lost: tried - processed,
      cuts,
      silent,
    });
  } finally {
    await stand.close();
  }
}
