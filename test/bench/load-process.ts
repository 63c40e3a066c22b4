/** The publishers, in a process of their own: each sends, waits for the answer, and sends again. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportCoordinator } from './coordinator.ts';
import type { Load, Loaded } from './messages.ts';
import { openPublisher } from './publisher-socket.ts';
import type { PublisherSocket } from './publisher-socket.ts';
import { quantile, sharedNow } from './stats.ts';

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

/** Counters shared by all publishers of one load. */
class Counts {
  readonly waits: number[] = [];
  sent = 0;
  refused = 0;
  acceptedByEnd = 0;

  answered(status: number, each: number, tookMs: number, isInTime: boolean): void {
    this.waits.push(tookMs);
    if (status !== 204) this.refused += each;
    else if (isInTime) this.acceptedByEnd += each;
  }
}

async function publish(
  load: Load,
  socket: PublisherSocket,
  place: { readonly startedAt: number; readonly at: number; readonly padding: string },
  counts: Counts,
): Promise<void> {
  const each = Math.max(1, load.entries);
  const end = place.startedAt + load.seconds * 1_000;
  for (let turn = 0; ; turn += 1) {
    const { rate } = load;
    if (rate !== undefined) {
      // Each publisher has moments of its own: a late answer does not lower the rate.
      const dueAt = place.startedAt + ((turn * load.publishers + place.at) / rate) * 1_000;
      const waitMs = dueAt - sharedNow();
      if (waitMs > 0) await sleep(waitMs);
    }
    if (sharedNow() >= end || counts.sent >= load.mostMessages) return;
    const path = load.paths[(counts.sent / each) % load.paths.length] ?? '/';
    counts.sent += each;
    const askedAt = sharedNow();
    const status = await socket.post(path, bodyOf(load, place.padding));
    const answeredAt = sharedNow();
    counts.answered(status, each, answeredAt - askedAt, answeredAt <= end);
  }
}

async function run(load: Load): Promise<Loaded> {
  const padding = 'x'.repeat(load.padding);
  const counts = new Counts();
  const sockets = await Promise.all(
    Array.from({ length: load.publishers }, () => openPublisher(new URL(load.url))),
  );
  const startedAt = sharedNow();
  await Promise.all(sockets.map((socket, at) => publish(load, socket, { startedAt, at, padding }, counts)));
  const endedAt = sharedNow();
  for (const socket of sockets) socket.close();
  const sorted = Float64Array.from(counts.waits).sort();
  return {
    kind: 'loaded',
    startedAt,
    endedAt,
    messages: counts.sent,
    refused: counts.refused,
    acceptedByEnd: counts.acceptedByEnd,
    ackP50: quantile(sorted, 0.5),
    ackP99: quantile(sorted, 0.99),
  };
}

process.on('message', (load: Load) => {
  run(load).then(reportCoordinator, (error: unknown) => {
    throw error;
  });
});
process.on('disconnect', () => process.exit());
