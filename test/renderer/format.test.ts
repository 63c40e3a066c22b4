/** How times, sizes, rows, bodies and differences are written. */
import { describe, expect, test } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { allows, deliveriesFor, whyNot, type Act } from '../../renderer/format/acts.ts';
import {
  bestMode,
  bodyOf,
  bodyOfBase64,
  bodyOfText,
  hexRow,
  prettyJson,
} from '../../renderer/format/body.ts';
import { changedLines, diffLines } from '../../renderer/format/diff.ts';
import { entryMistakes, readEntries, type ReadEntry } from '../../renderer/format/entries.ts';
import { jsonMistake } from '../../renderer/format/json-place.ts';
import { layOutJson, memberText } from '../../renderer/format/json-text.ts';
import {
  clockSpan,
  clockTime,
  count,
  counted,
  duration,
  rate,
  size,
  utcTime,
} from '../../renderer/format/quantity.ts';
import { ATTENTION_ORDER, answerText, chipOf, rowName, typeText } from '../../renderer/format/row.ts';
import { AT, deliveryIn, rowNamed } from './samples.ts';

describe('quantities', () => {
  test.each([
    [0, '0 ms'],
    [412, '412 ms'],
    [999.6, '1000 ms'],
    [3200, '3.2 s'],
    [60_000, '1 min'],
    [90_000, '1.5 min'],
    [7_200_000, '2 h'],
    [172_800_000, '2 d'],
  ])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

  test.each([
    [0, '0 B'],
    [412, '412 B'],
    [1234, '1.2 kB'],
    [2000, '2 kB'],
    [4_200_000, '4.2 MB'],
  ])('%d bytes are %s', (bytes, text) => expect(size(bytes)).toBe(text));

  test('counts have thousands separators', () => {
    expect(count(86_310)).toBe('86,310');
    expect(counted(1, 'attempt', 'attempts')).toBe('1 attempt');
    expect(counted(2000, 'attempt', 'attempts')).toBe('2,000 attempts');
  });

  test.each([
    [0, '0'],
    [0.1, '0.1'],
    [9.94, '9.9'],
    [12.4, '12'],
    [1204, '1,204'],
  ])('rate %d is %s', (n, text) => expect(rate(n)).toBe(text));

  test.each([
    [41_000, '00:41'],
    [59_999, '00:59'],
    [3_725_000, '1:02:05'],
    [-5, '00:00'],
  ])('a span of %d ms is %s', (ms, text) => expect(clockSpan(ms)).toBe(text));

  test('times are local with milliseconds, UTC in full; what is no time stays', () => {
    const local = new Date(AT);
    const two = (n: number): string => String(n).padStart(2, '0');
    expect(clockTime(AT)).toBe(`${two(local.getHours())}:${two(local.getMinutes())}:08.412`);
    expect(utcTime(AT)).toBe('2026-03-01 14:32:08.412 UTC');
    expect(clockTime('soon')).toBe('soon');
  });
});

describe('rows', () => {
  test('every state has its place in the order of attention', () => {
    expect([...ATTENTION_ORDER].toSorted()).toEqual([...DELIVERY_STATES].toSorted());
  });

  test('the chip shows the delivery that needs attention most', () => {
    const deliveries = [deliveryIn('processed'), deliveryIn('parked'), deliveryIn('processed')];
    expect(chipOf({ deliveries })).toEqual({
      kind: 'parked',
      more: 2,
      name: 'Parked, 1 of 3 deliveries; 2 processed',
    });
    expect(chipOf({ deliveries: [deliveryIn('held')] })).toEqual({ kind: 'held', more: 0, name: 'Held' });
  });

  test.each([
    [{ deliveries: [] }, 'none', 'No subscription'],
    [{ deliveries: [], stage: 'waiting' as const }, 'waiting', 'Waiting for app'],
    [{ deliveries: [], stage: 'refused' as const }, 'refused', 'Not published'],
    [{ deliveries: [], stage: 'held' as const }, 'held', 'Held'],
  ])('without deliveries: %o', (row, kind, name) => {
    expect(chipOf(row)).toEqual({ kind, more: 0, name });
  });

  test('the name says time, topic, type, state, attempts and last answer', () => {
    const row = rowNamed('m', {
      eventType: 'com.acme.order',
      deliveries: [deliveryIn('retrying', { attempts: 2, lastAnswer: { status: 503 } })],
    });
    expect(rowName(row, { unread: false })).toMatch(
      /^\d\d:32:08, orders, com\.acme\.order, Retrying, 2 attempts, last answer 503$/,
    );
    expect(rowName({ ...row, pinned: true }, { unread: true })).toMatch(/, Unread, Pinned$/);
    const raw = rowNamed('m', { raw: true, deliveries: [deliveryIn('processed')] });
    expect(rowName(raw, { unread: false })).toMatch(/, orders, raw, Processed, 1 attempt$/);
  });

  test('answers and types', () => {
    expect(answerText({ status: 200, word: 'RETRY' })).toBe('200 RETRY');
    expect(answerText({ status: 404 })).toBe('404');
    expect(answerText({ error: 'refused' })).toBe('no answer');
    expect(answerText(undefined)).toBe('');
    expect(typeText({ raw: false })).toBe('—');
    expect(typeText({ raw: true, eventType: 'x' })).toBe('—  raw');
  });
});

