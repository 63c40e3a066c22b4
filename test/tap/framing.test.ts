// Heads that come in small pieces: they are read like those that come at once, at a cost that grows with their length alone.
import { expect, test } from 'vitest';
import { Framing } from '../../core/tap/framing.ts';
import { mayBeInRequest } from '../../core/tap/head-part.ts';

/** Longest CPU time for a head of the largest length: where each byte copied all that came before, it was 6 s and more. */
const MOST_CPU_MS = 2_000;
const LENGTH = 256 * 1024 - 100;

/** What framing says about bytes that come in pieces of this length. */
function readInPieces(all: Buffer, length: number): { heads: string[]; rest: string } {
  const heads: string[] = [];
  let rest = '';
  const framing = new Framing({
    mayBeInHead: mayBeInRequest,
    head: (_head, bytes) => {
      heads.push(bytes.toString('latin1'));
      return { kind: 'none' };
    },
    body: () => undefined,
    end: () => undefined,
    unreadable: () => undefined,
    opaque: (bytes) => void (rest += bytes.toString('latin1')),
  });
  for (let at = 0; at < all.length; at += length) framing.push(all.subarray(at, at + length));
  framing.finish();
  return { heads, rest };
}

const LINE = 'X-Name: some value of it\r\n';
const SHORT_LINES = `GET / HTTP/1.1\r\n${LINE.repeat(Math.floor(LENGTH / LINE.length))}\r\n`;
const LONG_LINE = `GET / HTTP/1.1\r\nX: ${'v'.repeat(LENGTH)}\r\n\r\n`;

test.each([
  ['short lines', SHORT_LINES],
  ['one long line', LONG_LINE],
])('a head of the largest length with %s that comes one byte at a time costs little', (_name, head) => {
  const from = process.cpuUsage();
  const { heads } = readInPieces(Buffer.from(head, 'latin1'), 1);
  const { user, system } = process.cpuUsage(from);
  expect(heads).toEqual([head]);
  expect((user + system) / 1_000).toBeLessThan(MOST_CPU_MS);
});

test.each([1, 2, 3, 7, 40, 1_000])('two heads and a part of a third come in pieces of %i bytes', (length) => {
  const [first, second] = [`GET /a HTTP/1.1\r\n${LINE.repeat(90)}\r\n`, 'POST /b HTTP/1.1\r\nA: 1\n\n'];
  const part = 'PUT /c HTTP/1.1\r\nB: 2';
  const bytes = Buffer.from(first + second + part, 'latin1');
  expect(readInPieces(bytes, length)).toEqual({ heads: [first, second], rest: part });
  expect(bytes.toString('latin1')).toBe(first + second + part);
});

test.each([1, 3, 1_000])('a wrong line behind a long one is passed on, in pieces of %i bytes', (length) => {
  const wrong = `GET / HTTP/1.1\r\nX: ${'v'.repeat(3_000)}\r\nnothing here\r\nA: 1\r\n\r\n`;
  expect(readInPieces(Buffer.from(wrong, 'latin1'), length)).toEqual({ heads: [], rest: wrong });
});
