/** Exports and imports: what is written is read back the same, secrets stay here, bad lines are named, nothing touches the history. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { Console } from '../../core/console/console.ts';
import type { ExportPart, ExportStarted, Recording, ToTestResult } from '../../core/contract/recording.ts';
import type { Wire } from '../../core/domain/codec.ts';
import type { Journal, ScanSlice } from '../../core/ports/journal.ts';
import { message, recordsOf } from '../adapters/filter-samples.ts';
import { accepted, delivered, published } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { attachPipe, makeBench, settle } from './bench.ts';
import type { Bench } from './bench.ts';
import { ask, call, exported } from './recording-calls.ts';
import type { Refused } from './recording-calls.ts';
import { times } from '../support/extent.ts';

let bench: Bench;
let console: Console;
let scratch: Journal[];
beforeEach(() => {
  begin();
});

function begin(): void {
  bench = makeBench(new ManualClock());
  scratch = [];
  console = new Console({
    ...bench.deps,
    facts: { ...bench.deps.facts, secrets: ['app-token-1'] },
    openRecordingJournal: async () => {
      const journal = createMemoryJournal({ codec: bufferCodec });
      scratch.push(journal);
      return journal;
    },
  });
}

/** Everything that is kept, oldest first. */
async function everything(journal: Journal): Promise<readonly unknown[]> {
  const numbers: number[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const slice: ScanSlice = await journal.scan({ order: 'oldest', limit: 10_000, nowMs: 0, after });
    numbers.push(...slice.numbers);
    after = slice.next;
  }
  return (await journal.details(numbers)).map((found) => {
    if (found === undefined) return found;
    const { message, deliveries } = found;
    return {
      ...found,
      message: { ...message, wire: bytesOrText(message.wire) },
      deliveries: deliveries.map((one) => {
        const { changedWire, ...delivery } = one.delivery;
        return { ...one, delivery, changedWire: bytesOrText(changedWire) };
      }),
    };
  });
}

/** Bytes are bytes, whichever class holds them. */
const bytesOrText = (wire: Wire | undefined): string | readonly number[] | undefined =>
  typeof wire === 'object' ? [...wire] : wire;

const append = (...records: Parameters<Journal['append']>[0]): Promise<void> =>
  bench.runtime.journal.append(records);

/** Lines after the head. The order of members in a line says nothing. */
const linesOf = (text: string): readonly unknown[] =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line): unknown => JSON.parse(line));

test('property: any messages are imported as they were exported', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 20, max: 400 }),
      async (given, size) => {
        begin();
        // Names that could lead out of a folder are refused: recording-names.test.ts.
        const named = given.map((each) => ({
          ...each,
          row: { ...each.row, pubsubname: each.row.pubsubname.replaceAll(/^$|[^\w-]/g, 'p') },
        }));
        await append(...recordsOf(named));
        const before = await everything(bench.runtime.journal);
        const text = await exported(console, { maskHeaders: false });
        let recording: Recording | undefined;
        for (let at = 0; at < text.length; at += size) {
          recording = await call<Recording>(console, 'recordings.import', {
            text: text.slice(at, at + size),
            isLast: at + size >= text.length,
            ...(recording === undefined ? {} : { recordingId: recording.recordingId }),
          });
        }
        expect(recording).toMatchObject({ state: 'ready', messages: given.length, problemCount: 0 });
        expect(await everything(scratch.at(-1) ?? bench.runtime.journal)).toEqual(before);
        expect(await everything(bench.runtime.journal)).toEqual(before);
        const again = await exported(console, {
          maskHeaders: false,
          recordingId: recording?.recordingId ?? '',
        });
        expect(linesOf(again)).toEqual(linesOf(text));
        await console.close();
      },
    ),
    { numRuns: times(12, 60) },
  );
});

test('a message whose sidecar ended a call without the answer is no test', async () => {
  await append(accepted(1), published(1));
  await append(delivered(1, 'processed', { transition: { rule: 'tap.lost' } }));
  const { files, skipped } = await call<ToTestResult>(console, 'recordings.toTest', {});
  expect(files).toEqual([]);
  expect(skipped.map(({ reason }) => reason)).toEqual(['its sidecar ended a call of it without the answer']);
});

