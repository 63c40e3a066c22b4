/** Large requests to a mock app: they are read in parts, in turns, and what cannot be read in parts has a limit. */
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { BodyScan } from '../../core/mock-app/body-scan.ts';
import { readInTurns } from '../../core/mock-app/request-parts.ts';
import { ATTEMPT_HEADER } from '../../core/ports/mock-app.ts';
import { openClient } from '../support/grpc-client.ts';
import { batch, channelToMock, openMockApp, responseOf, send } from '../support/mock-app-parts.ts';
import { orderEvent } from '../tap/order-event.ts';

const MIB = 1024 * 1024;
const LONG = 'é😀"\\\\"],[{}:\u0001'.repeat(9_000);

/** The scan of a body that came in chunks of this many bytes. */
function scanned(body: Buffer, chunk = body.length): BodyScan {
  const scan = new BodyScan();
  for (let at = 0; at < body.length; at += chunk) scan.add(body.subarray(at, at + chunk));
  return scan;
}

/** @param mostTurns after which the caller has gone */
async function read(
  body: Buffer,
  { parts }: BodyScan,
  mostTurns = Infinity,
): Promise<{ value: unknown; turns: number }> {
  let turns = 0;
  const room = (): undefined => void (turns += 1);
  const value = await readInTurns({ body, parts, marker: 'marker-', room, hasGone: () => turns > mostTurns });
  return { value, turns };
}

const entriesOf = (lengths: readonly number[]): object =>
  lengths.map((length, i) => ({
    entryId: `e${i}`,
    event: { id: `${i}`, data: LONG.slice(0, length), n: [i, [i]] },
  }));

const BODIES: readonly (readonly [what: string, value: unknown])[] = [
  ['large entries', { id: 'b', entries: entriesOf([99_000, 10, 20, 99_000, 99_000, 30]), topic: 'orders' }],
  [
    'small entries',
    { entries: Array.from({ length: 9_000 }, (_, i) => ({ entryId: `${i}`, event: { d: '}]' } })) },
  ],
  ['two lists', { entries: entriesOf([70_000, 1]), data: [LONG, 1, [LONG], null, LONG], more: [] }],
  ['no list', { data: { list: [LONG, LONG] }, text: LONG }],
  ['a list', [LONG, { entries: [LONG] }]],
  ['a text', LONG],
];

test.each(BODIES)(
  '%s have the same value in parts as in one piece, in whatever chunks they come',
  async (_, value) => {
    for (const text of [JSON.stringify(value), `\n ${JSON.stringify(value, null, 2)} `]) {
      const body = Buffer.from(text);
      const whole = scanned(body);
      expect((await read(body, whole)).value).toEqual(value);
      for (const chunk of [1, 7, 4_096]) {
        const scan = scanned(body, chunk);
        expect(scan.parts).toEqual(whole.parts);
        expect(scan.values).toBe(whole.values);
        expect(scan.largest).toEqual(whole.largest);
      }
    }
  },
);

test('a fraction in a list of several kinds of values counts the 24 bytes that it takes', () => {
  const n = 20_000;
  expect(scanned(Buffer.from(`[""${',1.5'.repeat(n)}]`)).memory).toBeGreaterThanOrEqual(24 * n);
});

test('entries of a batch are read in parts, each in a turn', async () => {
  const body = Buffer.from(JSON.stringify({ entries: entriesOf(Array.from({ length: 12 }, () => 99_000)) }));
  const scan = scanned(body);
  expect(scan.parts).toHaveLength(12);
  expect(scan.largest.bytes).toBeLessThan(body.length / 8);
  expect((await read(body, scan)).turns).toBe(13);
  expect(await read(body, scan, 5)).toEqual({ value: undefined, turns: 6 });
  expect(await read(body, scan, 0)).toEqual({ value: undefined, turns: 1 });
});

test('a body with blanks in the place of elements is no JSON', async () => {
  const body = Buffer.from(`{"entries":[${' '.repeat(64 * 1024)},1]}`);
  expect((await read(body, scanned(body))).value).toBeUndefined();
});

test.each([
  ['is cut', (text: string) => text.slice(0, -3)],
  ['has a wrong bracket', (text: string) => text.replace('"e1"', '{]')],
  ['has a comma too many', (text: string) => text.replace(']}', ',]}')],
  ['has a member that is a list of two', (text: string) => text.replace('"topic":', '"topic":[1,2],1,')],
])('a body of parts that %s is no JSON', async (_, change) => {
  const text = change(JSON.stringify({ entries: entriesOf([99_000, 99_000, 5]), topic: ['orders'] }));
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  const body = Buffer.from(text);
  expect((await read(body, scanned(body))).value).toBeUndefined();
});