describe('acts', () => {
  /** The table of what applies to what; a hold also applies to what waits for its next attempt. */
  const TABLE: Readonly<Record<Act, readonly string[]>> = {
    retry: ['retrying', 'parked', 'expired', 'dropped', 'dead-lettered'],
    hold: ['queued', 'retrying'],
    release: ['held'],
    drop: ['queued', 'held', 'retrying', 'parked'],
    deadLetter: ['queued', 'held', 'retrying', 'parked', 'dropped'],
    cancel: ['attempting'],
  };

  const ACTS: readonly Act[] = ['retry', 'hold', 'release', 'drop', 'deadLetter', 'cancel'];

  test.each(Object.entries(TABLE))('%s', (name, states) => {
    const act = ACTS.find((each) => each === name);
    if (act === undefined) throw new Error('no such act');
    expect(DELIVERY_STATES.filter((state) => allows(act, state)).toSorted()).toEqual([...states].toSorted());
  });

  test('names the deliveries it applies to, of the whole message or of one', () => {
    const row = rowNamed('m', {
      deliveries: [
        deliveryIn('parked', { deliveryId: 'a' }),
        deliveryIn('processed', { deliveryId: 'b' }),
        deliveryIn('parked', { deliveryId: 'c' }),
      ],
    });
    expect(deliveriesFor('retry', { row })).toEqual(['a', 'c']);
    expect(deliveriesFor('retry', { row, deliveryId: 'c' })).toEqual(['c']);
    expect(deliveriesFor('retry', { row, deliveryId: 'b' })).toEqual([]);
  });

  test('says why not', () => {
    const of = (state: (typeof DELIVERY_STATES)[number]): ReturnType<typeof rowNamed> =>
      rowNamed('m', { deliveries: [deliveryIn(state)] });
    expect(whyNot('retry', { row: of('processed') })).toBe('Retry now: it is processed; use Replay.');
    expect(whyNot('drop', { row: of('attempting') })).toBe(
      'The app already has it; wait for the answer or cancel the call.',
    );
    expect(whyNot('hold', { row: of('parked') })).toBe('Hold: it is parked.');
    expect(whyNot('drop', { row: rowNamed('m') })).toBe('Drop: it is no subscription.');
    expect(whyNot('release', { row: rowNamed('m', { stage: 'held' }) })).toBeUndefined();
    expect(whyNot('retry', { row: of('parked') })).toBeUndefined();
  });
});

