// Reading the head of an HTTP message: lines in their order, headers by their names.
import { expect, test } from 'vitest';
import { headerRecord, readHead } from '../../core/tap/head.ts';

const headOf = (...lines: readonly string[]) => readHead(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));

test('lines may end with LF alone, and a line that begins with a space continues the one before', () => {
  const head = readHead(Buffer.from('GET / HTTP/1.1\nA: 1\r\nB:  2 \n\t3\n\n'));
  expect(head).toEqual({
    startLine: 'GET / HTTP/1.1',
    headers: [
      ['A', '1', 'a'],
      ['B', '2 3', 'b'],
    ],
  });
});

test('a line without a name makes the head unreadable', () => {
  expect(headOf('GET / HTTP/1.1', 'A: 1', 'nothing')).toBeUndefined();
  expect(headOf('GET / HTTP/1.1', ': 1')).toBeUndefined();
});

test('a head may have only its first line', () => {
  expect(headOf('HTTP/1.1 204 No Content')).toEqual({ startLine: 'HTTP/1.1 204 No Content', headers: [] });
});

test('headers of one name are joined, whatever the name', () => {
  const head = headOf('GET / HTTP/1.1', 'constructor: 1', '__proto__: 2', 'Constructor: 3', 'toString: 4');
  expect(Object.entries(head === undefined ? {} : headerRecord(head))).toEqual([
    ['constructor', '1, 3'],
    ['__proto__', '2'],
    ['tostring', '4'],
  ]);
});
