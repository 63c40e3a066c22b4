/** Reading an app's answers, in whatever pieces they arrive. */
import { createServer } from 'node:net';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HeadReader, NotHttp } from '../../core/adapters/http-app-channel/answer-head.ts';
import { AnswerReader } from '../../core/adapters/http-app-channel/answer-reader.ts';

interface Read {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** undefined: its end has not come. */
  readonly end: { readonly keepsOpen: boolean; readonly isFollowed: boolean } | undefined;
}

/**
 * Reads one answer.
 * @param pieces its bytes, one character for each
 */
function readIn(pieces: readonly string[], heads = new HeadReader()): Read {
  const reader = new AnswerReader(heads);
  let [status, headers, body]: [number, Readonly<Record<string, string>>, string] = [0, {}, ''];
  let end: Read['end'];
  const taker = {
    head: (given: number, named: Readonly<Record<string, string>>) => {
      [status, headers] = [given, named];
    },
    data: (bytes: Buffer) => {
      body += bytes.toString('latin1');
    },
  };
  for (const piece of pieces) {
    const whole = reader.read(Buffer.from(piece, 'latin1'), taker);
    if (whole !== undefined) end = { keepsOpen: whole.head.keepsOpen, isFollowed: whole.isFollowed };
  }
  if (reader.isEndedByEnd()) end = { keepsOpen: false, isFollowed: false };
  return { status, headers, body, end };
}

/** A text in pieces of one byte. */
function singly(text: string): readonly string[] {
  return Array.from({ length: text.length }, (_, at) => text.charAt(at));
}

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join('');

const ANSWERS: Readonly<Record<string, string>> = {
  'with a length': lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'X-A:  one ', '') + 'hello',
  'without a body': lines('HTTP/1.1 200 OK', 'content-length: 0', ''),
  'without a reason': lines('HTTP/1.1 500', 'content-length: 1', '') + 'x',
  'of status 204': lines('HTTP/1.1 204 No Content', 'x-b: \u00fc', ''),
  'of status 304': lines('HTTP/1.1 304 Not Modified', 'etag: "a"', ''),
  'in chunks': lines(
    'HTTP/1.1 200 OK',
    'transfer-encoding: chunked',
    '',
    '3',
    'abc',
    'A;ext="1"',
    '0123456789',
    '0',
    'x-trailer: 1',
    '',
  ),
  'that ends with its connection': lines('HTTP/1.1 201 Created', '') + 'until the end',
  'after interim ones':
    lines('HTTP/1.1 100 Continue', '', 'HTTP/1.1 103 Early Hints', 'link: </a>', '') +
    lines('HTTP/1.1 202 Accepted', 'content-length: 2', '') +
    'ok',
  'after an empty line': `\r\n${lines('HTTP/1.1 200 OK', 'content-length: 2', '')}ok`,
  'of the older version': lines('HTTP/1.0 200 OK', 'content-length: 2', '') + 'ok',
  'of the older version that stays': lines(
    'HTTP/1.0 200 OK',
    'connection: Keep-Alive',
    'content-length: 0',
    '',
  ),
  'that closes': lines('HTTP/1.1 200 OK', 'connection: x, Close', 'content-length: 0', ''),
  'with a header twice': lines('HTTP/1.1 200 OK', 'a: 1', 'A: 2', '__proto__: 3', 'content-length: 0', ''),
};

describe.each(Object.entries(ANSWERS))('an answer %s', (_name, text) => {
  test('cut in two anywhere, or in single bytes, reads as it does in one piece', () => {
    const whole = readIn([text]);
    expect(whole.end).toBeDefined();
    for (let at = 1; at < text.length; at += 1)
      expect(readIn([text.slice(0, at), text.slice(at)])).toEqual(whole);
    expect(readIn(singly(text))).toEqual(whole);
  });

  test("reads as Node's own client reads it", async () => {
    const answer = await asNodeReads(text);
    const { status, headers, body } = readIn([text]);
    const chunks = (await answer.toArray()).map((chunk: Buffer) => chunk.toString('latin1'));
    expect({ status, body }).toEqual({ status: answer.statusCode, body: chunks.join('') });
    expect(Object.keys(headers).toSorted()).toEqual(
      [
        ...new Set(answer.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())),
      ].toSorted(),
    );
  });
});

