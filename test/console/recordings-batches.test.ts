/** A batch is one call: an export has it once, whatever the number of its entries; an import has it with each of them again. */
import { beforeEach, describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { Console } from '../../core/console/console.ts';
import type { Attempt } from '../../core/contract/message.ts';
import type { Recording } from '../../core/contract/recording.ts';
import type { Journal } from '../../core/ports/journal.ts';
import { entry } from '../adapters/journal-batches.ts';
import { accepted, count, published } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { call, exported } from './recording-calls.ts';

const BODY = 256 * 1024;

let bench: Bench;
let console: Console;
let imported: Journal;
beforeEach(() => {
  bench = makeBench(new ManualClock());
  imported = createMemoryJournal({ codec: bufferCodec });
  console = new Console({ ...bench.deps, openRecordingJournal: async () => imported });
  return () => console.close();
});

type Call = Pick<Attempt, 'request' | 'response' | 'word'>;

function callOf(body: string): Call {
  return {
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:6001/orders',
      headers: { 'content-type': 'application/json', authorization: 'Bearer abc' },
      body,
    },
    response: { status: 200, headers: {}, body: '{"statuses":[]}' },
  };
}

async function attempts(journal: Journal, number: number): Promise<readonly Attempt[]> {
  return (await journal.get(`msg_${number}`))?.deliveries[0]?.attempts ?? [];
}

async function keep(entries: number, attemptId: string, given: Call, from = 1): Promise<void> {
  for (const number of count(from, from + entries - 1)) {
    await bench.runtime.journal.append([
      accepted(number),
      published(number),
      entry(number, attemptId, given),
    ]);
  }
}

describe('a batch of 1,000 entries with a body of 256 KiB', () => {
  const large: Call = { ...callOf('x'.repeat(BODY)), word: 'RETRY' };

  test('is in a recording once, and with each entry again where that is opened', async () => {
    await keep(1_000, 'att_1', large);
    const text = await exported(console, { maskHeaders: false });
    expect(text.split(large.request.body)).toHaveLength(2);
    expect(text.length).toBeLessThan(BODY + 1_000 * 2_000);
    const recording = await call<Recording>(console, 'recordings.import', { text });
    expect(recording).toMatchObject({ state: 'ready', messages: 1_000, problems: [] });
    for (const number of [1, 2, 1_000])
      expect(await attempts(imported, number)).toEqual(await attempts(bench.runtime.journal, number));
    // The imported recording has the call once too, and exports it once.
    const { recordingId } = recording;
    const again = await exported(console, { maskHeaders: false, recordingId });
    expect(again.split('\n').slice(1)).toEqual(text.split('\n').slice(1));
  });

  test('is one exchange of an archive', async () => {
    await keep(1_000, 'att_1', large);
    const { log } = JSON.parse(await exported(console, { format: 'har' }));
    expect(log.entries).toMatchObject([
      {
        request: { postData: { text: large.request.body } },
        comment: expect.stringMatching(/^orders, msg_1, \S+, attempt 1, of 3 entries in att_1$/),
      },
    ]);
  });
});

test('calls that only share an id are kept apart', async () => {
  await keep(2, 'att_1', callOf('one'));
  await keep(2, 'att_1', callOf('two'), 3);
  const text = await exported(console);
  expect([text.split('"one"').length, text.split('"two"').length]).toEqual([2, 2]);
  await call(console, 'recordings.import', { text });
  const bodies = await Promise.all(count(1, 4).map((number) => attempts(imported, number)));
  expect(bodies.map(([one]) => one?.request.body)).toEqual(['one', 'one', 'two', 'two']);
  expect(JSON.parse(await exported(console, { format: 'har' })).log.entries).toHaveLength(2);
});

test('more calls in turn than are remembered are all kept', async () => {
  for (const round of [0, 1, 2])
    for (const n of count(1, 100)) await keep(1, `att_${n}`, callOf(`body ${n}`), round * 100 + n);
  const recording = await call<Recording>(console, 'recordings.import', { text: await exported(console) });
  expect(recording).toMatchObject({ messages: 300, problems: [] });
  for (const number of [1, 101, 201, 299, 300]) {
    const [one] = await attempts(imported, number);
    expect(one?.request.body).toBe(`body ${((number - 1) % 100) + 1}`);
  }
});

describe('a file', () => {
  interface Line {
    readonly kind: string;
    readonly version?: number;
    readonly attempt?: Partial<Attempt>;
  }
  const edit = (text: string, change: (line: Line) => Line | undefined): string =>
    text
      .trimEnd()
      .split('\n')
      .flatMap((line) => {
        const changed = change(JSON.parse(line));
        return changed === undefined ? [] : [`${JSON.stringify(changed)}\n`];
      })
      .join('');
  const given = callOf('once');

  test('a file of version 1, with the call in every line, is read as before', async () => {
    await keep(3, 'att_1', given);
    const old = edit(await exported(console, { maskHeaders: false }), (line) => {
      if (line.kind === 'recording') return { ...line, version: 1 };
      return line.attempt === undefined ? line : { ...line, attempt: { ...line.attempt, ...given } };
    });
    expect(old.split('"once"')).toHaveLength(4);
    expect(await call(console, 'recordings.import', { text: old })).toMatchObject({
      messages: 3,
      problems: [],
    });
    for (const number of [1, 2, 3])
      expect(await attempts(imported, number)).toEqual(await attempts(bench.runtime.journal, number));
  });

  test('a file of a newer version is refused with the reason', async () => {
    await keep(2, 'att_1', given);
    const text = edit(await exported(console), (line) =>
      line.kind === 'recording' ? { ...line, version: 3 } : line,
    );
    await expect(call(console, 'recordings.import', { text })).rejects.toThrow(
      /written by a newer version of Sidelight \(.*its format is 3, this one knows 2\)/,
    );
  });

  test('an attempt whose call is in no line before it is left out and named', async () => {
    await keep(2, 'att_1', given);
    const text = edit(await exported(console), (line) =>
      line.attempt?.request === undefined ? line : undefined,
    );
    expect(await call(console, 'recordings.import', { text })).toMatchObject({
      messages: 2,
      problems: [{ line: 4, message: 'its call is missing, and no earlier line has the call of att_1' }],
    });
  });
});
