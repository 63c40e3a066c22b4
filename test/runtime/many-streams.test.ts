/** A client may open thousands of streams of its own, and leave them without a word. */
import { expect, test } from 'vitest';
import { StreamChannel } from '../../core/grpc/stream-channel.ts';
import type { StreamChannelOptions } from '../../core/grpc/stream-channel.ts';
import type { OpenStream } from '../../core/runtime/api.ts';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

interface TestStream extends OpenStream {
  /** The client's side of the stream, which answers an event with `processed`. */
  readonly channel: StreamChannel;
  /** The client dies: the stream is lost, and returns what it has not answered. */
  die(): Promise<void>;
}

/** @param take what the client does with each event, as `send` of a channel */
function opened(
  stand: Stand,
  topics: readonly string[],
  take: StreamChannelOptions['send'] = () => undefined,
): Promise<readonly TestStream[]> {
  const sidecar = stand.runtime.sidecar('app');
  return Promise.all(
    topics.map(async (topic) => {
      const channel = new StreamChannel({ peer: '127.0.0.1:1', send: take, turns: sidecar.turns });
      channel.begin();
      const stream = await sidecar.openStream({ pubsubname: 'pubsub', topic, metadata: {}, channel });
      const die = async (): Promise<void> => {
        const closing = stream.close('lost');
        channel.end();
        await closing;
      };
      return { channel, close: (how) => stream.close(how), die };
    }),
  );
}

const named = (length: number): readonly string[] => Array.from({ length }, (_, n) => `live-${n}`);

function streamed(stand: Stand): readonly string[] {
  return stand.runtime.topology
    .subscriptions()
    .filter(({ source }) => source === 'streaming')
    .map(({ topic }) => topic);
}

const aligned = (stand: Stand): number =>
  stand.events.filter(({ type }) => type === 'topology.changed').length;

test('streams that are opened or lost at the same time are served together', async () => {
  const stand = await started();
  const before = aligned(stand);
  const streams = await opened(stand, named(200));
  expect(streamed(stand)).toHaveLength(200);
  await stand.settle();
  expect(aligned(stand) - before).toBeLessThan(5);
  await Promise.all(streams.map((stream) => stream.close('lost')));
  await stand.settle();
  expect(aligned(stand) - before).toBeLessThan(10);
  expect(streamed(stand)).toHaveLength(200);
});

test('of the streams that were lost the newest 1,000 are waited for', async () => {
  const stand = await started();
  const topics = named(1002);
  for (const stream of await opened(stand, topics)) await stream.close('lost');
  expect(streamed(stand).toSorted()).toEqual(topics.slice(2).toSorted());
  await stand.settle();
  const texts = stand.lines.map(({ text }) => text);
  expect(texts.filter((text) => text.endsWith('is no longer waited for.'))).toEqual([
    'The app has more than 1000 lost streams. That on pubsub/live-0 is no longer waited for.',
    'The app has more than 1000 lost streams. That on pubsub/live-1 is no longer waited for.',
  ]);
  const [waiting, gone] = [await stand.publish('live-2'), await stand.publish('live-1')];
  await stand.settle();
  expect(await stand.states(waiting)).toEqual(['queued']);
  expect(await stand.states(gone)).toEqual([]);
  await opened(stand, ['live-1']);
  expect(streamed(stand)).toHaveLength(1001);
}, 120_000);

test('an app has at most 1000 open streams to one topic, and as many topics as it likes', async () => {
  const stand = await started();
  const streams = await opened(
    stand,
    Array.from({ length: 1000 }, () => 'one'),
  );
  await expect(opened(stand, ['one'])).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: 'There may be at most 1000 open streams of an app to one topic.',
  });
  await opened(stand, ['other']);
  // One that ends or is lost makes room for the next one.
  await streams[0]?.close('ended');
  await streams[1]?.close('lost');
  await opened(stand, ['one', 'one']);
  await expect(opened(stand, ['one'])).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

