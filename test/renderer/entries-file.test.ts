/** Files of bulk entries: tables with their columns, lines, arrays, recordings, and what cannot be read. */
import { describe, expect, test } from 'vitest';
import { entryBytes, isBadJson, keepFacts } from '../../renderer/format/entries.ts';
import { readEntriesFile } from '../../renderer/format/entries-file.ts';
import { fileOf } from '../../renderer/format/entries-read.ts';
import { entriesOfTable, guessMapping } from '../../renderer/format/entries-table.ts';

describe('a CSV file', () => {
  const text = 'entry id,Content-Type,payload\r\n1,text/plain,"a ""quoted"" text"\r\n\r\n2,,"{""n"":1}"\r\n';

  test('is a table with a suggestion for its columns', () => {
    const read = readEntriesFile('x.CSV', text);
    expect(read).toEqual({
      kind: 'table',
      columns: ['entry id', 'Content-Type', 'payload'],
      rows: [
        ['1', 'text/plain', 'a "quoted" text'],
        ['2', '', '{"n":1}'],
      ],
    });
    const columns = read.kind === 'table' ? read.columns : [];
    const rows = read.kind === 'table' ? read.rows : [];
    expect(guessMapping(columns)).toEqual({ entryId: 0, contentType: 1, event: 2 });
    expect(entriesOfTable(columns, rows, guessMapping(columns))).toEqual([
      { entryId: '1', contentType: 'text/plain', event: 'a "quoted" text' },
      { entryId: '2', contentType: 'application/json', event: '{"n":1}' },
    ]);
  });

  test('gives each row as an object; digits that a number would lose stay text', () => {
    const rows = [['1', '1.50', '12345678901234567890', 'true', '', '007', 'x']];
    const [entry] = entriesOfTable(['a', 'b', 'c', 'd', 'e', 'f', 'g'], rows, {
      entryId: -1,
      contentType: -1,
      event: -1,
    });
    expect(JSON.parse(entry?.event ?? '')).toEqual({
      a: 1,
      b: '1.50',
      c: '12345678901234567890',
      d: true,
      e: '',
      f: '007',
      g: 'x',
    });
  });

  test('with an open quote names the line', () => {
    expect(readEntriesFile('x.csv', 'a,b\n1,"open\n')).toMatchObject({ kind: 'bad', why: 'csv' });
  });

  test('is read only as far as a request takes', () => {
    const long = `n\n${Array.from({ length: 20_000 }, (_, n) => n).join('\n')}`;
    const read = readEntriesFile('x.csv', long);
    expect(read.kind === 'table' ? read.rows.length : 0).toBe(10_001);
  });
});

describe('more than one request can carry', () => {
  const event = JSON.stringify({ note: 'x'.repeat(3 * 1024 * 1024) });

  test.each([
    ['x.ndjson', [event, event, event].join('\n')],
    ['x.json', `[${[event, event, event].join(',')}]`],
  ])('in %s is read up to the limit and marked as cut', (name, text) => {
    expect(readEntriesFile(name, text)).toMatchObject({
      kind: 'entries',
      entries: { length: 2 },
      isCut: true,
    });
  });

  test('in a table is read up to the limit and marked as cut', () => {
    const cell = 'x'.repeat(3 * 1024 * 1024);
    const read = readEntriesFile('x.csv', ['note', cell, cell, cell].join('\n'));
    expect(read).toMatchObject({ kind: 'table', rows: { length: 2 }, isCut: true });
  });

  test('a file that fits is not cut', () => {
    expect(readEntriesFile('x.ndjson', [event, event].join('\n'))).not.toHaveProperty('isCut');
  });
});

describe('other files', () => {
  test.each([
    ['x.ndjson', '{"a":1}\n{"a":2}', 2],
    ['x.json', '[{"entryId":"7","event":{"a":1},"contentType":"application/json"}]', 1],
    ['x.txt', 'one\ntwo\nthree', 3],
  ])('%s is read as entries', (name, text, count) => {
    const read = readEntriesFile(name, text);
    expect(read.kind === 'entries' ? read.entries.length : 0).toBe(count);
  });

  test('a recording gives its messages, each in the envelope it had', () => {
    const text = [
      '{"kind":"recording","version":1}',
      '{"kind":"message","row":{"raw":false},"wire":"{\\"id\\":\\"1\\"}"}',
      '{"kind":"attempt","deliveryId":"d"}',
      '{"kind":"message","row":{"raw":true},"wire":"plain"}',
      '{"kind":"message","row":{"raw":true},"wireBase64":"AP8="}',
    ].join('\n');
    expect(readEntriesFile('x.sidelight.jsonl', text)).toEqual({
      kind: 'entries',
      entries: [
        { entryId: '', contentType: 'application/cloudevents+json', event: '{"id":"1"}' },
        { entryId: '', contentType: 'text/plain', event: 'plain' },
      ],
    });
    expect(readEntriesFile('x.jsonl', '{"kind":"recording"}\n{"kind":"message",')).toMatchObject({ line: 2 });
  });

  test.each([
    ['x.ndjson', '{"a":1}\n{"a":', { line: 2, why: 'json' }],
    ['x.json', '  ', { why: 'empty' }],
  ])('%s that is invalid has its mistake', (name, text, expected) => {
    expect(readEntriesFile(name, text)).toMatchObject({ kind: 'bad', ...expected });
  });
});

test('the size and the JSON of an entry are checked once', () => {
  const entry = { contentType: 'application/json', event: '{"ä":' };
  expect([entryBytes(entry), entryBytes(entry)]).toEqual([6, 6]);
  expect(isBadJson(entry)).toBe(true);
  expect(isBadJson({ ...entry, contentType: 'text/plain' })).toBe(false);
});

describe('the result for the page', () => {
  test('entries come with what is known of each', () => {
    const file = fileOf(readEntriesFile('x.ndjson', '{"a":1}\n{"entryId":"7","event":"x"}'));
    expect(file).toMatchObject({
      kind: 'entries',
      entries: [{ event: '{"a":1}' }, { entryId: '7', event: 'x' }],
      facts: [
        { bytes: 7, isBad: false },
        { bytes: 1, isBad: false },
      ],
      isCut: false,
    });
  });

  test('known facts of an entry are not computed again', () => {
    const entry = { entryId: '1', contentType: 'application/json', event: '{"a":' };
    keepFacts(entry, { bytes: 4, isBad: false, missing: [] });
    expect([entryBytes(entry), isBadJson(entry)]).toEqual([4, false]);
  });

  test('a table shows twenty rows and their number until its columns are named', () => {
    const table = readEntriesFile(
      'x.csv',
      `id,n\n${Array.from({ length: 50 }, (_, n) => `e${n},${n}`).join('\n')}`,
    );
    expect(fileOf(table)).toMatchObject({ kind: 'table', rows: { length: 20 }, count: 50 });
    const mapping = { entryId: 0, contentType: -1, event: 1 };
    expect(fileOf(table, mapping)).toMatchObject({ kind: 'entries', entries: { length: 50 } });
    expect(fileOf(undefined, mapping)).toMatchObject({ kind: 'bad' });
  });

  test('lines tell how far the reading is', () => {
    const shares: number[] = [];
    readEntriesFile('x.ndjson', '{"a":1}\n'.repeat(1000), (share) => shares.push(share));
    expect(shares).toHaveLength(5);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });
});
