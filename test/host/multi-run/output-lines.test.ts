/** Output of a process, as lines. */
import { expect, test } from 'vitest';
import { AppScreen } from '../../../core/host/multi-run/app-screen.ts';
import { MAX_LINE_LENGTH, OutputLines, plain } from '../../../core/host/multi-run/output-lines.ts';

function linesOf(...pieces: readonly (string | Uint8Array)[]): readonly string[] {
  const lines: string[] = [];
  const reader = new OutputLines((line) => lines.push(line));
  for (const piece of pieces) reader.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
  reader.end();
  return lines;
}

test('a line may come in pieces, even within a letter, and the last one needs no line end', () => {
  const letter = Buffer.from('ä');
  expect(linesOf('a', 'b\nc\r\n', '\n', letter.subarray(0, 1), letter.subarray(1))).toEqual([
    'ab',
    'c',
    '',
    'ä',
  ]);
});

test('R48: a long line is cut, and later ones are whole', () => {
  const piece = 'x'.repeat(50 * 1024);
  const [long = '', next] = linesOf(piece, piece, piece, piece, '\nnext\n');
  expect(long).toBe(`${'x'.repeat(MAX_LINE_LENGTH)}…`);
  expect(next).toBe('next');
});

test('codes of terminals are removed from stored lines', () => {
  expect(plain('\u001b[31mred\u001b[0m \u001b]0;title\u0007text\u0007\ttab')).toBe('red text\ttab');
});

function screen(
  isTTY: boolean,
  waiting = 0,
): { texts: string[]; isTTY: boolean; writableLength: number; write(text: string): void } {
  const texts: string[] = [];
  return { texts, isTTY, writableLength: waiting, write: (text) => void texts.push(text) };
}

test('R49: each line begins with its app, without colours if not on a terminal', () => {
  const piped = screen(false);
  new AppScreen(piped, true).line('a', '\u001b[31mred\u001b[0m');
  expect(piped.texts).toEqual(['== APP - a == red\n']);
});

test('on a terminal each app has a colour of its own, and keeps its own codes', () => {
  const terminal = screen(true);
  const shown = new AppScreen(terminal, true);
  shown.line('a', '\u001b[31mred\u001b[0m');
  shown.line('b', 'x');
  shown.line('a', 'y');
  const [first = '', second = '', third = ''] = terminal.texts;
  expect(first).toContain('\u001b[31mred\u001b[0m');
  expect(first.slice(0, 5)).toBe(third.slice(0, 5));
  expect(first.slice(0, 5)).not.toBe(second.slice(0, 5));
});

test('a reader that is too slow gets the number of lines left out', () => {
  const slow = screen(false, 100 * 1024 * 1024);
  const shown = new AppScreen(slow, false);
  shown.line('a', 'one');
  shown.line('a', 'two');
  slow.writableLength = 0;
  shown.line('a', 'three');
  expect(slow.texts).toEqual([
    '== 2 lines are left out: the reader of this output is too slow ==\n',
    '== APP - a == three\n',
  ]);
});