test('an event of more than 32 MiB is refused, unless a sidecar of this program sends it, and a batch has them in parts', async () => {
  const app = await openMockApp();
  const channel = channelToMock(app);
  const headers = { 'content-type': 'application/json' };
  const event = { body: JSON.stringify({ specversion: '1.0', data: 'x'.repeat(33 * MIB) }), headers };
  expect(responseOf(await send(channel, event).answer).status).toBe(413);
  expect(app.state().requests.at(-1)).toMatchObject({
    status: 413,
    note: expect.stringContaining('the body has more than 32 MiB in one piece') as unknown,
  });
  expect(responseOf(await send(channel, event, 'attempt-1').answer).status).toBe(200);
  expect(responseOf(await send(channel, { body: 'x'.repeat(33 * MIB), headers }).answer).status).toBe(413);
  const many = batch(
    Array.from({ length: 12 }, (_, i) => `${i}`),
    () => ({ data: 'x'.repeat(3 * MIB) }),
  );
  expect(responseOf(await send(channel, many).answer).status).toBe(200);
  expect(app.state().requests.at(-1)).toMatchObject({ kind: 'bulk', topic: 'orders', note: '12 entries' });
});

test('an event of more than 1,000,000 values is refused in the same way', async () => {
  const app = await openMockApp();
  const body = `{"specversion":"1.0","data":{"list":[1${',1'.repeat(1_100_000)}]}}`;
  const post = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${app.url}/orders`, { method: 'POST', body, headers })).status;
  expect(await post({})).toBe(413);
  expect(app.state().requests.at(-1)?.note).toContain('the body has more than 1,000,000 values in one piece');
  expect(await post({ [ATTEMPT_HEADER]: 'a' })).toBe(200);
});

test('an event of more than 100,000 names of members is refused in the same way, and a batch has them in parts', async () => {
  const app = await openMockApp();
  const data = (names: number, from = 0): string =>
    `{${Array.from({ length: names }, (_, i) => `"k${from + i}":1`).join()}}`;
  const post = async (body: string, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(`${app.url}/orders`, { method: 'POST', body, headers })).status;
  const event = `{"specversion":"1.0","data":${data(100_000)}}`;
  expect(await post(event)).toBe(413);
  expect(app.state().requests.at(-1)?.note).toContain(
    'the body has more than 100,000 names of members in one piece',
  );
  expect(await post(event, { [ATTEMPT_HEADER]: 'a' })).toBe(200);
  expect(await post(`{"specversion":"1.0","data":${data(99_000)}}`)).toBe(200);
  const entries = [0, 1, 2].map((i) => `{"entryId":"${i}","event":{"data":${data(60_000, i * 60_000)}}}`);
  expect(await post(`{"entries":[${entries.join()}]}`)).toBe(200);
});

test('a body of more than 64 MiB or 20,000 entries is refused in the same way', async () => {
  const app = await openMockApp();
  const channel = channelToMock(app);
  const headers = { 'content-type': 'application/json' };
  const entries = Array.from({ length: 20_001 }, (_, i) => `{"entryId":"${i}"}`).join();
  const sent = { body: `{"entries":[${entries}]}`, headers };
  expect(responseOf(await send(channel, sent).answer).status).toBe(413);
  expect(app.state().requests.at(-1)?.note).toContain('the body has more than 20,000 entries');
  expect(responseOf(await send(channel, sent, 'attempt-1').answer).status).toBe(200);
  const list = JSON.stringify({ specversion: '1.0', data: Array.from({ length: 30_000 }, (_, i) => i) });
  expect(responseOf(await send(channel, { body: list, headers }).answer).status).toBe(200);
  const large = { body: 'x'.repeat(64 * MIB + 1), headers };
  expect(responseOf(await send(channel, large).answer).status).toBe(413);
  expect(app.state().requests.at(-1)?.note).toContain('the body has more than 64 MiB');
});

test('over gRPC a message of more than 32 MiB is refused, unless a sidecar of this program sends it', async () => {
  const app = await openMockApp({ protocol: 'grpc' });
  const client = await openClient(app.url.replace('grpc://', ''));
  onTestFinished(() => client.close());
  const { topicEventRequest, topicEventResponse } = client.protocol;
  const send = (data: Buffer): Promise<object> =>
    client.call(
      APP_METHODS.onTopicEvent,
      topicEventRequest,
      orderEvent({ id: '1', data }),
      topicEventResponse,
    );
  expect(await send(Buffer.alloc(33 * MIB, 'x'))).toMatchObject({ code: 'RESOURCE_EXHAUSTED' });
  expect(await send(Buffer.from(`[1${',1'.repeat(1_100_000)}]`))).toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
    text: expect.stringContaining('the request has more than 1,000,000 values') as unknown,
  });
  expect(await send(Buffer.alloc(30 * MIB, 'x'))).toMatchObject({ status: 0 });
});

test('a caller that goes while its request is read is noted, and no rule answers it', async () => {
  const { body } = batch(
    Array.from({ length: 60 }, (_, i) => `${i}`),
    () => ({ data: LONG }),
  );
  const length = Buffer.byteLength(body);
  let came = 0;
  const take = (bytes: number): undefined => {
    came += bytes;
    if (came >= length) setImmediate(() => socket.resetAndDestroy());
  };
  const answer = { kind: 'respond', status: 200 } as const;
  const app = await openMockApp({
    bodies: { take, free: () => undefined },
    rules: [{ enabled: true, match: {}, answer }],
  });
  // Each part takes the whole of a turn.
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (ms += 10));
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST /orders HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n${body}`);
  await vi.waitFor(() => expect(app.state().requests).toHaveLength(1), { timeout: 15_000 });
  expect(app.state().requests[0]?.note).toBe('the caller closed the connection');
  expect(app.state().rules[0]?.hits).toBe(0);
});