test('hints of a filter in a recording come from its messages, not from the live history', async () => {
  const shop = {
    row: { topic: 'bills', appId: 'shop', eventType: 'com.acme.bill' },
    data: { order: { amount: 5 } },
  };
  await append(accepted(1, shop), published(1), delivered(1, 'processed'));
  const text = await exported(console, { maskHeaders: false });
  begin();
  await append(accepted(1, { row: { topic: 'orders' }, data: { total: 5 } }), published(1));
  const { recordingId } = await call<Recording>(console, 'recordings.import', { text });
  const offered = async (filter: string, more: object): Promise<readonly string[]> => {
    const params = { filter, cursor: filter.length, ...more };
    const { items } = await call<{ items: readonly { label: string }[] }>(console, 'filter.complete', params);
    return items.map(({ label }) => label);
  };
  expect(await offered('topic:', { recordingId })).toEqual(['bills']);
  expect(await offered('type:', { recordingId })).toEqual(['com.acme.bill']);
  expect(await offered('data.', { recordingId })).toEqual(['data.order', 'data.order.amount']);
  expect(await offered('data.', {})).toEqual(['data.total']);
  const meant = async (more: object) =>
    (await call<{ meant?: string }>(console, 'filter.check', { filter: 'amount>4', ...more })).meant;
  expect(await meant({ recordingId })).toBe('data.order.amount>4');
  expect(await meant({})).toBe('data.amount>4');
  expect(
    (await ask(console, 'filter.complete', { filter: '', cursor: 0, recordingId: 'rec_none' })).error,
  ).toMatchObject({
    data: { code: 'NOT_FOUND', field: 'recordingId' },
  });
});

test('a console that closes while the journal of an import is being opened closes that too', async () => {
  const journal = createMemoryJournal({ codec: bufferCodec });
  const isClosed = vi.spyOn(journal, 'close');
  let opened: (journal: Journal) => void = () => undefined;
  const closing = new Console({
    ...bench.deps,
    openRecordingJournal: () => new Promise((go) => (opened = go)),
  });
  const header = { kind: 'recording', version: 1, product: 'x', exportedAt: 'x', count: 0, isMasked: true };
  const importing = ask(closing, 'recordings.import', { text: `${JSON.stringify(header)}\n`, isLast: false });
  await settle();
  const closed = closing.close();
  opened(journal);
  await closed;
  await importing;
  expect(isClosed).toHaveBeenCalledOnce();
});

/** The first piece of a recording, with more to come. */
const FIRST_PIECE = {
  text: `${JSON.stringify({ kind: 'recording', version: 1, product: 'x', exportedAt: 'x', count: 0, isMasked: true })}\n`,
  isLast: false,
};

test('a console that closes while an import waits for an unfinished one to be dropped closes its journal too', async () => {
  const [first, second] = [
    createMemoryJournal({ codec: bufferCodec }),
    createMemoryJournal({ codec: bufferCodec }),
  ];
  let goOn: () => void = () => undefined;
  vi.spyOn(first, 'close').mockReturnValue(new Promise((resolve) => (goOn = resolve)));
  const isClosed = vi.spyOn(second, 'close');
  const journals = [first, second];
  const clock = new ManualClock();
  const closing = new Console({
    ...makeBench(clock).deps,
    openRecordingJournal: async () => journals.shift() ?? createMemoryJournal({ codec: bufferCodec }),
  });
  await ask(closing, 'recordings.import', FIRST_PIECE);
  clock.advance(600_000);
  const importing = ask(closing, 'recordings.import', FIRST_PIECE);
  await settle();
  const closed = closing.close();
  await settle();
  goOn();
  await closed;
  await importing;
  expect(journals).toEqual([]);
  expect(isClosed).toHaveBeenCalledOnce();
});

test('imports that begin at the same time open no more recordings than may be open', async () => {
  const begun = await Promise.all(
    Array.from({ length: 7 }, () => ask(console, 'recordings.import', FIRST_PIECE)),
  );
  expect(begun.filter(({ error }) => error === undefined)).toHaveLength(5);
  expect(await call<object>(console, 'recordings.list', {})).toHaveProperty('items.length', 5);
});

