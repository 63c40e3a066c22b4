// A client that sends many requests before it reads an answer: the tap keeps only so many of them.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestDecision } from '../../core/tap/exchange.ts';
import { tapBefore } from './open-listener.ts';
import { sideThat } from './pass-through.ts';

const COUNT = 50_000;
const REQUEST = 'GET / HTTP/1.1\r\n\r\n';
const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';
/** An answer that the tap gives by itself. */
const OWN = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nown';

/** A server that answers what it has once nothing more comes. */
function lateServer(): Server {
  return createServer((socket) => {
    let bytes = 0;
    let answered = 0;
    let late: NodeJS.Timeout | undefined;
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
      clearTimeout(late);
      late = setTimeout(() => {
        const asked = Math.floor(bytes / REQUEST.length);
        socket.write(ANSWER.repeat(asked - answered));
        answered = asked;
      }, 20);
    });
  });
}

function clientOf(port: number): Socket {
  const client = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void client.destroy());
  return client;
}

/** Reads so many answers. */
async function answersTo(client: Socket, count: number): Promise<void> {
  let got = 0;
  await new Promise<void>((done) => {
    client.on('data', (part: Buffer) => {
      got += part.length;
      if (got === ANSWER.length * count) done();
    });
  });
}

test('requests beyond a limit wait for answers, and all are answered', async () => {
  const side = sideThat('passes');
  let [waiting, most] = [0, 0];
  const port = await tapBefore(lateServer(), {
    ...side,
    begin: (...given) => {
      waiting += 1;
      most = Math.max(most, waiting);
      return { ...side.begin(...given), responded: () => void (waiting -= 1) };
    },
  });
  const client = clientOf(port);
  client.write(REQUEST.repeat(COUNT));
  await answersTo(client, COUNT);
  expect(waiting).toBe(0);
  // What the tap had already read when it paused the client comes on top of the limit.
  expect(most).toBeLessThan(10_000);
});

test('a client that waits is read on when the answers came behind a held one', async () => {
  const side = sideThat('passes');
  const first = 2_000;
  let begun = 0;
  const port = await tapBefore(lateServer(), {
    ...side,
    begin: (...given) => {
      const exchange = side.begin(...given);
      begun += 1;
      if (begun > 1) return exchange;
      const responded = async (): Promise<undefined> => {
        // The tap does not read this one: more requests wait than may.
        client.write(REQUEST);
        // By then the tap has what the server said.
        await nextTurn();
        await nextTurn();
      };
      return { ...exchange, stopsResponse: true, responded };
    },
  });
  const client = clientOf(port);
  client.write(REQUEST.repeat(first));
  await answersTo(client, first + 1);
  expect(begun).toBe(first + 1);
});

test.each([
  ['more requests than may wait', 5_000],
  ['few requests', 20],
])('%s are answered or lost when their server ends its connection', async (_, count) => {
  const side = sideThat('passes');
  const [begun, ended] = [new Set<number>(), new Set<number>()];
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(ANSWER.repeat(10)));
    socket.resume();
  });
  const isGone = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
  const port = await tapBefore(server, {
    ...side,
    begin: (...given) => {
      const id = begun.size;
      begun.add(id);
      const end = (): undefined => void ended.add(id);
      return { ...side.begin(...given), responded: end, lost: end };
    },
  });
  const client = clientOf(port);
  client.write(REQUEST.repeat(count));
  client.resume();
  await Promise.all([isGone, once(client, 'close')]);
  expect(begun.size).toBe(count);
  expect(ended.size).toBe(count);
});

test.each([
  ['before it goes on', 'passes'],
  ['after it has gone on', 'reads'],
] as const)(
  'a request that is read %s is lost if it comes behind the end of its server',
  async (_, manner) => {
    const side = sideThat(manner);
    const told: string[] = [];
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.resume();
      socket.end();
    });
    const isGone = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    const port = await tapBefore(server, {
      ...side,
      begin: (head, ...others) => {
        told.push(head.target);
        return {
          ...side.begin(head, ...others),
          lost: ({ by, message }) => void told.push(`${by}: ${message}`),
        };
      },
    });
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void client.destroy());
    client.resume();
    await once(client, 'end');
    client.end('POST /late HTTP/1.1\r\nContent-Length: 0\r\n\r\n');
    await isGone;
    expect(told).toEqual(['/late', 'server: the connection ended before the answer was complete']);
  },
);

test.each([
  ['answered here', 'POST /second HTTP/1.1\r\nContent-Length: 0\r\n\r\n', OWN],
  ['refused', 'GET /second HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n', '501'],
])('an answer to a request that is %s waits for the held one before it', async (_, second, own) => {
  const side = sideThat('passes');
  let release: (changed: undefined) => void = () => undefined;
  const seen: string[] = [];
  const port = await tapBefore(lateServer(), {
    ...side,
    refused: ({ target }) => void seen.push(target),
    begin: (head, ...others) => {
      const exchange = side.begin(head, ...others);
      if (head.target === '/')
        return {
          ...exchange,
          stopsResponse: true,
          responded: () => {
            client.write(second);
            return new Promise((go) => (release = go));
          },
        };
      const requested = async (): Promise<RequestDecision> => {
        seen.push(head.target);
        return Promise.resolve({ kind: 'answer', bytes: Buffer.from(OWN) });
      };
      return { ...exchange, stopsRequest: true, requested };
    },
  });
  const client = clientOf(port);
  let got = '';
  client.on('data', (part: Buffer) => (got += part.toString()));
  client.write(REQUEST);
  await expect.poll(() => seen).toEqual(['/second']);
  // By then the tap has said what it says at once.
  await nextTurn();
  await nextTurn();
  expect(got).toBe('');
  release(undefined);
  await expect.poll(() => got).toContain(own);
  expect(got.startsWith(ANSWER)).toBe(true);
});

test.each([
  ['HTTP/1.1', 'Connection: close', 1],
  ['HTTP/1.1', 'Connection: Keep-Alive, Close', 1],
  ['HTTP/1.0', 'Host: a', 1],
  ['HTTP/1.1', 'Host: a', 2],
  ['HTTP/1.0', 'Connection: keep-alive', 2],
])(
  'two requests of %s with %s over a connection get %d answers of the tap',
  async (version, header, count) => {
    const side = sideThat('passes');
    const port = await tapBefore(lateServer(), {
      ...side,
      begin: (...given) => ({
        ...side.begin(...given),
        stopsRequest: true,
        requested: () => Promise.resolve({ kind: 'answer', bytes: Buffer.from(OWN) }),
      }),
    });
    const client = clientOf(port);
    const gotAll = new Promise<void>((done) => {
      client.on('data', () => (client.bytesRead < OWN.length * 2 ? undefined : done()));
      client.on('end', done);
    });
    let got = '';
    client.on('data', (part: Buffer) => (got += part.toString()));
    client.write(`POST / ${version}\r\n${header}\r\nContent-Length: 0\r\n\r\n`.repeat(2));
    await gotAll;
    expect(got).toBe(OWN.repeat(count));
  },
);
