// A replay through a tap ends, whatever becomes of the sidecar's answer.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Replays } from '../../core/tap/replays.ts';

const PUBLISH = {
  pubsubname: 'pubsub',
  topic: 'orders',
  body: '{}',
  contentType: 'application/json',
  metadata: {},
  replayOf: 'msg_1',
};

/** @param answer what a sidecar writes before it closes the connection */
async function replayAnswered(answer: string, publish: Partial<typeof PUBLISH> = {}): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return new Replays().send({ host: '127.0.0.1', port }, { ...PUBLISH, ...publish }, {});
}

test('an answer that breaks off is a failure with its reason', async () => {
  await expect(replayAnswered('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')).rejects.toThrow(
    'the sidecar closed the connection before its answer was complete',
  );
});

test('an answer counts if it was whole before the connection ended', async () => {
  await expect(replayAnswered('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc')).resolves.toBe('');
  await expect(replayAnswered('HTTP/1.1 503 No\r\nContent-Length: 4\r\n\r\nbusy')).rejects.toThrow(
    'the sidecar answered 503 busy',
  );
});

test('a topic and metadata with half a character are published', async () => {
  const half = { topic: 'half\ud83d', metadata: { 'k\ud83d': 'v\ud83d' } };
  await expect(replayAnswered('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', half)).resolves.toBe('');
});
