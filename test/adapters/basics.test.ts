/** The small adapters: clock, ids, chance, bytes and text, CloudEvents library. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createEventCheck } from '../../core/adapters/event-check.ts';
import { randomIds, systemRandom } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';

describe('the system clock', () => {
  test('never calls early, not even by a millisecond', async () => {
    const clock = systemClock();
    const early: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const dueMs = clock.now() + n;
        await new Promise<void>((resolve) => void clock.at(dueMs, resolve));
        if (clock.now() < dueMs) early.push(n);
      }),
    );
    expect(early).toEqual([]);
  });

  test('a moment in the past comes at once, but not within the call', async () => {
    const clock = systemClock();
    let called = false;
    const done = new Promise<void>((resolve) => {
      clock.at(clock.now() - 1000, () => {
        called = true;
        resolve();
      });
    });
    expect(called).toBe(false);
    await done;
  });

  test('a cancelled call does not come; to cancel again changes nothing', async () => {
    const clock = systemClock();
    let called = false;
    const cancel = clock.at(clock.now(), () => (called = true));
    cancel();
    cancel();
    await new Promise<void>((resolve) => void clock.at(clock.now() + 20, resolve));
    expect(called).toBe(false);
  });

  test('a moment that is months away comes then, not sooner', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const clock = systemClock();
    let called = false;
    // A timer of the system takes less than 2^31 ms; one of more fires at once, each time, which here would last minutes.
    const months = 2 ** 31 + 2 ** 27;
    clock.at(clock.now() + months, () => (called = true));
    vi.advanceTimersByTime(months - 1);
    expect(called).toBe(false);
    vi.advanceTimersByTime(1);
    expect(called).toBe(true);
  });

  test('a timer that fires early is waited for', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let elapsed = 1000;
    const clock = systemClock({ wall: () => 5_000_000, monotonic: () => elapsed });
    let called = false;
    clock.at(clock.now() + 100, () => (called = true));
    elapsed = 1099.9;
    vi.advanceTimersByTime(100);
    expect(called).toBe(false);
    elapsed = 1100;
    vi.advanceTimersByTime(1);
    expect(called).toBe(true);
  });

  test('a time of day that is set back by an hour neither goes back nor delays what is due', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const [began, hour] = [Date.now(), 3_600_000];
    let setBack = 0;
    const clock = systemClock({ wall: () => Date.now() - setBack, monotonic: () => Date.now() - began });
    let called = 0;
    clock.at(clock.now() + 2000, () => (called += 1));
    vi.advanceTimersByTime(1000);
    const before = clock.now();
    setBack = hour;
    expect(clock.now()).toBe(before);
    vi.advanceTimersByTime(1000);
    expect(called).toBe(1);
    clock.at(clock.now() + 100, () => (called += 1));
    vi.advanceTimersByTime(100);
    expect([called, clock.now() - before]).toEqual([2, 1100]);
  });

  test('a time of day that is set forward, as after a sleep, is followed within ten seconds', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const [began, hour] = [Date.now(), 3_600_000];
    let setForward = 0;
    const clock = systemClock({ wall: () => Date.now() + setForward, monotonic: () => Date.now() - began });
    let called = false;
    clock.at(clock.now() + hour, () => (called = true));
    setForward = hour;
    expect(clock.now()).toBe(began + hour);
    vi.advanceTimersByTime(10_000);
    expect(called).toBe(true);
  });

  test('durations never go back', () => {
    const clock = systemClock();
    const before = clock.monotonic();
    expect(clock.monotonic()).toBeGreaterThanOrEqual(before);
  });
});

describe('ids', () => {
  const ids = randomIds();

  test('are unique and say their kind', () => {
    const made = Array.from({ length: 20_000 }, () => ids.next('message'));
    expect(new Set(made).size).toBe(made.length);
    expect(made.every((id) => /^msg_[0-9a-f]{24}$/.test(id))).toBe(true);
    const kinds = (['message', 'delivery', 'attempt', 'batch', 'hold', 'rule'] as const).map((kind) =>
      ids.next(kind).slice(0, 4),
    );
    expect(kinds).toEqual(['msg_', 'dlv_', 'att_', 'bat_', 'hld_', 'rul_']);
  });

  test('uuid is a version 4 UUID, hex has the length asked for', () => {
    expect(ids.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const bytes of [0, 1, 8, 16, 4096, 5000])
      expect(ids.hex(bytes)).toMatch(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
    expect(ids.hex(16)).not.toBe(ids.hex(16));
  });

  test('random numbers are at least 0 and below 1', () => {
    const numbers = Array.from({ length: 100 }, () => systemRandom().next());
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  });
});

describe('bytes and text', () => {
  test('come back unchanged as base64 and as text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const again = bufferCodec.fromBase64(bufferCodec.toBase64(bytes));
        expect(Buffer.from(again ?? [])).toEqual(Buffer.from(bytes));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite' }), (text) => {
        expect(bufferCodec.toText(bufferCodec.fromText(text))).toBe(text);
      }),
    );
  });

  test.each([
    ['', ''],
    ['aGk=', 'hi'],
    ['aG\r\nk=\n', 'hi'],
    ['aGk', undefined],
    ['aGk==', undefined],
    ['a===', undefined],
    ['aG=k', undefined],
    ['aGk\u00e9', undefined],
    ['aG k', undefined],
    ['-_-_', undefined],
    ['=', undefined],
  ])('base64 %j is %j', (text, plain) => {
    const bytes = bufferCodec.fromBase64(text);
    expect(bytes === undefined ? undefined : bufferCodec.toText(bytes)).toBe(plain);
  });

  test('megabytes of base64 are read, and refused after one bad character', () => {
    const text = 'A'.repeat(8 * 1024 * 1024);
    expect(bufferCodec.fromBase64(text)?.byteLength).toBe(6 * 1024 * 1024);
    expect(bufferCodec.fromBase64(`${text.slice(0, -1)}!`)).toBeUndefined();
  });

  test('only the bytes of a view are read, bad bytes become U+FFFD, and a BOM stays', () => {
    const view = new Uint8Array([0x61, 0xff, 0x62]).subarray(1);
    expect(bufferCodec.toText(view)).toBe('\ufffdb');
    expect(bufferCodec.isUtf8(view)).toBe(false);
    expect(bufferCodec.isUtf8(Buffer.from('grün'))).toBe(true);
    expect(bufferCodec.toText(Buffer.from([0xef, 0xbb, 0xbf, 0x61]))).toBe('\ufeffa');
  });
});

describe('the cloudevents library behind its port', () => {
  const VALID = { specversion: '1.0', id: '1', source: 's', type: 't' };
  test.each<[string, unknown, readonly (string | undefined)[]]>([
    ['valid', VALID, []],
    [
      'with everything',
      {
        ...VALID,
        time: '2026-01-02T03:04:05Z',
        subject: 'x',
        datacontenttype: 'a/b',
        dataschema: 'http://x/y',
        data: { a: 1 },
        ext: 1,
      },
      [],
    ],
    ['members that are null', { ...VALID, subject: null, data: null }, []],
    ['base64', { ...VALID, data_base64: 'aGk=' }, []],
    ['empty', {}, ['id', 'source', 'specversion', 'type']],
    ['empty strings', { ...VALID, id: '', type: '' }, ['id', 'type']],
    ['an old version', { ...VALID, specversion: '0.3' }, ['specversion']],
    ['a bad time', { ...VALID, time: 'yesterday' }, ['time']],
    ['an id that is a number', { ...VALID, id: 5 }, ['id']],
    ['an empty subject', { ...VALID, subject: '' }, ['subject']],
    ['a source with a space', { ...VALID, source: 'a b' }, ['source']],
    ['a bad extension name', { ...VALID, 'my-ext': 'x', Topic: 'y' }, ['my-ext', 'Topic']],
    ['an object as extension', { ...VALID, ext: { a: 1 } }, ['ext']],
    ['no base64', { ...VALID, data_base64: '!' }, ['data_base64']],
    ['both kinds of data', { ...VALID, data: 1, data_base64: 'aGk=' }, ['data_base64']],
    ['several mistakes', { ...VALID, id: '', time: 'x', subject: '' }, ['id', 'subject', 'time']],
    ['an attribute of version 0.3', { ...VALID, schemaurl: 'http://x' }, ['schemaurl']],
    ['an extension with the name of a method', { ...VALID, validate: 'x', tojson: 'x' }, []],
    ['values that are false', { ...VALID, id: 0, time: '', subject: false }, ['id', 'time', 'subject']],
    ['an array', [], [undefined]],
    ['a string', 'x', [undefined]],
  ])('problems of an event: %s', async (_name, event, fields) => {
    const problems = await createEventCheck().problems(event);
    expect(new Set(problems.map(({ field }) => field))).toEqual(new Set(fields));
    expect(problems).toHaveLength(fields.length);
    expect(problems.every(({ message }) => message.length > 5)).toBe(true);
  });

  test('a missing attribute is named', async () => {
    expect(await createEventCheck().problems({ ...VALID, type: '' })).toEqual([
      { field: 'type', message: 'type is missing.' },
    ]);
  });
});
