// Cells of a CSV export: no spreadsheet finds a formula in one, whichever separator it reads the file with.
import { describe, expect, test } from 'vitest';
import { csvLine } from '../../core/domain/recording/csv.ts';
import { messageRow } from '../adapters/journal-records.ts';
import { codec } from './node-codec.ts';

/** The line of a message with this note between two more cells. */
function lineOf(note: string): string {
  const message = { row: messageRow(1, { note }), wire: '{}', metadata: {}, givenContentType: '' };
  return csvLine({ message, deliveries: [] }, ['topic', 'note', 'sizeBytes'], codec);
}

/** Cells of a spreadsheet that splits at `separator`; quotes count at the beginning of a cell only. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    let cell = '';
    if (line[at] === '"') {
      at += 1;
      while (at < line.length && !(line[at] === '"' && line[at + 1] !== '"')) {
        if (line[at] === '"') at += 1;
        cell += line[at];
        at += 1;
      }
      at += 1;
    }
    while (at < line.length && line[at] !== separator && !/[\r\n]/.test(line[at] ?? '')) {
      cell += line[at];
      at += 1;
    }
    cells.push(cell);
    at += 1;
  }
  return cells;
}

/** Text that a spreadsheet runs as a formula, also after invisible characters. */
const RUN = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
const FORMULAS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  "=cmd|' /C calc'!A0",
  '\uff1d1+1',
  '\uff20SUM(A1)',
  ' =1+1',
  '\u200b=1+1',
  '\0=1+1',
  '\u202e@SUM(A1)',
  '\ufeff\u0001+1+1',
];
const BEFORE = [
  '',
  ';',
  'a;',
  'a; ',
  'a;;',
  '\t',
  'a\t',
  '\r',
  '\n',
  'a\r\n',
  'a\n;',
  ';"',
  'a\t"',
  '",',
  'a,',
];

describe.each([',', ';', '\t'])('read with %j between the cells', (separator) => {
  test.each(BEFORE.flatMap((before) => FORMULAS.map((formula) => [before + formula] as const)))(
    'a spreadsheet runs nothing of %j',
    (note) => {
      const found = cellsOf(lineOf(note), separator).filter((cell) => RUN.test(cell));
      expect(found).toEqual([]);
    },
  );
});

test.each([
  ['-5', '-5'],
  ['+1.5e3', '+1.5e3'],
  ['a-b', 'a-b'],
  ['a=b', 'a=b'],
  ['a;-5', '"a;-5"'],
  ['a;b', '"a;b"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['\ta', '"\'\ta"'],
  ['\ra', '"\'\ra"'],
])('the cell for %j is %j', (note, cell) => expect(lineOf(note)).toBe(`orders,${cell},100\r\n`));

test('a long text takes no long time', () => {
  for (const text of [
    '\t'.repeat(1_000_000),
    ' '.repeat(1_000_000),
    ';"'.repeat(500_000),
    '; '.repeat(500_000),
  ])
    expect(lineOf(text).length).toBeGreaterThan(1_000_000);
});

test.each(["-1\n*cmd|' /C calc'!A0", "+1\t*cmd|' /C calc'!A0", "-1e3\r\n/cmd|' /C calc'!A0", '-1;2'])(
  'a number with more behind it is no number: %j',
  (note) => expect(cellsOf(lineOf(note), ',')[1]).toBe(`'${note}`),
);

test('a number in the first cell is quoted, because a spreadsheet with another separator reads the whole line', () => {
  const row = messageRow(1, { topic: '-1', note: "*cmd|' /C calc'!A0" });
  const message = { row, wire: '{}', metadata: {}, givenContentType: '' };
  expect(csvLine({ message, deliveries: [] }, ['topic', 'note'], codec)).toBe("'-1,*cmd|' /C calc'!A0\r\n");
  expect(csvLine({ message, deliveries: [] }, ['note', 'topic'], codec)).toBe("*cmd|' /C calc'!A0,-1\r\n");
});

test('a number behind a line end is no number either where nothing visible is before it', () => {
  expect(cellsOf(lineOf("\n-1\n*cmd|' /C calc'!A0"), ',')[1]).toBe("\n'-1\n*cmd|' /C calc'!A0");
  expect(cellsOf(lineOf('a\n-1'), ',')[1]).toBe('a\n-1');
});