/** An answer as parsed by Node. */
async function asNodeReads(text: string): Promise<IncomingMessage> {
  const server = createServer((socket) => {
    // The client cuts a connection that it has no more use for.
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from(text, 'latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent: false }, resolve).on('error', reject);
  });
}

test.each([
  ['with a length', true],
  ['in chunks', true],
  ['of status 204', true],
  ['that ends with its connection', false],
  ['of the older version', false],
  ['of the older version that stays', true],
  ['that closes', false],
])('after an answer %s the connection may carry another request: %s', (name, keepsOpen) => {
  expect(readIn([ANSWERS[name] ?? '']).end).toEqual({ keepsOpen, isFollowed: false });
});

test.each([
  ['a body that a status cannot have', ['HTTP/1.1 204 No Content', 'content-length: 3', '']],
  ['a coding that a status cannot have', ['HTTP/1.1 304 Not Modified', 'transfer-encoding: chunked', '']],
  [
    'a length beside chunks',
    ['HTTP/1.1 200 OK', 'content-length: 5', 'transfer-encoding: chunked', '', '0', ''],
  ],
  ['a promise too short to rely on', ['HTTP/1.1 204 No Content', 'keep-alive: timeout=2', '']],
])('after %s the connection may not carry another request', (_name, head) => {
  expect(readIn([lines(...head)]).end?.keepsOpen).toBe(false);
});

// The real reference reads each of these, and its status decides.
test.each([
  [
    'lines that end with LF alone',
    'HTTP/1.1 200 OK\ncontent-length: 4\n\na\r\n\r',
    { 'content-length': '4' },
    'a\r\n\r',
  ],
  [
    'an empty line of LF alone',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\na',
    { 'content-length': '1' },
    'a',
  ],
  [
    'a folded header',
    'HTTP/1.1 200 OK\r\nx: a\r\n\t b\r\n  c\r\ncontent-length: 1\r\n\r\na',
    { x: 'a b c', 'content-length': '1' },
    'a',
  ],
  [
    'blanks in the name of a header',
    'HTTP/1.1 200 OK\r\nx y : a\r\ncontent-length: 1\r\n\r\na',
    { 'x y ': 'a', 'content-length': '1' },
    'a',
  ],
  [
    'one length twice',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\na',
    { 'content-length': '1, 1' },
    'a',
  ],
  [
    'a length beside chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    { 'content-length': '9', 'transfer-encoding': 'chunked' },
    'a',
  ],
])('%s: the head is read, in one piece and in single bytes', (_name, text, headers, body) => {
  const read = { status: 200, headers, body };
  expect(readIn([text])).toMatchObject(read);
  expect(readIn([text])).toEqual(readIn(singly(text)));
  expect(Object.keys(readIn([text]).headers)).toEqual(Object.keys(headers));
});

// The real reference reads each of these too.
test.each([
  ['several blanks before the status', 'HTTP/1.1   200 OK'],
  ['no text behind the status', 'HTTP/1.1 200'],
  ['a later version', 'HTTP/1.2 200 OK'],
  ['the next version', 'HTTP/2.0 200 OK'],
  ['an early version', 'HTTP/0.9 200 OK'],
  ['a control character in the text behind the status', 'HTTP/1.1 200 O\u0000\u0001\u007fK'],
  ['a return in the text behind the status', 'HTTP/1.1 200 a\rb'],
])('%s: the status is read, in one piece and in single bytes', (_name, line) => {
  const text = `${line}\r\ncontent-length: 1\r\n\r\na`;
  expect(readIn([text])).toMatchObject({ status: 200, body: 'a' });
  expect(readIn([text])).toEqual(readIn(singly(text)));
});

test('a version that is not 1.1 does not keep its connection', () => {
  for (const version of ['0.9', '1.0', '1.2', '2.0'])
    expect(readIn([`HTTP/${version} 204 No\r\n\r\n`]).end?.keepsOpen).toBe(false);
});

test.each([
  ['an empty length', '', 'rest of it'],
  ['the largest length', '9223372036854775807', 'what came'],
  ['a length with many zeros', '00000000000000000004', 'four'],
])('%s: the head is read', (_name, length, body) => {
  expect(readIn([`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`])).toMatchObject({
    status: 200,
    body,
  });
});

test('only tabs and blanks around a value are left out', () => {
  const { headers } = readIn([
    'HTTP/1.1 200 OK\r\nx-a: \t\u00a0a\u00a0\t \r\n \u00a0b \r\ncontent-length: 1\r\n\r\na',
  ]);
  expect(headers['x-a']).toBe('\u00a0a\u00a0\t  \u00a0b');
  expect(() => readIn(['HTTP/1.1 200 OK\r\ncontent-length: \u00a01\r\n\r\na'])).toThrow(
    'its content-length is not a number',
  );
});

test('a blank before the colon makes another header, which says nothing about the body', () => {
  const text = 'HTTP/1.1 200 OK\r\ncontent-length : 1\r\n\r\nab';
  expect(readIn([text])).toMatchObject({ body: 'ab', end: { keepsOpen: false } });
});

test('bytes after an answer are reported', () => {
  expect(readIn([`${ANSWERS['with a length']}more`])).toMatchObject({
    body: 'hello',
    end: { isFollowed: true },
  });
});

const BLANKS = ' '.repeat(300_000);

test.each([
  ['before the value of a header that cannot be read', `X:${BLANKS}\u0001`],
  ['in the number of bytes', `Content-Length: 1${BLANKS}2`],
])('blanks %s are passed over once, however many there are', (_name, header) => {
  expect(() => new HeadReader().read(`HTTP/1.1 200 OK\r\n${header}`)).toThrow(NotHttp);
});

test('blanks between the words on the connection are passed over once, however many there are', () => {
  const head = new HeadReader().read(
    `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: a${BLANKS}b, close`,
  );
  expect(head.keepsOpen).toBe(false);
});

test('equal headers of answers in a row are one object, others are not', () => {
  const heads = new HeadReader();
  const of = (status: string, value: string): object =>
    readIn([lines(`HTTP/1.1 ${status}`, `x-a: ${value}`, 'content-length: 0', '')], heads).headers;
  const first = of('200 OK', '1');
  expect(of('200 OK', '1')).toBe(first);
  expect(of('500 No', '1')).toBe(first);
  expect(of('200 OK', '2')).toEqual({ 'x-a': '2', 'content-length': '0' });
  expect(of('200 OK', '1')).toEqual(first);
});

test('property: an answer is read alike whichever came before it', () => {
  const one = fc.constantFrom(
    ...Object.values(ANSWERS).filter((answer) => readIn([answer]).end?.keepsOpen === true),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(one, fc.boolean(), fc.nat(40)), { maxLength: 12 }), (answers) => {
      const heads = new HeadReader();
      for (const [answer, isCut, at] of answers) {
        const came = isCut ? [answer.slice(0, at), answer.slice(at)].filter((part) => part !== '') : [answer];
        expect(readIn(came, heads)).toEqual(readIn([answer]));
      }
    }),
  );
});

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9\r\n', 'it does not begin with a status line'],
  ['a status that is no number', 'HTTP/1.1 ABC OK\r\n\r\n', 'it does not begin with a status line'],
  ['a version of two digits', 'HTTP/1.10 200 OK\r\n\r\n', 'it does not begin with a status line'],
  ['a version in small letters', 'http/1.1 200 OK\r\n\r\n', 'it does not begin with a status line'],
  ['a tab behind the status', 'HTTP/1.1 200\tOK\r\n\r\n', 'it does not begin with a status line'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'it does not begin with a status line'],
  ['half a line end', 'HTTP/1.1 200 OK\r\na: 1\r\n\rx', 'a line does not end with CR LF'],
  [
    'half a line end after the last chunk',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\rx',
    'a line does not end with CR LF',
  ],
  [
    'a trailer that is none',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nok\r\n',
    'a header cannot be read',
  ],
  ['a header without a name', 'HTTP/1.1 200 OK\r\n: 1\r\n\r\n', 'a header cannot be read'],
  ['a header that is folded before any', 'HTTP/1.1 200 OK\r\n b\r\n\r\n', 'a header cannot be read'],
  ['a control character', 'HTTP/1.1 200 OK\r\na: \u0000\r\n\r\n', 'a header cannot be read'],
  [
    'a length that is none',
    'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n',
    'its content-length is not a number',
  ],
  [
    'a length that no number holds',
    'HTTP/1.1 200 OK\r\ncontent-length: 9223372036854775808\r\n\r\n',
    'its content-length is not a number',
  ],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    'its content-length is not a number',
  ],
  [
    'a switch',
    'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n',
    'it switches to a protocol that nobody asked for',
  ],
  [
    'a chunk without a size',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n',
    'a chunk of the body has no size',
  ],
  [
    'a chunk that is too long',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n',
    'a chunk of the body is longer than its size',
  ],
  ['a long head', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(20_000)}`, 'a part of it is longer than 16384 bytes'],
  [
    'long trailers',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(5_000)}`,
    'a part of it is longer than 16384 bytes',
  ],
])('%s is not HTTP, in one piece and in single bytes', (_name, text, why) => {
  expect(() => readIn([text])).toThrow(new NotHttp(why));
  expect(() => readIn(singly(text))).toThrow(new NotHttp(why));
});
