/** Output of a process, as lines. */
import { setImmediate } from 'node:timers/promises';
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

test.each([
  ['the reset of tput', 'a\u001b(B\u001b[mb', 'ab'],
  ['a saved position', 'a\u001b7b\u001b8c', 'abc'],
  ['a reset of the terminal', 'a\u001bcb', 'ab'],
  ['a picture', 'a\u001bPq#0;2~~\u001b\\b', 'ab'],
  ['a picture without an end', 'a\u001bPq#0', 'aq#0'],
  ['codes of one character', 'a\u009b31mb\u0085c', 'abc'],
])('stored lines have nothing of %s', (_, line, stored) => {
  expect(plain(line)).toBe(stored);
});

test('a line that comes letter by letter, and bytes that are no text, are lines too', () => {
  expect(linesOf('l', 'o', 'n', 'g', '\n')).toEqual(['long']);
  expect(linesOf(Buffer.from([0xff, 0xfe, 0x0a, 0xc3]))).toEqual(['\ufffd\ufffd', '\ufffd']);
});

function screen(
  isTTY: boolean,
  waiting = 0,
): { texts: string[]; isTTY: boolean; writableLength: number; write(text: string): void } {
  const texts: string[] = [];
  return { texts, isTTY, writableLength: waiting, write: (text) => void texts.push(text) };
}

/** Prints each line in a turn of its own. */
async function print(shown: AppScreen, ...lines: readonly (readonly [appId: string, text: string])[]) {
  for (const line of lines) {
    shown.line(...line);
    await setImmediate();
  }
}

test('lines of one turn are written together', async () => {
  const piped = screen(false);
  const shown = new AppScreen(piped, true);
  shown.line('a', 'one');
  shown.line('b', 'two');
  await setImmediate();
  expect(piped.texts).toEqual(['== APP - a == one\n== APP - b == two\n']);
});

test('R49: each line begins with its app, without colours if not on a terminal', async () => {
  const piped = screen(false);
  await print(new AppScreen(piped, true), ['a', '\u001b[31mred\u001b[0m']);
  expect(piped.texts).toEqual(['== APP - a == red\n']);
});

test('on a terminal each app has a colour of its own, and keeps its own codes', async () => {
  const terminal = screen(true);
  const shown = new AppScreen(terminal, true);
  await print(shown, ['a', '\u001b[31mred\u001b[0m'], ['b', 'x'], ['a', 'y']);
  const [first = '', second = '', third = ''] = terminal.texts;
  expect(first).toContain('\u001b[31mred\u001b[0m');
  expect(first.slice(0, 5)).toBe(third.slice(0, 5));
  expect(first.slice(0, 5)).not.toBe(second.slice(0, 5));
});

test('a reader that is too slow gets the number of lines left out', async () => {
  const slow = screen(false, 100 * 1024 * 1024);
  const shown = new AppScreen(slow, false);
  await print(shown, ['a', 'one'], ['a', 'two']);
  slow.writableLength = 0;
  await print(shown, ['a', 'three']);
  expect(slow.texts).toEqual([
    '== 2 lines are left out: the reader of this output is too slow ==\n',
    '== APP - a == three\n',
  ]);
});