describe('an export', () => {
  const secret = {
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:6001/orders?code=abc&x=1',
      headers: { Authorization: 'Bearer abc', 'x-api-key': 'abc', traceparent: '00-1' },
      body: JSON.stringify({ data: { card: { number: '4111', name: 'A' }, app: 'app-token-1' } }),
    },
    response: { status: 200, headers: { 'set-cookie': 'session=abc' }, body: '' },
    instead: { response: { status: 503, headers: { 'set-cookie': 'session=abc' }, body: '' } },
  };
  const wire = secret.request.body;

  test.each(['recording', 'har', 'ndjson', 'bulk', 'csv'] as const)(
    'an export as %s contains no secret',
    async (format) => {
      await append(accepted(1, { wire, metadata: { password: 'abc' } }), published(1));
      await append(delivered(1, 'processed', { attempt: secret }));
      const text = await exported(console, { format, maskPaths: ['data.card.number', 'nowhere[0].x'] });
      for (const hidden of ['abc', '4111', 'app-token-1']) expect(text).not.toContain(hidden);
      expect(await exported(console, { format, maskHeaders: false })).toContain('app-token-1');
    },
  );

  test('as HAR and as entries is JSON of its kind', async () => {
    await append(accepted(1, { wire }), published(1), delivered(1, 'processed', { attempt: secret }));
    expect(JSON.parse(await exported(console, { format: 'har' }))).toMatchObject({
      log: { entries: [{ request: { method: 'POST' }, response: { status: 200 } }] },
    });
    expect(JSON.parse(await exported(console, { format: 'bulk' }))).toMatchObject([
      { entryId: '1', event: { card: { name: 'A' } }, contentType: 'application/json' },
    ]);
  });

  test('an export takes a filter or named messages, and refuses both at once', async () => {
    for (const number of [1, 2, 3]) await append(accepted(number, { row: { topic: `t${number % 2}` } }));
    expect((await exported(console, { format: 'ndjson', filter: 'topic:t1' })).split('\n')).toHaveLength(3);
    expect(await exported(console, { format: 'ndjson', messageIds: ['msg_3', 'msg_2'] })).toBe('2\n3\n');
    const both = await ask(console, 'recordings.export', { filter: 'x', messageIds: ['msg_1'] });
    expect(both.error?.data).toMatchObject({ code: 'INVALID_PARAMS', field: 'filter' });
    const gone = await ask(console, 'recordings.export', { messageIds: ['msg_9'] });
    expect(gone.error?.data).toMatchObject({ code: 'NOT_FOUND', field: 'messageIds' });
    const path = await ask(console, 'recordings.export', { maskPaths: ['a..b'] });
    expect(path.error?.data).toMatchObject({ code: 'INVALID_PARAMS', field: 'maskPaths[0]' });
  });

  test('is refused where there is nothing to export', async () => {
    const refused = async (params: object): Promise<unknown> => {
      const { error } = await ask(console, 'recordings.export', params);
      return [error?.data.code, error?.data.field, error?.message];
    };
    expect(await refused({})).toEqual([
      'NOT_FOUND',
      undefined,
      'There is nothing to export: no message is kept.',
    ]);
    await append(accepted(2), published(2));
    expect(await refused({ upTo: 1 })).toEqual([
      'NOT_FOUND',
      'upTo',
      'There is nothing to export: no message up to number 1 is there.',
    ]);
    expect(await refused({ upTo: 1, filter: 'topic:orders' })).toEqual([
      'NOT_FOUND',
      'upTo',
      'There is nothing to export: no message up to number 1 matches the filter.',
    ]);
    expect(await refused({ filter: 'topic:nowhere', format: 'csv' })).toEqual([
      'NOT_FOUND',
      'filter',
      'There is nothing to export: no message matches the filter.',
    ]);
    const { items } = await call<{ items: readonly { kind: string }[] }>(console, 'jobs.list', {});
    expect(items.filter(({ kind }) => kind === 'recordings.export')).toEqual([]);
  });

  test('comes in parts, repeats the last part on request, and ends when it is cancelled', async () => {
    const wide = { data: 'ä😀'.repeat(300_000) };
    for (const number of [1, 2]) await append(accepted(number, wide), published(number));
    const { jobId, count } = await call<ExportStarted>(console, 'recordings.export', { format: 'ndjson' });
    expect(count).toBe(2);
    const first = await call<ExportPart>(console, 'recordings.read', { jobId, part: 1 });
    expect(first.isLast).toBe(false);
    // No part ends between the halves of a character.
    expect(first.text).toBe(Buffer.from(first.text).toString());
    expect(await call(console, 'recordings.read', { jobId, part: 1 })).toEqual(first);
    expect((await ask(console, 'recordings.read', { jobId, part: 3 })).error?.data.field).toBe('part');
    expect(await call(console, 'jobs.get', { jobId })).toMatchObject({ running: true, count: 2 });
    expect(await call(console, 'jobs.cancel', { jobId })).toMatchObject({ running: false, cancelled: true });
    expect((await ask(console, 'recordings.read', { jobId, part: 2 })).error?.data.code).toBe('NOT_FOUND');
  });

  test('has the messages of the moment at which it began', async () => {
    await append(accepted(1), published(1));
    const { jobId } = await call<ExportStarted>(console, 'recordings.export', { format: 'ndjson' });
    await append(accepted(2), published(2));
    expect(await call(console, 'recordings.read', { jobId, part: 1 })).toMatchObject({
      text: '1\n',
      isLast: true,
    });
  });
});

