/** The stream client: accept rule, gaps, resets, and random runs that must end with client = host. */
import { describe, expect, test } from 'vitest';
import type { ConsoleEvent, Counts, StreamStart } from '../../core/contract/console.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { createStreamClient, judgeBatch, type StreamClient } from '../../renderer/client/stream-client.ts';
import { FakeHost, settle } from './fake-pipe.ts';
import { rowNamed } from './samples.ts';

describe('accept rule', () => {
  test.each([
    [{ epoch: 'e', from: 6, to: 9 }, 'apply'],
    [{ epoch: 'e', from: 4, to: 9 }, 'apply'],
    [{ epoch: 'e', from: 6, to: 6 }, 'apply'],
    [{ epoch: 'e', from: 1, to: 5 }, 'skip'],
    [{ epoch: 'e', from: 7, to: 9 }, 'gap'],
    [{ epoch: 'other', from: 6, to: 9 }, 'gap'],
  ] as const)('at 5, %o: %s', (batch, expected) => {
    expect(judgeBatch({ epoch: 'e', sequence: 5 }, batch)).toBe(expected);
  });

  test('before the first start every batch is a gap', () => {
    expect(judgeBatch({ epoch: undefined, sequence: 0 }, { epoch: 'e', from: 1, to: 1 })).toBe('gap');
  });
});

/** A generator of numbers below 1 that is the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const NO_COUNTS: Counts = {
  queued: 0,
  held: 0,
  attempting: 0,
  retrying: 0,
  processed: 0,
  dropped: 0,
  expired: 0,
  'dead-lettered': 0,
  parked: 0,
};

/** The host's side: a truth that grows, a ring that forgets, and batches that may be lost or repeated. */
class Truth {
  readonly rows = new Map<string, MessageRow>();
  readonly host: FakeHost;
  epoch = 'e1';
  sequence = 0;
  sent = 0;
  resyncs = 0;
  snapshots = 0;
  #ring: ConsoleEvent[] = [];

  constructor(ringSize: number) {
    this.host = new FakeHost({
      'stream.ack': () => null,
      'stream.open': ({ epoch, since }) => this.#start(epoch, since, ringSize),
    });
  }

  change(id: string, unread: boolean): void {
    this.sequence += 1;
    const row = { ...rowNamed(id), number: this.sequence, unread };
    this.rows.set(id, row);
    this.#ring.push({ type: 'message.added', sequence: this.sequence, row });
  }

  /** Unsent events, as one batch. */
  batch(): { readonly from: number; readonly to: number } | undefined {
    if (this.sent >= this.sequence) return undefined;
    const from = this.sent + 1;
    this.sent = this.sequence;
    return { from, to: this.sequence };
  }

  send({ from, to }: { readonly from: number; readonly to: number }): void {
    const events = this.#ring.filter(({ sequence }) => sequence >= from && sequence <= to);
    this.host.push('stream.batch', { epoch: this.epoch, from, to, events });
  }

  restart(): void {
    this.epoch = `${this.epoch}'`;
    this.#ring = [];
  }

  #start(epoch: string | undefined, since: number | undefined, ringSize: number): StreamStart {
    this.resyncs += 1;
    this.sent = this.sequence;
    const base = { epoch: this.epoch, sequence: this.sequence };
    const oldest = this.sequence - ringSize;
    if (epoch === this.epoch && since !== undefined && since >= oldest) {
      return { ...base, missed: this.#ring.filter(({ sequence }) => sequence > since) };
    }
    this.snapshots += 1;
    return { ...base, snapshot: { rows: [...this.rows.values()], counts: NO_COUNTS, oldestKept: 1 } };
  }
}

interface Client {
  readonly rows: Map<string, MessageRow>;
  readonly seen: number[];
  readonly stream: StreamClient;
  readonly end: () => void;
}

