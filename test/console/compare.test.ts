/** recordings.compare: two histories side by side, counted, paged, filtered; what cannot be compared is refused. */
import { beforeEach, describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { Console } from '../../core/console/console.ts';
import type { CompareResult, Recording } from '../../core/contract/recording.ts';
import { delivered, finished, removed } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { ask, call, exported } from './recording-calls.ts';

let bench: Bench;
let console: Console;
beforeEach(() => {
  bench = makeBench(new ManualClock());
  console = new Console({
    ...bench.deps,
    openRecordingJournal: async () => createMemoryJournal({ codec: bufferCodec }),
  });
});

/** The present history, opened as a recording. */
async function recordNow(): Promise<string> {
  const text = await exported(console);
  return (await call<Recording>(console, 'recordings.import', { name: 'now', text })).recordingId;
}

const compare = (params: object): Promise<CompareResult> => call(console, 'recordings.compare', params);

describe('a recording and this session', () => {
  test('are the same before anything happens', async () => {
    await bench.runtime.journal.append([...finished(1), ...finished(2)]);
    const before = await recordNow();
    const { counts, items } = await compare({ before });
    expect(counts).toEqual({ same: 2, changed: 0, 'only-before': 0, 'only-after': 0 });
    expect(items.map(({ before: one, after }) => [one?.messageId, after?.messageId])).toEqual([
      ['msg_1', 'msg_1'],
      ['msg_2', 'msg_2'],
    ]);
  });

  test('differ by added, removed and differently ended messages', async () => {
    await bench.runtime.journal.append([...finished(1), ...finished(2, { data: 'gone' })]);
    const before = await recordNow();
    await bench.runtime.journal.append([
      removed(2),
      delivered(1, 'parked'),
      ...finished(3, { row: { topic: 'refunds' } }),
    ]);
    const whole = await compare({ before });
    expect(whole.counts).toEqual({ same: 0, changed: 1, 'only-before': 1, 'only-after': 1 });
    expect(whole.items.map(({ is }) => is)).toEqual(['changed', 'only-before', 'only-after']);
    expect(whole.items[0]).toMatchObject({
      joinedBy: 'data',
      before: { messageId: 'msg_1' },
      after: { messageId: 'msg_1' },
    });
    expect(whole.items[0]?.differences.map(({ what }) => what)).toContain('state');

    const turned = await compare({ after: before });
    expect(turned.counts).toEqual({ same: 0, changed: 1, 'only-before': 1, 'only-after': 1 });
    expect(turned.items.find(({ is }) => is === 'only-before')?.before?.topic).toBe('refunds');

    const some = await compare({ before, show: ['only-after'] });
    expect(some.counts).toEqual(whole.counts);
    expect(some.items.map(({ after }) => after?.messageId)).toEqual(['msg_3']);

    const filtered = await compare({ before, filter: 'topic:refunds' });
    expect(filtered.counts).toEqual({ same: 0, changed: 0, 'only-before': 0, 'only-after': 1 });
  });

  test('match an app with another id by its subscriptions and name it, or keep it apart if asked to', async () => {
    await bench.runtime.journal.append(finished(1, { data: 'same' }));
    const before = await recordNow();
    await bench.runtime.journal.append([
      removed(1),
      ...finished(2, { data: 'same' }).slice(0, 2),
      delivered(2, 'processed', { delivery: { appId: 'mail-behind-tap' } }),
    ]);
    const matched = await compare({ before });
    expect(matched).toMatchObject({
      counts: { same: 1, changed: 0 },
      apps: [{ before: 'mail', after: 'mail-behind-tap' }],
    });
    const apart = await compare({ before, matchApps: false });
    expect(apart).toMatchObject({ counts: { same: 0, changed: 1 }, apps: [] });
    expect(apart.items[0]?.differences).toEqual([
      { what: 'app', appId: 'mail', before: 'mail', after: 'mail-behind-tap' },
    ]);
  });

  test('come in pages', async () => {
    await bench.runtime.journal.append(Array.from({ length: 7 }, (_, n) => finished(n + 1)).flat());
    const before = await recordNow();
    const seen: (string | undefined)[] = [];
    let cursor: string | null = null;
    do {
      const page: CompareResult = await compare({ before, limit: 3, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items.map((item) => item.before?.messageId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(Array.from({ length: 7 }, (_, n) => `msg_${n + 1}`));
  });
});

describe('a comparison', () => {
  test('is refused between a recording and itself, with an unknown one, at an unknown cursor, and by an invalid filter', async () => {
    await bench.runtime.journal.append(finished(1));
    const before = await recordNow();
    const refusal = async (params: object) => (await ask(console, 'recordings.compare', params)).error?.data;
    expect(await refusal({})).toMatchObject({ code: 'INVALID_PARAMS', field: 'before' });
    expect(await refusal({ before, after: before })).toMatchObject({
      code: 'INVALID_PARAMS',
      field: 'after',
    });
    expect(await refusal({ before: 'rec_0' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal({ before, cursor: 'x' })).toMatchObject({ code: 'INVALID_PARAMS', field: 'cursor' });
    expect(await refusal({ before, filter: 'topic:(' })).toMatchObject({ code: 'FILTER_SYNTAX' });
  });

  test('is refused over more than 5,000 messages, until a filter leaves fewer', async () => {
    await bench.runtime.journal.append(finished(1));
    const before = await recordNow();
    await bench.runtime.journal.append(Array.from({ length: 5000 }, (_, n) => finished(n + 2)).flat());
    await bench.runtime.journal.append(finished(5002, { row: { topic: 'refunds' } }));
    const { error } = await ask(console, 'recordings.compare', { before });
    expect(error?.data.code).toBe('TOO_LARGE');
    expect(error?.message).toContain('5000');
    expect((await compare({ before, filter: 'topic:refunds' })).counts['only-after']).toBe(1);
  });
});
