/** The publishers, in a process of their own: each sends, waits for the answer, and sends again. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { Load, Loaded } from './messages.ts';
import { quantile, sharedNow } from './stats.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

function bodyOf(load: Load, padding: string): string {
  const one = (): string => `{"t":${sharedNow().toFixed(3)},"p":"${padding}"}`;
  if (load.create === true) {
    const event = `{"specversion":"1.0","id":"${randomUUID()}","source":"/bench","type":"bench.made","data":${one()}}`;
    return `{"operation":"create","data":${event}}`;
  }
  if (load.entries === 0) return one();
  const entries = Array.from(
    { length: load.entries },
    (_, at) => `{"entryId":"${at}","event":${one()},"contentType":"application/json"}`,
  );
  return `[${entries.join(',')}]`;
}

async function run(load: Load): Promise<Loaded> {
  const pool = new Pool(load.url, { connections: load.publishers, pipelining: 1 });
  const padding = 'x'.repeat(load.padding);
  const each = Math.max(1, load.entries);
  const startedAt = sharedNow();
  const end = startedAt + load.seconds * 1_000;
  let sent = 0;
  let refused = 0;
  const waits: number[] = [];
  const publisher = async (): Promise<void> => {
    while (sharedNow() < end && sent < load.mostMessages) {
      const path = load.paths[(sent / each) % load.paths.length] ?? '/';
      sent += each;
      const askedAt = sharedNow();
      const answer = await pool.request({
        method: 'POST',
        path,
        headers: JSON_TYPE,
        body: bodyOf(load, padding),
      });
      await answer.body.dump();
      waits.push(sharedNow() - askedAt);
      if (answer.statusCode !== 204) refused += each;
    }
  };
  await Promise.all(Array.from({ length: load.publishers }, publisher));
  await pool.close();
  const sorted = Float64Array.from(waits).sort();
  return {
    kind: 'loaded',
    startedAt,
    messages: sent,
    refused,
    ackP50: quantile(sorted, 0.5),
    ackP99: quantile(sorted, 0.99),
  };
}

process.on('message', (load: Load) => {
  run(load).then(
    (loaded) => process.send?.(loaded),
    (error: unknown) => {
      throw error;
    },
  );
});
process.on('disconnect', () => process.exit());