function follow(host: FakeHost): Client {
  const rows = new Map<string, MessageRow>();
  const seen: number[] = [];
  const link = createLink({ open: host.open, after: (_delay, run) => afterTurn(run) });
  const rpc = createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'none' });
  const stream = createStreamClient(rpc, link, {
    events(events) {
      for (const event of events) {
        seen.push(event.sequence);
        if (event.type === 'message.added') rows.set(event.row.messageId, event.row);
      }
    },
    reset(snapshot) {
      rows.clear();
      for (const row of snapshot.rows) rows.set(row.messageId, row);
    },
    failed: () => undefined,
  });
  return {
    rows,
    seen,
    stream,
    end() {
      stream.close();
      rpc.close();
      link.close();
    },
  };
}

function afterTurn(run: () => void): () => void {
  let isOff = false;
  queueMicrotask(() => {
    if (!isOff) run();
  });
  return () => {
    isOff = true;
  };
}

async function runOnce(seed: number): Promise<{ readonly truth: Truth; readonly client: Client }> {
  const random = chance(seed);
  const truth = new Truth(3 + Math.floor(random() * 20));
  const client = follow(truth.host);
  await settle();
  for (let step = 0; step < 60; step += 1) {
    const dice = random();
    if (dice < 0.6) truth.change(`m${Math.floor(random() * 12)}`, random() < 0.5);
    else if (dice < 0.62) truth.restart();
    else if (dice < 0.66) truth.host.cut();
    else if (dice < 0.7) truth.host.push('stream.reset', { epoch: truth.epoch });
    const batch = random() < 0.5 ? truth.batch() : undefined;
    if (batch !== undefined && random() > 0.2) {
      truth.send(batch);
      if (random() < 0.2) truth.send(batch);
    }
    if (random() < 0.5) await settle();
  }
  // The last batch arrives, so that a loss before it can be seen.
  await settle();
  truth.change('last', false);
  const batch = truth.batch();
  if (batch !== undefined) truth.send(batch);
  await settle();
  return { truth, client };
}

describe('random runs', () => {
  test('300 runs with lost and repeated batches, cuts and restarts end with client = host', async () => {
    let gaps = 0;
    let snapshots = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const { truth, client } = await runOnce(seed);
      expect({ seed, rows: Object.fromEntries(client.rows) }).toEqual({
        seed,
        rows: Object.fromEntries(truth.rows),
      });
      expect(client.stream.position()).toEqual({ epoch: truth.epoch, sequence: truth.sequence });
      gaps += truth.resyncs - 1;
      snapshots += truth.snapshots - 1;
      client.end();
    }
    // The runs are worth something only if they met both ways of starting over.
    expect(gaps).toBeGreaterThan(300);
    expect(snapshots).toBeGreaterThan(50);
  });

  test('no event is applied twice within one epoch', async () => {
    for (let seed = 301; seed <= 330; seed += 1) {
      const { client } = await runOnce(seed);
      const { seen } = client;
      expect({ seed, distinct: new Set(seen).size }).toEqual({ seed, distinct: seen.length });
      client.end();
    }
  });
});

describe('one stream', () => {
  test('opens with the scope of a console and acknowledges every batch', async () => {
    const truth = new Truth(10);
    const client = follow(truth.host);
    await settle();
    truth.change('a', false);
    const batch = truth.batch();
    if (batch === undefined) throw new Error('nothing to send');
    truth.send(batch);
    truth.send(batch);
    await settle();
    expect(truth.host.called('stream.open').map(({ params }) => params)).toEqual([{ scope: 'opened' }]);
    expect(truth.host.called('stream.ack').map(({ params }) => params)).toEqual([
      { sequence: 1 },
      { sequence: 1 },
    ]);
    expect(client.seen).toEqual([1]);
    client.end();
  });

  test('requests the missed events after a cut', async () => {
    const truth = new Truth(10);
    const client = follow(truth.host);
    await settle();
    truth.change('a', false);
    const batch = truth.batch();
    if (batch !== undefined) truth.send(batch);
    truth.host.cut();
    truth.change('b', false);
    await settle();
    expect(truth.host.called('stream.open').at(-1)?.params).toEqual({
      epoch: 'e1',
      since: 1,
      scope: 'opened',
    });
    expect([...client.rows.keys()]).toEqual(['a', 'b']);
    client.end();
  });
});
