/** The app channel over HTTP/2 without TLS, in front of an app that sends the frames that a test says. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createHttp } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import type { AppChannel } from '../../core/ports/app-channel.ts';
import { bodyText, deliver } from '../support/channel-to.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const HEAD_BYTES = 9;
const [DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY, CONTINUATION] = [0, 1, 3, 4, 7, 9];
const END_STREAM = 1;
const END_HEADERS = 4;
const MAX_CONCURRENT_STREAMS = 3;
/** Connections; an app that is asked without end has hundreds at once. */
const FEW = 10;
/** Limit of the channel for an answer's body; one frame may have twice as much. */
const MAX_BODY_BYTES = 8 * 1024;
const [INTERNAL, REFUSED, CANCEL, CALM] = [2, 7, 8, 11];

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function numbers(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex')));
}

/** `:status: 200` of the static table. */
const ok = (stream: number): Buffer => frame(HEADERS, END_HEADERS | END_STREAM, stream, Buffer.from([0x88]));
const begun = (stream: number): Buffer =>
  Buffer.concat([
    frame(HEADERS, END_HEADERS, stream, Buffer.from('\u0008\u0003201', 'latin1')),
    frame(DATA, 0, stream, Buffer.from('abc')),
  ]);
const reset = (stream: number, code: number): Buffer => frame(RST_STREAM, 0, stream, numbers(code));
const goAway = (last: number, code = 0): Buffer => frame(GOAWAY, 0, 0, numbers(last, code));
const settings = (maxStreams?: number): Buffer => {
  const most = Buffer.alloc(6);
  most.writeUInt16BE(MAX_CONCURRENT_STREAMS);
  most.writeUInt32BE(maxStreams ?? 0, 2);
  return frame(SETTINGS, 0, 0, maxStreams === undefined ? Buffer.alloc(0) : most);
};

interface Requested {
  readonly socket: Socket;
  readonly stream: number;
  /** How many requests came before, over all connections. */
  readonly before: number;
}

/**
 * @param act called for each request, once its headers have come
 * @param opened called for each connection once it has `first`, with how many there were
 */
async function channelTo(
  act: (request: Requested) => void,
  first: Buffer = settings(),
  opened: (socket: Socket, connections: number) => void = () => undefined,
): Promise<{
  readonly channel: AppChannel;
  readonly sockets: readonly Socket[];
  readonly came: () => string;
}> {
  const sockets: Socket[] = [];
  let before = 0;
  let came = '';
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(first);
    opened(socket, sockets.length);
    let bytes = Buffer.alloc(0);
    let from = PREFACE.length;
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      came = bytes.toString('latin1');
      while (bytes.length >= from + HEAD_BYTES) {
        const end = from + HEAD_BYTES + bytes.readUIntBE(from, 3);
        if (bytes.length < end) return;
        const [type, flags, stream] = [bytes[from + 3], bytes[from + 4] ?? 0, bytes.readUInt32BE(from + 5)];
        from = end;
        const hasHead = (type === HEADERS || type === CONTINUATION) && (flags & END_HEADERS) !== 0;
        if (hasHead) act({ socket, stream, before: before++ });
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const channel = createHttpAppChannel({
    url: `h2c://127.0.0.1:${(server.address() as AddressInfo).port}`,
    maxBodyBytes: MAX_BODY_BYTES,
  });
  onTestFinished(async () => {
    await channel.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { channel, sockets, came: () => came };
}

test('a call begins with HTTP/2 at once, and several share one connection', async () => {
  const { channel, sockets, came } = await channelTo(({ socket, stream }) => socket.write(ok(stream)));
  const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(channel)));
  for (const answer of answers) expect(answer).toMatchObject({ kind: 'response', status: 200 });
  expect(sockets).toHaveLength(1);
  expect(came().startsWith(PREFACE)).toBe(true);
});

test('a stream that the app resets is no answer, and the connection stays', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream, before }) =>
    socket.write(before === 0 ? reset(stream, CANCEL) : ok(stream)),
  );
  expect(await deliver(channel)).toEqual({
    kind: 'none',
    code: 'reset',
    message: 'the stream was reset before the answer was complete: CANCEL',
  });
  expect(await deliver(channel)).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(1);
});