/** Transitions by their rule. */
function moved(stand: Stand): Readonly<Record<string, number>> {
  const rules: Record<string, number> = {};
  for (const event of stand.events) {
    if (event.type !== 'delivery.changed') continue;
    const { rule } = event.transition;
    rules[rule] = (rules[rule] ?? 0) + 1;
  }
  return rules;
}

test('what many streams leave that die together is moved in several turns', async () => {
  const stand = await started({}, () => undefined);
  const topics = Array.from({ length: 40 }, () => 'one');
  const streams = await opened(stand, topics);
  for (let n = 0; n < 50; n += 1) await stand.publish('one');
  const before = moved(stand);
  expect(before).toMatchObject({ 'policy.attempt': 400 });
  await Promise.all(streams.map((stream) => stream.die()));
  await stand.settle();
  const { 'policy.no-subscription': waiting = 0, 'stream.joined': joined = 0 } = moved(stand);
  // The calls that ran return at once, and a turn of the queues follows.
  expect(waiting + joined).toBeLessThan(1100);
  let isOpen = false;
  const next = opened(stand, ['one']).then((all) => {
    isOpen = true;
    return all;
  });
  await stand.settle();
  // A new stream would get a copy that is about to join another one.
  expect(isOpen).toBe(false);
  await stand.pass(100);
  await next;
  const after = moved(stand);
  expect(after).toMatchObject({
    'stream.closed': 400,
    'stream.joined': 39 * 50,
    'policy.no-subscription': 50,
  });
  // The new stream has its ten, of which the first was attempted before.
  expect([after['policy.attempt'], after['policy.retry']]).toEqual([409, 1]);
});

test('a client that reconnects at once, with more than 500 unanswered events, gets each message once', async () => {
  const stand = await started({}, () => undefined);
  const topics = Array.from({ length: 60 }, () => 'one');
  const streams = await opened(stand, topics);
  const texts = Array.from({ length: 10 }, (_, n) => `text ${n}`);
  const ids: string[] = [];
  for (const text of texts) ids.push(await stand.publish('one', text));
  expect(moved(stand)).toMatchObject({ 'policy.attempt': 600 });
  const dying = Promise.all(streams.map((stream) => stream.die()));
  const events: string[] = [];
  const next = opened(stand, topics, (event, taken) => {
    events.push(Buffer.from(event()?.data ?? []).toString());
    taken();
  });
  await stand.pass(100);
  await dying;
  await next;
  await stand.pass(100);
  expect(events.toSorted()).toEqual(texts);
  for (const id of ids) {
    const states = new Set(await stand.states(id));
    expect([states.has('attempting'), states.has('queued')]).toEqual([true, false]);
  }
});

test('deliveries that waited in thousands for a stream are taken up in several turns', async () => {
  const stand = await started({}, () => undefined);
  const [stream] = await opened(stand, ['one']);
  for (let n = 0; n < 1300; n += 1) await stand.publish('one');
  await stream?.die();
  await stand.pass(100);
  expect(moved(stand)['policy.no-subscription']).toBe(1300);
  const rows = (): number => stand.events.filter(({ type }) => type === 'message.added').length;
  const before = rows();
  await opened(stand, ['one']);
  await stand.settle();
  expect(rows() - before).toBeLessThan(700);
  await stand.pass(100);
  expect(rows() - before).toBeGreaterThanOrEqual(1290);
});

