// A server that answers before it has the whole request, and then closes: its answer reaches the client. And what a tap says to a client
// before its request is whole.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BodyRoom } from '../../core/tap/body-room.ts';
import { tapBefore } from './open-listener.ts';
import { sideThat } from './pass-through.ts';

const ANSWER = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 9\r\n\r\ntoo large';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const BODY = Buffer.alloc(2 * 1024 * 1024, 120);
const HEAD = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY.length}\r\n\r\n`);

/** Answer that a client gets which sends the whole request, also if its connection breaks then. */
async function answerTo(port: number): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const client = connect({ host: '127.0.0.1', port });
    client.on('connect', () => client.write(Buffer.concat([HEAD, BODY])));
    client.on('data', (part: Buffer) => {
      got += part.toString();
      if (got.length >= ANSWER.length) client.destroy();
    });
    // A reset may follow the answer.
    client.on('error', () => undefined);
    client.on('close', () => resolve(got));
  });
}

test.each(['passes', 'reads'] as const)('an early answer arrives whole if the tap %s', async (manner) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.pause();
      // Bytes that nobody reads make the system reset the connection.
      socket.write(ANSWER, () => socket.destroy());
    });
  });
  const port = await tapBefore(server, manner);
  for (let n = 0; n < 10; n += 1) expect(await answerTo(port), `try ${n}`).toBe(ANSWER);
});

test.each([
  ['1.1', CONTINUE],
  ['1.0', ''],
])(
  'a client of HTTP/%s whose request is held is told to continue where it may wait for that',
  async (version, told) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      let got = '';
      socket.on('data', (part: Buffer) => {
        got += part.toString();
        if (got.endsWith('body')) socket.end(ANSWER);
      });
    });
    const client = connect({ host: '127.0.0.1', port: await tapBefore(server, 'stops') });
    let got = '';
    client.on('data', (part: Buffer) => (got += part.toString()));
    client.write(`POST / HTTP/${version}\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n`);
    await expect.poll(() => got).toBe(told);
    client.write('body');
    await once(client, 'close');
    expect(got).toBe(told + ANSWER);
  },
);

test('a client whose request is held behind one that is being answered is told to continue behind that answer', async () => {
  const [first, rest] = ['HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf', 'half'];
  let finish = (): void => undefined;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(first));
    finish = () => {
      socket.write(rest);
      socket.once('data', () => socket.end(ANSWER));
    };
  });
  const side = sideThat('stops');
  let begun = 0;
  const port = await tapBefore(server, {
    ...side,
    begin: (...given) => {
      begun += 1;
      return begun === 1 ? sideThat('passes').begin(...given) : side.begin(...given);
    },
  });
  const client = connect({ host: '127.0.0.1', port });
  let got = '';
  client.on('data', (part: Buffer) => (got += part.toString()));
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => got).toBe(first);
  client.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
  await expect.poll(() => begun).toBe(2);
  finish();
  await expect.poll(() => got).toBe(first + rest + CONTINUE);
  client.write('body');
  await once(client, 'close');
  expect(got).toBe(first + rest + CONTINUE + ANSWER);
});

test('a client whose request is held behind a held answer is told to continue behind that answer', async () => {
  const first = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(first);
      socket.once('data', () => socket.end(ANSWER));
    });
  });
  let release = (): void => undefined;
  const side = sideThat('stops');
  let begun = 0;
  const port = await tapBefore(server, {
    ...side,
    begin: (...given) => {
      begun += 1;
      const exchange = side.begin(...given);
      if (begun > 1) return exchange;
      const responded = (): Promise<undefined> => {
        client.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
        return new Promise((go) => (release = () => go(undefined)));
      };
      return { ...exchange, responded };
    },
  });
  const client = connect({ host: '127.0.0.1', port });
  let got = '';
  client.on('data', (part: Buffer) => (got += part.toString()));
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => begun).toBe(2);
  // By then the tap has said what it says at once.
  await nextTurn();
  await nextTurn();
  expect(got).toBe('');
  release();
  await expect.poll(() => got).toBe(first + CONTINUE);
  client.write('body');
  await once(client, 'close');
  expect(got).toBe(first + CONTINUE + ANSWER);
});

test('the body of an early answer takes room until its request is complete', async () => {
  const ROOM = 128 * 1024 * 1024;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(ANSWER));
  });
  const room = new BodyRoom();
  const isFree = (bytes: number): boolean => {
    const taken = room.take(bytes);
    if (taken) room.free(bytes);
    return taken;
  };
  const client = connect({ host: '127.0.0.1', port: await tapBefore(server, 'reads', room) });
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n');
  await once(client, 'data');
  expect(isFree(ROOM)).toBe(false);
  expect(isFree(ROOM - 'too large'.length)).toBe(true);
  client.write('body');
  await expect.poll(() => isFree(ROOM)).toBe(true);
  client.destroy();
});