test.each([
  [
    'a reset',
    ({ socket, stream }: Requested) => socket.write(Buffer.concat([begun(stream), reset(stream, CANCEL)])),
  ],
  ['the end of the connection', ({ socket, stream }: Requested) => socket.end(begun(stream))],
])('the status decides for an answer whose body is cut off by %s', async (_name, act) => {
  const { channel } = await channelTo(act);
  expect(await deliver(channel)).toMatchObject({
    kind: 'response',
    status: 201,
    body: undefined,
    bodyStart: Buffer.from('abc'),
    unread: {
      reason: 'cut-off',
      message: expect.stringMatching(/^The body ended after 3 bytes before it was complete: ./),
    },
  });
});

/** Head of an answer with status 200 and these headers, which are names of four characters. */
function headWith(stream: number, ...fields: readonly string[]): Buffer {
  const text = fields.map((name) => `\u0000\u0004${name}\u0001v`).join('');
  return frame(HEADERS, END_HEADERS | END_STREAM, stream, Buffer.from(`\u0088${text}`, 'latin1'));
}

test('an answer may have as many headers as over HTTP/1.1', async () => {
  const names = Array.from({ length: 500 }, (_, n) => `h${String(n).padStart(3, '0')}`);
  const { channel } = await channelTo(({ socket, stream }) => socket.write(headWith(stream, ...names)));
  expect(await deliver(channel)).toMatchObject({ status: 200, headers: { h000: 'v', h499: 'v' } });
});

test('headers that are short on the wire and long in memory are no answer, and the connection stays', async () => {
  // A field of 3,000 characters that the table of the connection keeps, and then its number in it again and again.
  const field = Buffer.from(`\u0088\u0040\u0004long\u007f\u00b9\u0016${'v'.repeat(3000)}`, 'latin1');
  const bomb = Buffer.concat([field, Buffer.alloc(4000, 0xbe)]);
  const { channel, sockets } = await channelTo(({ socket, stream, before }) =>
    socket.write(
      before === 0 ? frame(HEADERS, END_HEADERS | END_STREAM, stream, bomb) : headWith(stream, 'good'),
    ),
  );
  expect(await deliver(channel)).toEqual({
    kind: 'none',
    code: 'reset',
    message: 'the answer has headers of more than 65536 characters',
  });
  expect(await deliver(channel)).toMatchObject({ status: 200, headers: { good: 'v' } });
  expect(sockets).toHaveLength(1);
});

test('interim answers without end are no answer, and the connection stays', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream, before }) => {
    const interim = frame(HEADERS, END_HEADERS, stream, Buffer.from('\u0008\u0003103', 'latin1'));
    socket.write(before === 0 ? Buffer.concat(Array.from({ length: 200 }, () => interim)) : ok(stream));
  });
  expect(await deliver(channel)).toEqual({
    kind: 'none',
    code: 'reset',
    message: 'more than 100 interim answers (1xx) came',
  });
  expect(await deliver(channel)).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(1);
});

test('an app that ends the session with an error in the middle of a call is not said to break HTTP/2', async () => {
  const { channel } = await channelTo(({ socket, stream, before }) =>
    socket.write(before === 0 ? goAway(stream, INTERNAL) : ok(stream)),
  );
  expect(await deliver(channel)).toEqual({
    kind: 'none',
    code: 'reset',
    message: 'the app ended the session before the answer was complete: INTERNAL_ERROR',
  });
  expect(await deliver(channel)).toMatchObject({ status: 200 });
});

test('an app that breaks HTTP/2 is said to do so', async () => {
  const { channel } = await channelTo(({ socket, stream, before }) =>
    socket.write(before === 0 ? frame(SETTINGS, 0, 0, Buffer.alloc(5)) : ok(stream)),
  );
  expect(await deliver(channel)).toMatchObject({
    kind: 'none',
    code: 'reset',
    message: expect.stringMatching(/^what the app sent is not HTTP\/2 as it should be: ./),
  });
  expect(await deliver(channel)).toMatchObject({ status: 200 });
});

test('a call that the app refuses to process is sent once more, and not again', async () => {
  let refusals = 1;
  const { channel } = await channelTo(({ socket, stream, before }) =>
    socket.write(before < refusals ? reset(stream, REFUSED) : ok(stream)),
  );
  expect(await deliver(channel)).toMatchObject({ status: 200 });
  refusals = 9;
  expect(await deliver(channel)).toMatchObject({
    kind: 'none',
    code: 'reset',
    message: expect.stringMatching(/: REFUSED_STREAM$/),
  });
});

test('a call that comes too late for a session that ends goes out over the next one', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream, before }) =>
    socket.write(before === 0 ? goAway(0) : ok(stream)),
  );
  expect(await deliver(channel)).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(2);
});

