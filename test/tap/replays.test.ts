// A replay through a tap ends, whatever becomes of the sidecar's answer.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { readHead, requestOf } from '../../core/tap/head.ts';
import { LoopGuard } from '../../core/tap/loop-guard.ts';
import { OtherCalls } from '../../core/tap/other-calls.ts';
import { Replays } from '../../core/tap/replays.ts';
import { SidecarSide } from '../../core/tap/sidecar-side.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { observerThat } from './observer-that.ts';

const PUBLISH = {
  pubsubname: 'pubsub',
  topic: 'orders',
  body: '{}',
  contentType: 'application/json',
  metadata: {},
  replayOf: 'msg_1',
};

const NOT_RECORDED = 'the sidecar accepted it, but the new message is not recorded';

/**
 * @param answer what a sidecar writes before it closes the connection
 * @param passed called with the address of the client before the answer: records the new message
 */
async function replayAnswered(
  answer: string,
  publish: Partial<typeof PUBLISH> = {},
  passed: (address: string) => void = (address) => replays.from(address)?.became('msg_2'),
  replays = new Replays(),
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      passed(`${socket.remoteAddress}:${socket.remotePort}`);
      socket.end(answer);
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return replays.send({ host: '127.0.0.1', port }, { ...PUBLISH, ...publish }, {});
}

test('an answer that breaks off is a failure with its reason', async () => {
  await expect(replayAnswered('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')).rejects.toThrow(
    'the sidecar closed the connection before its answer was complete',
  );
});

test('an answer counts if it was whole before the connection ended', async () => {
  await expect(replayAnswered('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc')).resolves.toBe('msg_2');
  await expect(replayAnswered('HTTP/1.1 503 No\r\nContent-Length: 4\r\n\r\nbusy')).rejects.toThrow(
    'the sidecar answered 503 busy',
  );
});

test('a long answer that is quoted shows where it was cut', async () => {
  const answer = `HTTP/1.1 503 No\r\nContent-Length: 400\r\n\r\n${'b'.repeat(400)}`;
  await expect(replayAnswered(answer)).rejects.toThrow(
    new Error(`the sidecar answered 503 ${'b'.repeat(300)}…`),
  );
});

test('a topic and metadata with half a character are published', async () => {
  const half = { topic: 'half\ud83d', metadata: { 'k\ud83d': 'v\ud83d' } };
  await expect(replayAnswered('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', half)).resolves.toBe('msg_2');
});

test('a publish that the sidecar took and nobody recorded has no message', async () => {
  const answer = 'HTTP/1.1 204 No Content\r\n\r\n';
  await expect(replayAnswered(answer, {}, () => undefined)).rejects.toThrow(NOT_RECORDED);
});

test('a replay whose report fails is published, but not recorded', async () => {
  const told: unknown[] = [];
  const reports = new DeferredReports(new ManualClock(), (cause) => told.push(cause));
  const replays = new Replays();
  const side = new SidecarSide({
    observer: observerThat(() => {
      throw new Error('the report fails');
    }),
    reports,
    profile: () => PROFILES.dapr,
    appId: 'shop',
    others: new OtherCalls(),
    onPublish: () => undefined,
    onUnreachable: () => undefined,
    onRefused: () => undefined,
    replays,
    loopGuard: new LoopGuard('mark'),
  });
  const head = readHead(Buffer.from('POST /v1.0/publish/pubsub/orders HTTP/1.1\r\nHost: a\r\n\r\n'));
  const publish = head && requestOf(head);
  if (publish === undefined) throw new Error('the head cannot be read');
  const sent = replayAnswered(
    'HTTP/1.1 204 No Content\r\n\r\n',
    {},
    (address) => {
      void side.begin(publish, address, true).requested(Buffer.from('{}'));
    },
    replays,
  );
  await expect(sent).rejects.toThrow(NOT_RECORDED);
  expect(told).toEqual([new Error('the report fails')]);
});