describe('bodies', () => {
  test('text, base64 text and bytes', () => {
    expect(bodyOf({ body: 'ä' }).bytes).toHaveLength(2);
    expect(bodyOf({ body: btoa('{"a":1}'), bodyBase64: true })).toMatchObject({
      text: '{"a":1}',
      isBinary: false,
    });
    expect(bodyOfBase64('//79')).toMatchObject({ isBinary: true });
    expect(bodyOfBase64('no base64!').bytes).toHaveLength(0);
  });

  test.each([
    ['{"a":1}', 'application/json', 'json'],
    ['{"a":1}', '', 'json'],
    ['{"a":', 'application/json', 'text'],
    ['<a/>', 'application/xml', 'xml'],
    ['<a/>', '', 'xml'],
    ['hello', 'text/plain', 'text'],
    ['42', 'application/json', 'json'],
    ['42', 'text/plain', 'text'],
  ])('%s as %s shows as %s', (text, type, mode) => expect(bestMode(bodyOfText(text), type)).toBe(mode));

  test('bytes show as hex', () => {
    expect(bestMode(bodyOfBase64('//79'), 'application/json')).toBe('hex');
    const bytes = new TextEncoder().encode('Hello, world! 0123\n');
    expect(hexRow(bytes, 0)).toEqual({
      offset: '00000000',
      hex: '48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 20 30 31',
      ascii: 'Hello, world! 01',
    });
    expect(hexRow(bytes, 1).ascii).toBe('23.');
  });

  test('JSON with two spaces, or none', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('{')).toBeUndefined();
  });

  test('numbers and escapes stay as they were written', () => {
    expect(prettyJson('{"big":12345678901234567890123,"e":1.0e+2,"u":"\\u202e","n":{},"l":[ ]}')).toBe(
      '{\n  "big": 12345678901234567890123,\n  "e": 1.0e+2,\n  "u": "\\u202e",\n  "n": {},\n  "l": []\n}',
    );
  });

  test.each([
    '{"a":[1,2,{"b":"}],:"}],"c":null}',
    '[]',
    '"text"',
    '[[[1]],{"x":{"y":[]}}]',
    ' { "spaced" : [ true , false ] } ',
  ])('%s laid out is the same value', (text) => {
    const laid = layOutJson(text);
    expect(JSON.parse(laid)).toEqual(JSON.parse(text));
    expect(laid).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  test.each([
    ['{"id":"1","data":{"data":1,"x":[2]},"z":0}', '{"data":1,"x":[2]}'],
    ['{"x":{"data":1},"data" : 12345678901234567890 }', '12345678901234567890'],
    ['{"data":"a \\"quoted\\" text"}', '"a \\"quoted\\" text"'],
    ['{"data":[1,[2]],"a":1}', '[1,[2]]'],
    ['{"data":null}', 'null'],
    ['{"a":"data","b":1}', undefined],
    ['[{"data":1}]', undefined],
  ])('the data of %s is %s', (text, member) => expect(memberText(text, 'data')).toBe(member));

  test('where a text stops being JSON', () => {
    expect(jsonMistake('{"a": 1}')).toBeUndefined();
    expect(jsonMistake('{\n  "a": 1\n  "b": 2\n}')).toMatchObject({ line: 3, column: 3 });
    expect(jsonMistake('{"a": ')).toMatchObject({ line: 1, column: 7 });
  });
});

describe('differences', () => {
  test('one changed line counts once', () => {
    const lines = diffLines('{\n  "total": 120\n}', '{\n  "total": 999\n}');
    expect(lines.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
    expect(changedLines(lines)).toBe(1);
  });

  test('both texts can be read back from the lines', () => {
    const before = 'a\nb\nc\nd\ne';
    const after = 'a\nx\nc\ne\nf';
    const lines = diffLines(before, after);
    const side = (other: string): string =>
      lines
        .filter(({ kind }) => kind !== other)
        .map(({ text }) => text)
        .join('\n');
    expect(side('added')).toBe(before);
    expect(side('removed')).toBe(after);
  });

  test('very long texts are compared as one block', () => {
    const long = Array.from({ length: 2000 }, (_, line) => String(line)).join('\n');
    expect(changedLines(diffLines(long, long))).toBe(0);
    expect(changedLines(diffLines(long, `${long}\nmore`))).toBe(2001);
  });
});

describe('bulk entries', () => {
  test.each([
    ['[{"entryId":"1","contentType":"text/plain","event":"x"}]', [['1', 'text/plain', 'x']]],
    [
      '[{"a":1},2]',
      [
        ['', 'application/json', '{"a":1}'],
        ['', 'application/json', '2'],
      ],
    ],
    [
      '{"a":1}\n\n{"a":2}',
      [
        ['', 'application/json', '{"a":1}'],
        ['', 'application/json', '{"a":2}'],
      ],
    ],
    ['{"entryId":7,"event":{"a":1}}', [['7', 'application/json', '{"a":1}']]],
    [
      'hello\nworld',
      [
        ['', 'text/plain', 'hello'],
        ['', 'text/plain', 'world'],
      ],
    ],
    ['', []],
  ])('%s', (text, entries) => {
    const read = readEntries(text);
    expect(
      read.ok && read.entries.map(({ entryId, contentType, event }) => [entryId, contentType, event]),
    ).toEqual(entries);
  });

  test('a line that is not JSON is named', () => {
    expect(readEntries('{"a":1}\n\n{"a":')).toEqual({ ok: false, line: 3 });
  });

  test('ids that stand twice, entries without one, events that are not JSON', () => {
    const entry = (entryId: string, event: string): ReadEntry => ({
      entryId,
      contentType: 'application/json',
      event,
    });
    const mistakes = entryMistakes([entry('1', '{}'), entry('1', '{'), entry('', '1'), entry('2', '"x"')]);
    expect([...mistakes.twice]).toEqual(['1']);
    expect(mistakes).toMatchObject({ withoutId: 1, notJson: 1 });
  });
});