test('where the app ends a session in error, calls that it has not taken go out again, and the others say why', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream, before }) => {
    if (before < 3) return;
    socket.write(before === 3 ? goAway(stream - 4, CALM) : ok(stream));
  });
  const answers = await Promise.all(Array.from({ length: 4 }, () => deliver(channel)));
  const message = 'the app ended the session before the answer was complete: ENHANCE_YOUR_CALM';
  const lost = { kind: 'none', code: 'reset', message };
  const whole = expect.objectContaining({ status: 200 });
  expect(answers).toEqual([lost, lost, whole, whole]);
  expect(sockets).toHaveLength(2);
});

test('calls that the app resets leave room for the next ones, also after it has ended a session early', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream, before }) => {
    if (before === 0) socket.end(Buffer.concat([goAway(1), ok(stream)]));
    else if (sockets.length > 1) socket.write(before < 200 ? reset(stream, CANCEL) : ok(stream));
  });
  await Promise.all([deliver(channel), deliver(channel)]);
  for (let n = 0; n < 200; n += 1) await deliver(channel);
  expect(await deliver(channel)).toMatchObject({ kind: 'response', status: 200 });
  expect(sockets.length).toBeLessThan(FEW);
});

test('an app that takes one request a session gets each of many, and is not offered all of them each time', async () => {
  const taken = new Set<Socket>();
  let offered = 0;
  const { channel, sockets } = await channelTo(({ socket, stream, before }) => {
    offered = before + 1;
    if (taken.has(socket)) return;
    taken.add(socket);
    socket.write(Buffer.concat([goAway(stream), ok(stream)]));
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(channel)));
  for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(20);
  // All 20 once, and then two or three a session at most.
  expect(offered).toBeLessThan(20 + 20 * 3);
});

test('after an app that took one request of a session, the next one is given more with each answer', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream, before }) =>
    socket.write(before === 0 ? Buffer.concat([goAway(stream), ok(stream)]) : ok(stream)),
  );
  for (let n = 0; n < 3; n += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(channel)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
  }
  expect(sockets.length).toBeLessThan(FEW);
});

test('a call that the app refuses with the end of its session is sent once more, and not again', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream }) =>
    socket.end(Buffer.concat([goAway(stream), reset(stream, REFUSED)])),
  );
  expect(await deliver(channel)).toMatchObject({ kind: 'none', code: 'reset' });
  expect(sockets).toHaveLength(2);
});

test('an app that ends each session before it takes a call is asked a few times', async () => {
  const { channel, sockets } = await channelTo(() => undefined, Buffer.concat([settings(), goAway(0, CALM)]));
  expect(await deliver(channel)).toEqual({
    kind: 'none',
    code: 'reset',
    message: 'the app ended the session before it took a call: ENHANCE_YOUR_CALM',
  });
  expect(sockets.length).toBeLessThan(FEW);
});

test('where the app ends every session but one at once, calls wait for that one', async () => {
  const { channel, sockets } = await channelTo(
    ({ socket, stream }) => setTimeout(() => socket.write(ok(stream)), 200),
    settings(1),
    (socket, connections) => {
      if (connections > 1) socket.write(goAway(0));
    },
  );
  const answers = await Promise.all([deliver(channel), deliver(channel)]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
  expect(sockets.length).toBeLessThan(FEW);
});

test('calls do not wait for a session that ends and has one long call left', async () => {
  let answerFirst = (): void => undefined;
  let drained = (): void => undefined;
  const isDraining = new Promise<void>((resolve) => (drained = resolve));
  const { channel, sockets } = await channelTo(
    ({ socket, stream }) => {
      answerFirst = () => void socket.write(ok(stream));
      socket.write(goAway(stream), drained);
    },
    settings(),
    (socket, connections) => {
      if (connections > 1) socket.write(goAway(0));
    },
  );
  const first = deliver(channel);
  await isDraining;
  expect(await deliver(channel)).toMatchObject({ kind: 'none', code: 'reset' });
  expect(sockets.length).toBeLessThan(FEW);
  answerFirst();
  expect(await first).toMatchObject({ status: 200 });
});

test('an app that closes its connection after each answer gets one call after the other', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream }) => socket.end(ok(stream)));
  for (let n = 1; n <= 10; n += 1) {
    expect(await deliver(channel)).toMatchObject({ status: 200 });
    expect(sockets).toHaveLength(n);
  }
});

test('blanks around a value, which HTTP/2 forbids, are not sent', async () => {
  const { channel, came } = await channelTo(({ socket, stream }) => socket.write(ok(stream)));
  await deliver(channel, { headers: { 'x-blank': ' \t#"\t ' } });
  // Both characters are longer when they are compressed, so the value stands as it is behind its length.
  expect(came()).toContain('\u0002#"');
});

