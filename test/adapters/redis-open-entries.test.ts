/** Memory of the Redis adapter for open entries: their ids and marks, never their bytes. */
import { expect, test } from 'vitest';
import { OpenEntries } from '../../core/adapters/redis-streams/open-entries.ts';
import type { InboundMessage, Taken } from '../../core/ports/pubsub.ts';
import { collectGarbage } from '../support/garbage.ts';

const turn = (): Promise<void> => new Promise((go) => setImmediate(go));

interface Bench {
  readonly entries: OpenEntries;
  /** Acknowledged ids. */
  readonly acknowledged: string[];
  /** Sizes of what the runtime was given. */
  readonly given: number[];
  readonly log: string[];
  end(taken: Taken): void;
  fail(error: Error): void;
}

function bench(): Bench {
  const [acknowledged, given, log]: [string[], number[], string[]] = [[], [], []];
  let settle: { end: (taken: Taken) => void; fail: (error: Error) => void } | undefined;
  const entries = new OpenEntries({
    group: {
      names: { topic: 't', group: 'g', consumer: 'c' },
      alongside: (ask) => void setImmediate(ask),
      acknowledge: (ids) => {
        acknowledged.push(...ids);
        return Promise.resolve();
      },
    },
    server: 'server',
    slots: undefined,
    log: { write: (_level, _part, text) => void log.push(text) },
    take: ({ wire }: InboundMessage) => {
      given.push(wire?.length ?? -1);
      return new Promise((end, fail) => (settle = { end, fail }));
    },
  });
  return {
    entries,
    acknowledged,
    given,
    log,
    end: (taken) => settle?.end(taken),
    fail: (error) => settle?.fail(error),
  };
}

const fields = (bytes: Uint8Array): readonly Uint8Array[] => [Buffer.from('data'), bytes];

/** Delivers an entry of 100 kB and drops its reference. */
function handed(entries: OpenEntries): WeakRef<Uint8Array> {
  const bytes = new Uint8Array(100_000);
  entries.hand([{ id: '1-0', fields: fields(bytes) }]);
  return new WeakRef(bytes);
}

test('the bytes of an entry are not kept while its delivery is open', async () => {
  const { entries, acknowledged, given, end } = bench();
  const bytes = handed(entries);
  await collectGarbage(() => turn());
  expect(given).toEqual([100_000]);
  expect(entries.ids).toEqual(['1-0']);
  expect(bytes.deref()).toBeUndefined();
  end('done');
  await entries.close();
  expect(acknowledged).toEqual(['1-0']);
});

test('an open entry is recognised by its content, and another one under its id is delivered', async () => {
  const { entries, given, end, acknowledged } = bench();
  entries.hand([{ id: '1-0', fields: fields(Buffer.from('first')) }]);
  await turn();
  entries.hand([{ id: '1-0', fields: fields(Buffer.from('first')) }]);
  await turn();
  expect(given).toEqual([5]);
  entries.hand([{ id: '1-0', fields: fields(Buffer.from('another')) }]);
  await turn();
  expect(given).toEqual([5, 7]);
  end('done');
  await turn();
  await entries.flush();
  expect(acknowledged).toEqual(['1-0']);
});

test('an entry whose id belongs to an ended, not yet acknowledged entry is delivered', async () => {
  const { entries, given, end, acknowledged } = bench();
  entries.hand([{ id: '1-0', fields: fields(Buffer.from('first')) }]);
  end('done');
  await Promise.resolve();
  // The stream was lost, and the server gave the id again within the same millisecond.
  entries.hand([{ id: '1-0', fields: fields(Buffer.from('another')) }]);
  expect(given).toEqual([5, 7]);
  await turn();
  expect(acknowledged).toEqual([]);
  end('done');
  await turn();
  await entries.flush();
  expect(acknowledged).toEqual(['1-0']);
});

test('an entry that the runtime did not take is logged and not acknowledged', async () => {
  const { entries, log, fail, acknowledged } = bench();
  entries.hand([{ id: '1-0', fields: fields(Buffer.from('x')) }]);
  await turn();
  fail(new Error('no room'));
  await entries.close();
  expect(log).toEqual(['Entry 1-0 of t failed inside Sidelight: no room']);
  expect(acknowledged).toEqual([]);
});

test('an entry that ends while Redis is asked is recognised in the answer, which may be older', async () => {
  const { entries, given, end, acknowledged } = bench();
  const first = [{ id: '1-0', fields: fields(Buffer.from('first')) }];
  entries.hand(first);
  await entries.whileAsking(async () => {
    end('done');
    await turn();
    await entries.flush();
    expect(acknowledged).toEqual(['1-0']);
    entries.hand(first);
    // Another entry under its id is not taken for it.
    entries.hand([{ id: '1-0', fields: fields(Buffer.from('another')) }]);
  });
  expect(given).toEqual([5, 7]);
});
