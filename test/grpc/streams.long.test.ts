/** Streams in full counts: 200 that come and go for a minute under load, and a client that reads none of 10,000 events for a while. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Product } from '../e2e/product.ts';
import type { RawClient, RawStream } from '../support/grpc-client.ts';
import { randomFrom } from '../host/multi-run/random-ends.ts';
import { clientOf } from './raw-client.ts';
import { count, product } from './running-product.ts';

const OPEN = 'state:queued or state:attempting or state:retrying';
const GUESTS = 200;
const MINUTE_MS = 60_000;
const UNREAD = 10_000;
const BATCH = 250;

const clientTo = (run: Product): Promise<RawClient> => clientOf(run.ready.apps[0]?.grpc ?? '');

async function opened(client: RawClient): Promise<RawStream> {
  const stream = client.stream();
  stream.subscribe({ topic: 'orders' });
  expect(await stream.next()).toHaveProperty('initial_response');
  return stream;
}

async function publish(client: RawClient, text: string): Promise<void> {
  const { publishEventRequest, empty } = client.protocol;
  const to = { pubsub_name: 'pubsub', topic: 'orders', data_content_type: 'text/plain', metadata: {} };
  const message = { ...to, data: Buffer.from(text) };
  expect(await client.call('PublishEvent', publishEventRequest, message, empty)).toEqual({});
}

/** Events of 8 kB, each with its number. */
async function publishBatch(client: RawClient, first: number): Promise<void> {
  const { bulkPublishRequest, bulkPublishResponse } = client.protocol;
  const pad = 'x'.repeat(8_000);
  const entries = Array.from({ length: BATCH }, (_, i) => ({
    entry_id: String(i),
    event: Buffer.from(`${first + i} ${pad}`),
    content_type: 'text/plain',
    metadata: {},
  }));
  const request = { pubsub_name: 'pubsub', topic: 'orders', entries, metadata: {} };
  expect(await client.call('BulkPublishEvent', bulkPublishRequest, request, bulkPublishResponse)).toEqual({
    failedEntries: [],
  });
}

/** Answers the next events with SUCCESS: so many, or those until the stream ends or `over`. Their texts. */
async function take(stream: RawStream, most: number, over?: Promise<undefined>): Promise<string[]> {
  const came: string[] = [];
  while (came.length < most) {
    const next = await (over === undefined ? stream.next() : Promise.race([stream.next(), over]));
    if (next === undefined || next === 'ended') break;
    const event = 'event_message' in next ? next.event_message : undefined;
    if (event === undefined) throw new Error(`no event came: ${JSON.stringify(next)}`);
    came.push(Buffer.from(event.data).toString());
    stream.send({ event_processed: { id: event.id, status: { status: 0 } } });
  }
  return came;
}

/** Streams that come and go, so many at a time, until it is over. Each answers what it gets for a random while. */
async function comeAndGo(client: RawClient, random: () => number, isOver: () => boolean): Promise<void> {
  const guest = async (): Promise<void> => {
    do {
      const stream = await opened(client);
      await take(stream, Infinity, pause(random() * 1_000, undefined));
      // Three of four are cut off, the others close their side.
      if (random() < 0.75) stream.cancel();
      else stream.end();
    } while (!isOver());
  };
  await Promise.all(Array.from({ length: GUESTS }, guest));
}

/** Waits until only the stream that stays is left, and nothing waits for one. */
async function settled(run: Product, client: RawClient): Promise<void> {
  // A guest that has gone leaves what it had not answered to the next stream.
  const last = await opened(client);
  const rest = take(last, Infinity);
  await count(run, OPEN, 0);
  last.end();
  await rest;
  await run.when('the end of the other subscriptions', async () =>
    (await run.rpc('subscriptions.list', {})).items.length === 1 ? true : undefined,
  );
}

/** Everything that keeps this process alive: sockets, listeners, timers. */
const resources = (): number => process.getActiveResourcesInfo().length;

test('G87: 200 streams come and go for a minute under load: one that stays gets each message once, and nothing is left', async () => {
  const run = await product('--app-url', 'none');
  const [publisher, staying, guests] = [await clientTo(run), await clientTo(run), await clientTo(run)];
  const stays = await opened(staying);
  const taking = take(stays, Infinity);
  const random = randomFrom(87);
  // The first round makes what every later one may keep: connections, and timers of their own.
  await comeAndGo(guests, random, () => true);
  await settled(run, guests);
  const idle = resources();
  const until = performance.now() + MINUTE_MS;
  const isOver = (): boolean => performance.now() > until;
  const sent: string[] = [];
  const publishing = async (): Promise<void> => {
    for (; !isOver(); sent.push(String(sent.length))) await publish(publisher, String(sent.length));
  };
  await Promise.all([publishing(), comeAndGo(guests, random, isOver)]);
  await settled(run, guests);
  // A call or timer kept by each stream would be hundreds.
  await run.when('the end of calls and timers', async () => (resources() < idle + 20 ? true : undefined));
  stays.end();
  expect((await taking).toSorted()).toEqual(sent.toSorted());
});

test('G82: a client that reads none of 10,000 events: ten are on their way, and it gets each one when it reads', async () => {
  const run = await product('--app-url', 'none', '--set', 'delivery.concurrency=10');
  const [publisher, reader] = [await clientTo(run), await clientTo(run)];
  const stream = await opened(reader);
  stream.pause();
  // A client that takes nothing for a minute loses its connection, so all are published in fewer calls than that takes.
  for (let n = 0; n < UNREAD; n += BATCH) await publishBatch(publisher, n);
  await count(run, 'state:attempting', 10);
  await count(run, 'state:queued', UNREAD - 10);
  stream.resume();
  const came = await take(stream, UNREAD);
  expect(new Set(came.map((text) => Number.parseInt(text, 10))).size).toBe(UNREAD);
  await count(run, 'state:processed', UNREAD);
  stream.end();
});