test('with one call at a time, what is published while a long queue is stalled stays behind it', async () => {
  const stand = await started({}, () => undefined);
  stand.set('delivery.concurrency', 1);
  const [lost] = await opened(stand, ['one']);
  for (let n = 0; n < 700; n += 1) await stand.publish('one', String(n));
  await lost?.die();
  await stand.settle();
  // The queue has not been moved to its end yet.
  expect(moved(stand)['policy.no-subscription']).toBeLessThan(700);
  for (let n = 700; n < 710; n += 1) await stand.publish('one', String(n));
  await stand.pass(100);
  const events: { readonly id: string; readonly data: number }[] = [];
  const [next] = await opened(stand, ['one'], (event, taken) => {
    const { id = '', data = [] } = event() ?? {};
    events.push({ id, data: Number(Buffer.from(data).toString()) });
    taken();
  });
  for (let at = 0; at < 710; at += 1) {
    await stand.settle();
    expect(next?.channel.processed(events[at]?.id ?? '', 0)).toBe(true);
  }
  expect(events.map(({ data }) => data)).toEqual(Array.from({ length: 710 }, (_, n) => n));
});

test.each(['hold', 'drop'] as const)(
  'the act %s on thousands of deliveries of few messages takes several turns',
  async (act) => {
    const stand = await started({}, () => undefined);
    await opened(
      stand,
      Array.from({ length: 100 }, () => 'one'),
    );
    for (let n = 0; n < 25; n += 1) await stand.publish('one');
    const rule = act === 'hold' ? 'user.hold' : 'user.drop';
    let done: unknown;
    const acting = stand.runtime.deliveryActions[act]({ filter: '' }).then((changed) => (done = changed));
    // On a busy machine the memory gives the messages in several turns of the event loop; the next turn of the act needs time to pass.
    await expect.poll(() => moved(stand)[rule]).toBe(500);
    expect(done).toBeUndefined();
    await stand.during(acting);
    expect(moved(stand)[rule]).toBe(1500);
    expect(done).toMatchObject({ changed: 1500 });
  },
);

test('what a hold has caught in thousands is released in several turns', async () => {
  const stand = await started({}, () => undefined);
  await opened(stand, ['one']);
  const { holdId } = await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  for (let n = 0; n < 1200; n += 1) await stand.publish('one');
  expect(stand.runtime.figures.counts().held).toBe(1200);
  const removing = stand.runtime.deliveryActions.removeHold(holdId, true);
  await stand.settle();
  expect(moved(stand)['user.release']).toBeLessThanOrEqual(500);
  await stand.during(removing);
  expect(moved(stand)['user.release']).toBe(1200);
});

test('a large event is made for few of many streams in a turn, and each stream keeps its order', async () => {
  const stand = await started({}, () => undefined);
  const got: string[][] = Array.from({ length: 40 }, () => []);
  for (const texts of got)
    await opened(stand, ['one'], (event, taken) => {
      const sent = event();
      if (sent !== undefined) texts.push(Buffer.from(sent.data).toString().slice(0, 5));
      taken();
    });
  const large = (text: string): string => `${text}${'x'.repeat(100_000)}`;
  await stand.publish('one', large('first'));
  expect(moved(stand)['policy.attempt']).toBeLessThan(20);
  await stand.publish('one', 'other');
  await stand.publish('one', large('third'));
  for (let turn = 0; turn < 40; turn += 1) await stand.pass(1);
  expect(got).toEqual(Array.from({ length: 40 }, () => ['first', 'other', 'third']));
});

test('the attempts of a large event for many streams have one record of their request', async () => {
  const stand = await started({}, () => undefined);
  let eventId = '';
  const streams = await opened(
    stand,
    Array.from({ length: 40 }, () => 'one'),
    (event, taken) => {
      eventId = event()?.id ?? eventId;
      taken();
    },
  );
  const published = async (text: string): Promise<void> => {
    await stand.publish('one', text.repeat(100_000));
    for (let turn = 0; turn < 40; turn += 1) await stand.pass(1);
    for (const { channel } of streams) expect(channel.processed(eventId, 0)).toBe(true);
    await stand.settle();
  };
  await published('x');
  await published('y');
  const attempts = stand.journal.records.flatMap((one) =>
    one.kind === 'delivery' ? (one.attempt ?? []) : [],
  );
  expect(attempts).toHaveLength(80);
  expect(new Set(attempts.map(({ request }) => request)).size).toBe(2);
});
