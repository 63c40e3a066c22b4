/** Computations of the message viewers: paths in data, offsets, one entry of a batch, lanes of time. */
import { describe, expect, test } from 'vitest';
import type { Delivery, Transition } from '../../core/contract/message.ts';
import { batchEntryText } from '../../renderer/format/batch-entry.ts';
import {
  filterKey,
  FOLLOWED_CHARACTERS,
  jsonPositionAt,
  pathText,
} from '../../renderer/format/json-cursor.ts';
import { positionOfPointer, textOfPointer } from '../../renderer/format/json-pointer.ts';
import { layOutJson } from '../../renderer/format/json-text.ts';
import { readOffset } from '../../renderer/format/offset.ts';
import { KEPT_ANSWER } from '../../core/contract/cause-sentences.ts';
import { lanesOf, scaleOf, type Lane } from '../../renderer/format/waterfall.ts';
import { filterTerm } from '../../renderer/components/PathLine.tsx';
import { attemptWith, wholeMessage } from './samples.ts';

const TEXT = layOutJson('{"orderId":1,"items":[{"sku":"A 1","n":2},{"sku":"B"}],"a b":{"c":null},"e":[]}');

describe('the path at the cursor', () => {
  test.each([
    ['"orderId"', 'data.orderId', '1'],
    ['1,', 'data.orderId', '1'],
    ['"items"', 'data.items', undefined],
    ['"A 1"', 'data.items[0].sku', '"A 1"'],
    [',\n      "n"', 'data.items[0].sku', '"A 1"'],
    ['"n"', 'data.items[0].n', '2'],
    ['"B"', 'data.items[1].sku', '"B"'],
    ['"c"', 'data["a b"].c', 'null'],
    ['"e"', 'data.e', undefined],
  ])('is found at %j', (what, path, scalar) => {
    const place = jsonPositionAt(TEXT, TEXT.indexOf(what));
    expect(pathText('data', place?.path ?? [])).toBe(path);
    expect(place?.scalar).toBe(scalar);
  });

  test('has no value at the root, unless the root is a plain value', () => {
    expect(jsonPositionAt(TEXT, 0)).toEqual({ path: [] });
    expect(jsonPositionAt('  42', 3)).toEqual({ path: [], scalar: '42' });
  });

  test('every place of a text has a path that leads back to it', () => {
    for (let at = 0; at <= TEXT.length; at += 1) {
      const { path = [] } = jsonPositionAt(TEXT, at) ?? {};
      const pointer = path.map((step) => `/${step}`).join('');
      expect(textOfPointer(TEXT, pointer), `at ${at}`).toBeDefined();
    }
  });

  test('a text that is too long is not followed', () => {
    expect(jsonPositionAt(`"${'x'.repeat(FOLLOWED_CHARACTERS)}"`, 3)).toBeUndefined();
  });

  test('becomes a filter if its language can write it, with quotes', () => {
    expect(filterKey(['items', 0, 'sku'])).toBe('data.items[0].sku');
    expect(filterKey(['a b'])).toBeUndefined();
    expect(filterKey([])).toBeUndefined();
    expect(filterTerm({ path: ['a'], scalar: String.raw`"x \"\u0041\" \\"` })).toBe(
      String.raw`data.a:"x \"A\" \\"`,
    );
    expect(filterTerm({ path: ['a'], scalar: '1.50' })).toBe('data.a:1.50');
    expect(filterTerm({ path: ['a'] })).toBeUndefined();
  });
});

test.each([
  ['31', 31],
  ['0x1F', 31],
  [' 0 ', 0],
  ['1f', undefined],
  ['-1', undefined],
  ['', undefined],
])('the offset %j is read', (text, offset) => {
  expect(readOffset(text)).toBe(offset);
});

describe('one entry of a batch', () => {
  const body = '{"entries":[{"entryId":"a","event":{"n":1.0}},{"entryId":"b","event":{"n":2}}]}';

  test('is shown as it was written', () => {
    expect(batchEntryText({ body }, 'entries', 'a')).toBe('{"entryId":"a","event":{"n":1.0}}');
    expect(batchEntryText({ body: '{"statuses":[{"entryId":"b","status":"RETRY"}]}' }, 'statuses', 'b')).toBe(
      '{"entryId":"b","status":"RETRY"}',
    );
  });

  test.each([
    '{"Statuses":[{"ENTRYID":"b","status":"RETRY"}]}',
    '{"statuses":[{"entryId":"b","status":"DROP"},{"ENTRYID":"b","status":"RETRY"}]}',
    '{"statuses":[{"entry_id":"b","status":"RETRY"}]}',
  ])('is the one that counts, in %s', (answer) => {
    expect(batchEntryText({ body: answer }, 'statuses', 'b')).toContain('"b","status":"RETRY"');
  });

  test.each(['{"entries":[', '', 'null', '[]', '{"entries":{}}', '{"entries":[null,1]}'])(
    'is not found in %j',
    (broken) => {
      expect(batchEntryText({ body: broken }, 'entries', 'a')).toBeUndefined();
    },
  );
});

test('a pointer that leads nowhere has a nearest place and no text', () => {
  expect(textOfPointer('{"a":[1]}', '/a/3')).toBeUndefined();
  expect(textOfPointer('{"a~b/c":[1]}', '/a~0b~1c/0')).toBe('1');
  expect(positionOfPointer('{\n  "a": 1\n}', '/a/b')).toEqual({ line: 2, column: 8 });
});

