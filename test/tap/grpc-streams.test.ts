// Streams through the tap that are reset, and streams whose messages are held.
import { EventEmitter } from 'node:events';
import type { ClientHttp2Stream, ServerHttp2Stream } from 'node:http2';
import { expect, test } from 'vitest';
import { BodyRoom } from '../../core/tap/body-room.ts';
import { CallRelay } from '../../core/tap/grpc/call-relay.ts';
import { framed } from '../../core/tap/grpc/frames.ts';
import type { Call, MessageStream } from '../../core/tap/grpc/side.ts';
import { StreamRelay } from '../../core/tap/grpc/stream-relay.ts';

/** A stream of HTTP/2 without a connection. One that was reset refuses headers, as that of the library does. */
class FakeStream extends EventEmitter {
  closed = false;
  destroyed = false;
  headersSent = false;
  writableEnded = false;
  writableNeedDrain = false;
  rstCode = 0;
  aborted = false;
  isPaused = false;
  readonly said: string[] = [];

  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  respond(): void {
    if (this.closed) throw new Error('The stream has been destroyed');
    this.said.push('headers');
  }
  additionalHeaders(): void {
    this.respond();
  }
  write(bytes: Buffer): boolean {
    this.said.push(`${bytes.length} bytes`);
    return true;
  }
  end(): void {
    this.writableEnded = true;
  }
  close(): void {
    this.closed = true;
  }
}

const asClient = (stream: FakeStream): ServerHttp2Stream => stream as unknown as ServerHttp2Stream;
const HEADERS = ['content-type', 'application/grpc'];

function upstream() {
  const stream = new FakeStream();
  const open = {
    begin: () => stream as unknown as ClientHttp2Stream,
    why: () => undefined,
    cut: () => undefined,
  };
  return { stream, open };
}

const CALL: Call = {
  kind: 'call',
  stopsRequest: false,
  stopsResponse: false,
  readsRequest: false,
  readsResponse: false,
  requested: () => undefined,
  responded: () => undefined,
  lost: () => undefined,
};

const STREAM: MessageStream = {
  kind: 'stream',
  open: () => ({ fromClient: () => undefined, fromServer: () => undefined, closed: () => undefined }),
};

test.each(['call', 'stream'] as const)(
  'a %s that its client reset gets no beginning of an answer',
  (kind) => {
    const client = new FakeStream();
    const { stream, open } = upstream();
    if (kind === 'call')
      new CallRelay(asClient(client), CALL, { headers: [], open, later: () => open, room: new BodyRoom() });
    else new StreamRelay(asClient(client), STREAM, { headers: [], open });
    // Bytes of it are unread: so it is closed and not yet destroyed.
    client.closed = true;
    expect(() => stream.emit('headers', {}, 0, [':status', '103'])).not.toThrow();
    expect(() => stream.emit('response', {}, 0, HEADERS)).not.toThrow();
    expect(() => stream.emit('end')).not.toThrow();
    expect(client.said).toEqual([]);
  },
);

test('a server whose messages are held pauses beyond a bound, and resumes once they are released', async () => {
  const client = new FakeStream();
  const { stream, open } = upstream();
  const release: (() => void)[] = [];
  const messages: MessageStream = {
    kind: 'stream',
    open: () => ({
      fromClient: () => undefined,
      fromServer: () => new Promise((go) => void release.push(go)),
      closed: () => undefined,
    }),
  };
  new StreamRelay(asClient(client), messages, { headers: [], open });
  stream.emit('response', {}, 0, HEADERS);
  // Each counts 1 KiB and its own 10 bytes, up to 32 MiB.
  for (let n = 0; n < 32_000; n += 1) stream.emit('data', framed(Buffer.from('small')));
  expect(stream.isPaused).toBe(false);
  for (let n = 0; n < 1_000; n += 1) stream.emit('data', framed(Buffer.from('small')));
  expect(stream.isPaused).toBe(true);
  client.emit('drain');
  expect(stream.isPaused).toBe(true);
  for (const go of release) go();
  await Promise.resolve();
  await Promise.resolve();
  expect(stream.isPaused).toBe(false);
});

test('a few large messages reach the bound as well', () => {
  const { stream, open } = upstream();
  const messages: MessageStream = {
    kind: 'stream',
    open: () => ({
      fromClient: () => undefined,
      fromServer: () => new Promise(() => undefined),
      closed: () => undefined,
    }),
  };
  new StreamRelay(asClient(new FakeStream()), messages, { headers: [], open });
  for (let n = 0; n < 9; n += 1) stream.emit('data', framed(Buffer.alloc(4 * 1024 * 1024)));
  expect(stream.isPaused).toBe(true);
});