describe('an import', () => {
  test('names lines that cannot be used, and keeps the rest', async () => {
    for (const number of [1, 2, 3]) await append(accepted(number), published(number));
    const lines = (await exported(console)).split('\n');
    lines[2] = '{"kind":"message"';
    lines.splice(3, 0, '{"kind":"letter"}', '{"kind":"attempt","deliveryId":"dlv_1","attempt":{}}', '');
    lines.splice(-2);
    const recording = await call<Recording>(console, 'recordings.import', {
      name: 'a',
      text: lines.join('\r\n'),
    });
    expect(recording.messages).toBe(2);
    expect(recording.problems.map(({ line }) => line)).toEqual([3, 4, 5]);
    expect(recording.problems.map(({ message: text }) => text)).toEqual([
      'not valid JSON',
      'kind must be one of message, attempt, subscription, rule, end, got "letter"',
      expect.stringMatching(/^attempt\.\w+ is missing/),
    ]);
    expect(recording).toMatchObject({ problemCount: 3, endsEarly: true });
  });

  test('checks the members of messages, and accepts those that only a later version knows', async () => {
    for (const number of [1, 2, 3]) await append(accepted(number), published(number));
    const lines = (await exported(console)).split('\n');
    const change = (line: number, row: object): void => {
      const message = JSON.parse(lines[line] ?? '');
      lines[line] = JSON.stringify({ ...message, row: { ...message.row, ...row } });
    };
    change(1, { tap: 5 });
    change(2, { later: true, deadLetterOf: { messageId: 'm', deliveryId: 'd', topic: 't', later: 1 } });
    const recording = await call<Recording>(console, 'recordings.import', {
      name: 'a',
      text: lines.join('\n'),
    });
    expect(recording.problems).toEqual([{ line: 2, message: 'row.tap must be a string, got 5' }]);
    expect(recording.messages).toBe(2);
  });

  test.each([
    ['', 'the file is empty'],
    ['hello', 'Line 1: not valid JSON'],
    ['{"kind":"message"}', 'Line 1: kind must be "recording"'],
    [
      '{"kind":"recording","version":99,"product":"9.9","exportedAt":"","count":0,"isMasked":false}',
      'newer version',
    ],
  ])('an import of %j is refused, and nothing of it is left', async (text, why) => {
    const { error } = await ask(console, 'recordings.import', { text });
    expect(error).toMatchObject({ data: { code: 'INVALID_PARAMS', field: 'text' } });
    expect(error?.message).toContain(why);
    expect(await call(console, 'recordings.list')).toEqual({ items: [] });
    await expect(scratch[0]?.stats()).rejects.toMatchObject({ code: 'closed' });
  });

  test('can be listed and read beside the history until it is closed', async () => {
    await append(accepted(1, { data: 'here' }), published(1));
    const text = await exported(console);
    await append(accepted(2), published(2));
    const { recordingId } = await call<Recording>(console, 'recordings.import', {
      name: 'a.sidelight.jsonl',
      text,
    });
    expect(await call(console, 'messages.list', { recordingId })).toMatchObject({ total: 1 });
    expect(await call(console, 'messages.list')).toMatchObject({ total: 2 });
    expect(await call(console, 'messages.get', { recordingId, messageId: 'msg_1' })).toMatchObject({
      data: 'here',
    });
    expect((await ask(console, 'messages.get', { recordingId, messageId: 'msg_2' })).error?.data.code).toBe(
      'NOT_FOUND',
    );
    const view = await call<{ viewId: string; total: number }>(console, 'view.open', {
      recordingId,
      filter: 'here',
    });
    expect(view.total).toBe(1);
    expect(await call(console, 'view.rows', { viewId: view.viewId, from: 0, count: 10 })).toMatchObject({
      rows: [{ messageId: 'msg_1' }],
    });
    await call(console, 'recordings.close', { recordingId });
    expect(
      (await ask(console, 'view.rows', { viewId: view.viewId, from: 0, count: 1 })).error?.data.code,
    ).toBe('NOT_FOUND');
    expect((await ask(console, 'recordings.close', { recordingId })).error?.data.code).toBe('NOT_FOUND');
  });

  test('that is closed while a read of its view waits for another one is unknown to that read', async () => {
    await append(accepted(1), published(1));
    const { recordingId } = await call<Recording>(console, 'recordings.import', {
      text: await exported(console),
    });
    const pipe = attachPipe(console);
    const send = (id: string, method: string, params: object): void =>
      pipe.send({ jsonrpc: '2.0', id, method, params });
    const answers = (): readonly { id?: string; result?: { viewId?: string }; error?: Refused }[] =>
      pipe.texts.map((text) => JSON.parse(text));
    send('open', 'view.open', { recordingId });
    await settle();
    const viewId = answers().find(({ id }) => id === 'open')?.result?.viewId ?? '';
    const [journal] = scratch;
    if (journal === undefined) throw new Error('no journal of the recording');
    const rows = journal.rows.bind(journal);
    let goOn = (): void => undefined;
    journal.rows = async (numbers) => {
      const found = await rows(numbers);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return found;
    };
    send('first', 'view.rows', { viewId, from: 0, count: 1 });
    send('second', 'view.rows', { viewId, from: 0, count: 1 });
    await settle();
    await call(console, 'recordings.close', { recordingId });
    goOn();
    await settle();
    expect(answers()).toContainEqual(
      expect.objectContaining({
        id: 'second',
        error: expect.objectContaining({ data: expect.objectContaining({ code: 'NOT_FOUND' }) }),
      }),
    );
  });

  test('with gaps between its numbers has all messages in the first view of a filter', async () => {
    for (const number of [3, 50, 700, 9000])
      await append(accepted(number, { data: 'find' }), published(number));
    const { recordingId } = await call<Recording>(console, 'recordings.import', {
      text: await exported(console),
    });
    expect(await call(console, 'view.open', { recordingId, filter: 'find' })).toMatchObject({ total: 4 });
    expect(await call(console, 'view.open', { filter: 'find' })).toMatchObject({ total: 4 });
  });

  test('is published here again, as a job', async () => {
    await bench.runtime.accept({}, { a: 1 });
    await bench.runtime.accept({}, 'text');
    const { recordingId } = await call<Recording>(console, 'recordings.import', {
      text: await exported(console),
    });
    const { jobId, count } = await call<ExportStarted>(console, 'recordings.replay', { recordingId });
    expect(count).toBe(2);
    await expect
      .poll(() => call(console, 'jobs.get', { jobId }))
      .toMatchObject({ kind: 'recordings.replay', done: 2, failed: [], running: false });
    expect(
      bench.runtime.calls.filter(({ method }) => method === 'publish').map(({ args }) => args[0]),
    ).toMatchObject([
      { pubsubname: 'pubsub', topic: 'orders', body: '{"a":1}', contentType: 'application/json' },
      { body: '"text"' },
    ]);
    vi.spyOn(bench.runtime.publishByHand, 'one').mockRejectedValueOnce(new Error('no room'));
    const again = await call<ExportStarted>(console, 'recordings.replay', {
      recordingId,
      messageIds: ['msg_1'],
    });
    await expect
      .poll(() => call(console, 'jobs.get', { jobId: again.jobId }))
      .toMatchObject({
        running: false,
        done: 0,
        failed: [{ messageId: 'msg_1', reason: 'no room' }],
        recordingId,
      });
  });

  test('is published here again without copies on dead-letter topics, unless only these are chosen', async () => {
    const deadLetterOf = { messageId: 'msg_1', deliveryId: 'dlv_1', topic: 'orders' };
    await append(accepted(1), published(1));
    await append(accepted(2, { row: { topic: 'dead', deadLetterOf } }), published(2));
    const { recordingId } = await call<Recording>(console, 'recordings.import', {
      text: await exported(console),
    });
    const publish = vi.spyOn(bench.runtime.publishByHand, 'one').mockResolvedValue({ messageId: 'msg_new' });
    const replayed = async (choice: object): Promise<readonly string[]> => {
      publish.mockClear();
      const { jobId } = await call<ExportStarted>(console, 'recordings.replay', { recordingId, ...choice });
      const report = (): Promise<unknown> => call(console, 'jobs.get', { jobId });
      await expect.poll(report).toMatchObject({ running: false });
      const { calls } = publish.mock;
      expect(await report()).toMatchObject({ done: calls.length, count: calls.length, failed: [] });
      return calls.map(([{ topic }]) => topic);
    };
    expect(await replayed({})).toEqual(['orders']);
    expect(await replayed({ filter: 'topic:dead' })).toEqual(['dead']);
    expect(await replayed({ messageIds: ['msg_1', 'msg_2'] })).toEqual(['orders', 'dead']);
  });

  test('is published here again with a copy whose message cannot be, and without copies of copies', async () => {
    const copyOf = (messageId: string) => ({ messageId, deliveryId: 'dlv_1', topic: 'orders' });
    await append(accepted(1), published(1));
    await append(accepted(2, { row: { topic: 'dead', deadLetterOf: copyOf('msg_1') } }), published(2));
    await append(accepted(3, { row: { topic: 'last', deadLetterOf: copyOf('msg_2') } }), published(3));
    const { recordingId } = await call<Recording>(console, 'recordings.import', {
      text: await exported(console),
    });
    const publish = vi.spyOn(bench.runtime.publishByHand, 'one').mockResolvedValue({ messageId: 'msg_new' });
    const ended = async (): Promise<unknown> => {
      const { jobId } = await call<ExportStarted>(console, 'recordings.replay', { recordingId });
      await expect.poll(() => call(console, 'jobs.get', { jobId })).toMatchObject({ running: false });
      return call(console, 'jobs.get', { jobId });
    };
    expect(await ended()).toMatchObject({ done: 1, count: 1, failed: [] });
    publish.mockClear().mockRejectedValueOnce(new Error('no room'));
    expect(await ended()).toMatchObject({ done: 1, count: 2, failed: [{ messageId: 'msg_1' }] });
    expect(publish.mock.calls.map(([{ topic }]) => topic)).toEqual(['orders', 'dead']);
  });

  test('is published here again and counts the messages that were and were not, however many', async () => {
    for (let number = 1; number <= 1002; number += 1)
      await append(accepted(number, { data: 'again' }), published(number));
    const { recordingId } = await call<Recording>(console, 'recordings.import', {
      text: await exported(console),
    });
    const publish = vi.spyOn(bench.runtime.publishByHand, 'one').mockRejectedValue(new Error('no room'));
    publish.mockResolvedValueOnce({ messageId: 'msg_new' });
    const { jobId } = await call<ExportStarted>(console, 'recordings.replay', { recordingId });
    await expect
      .poll(() => call(console, 'jobs.get', { jobId }))
      .toMatchObject({ running: false, count: 1002, done: 1, failures: 1001 });
  });

  test('cannot be read before it is complete, or extended afterwards', async () => {
    await append(accepted(1), published(1));
    const text = await exported(console);
    const { recordingId } = await call<Recording>(console, 'recordings.import', { text, isLast: false });
    expect((await ask(console, 'messages.list', { recordingId })).error?.data.field).toBe('recordingId');
    await call(console, 'recordings.import', { recordingId, text: '' });
    expect((await ask(console, 'recordings.import', { recordingId, text: '' })).error?.data.field).toBe(
      'recordingId',
    );
  });

  test('an import is refused while five recordings are open', async () => {
    await append(accepted(1), published(1));
    const text = await exported(console);
    for (let n = 0; n < 5; n += 1) await call(console, 'recordings.import', { text });
    expect((await ask(console, 'recordings.import', { text })).error?.data.code).toBe('TOO_LARGE');
  });
});