test('a deep text is not laid out without bound', () => {
  const depth = 50_000;
  const text = layOutJson('[1,'.repeat(depth) + '1' + ']'.repeat(depth));
  expect(text.length).toBeLessThan(100_000_000);
  expect(JSON.parse(text)).toBeInstanceOf(Array);
});

const at = (ms: number): string => new Date(1_800_000_000_000 + ms).toISOString();
const step = (to: Delivery['state'], ms: number, sequence: number): Transition => ({
  from: null,
  to,
  at: at(ms),
  sequence,
  cause: 'policy',
  rule: 'policy.attempt',
});

describe('the timeline of a message', () => {
  const timing = { connectMs: 1, sendMs: 1, waitMs: 6, readMs: 2 };
  const [base] = wholeMessage().deliveries;
  if (base === undefined) throw new Error('The sample has no delivery.');
  const delivery: Delivery = {
    ...base,
    state: 'processed',
    transitions: [
      step('queued', 4, 1),
      step('attempting', 5, 2),
      step('retrying', 15, 3),
      step('attempting', 28_015, 4),
      step('processed', 28_025, 5),
    ],
    attempts: [
      attemptWith({ attemptId: 'a1', number: 1, startedAt: at(5), endedAt: at(15), durationMs: 10, timing }),
      attemptWith({ attemptId: 'a2', number: 2, startedAt: at(28_015), endedAt: at(28_025), durationMs: 10 }),
    ],
  };
  const lanes = lanesOf({ at: at(0) }, delivery, 0);

  test('has the publish, the queue, each attempt in its parts, the wait and the end', () => {
    expect(lanes.map(({ title, note }) => `${title} ${note}`)).toEqual([
      'Published 4 ms',
      'Queued 1 ms',
      'Attempt 1 10 ms',
      'Attempt 2 10 ms',
      'Waits 28 s',
      'End Processed',
    ]);
    expect(lanes[2]?.spans.map(({ kind, from, to }) => [kind, to - from])).toEqual([
      ['connect', 1],
      ['send', 1],
      ['wait', 6],
      ['read', 2],
    ]);
  });

  test('an idle gap over five times the longest call is folded and labelled; the rest keeps its order and its proportion', () => {
    const scale = scaleOf(lanes);
    expect(scale.folds).toHaveLength(1);
    expect(scale.folds[0]?.ms).toBe(28_000);
    const place = (ms: number): number => scale.shareAt(Date.parse(at(ms)));
    const places = [0, 4, 5, 15, 28_015, 28_025].map(place);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBeCloseTo(1);
    expect(place(15) - place(5)).toBeCloseTo(place(28_025) - place(28_015));
    expect(place(28_015) - place(15)).toBeCloseTo(0.14);
    expect(place(-10)).toBe(0);
    expect(place(99_999)).toBeCloseTo(1);
  });

  test('a gap of five times is not folded; moments without length are placed', () => {
    const span = (from: number, to: number): Lane => ({
      id: `${from}`,
      title: '',
      spans: [{ kind: 'call', from, to, title: '' }],
    });
    expect(scaleOf([span(0, 10), span(60, 70)]).folds).toEqual([]);
    expect(scaleOf([span(0, 10), span(61, 70)]).folds).toHaveLength(1);
    // Without a call the time that a delivery waits is all there is to see.
    const queued: Lane = { id: 'q', title: '', spans: [{ kind: 'queued', from: 1, to: 4000, title: '' }] };
    const published: Lane = { id: 'p', title: '', spans: [{ kind: 'published', from: 0, to: 1, title: '' }] };
    expect(scaleOf([published, queued]).folds).toEqual([]);
    expect(scaleOf([published, queued]).shareAt(1)).toBeLessThan(0.01);
    expect(scaleOf([span(5, 5)]).shareAt(5)).toBe(0);
    expect(scaleOf([]).shareAt(5)).toBe(0);
  });

  test('an answer that a hold keeps back has a lane until now', () => {
    const { transitions, attempts } = delivery;
    const held: Delivery = {
      ...delivery,
      state: 'attempting',
      heldAt: 'response',
      transitions: transitions.slice(0, 2),
      attempts: attempts.slice(0, 1),
    };
    const kept = lanesOf({ at: at(0) }, held, Date.parse(at(240_015)));
    expect(kept.map(({ title, note }) => `${title} ${note}`).at(-1)).toBe('Answer held 4 min');
    expect(scaleOf(kept).totalMs).toBe(240_015);
  });

  test('an answer that a hold kept back keeps its lane after its release', () => {
    const released = { ...step('processed', 926, 3), from: 'attempting', note: KEPT_ANSWER } as const;
    const kept = {
      ...delivery,
      transitions: [...delivery.transitions.slice(0, 2), released],
      attempts: delivery.attempts.slice(0, 1),
    };
    const titles = lanesOf({ at: at(0) }, kept, 0).map(({ title, note }) => `${title} ${note}`);
    expect(titles).toContain('Answer held 911 ms');
  });

  test('many attempts share a lane, and many folds never take more than half', () => {
    const attempts = Array.from({ length: 40 }, (_, index) =>
      attemptWith({
        attemptId: `a${index}`,
        number: index + 1,
        startedAt: at(index * 1000),
        endedAt: at(index * 1000 + 2),
      }),
    );
    const many = lanesOf({ at: at(0) }, { ...delivery, attempts }, 0);
    expect(many.map(({ title }) => title)).toContain('40 attempts');
    const { folds } = scaleOf(many);
    expect(folds.length).toBeGreaterThan(30);
    expect(folds.reduce((sum, { from, to }) => sum + to - from, 0)).toBeLessThanOrEqual(0.5001);
  });
});