test('a call with a megabyte of headers is sent, and the connection stays', async () => {
  const { channel, sockets, came } = await channelTo(({ socket, stream }) => socket.write(ok(stream)));
  expect(await deliver(channel, { headers: { 'x-long': '#'.repeat(1_000_000) } })).toMatchObject({
    status: 200,
  });
  expect(came().length).toBeGreaterThan(1_000_000);
  expect(await deliver(channel)).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(1);
});

test('an answer that breaks the rules of HTTP/2 is said to do so, and the connection stays', async () => {
  // Its length is 5, and no body comes.
  const head = Buffer.from('\u0088\u0000\u000econtent-length\u00015', 'latin1');
  const { channel, sockets } = await channelTo(({ socket, stream, before }) =>
    socket.write(before === 0 ? frame(HEADERS, END_HEADERS | END_STREAM, stream, head) : ok(stream)),
  );
  expect(await deliver(channel)).toMatchObject({
    kind: 'none',
    code: 'reset',
    message: expect.stringMatching(/PROTOCOL_ERROR\. .*content-length/),
  });
  expect(await deliver(channel)).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(1);
});

test('a session that ends still brings its answers, and later calls have another one', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream }) =>
    socket.write(Buffer.concat([goAway(stream), begun(stream), frame(DATA, END_STREAM, stream)])),
  );
  for (let n = 1; n <= 3; n += 1) {
    expect(bodyText(await deliver(channel))).toBe('abc');
    expect(sockets).toHaveLength(n);
  }
});

test('where an answer was cut because it is too large, later calls have another session', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream, before }) => {
    const large = frame(DATA, END_STREAM, stream, Buffer.alloc(2 * MAX_BODY_BYTES));
    socket.write(before === 0 ? Buffer.concat([begun(stream), large]) : ok(stream));
  });
  expect(await deliver(channel)).toMatchObject({ status: 201, unread: { reason: 'too-large' } });
  expect(await Promise.all([deliver(channel), deliver(channel)])).toMatchObject([
    { status: 200 },
    { status: 200 },
  ]);
  expect(sockets).toHaveLength(2);
});

test('where a call was reset because the session is too much for the app, later calls have another one', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream }) =>
    socket.write(sockets.length === 1 ? reset(stream, CALM) : ok(stream)),
  );
  expect(await deliver(channel)).toMatchObject({
    kind: 'none',
    message: expect.stringMatching(/: ENHANCE_YOUR_CALM$/),
  });
  expect(await deliver(channel)).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(2);
});

test('an app that allows one stream gets one at a time over each connection', async () => {
  const open = new Map<Socket, number>();
  let most = 0;
  const { channel, sockets } = await channelTo(({ socket, stream }) => {
    open.set(socket, (open.get(socket) ?? 0) + 1);
    most = Math.max(most, ...open.values());
    setImmediate(() => {
      open.set(socket, 0);
      socket.write(ok(stream));
    });
  }, settings(1));
  for (let n = 0; n < 5; n += 1) expect(await deliver(channel)).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(1);
  const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(channel)));
  for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
  expect(most).toBe(1);
});

test('a health check gets through while the one stream of an app hangs', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream, before }) => {
    if (before > 0) socket.write(ok(stream));
  }, settings(1));
  const hanging = channel.deliver({ path: '/hang', headers: {}, body: '' });
  expect(await channel.get('/healthz', {}, 5_000)).toMatchObject({ status: 200 });
  hanging.cancel('end');
  expect(sockets).toHaveLength(2);
});

test('an app that allows no stream yet gets the call when it does', async () => {
  const { channel, sockets } = await channelTo(({ socket, stream }) => socket.write(ok(stream)), settings(0));
  const answer = deliver(channel);
  while (sockets.length === 0) await new Promise((resolve) => setImmediate(resolve));
  sockets[0]?.write(settings(100));
  expect(await answer).toMatchObject({ status: 200 });
  expect(sockets).toHaveLength(1);
});

test('an app that speaks HTTP/1 alone gives no answer', async () => {
  const app = createHttp((_request, response) => response.end('ok'));
  await new Promise<void>((listening) => app.listen(0, '127.0.0.1', listening));
  const channel = createHttpAppChannel({ url: `h2c://127.0.0.1:${(app.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await channel.close();
    app.close();
  });
  expect(await deliver(channel)).toEqual({
    kind: 'none',
    code: 'reset',
    message: 'The answer is not HTTP/2.',
    isForeign: true,
  });
});
