// Parts of the benchmarks: the publisher, the targets, and the stages of a message.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { MessageRow } from '../../core/contract/message.ts';
import { openPublisher } from '../bench/publisher-socket.ts';
import { isMet, lineOf } from '../bench/targets/figures.ts';
import { stageLines, stagesOf } from '../bench/targets/stages.ts';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url === '/taken') response.writeHead(204).end();
    else if (request.url === '/chunks') {
      response.writeHead(500);
      response.write('{"errorCode":');
      setImmediate(() => response.end('"X"}'));
    } else response.writeHead(403, { 'content-length': 2 }).end('no');
  });
});

afterEach(() => void server.close());

test('a publisher of the bench reads each answer to its end before it sends again', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const publisher = await openPublisher(new URL(`http://127.0.0.1:${port}`));
  const answers: number[] = [];
  for (const path of ['/taken', '/chunks', '/no', '/taken']) answers.push(await publisher.post(path, '{}'));
  publisher.close();
  expect(answers).toEqual([204, 500, 403, 204]);
});

test('a target is met at its border, and unknown without a value of the system', () => {
  const figure = { id: '8', title: 'memory', unit: 'MB' } as const;
  expect(isMet({ ...figure, value: 250, target: { atMost: 250 } })).toBe(true);
  expect(isMet({ ...figure, value: 251, target: { atMost: 250 } })).toBe(false);
  expect(isMet({ ...figure, value: 0.59, target: { atLeast: 0.6 } })).toBe(false);
  expect(isMet({ ...figure, value: Number.NaN, target: { atMost: 250 } })).toBeUndefined();
  expect(lineOf({ ...figure, value: 251, target: { atMost: 250 } })).toMatch(/251 MB\s+<= 250\s+missed/);
});

test('the stages of a message add up to the time from its publish to its answer', () => {
  const row: MessageRow = {
    messageId: 'msg_1',
    number: 1,
    at: '2026-03-01T10:00:00.010Z',
    pubsubname: 'pubsub',
    topic: 't0',
    appId: 'app',
    source: 'http',
    eventId: 'event-1',
    contentType: 'application/json',
    sizeBytes: 200,
    raw: false,
    deliveries: [
      {
        deliveryId: 'dlv_1',
        appId: 'app',
        state: 'processed',
        attempts: 1,
        span: { firstMs: 40, endMs: 47 },
      },
    ],
  };
  const startedAt = Date.parse('2026-03-01T10:00:00.000Z');
  const arrival = { eventId: 'event-1', sentAt: startedAt, arrivedAt: startedAt + 52 };
  const unknown = { ...arrival, eventId: 'event-2' };
  const stages = stagesOf([arrival, unknown], [row]);
  expect(stages).toEqual([{ accept: 10, queue: 40, dispatch: 2, answer: 5 }]);
  const lines = stageLines(stages);
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'stage',
    'accept',
    'queue',
    'dispatch',
    'answer',
    'means',
  ]);
  expect(lines.at(-1)).toBe(
    'means of the slowest 1 of 1, in ms: accept 10.0, queue 40.0, dispatch 2.0, answer 5.0',
  );
});
