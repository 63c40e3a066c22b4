/**
 * Streaming subscriptions over the real runtime: what a stream is sent, what each of its answers leads to, and that nothing is lost
 * when it ends.
 */
import { describe, expect, test } from 'vitest';
import { causeSentence } from '../../core/contract/cause.ts';
import { StepTurns } from '../../core/domain/step-turns.ts';
import { StreamChannel } from '../../core/grpc/stream-channel.ts';
import type { EncodedTopicEvent } from '../../core/grpc-protocol/messages.ts';
import { jsonOf } from '../../core/grpc-protocol/struct.ts';
import type { AppCall } from '../../core/ports/app-channel.ts';
import type { OpenStream } from '../../core/runtime/api.ts';
import type { Stand } from '../support/runtime-stand.ts';
import { started } from '../support/runtime-stand.ts';

interface TestStream {
  readonly events: EncodedTopicEvent[];
  /** Texts of the events' data. */
  readonly texts: () => string[];
  /** Answers the oldest event that is not answered yet. */
  answer(status?: number): Promise<void>;
  readonly channel: StreamChannel;
  close(how: 'ended' | 'lost'): Promise<void>;
}

interface Wish {
  /** Called with what tells the channel that the client has taken an event; by default it has at once. */
  readonly onSent?: (taken: () => void) => void;
  readonly topic?: string;
  readonly deadLetterTopic?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

async function open(stand: Stand, { onSent = (taken) => taken(), ...wish }: Wish = {}): Promise<TestStream> {
  const events: EncodedTopicEvent[] = [];
  const sidecar = stand.runtime.sidecar('app');
  const channel = new StreamChannel({
    peer: '127.0.0.1:5',
    send: (event, taken) => {
      const sent = event();
      if (sent !== undefined) events.push(sent);
      onSent(taken);
    },
    turns: sidecar.turns,
  });
  const opening = sidecar.openStream({ pubsubname: 'pubsub', topic: 'live', metadata: {}, channel, ...wish });
  await stand.settle();
  const stream: OpenStream = await opening;
  channel.begin();
  await stand.settle();
  let next = 0;
  return {
    events,
    channel,
    texts: () => events.map(({ data }) => Buffer.from(data).toString()),
    answer: async (status = 0) => {
      const event = events[next];
      next += 1;
      if (event === undefined) throw new Error('no event waits for an answer');
      expect(channel.processed(event.id, status)).toBe(true);
      await stand.settle();
    },
    close: async (how) => {
      const closing = stream.close(how);
      channel.end();
      await stand.settle();
      await closing;
      await stand.settle();
    },
  };
}

/** A delivery of one event. */
function eventCall(id: string): AppCall {
  const event = { id, source: 's', type: 't', spec_version: '1.0', data_content_type: 'text/plain' };
  const place = { topic: 'live', pubsub_name: 'pubsub', path: '/' };
  const message = { kind: 'event', event: { ...event, ...place, data: 'x', extensions: {} } } as const;
  return { path: '/', headers: {}, body: '', message };
}

/** No app port at all. */
const stand = (): Promise<Stand> => started({}, (it) => void (it.app.isOpen = false));

describe('a stream', () => {
  test('gets published messages without any app port, and is listed as a streaming subscription', async () => {
    const it = await stand();
    const stream = await open(it);
    const id = await it.publish('live', { n: 1 });
    expect(stream.events[0]).toMatchObject({ topic: 'live', pubsub_name: 'pubsub', path: '/' });
    expect(stream.texts()).toEqual(['{"n":1}']);
    expect(jsonOf(stream.events[0]?.extensions)).toMatchObject({ topic: 'live' });
    await stream.answer();
    expect(await it.way(id)).toEqual([
      'queued policy.accepted (policy)',
      'attempting policy.attempt (policy)',
      'processed grpc.success (app)',
    ]);
    const { attempts, subscription } = await it.delivery(id);
    expect(subscription.source).toBe('streaming');
    expect(attempts[0]).toMatchObject({
      protocol: 'grpc',
      request: { method: '/dapr.proto.runtime.v1.Dapr/SubscribeTopicEventsAlpha1' },
      response: { status: 0, statusText: 'OK', body: '{"status":"SUCCESS"}' },
      word: 'SUCCESS',
    });
    expect(it.runtime.topology.subscriptions()).toMatchObject([
      { topic: 'live', source: 'streaming', state: 'active', defaultPath: '/' },
    ]);
    expect(it.runtime.sidecar('app').metadata().subscriptions).toMatchObject([
      { topic: 'live', type: 'STREAMING', rules: [{ path: '/' }] },
    ]);
  });

  test('RETRY sends it again, DROP copies it to the dead-letter topic of the stream', async () => {
    const it = await stand();
    const stream = await open(it, { deadLetterTopic: 'dead' });
    const id = await it.publish('live');
    await stream.answer(1);
    await it.pass(10_000);
    expect(stream.events).toHaveLength(2);
    expect(stream.events[1]?.id).toBe(stream.events[0]?.id);
    await stream.answer(2);
    const { state, transitions } = await it.delivery(id);
    expect([state, transitions.at(-1)?.rule]).toEqual(['dropped', 'grpc.drop']);
    expect(it.runtime.topology.topics().map(({ topic }) => topic)).toContain('dead');
  });

  test('may be answered in any order, and unknown answers are ignored', async () => {
    const it = await stand();
    const stream = await open(it);
    const ids = [await it.publish('live', 'a'), await it.publish('live', 'b')];
    expect(stream.texts()).toEqual(['a', 'b']);
    expect(stream.channel.processed(stream.events[1]?.id ?? '', 0)).toBe(true);
    expect(stream.channel.processed(stream.events[1]?.id ?? '', 0)).toBe(false);
    expect(stream.channel.processed('nobody', 0)).toBe(false);
    await it.settle();
    expect(await it.states(ids[0] ?? '')).toEqual(['attempting']);
    expect(await it.states(ids[1] ?? '')).toEqual(['processed']);
  });

  test('sends one event at a time, and the next once the client has received it, unless it has ended', async () => {
    const sent: string[] = [];
    const taken: (() => void)[] = [];
    const channel = new StreamChannel({
      peer: '',
      send: (event, go) => {
        sent.push(event()?.id ?? 'none');
        taken.push(go);
      },
      turns: new StepTurns((run) => setImmediate(run)),
    });
    channel.begin();
    const [first, second] = ['1', '2', '3', '4'].map((id) => channel.deliver(eventCall(id)));
    expect(sent).toEqual(['1']);
    // Whatever became of the first one, the client has not taken it yet.
    first?.cancel('by hand');
    second?.cancel('by hand');
    expect(sent).toEqual(['1']);
    taken.shift()?.();
    expect(sent).toEqual(['1', '3']);
    channel.end();
    taken.shift()?.();
    expect(sent).toEqual(['1', '3']);
  });

  test('an event whose delivery ends before its turn to be sent is not sent', () => {
    const waiting: (() => void)[] = [];
    const sent: (string | undefined)[] = [];
    const channel = new StreamChannel({
      peer: '',
      send: (event, taken) => {
        waiting.push(() => {
          sent.push(event()?.id);
          taken();
        });
      },
      turns: new StepTurns((run) => setImmediate(run)),
    });
    channel.begin();
    const first = channel.deliver(eventCall('1'));
    channel.deliver(eventCall('2'));
    first.cancel('by hand');
    waiting.shift()?.();
    waiting.shift()?.();
    expect(sent).toEqual([undefined, '2']);
    channel.end();
  });

  test('sends two events with one id one after the other', async () => {
    const it = await stand();
    const stream = await open(it);
    const own = { metadata: { 'cloudevent.id': 'same' } };
    const ids = [await it.publish('live', 'a', own), await it.publish('live', 'b', own)];
    expect(stream.texts()).toEqual(['a']);
    await stream.answer();
    expect(stream.texts()).toEqual(['a', 'b']);
    await stream.answer();
    for (const id of ids) expect(await it.states(id)).toEqual(['processed']);
  });

  test('gives an event without an id that of its delivery', async () => {
    const it = await stand();
    const stream = await open(it);
    const id = await it.publish('live', '{"a":1}', { metadata: { rawPayload: 'true' } });
    const { deliveryId } = await it.delivery(id);
    expect(stream.events[0]?.id).toBe(deliveryId);
  });
});

describe('the end of a stream', () => {
  test('leaves unanswered deliveries to the next stream, and uses up no attempt', async () => {
    const it = await stand();
    const first = await open(it);
    const ids = [await it.publish('live', 'a'), await it.publish('live', 'b'), await it.publish('live', 'c')];
    await first.close('lost');
    const [id = ''] = ids;
    expect(await it.way(id)).toEqual([
      'queued policy.accepted (policy)',
      'attempting policy.attempt (policy)',
      'queued stream.closed (app)',
      'queued policy.no-subscription (policy)',
    ]);
    const waiting = await it.delivery(id);
    expect(waiting.attempts[0]).toMatchObject({ error: { code: 'reset' } });
    expect(waiting.waitsFor).toEqual({ pubsubname: 'pubsub', topic: 'live' });
    const second = await open(it);
    expect(second.texts()).toEqual(['a', 'b', 'c']);
    for (const _id of ids) await second.answer();
    for (const each of ids) expect(await it.states(each)).toEqual(['processed']);
    const { maxAttempts, attempts } = await it.delivery(id);
    // The attempt that the stream cut is one more than the policy counts.
    expect([attempts.length, maxAttempts]).toEqual([2, waiting.maxAttempts]);
  });

  test('a lost stream is listed as such, and what is published meanwhile waits for the next', async () => {
    const it = await stand();
    const first = await open(it);
    await first.close('lost');
    expect(it.runtime.topology.subscriptions()).toMatchObject([{ source: 'streaming', state: 'inert' }]);
    const id = await it.publish('live', 'meanwhile');
    expect(await it.states(id)).toEqual(['queued']);
    const second = await open(it);
    expect(it.runtime.topology.subscriptions()).toMatchObject([{ source: 'streaming', state: 'active' }]);
    expect(second.texts()).toEqual(['meanwhile']);
    await second.answer();
    expect(await it.states(id)).toEqual(['processed']);
  });

  test('a stream that its client gave up leaves no subscription', async () => {
    const it = await stand();
    const stream = await open(it);
    await stream.close('ended');
    expect(it.runtime.topology.subscriptions()).toEqual([]);
    const id = await it.publish('live');
    expect((await it.message(id)).deliveries).toEqual([]);
  });

  test('open deliveries of a stream that its client ended go to a later stream', async () => {
    const it = await stand();
    const first = await open(it);
    const id = await it.publish('live', 'kept');
    await first.close('ended');
    expect(await it.states(id)).toEqual(['queued']);
    const second = await open(it);
    expect(second.texts()).toEqual(['kept']);
    await second.answer();
    expect(await it.states(id)).toEqual(['processed']);
  });

  test('leaves an unanswered delivery to the next stream over a restart', async () => {
    const it = await stand();
    const first = await open(it);
    const id = await it.publish('live', 'kept');
    expect(first.texts()).toEqual(['kept']);
    it.crash();
    await it.start();
    const second = await open(it);
    expect(second.texts()).toEqual(['kept']);
    await second.answer();
    expect(await it.states(id)).toEqual(['processed']);
  });
});

test('a client that opens a stream before its old one was found dead gets the deliveries of the old one', async () => {
  const it = await stand();
  const dead = await open(it);
  const before = await it.publish('live', 'before');
  const back = await open(it);
  const after = await it.publish('live', 'after');
  await dead.close('lost');
  expect(back.texts()).toEqual(['after', 'before']);
  for (let n = 0; n < 2; n += 1) await back.answer();
  expect(await it.states(before)).toEqual(['processed']);
  expect((await it.states(after)).toSorted()).toEqual(['processed', 'queued']);
});

test('deliveries of a second stream go to the next stream, whatever its number', async () => {
  const it = await stand();
  const first = await open(it);
  const second = await open(it);
  await first.close('ended');
  const alone = await it.publish('live', 'alone');
  await second.close('lost');
  const next = await open(it);
  expect(next.texts()).toEqual(['alone']);
  await next.answer();
  expect(await it.states(alone)).toEqual(['processed']);
});

test('deliveries of a stream wait for a stream, even if the app itself subscribes after a restart', async () => {
  const it = await started({}, (one) => void (one.app.subscriptions = []));
  const first = await open(it);
  const id = await it.publish('live', 'kept');
  expect(first.texts()).toEqual(['kept']);
  it.crash();
  it.app.subscriptions = [{ pubsubname: 'pubsub', topic: 'live', route: '/live' }];
  await it.start();
  await it.pass(60_000);
  expect(it.app.calls).toEqual([]);
  const waiting = await it.delivery(id);
  expect(waiting).toMatchObject({ state: 'queued', waitsFor: { pubsubname: 'pubsub', topic: 'live' } });
  const last = waiting.transitions.at(-1);
  const said = last === undefined ? '' : causeSentence(last, waiting, await it.message(id), () => undefined);
  expect(said).toContain('Waiting for the app to subscribe to pubsub/live with a stream again.');
  const second = await open(it);
  expect(second.texts()).toEqual(['kept']);
  await second.answer();
  expect(await it.states(id)).toEqual(['processed']);
});

describe('several streams of one topic', () => {
  test('a message that waits for two ended streams goes to the next one once', async () => {
    const it = await stand();
    const streams = [await open(it), await open(it)];
    const id = await it.publish('live', 'twice');
    for (const stream of streams) expect(stream.texts()).toEqual(['twice']);
    for (const stream of streams) await stream.close('lost');
    const next = await open(it);
    expect(next.texts()).toEqual(['twice']);
    await next.answer();
    expect((await it.states(id)).toSorted()).toEqual(['dropped', 'processed']);
    const later = await open(it);
    expect(later.texts()).toEqual([]);
  });

  test('the next one takes over the deliveries of those that were lost, wherever they connected from', async () => {
    const it = await stand();
    const first = await open(it);
    const second = await open(it);
    await first.close('ended');
    await second.close('lost');
    const next = await open(it);
    const id = await it.publish('live', 'x');
    expect(next.texts()).toEqual(['x']);
    await next.answer();
    expect(await it.states(id)).toEqual(['processed']);
  });

  test('each stream gets every message, and a subscription of the app as well', async () => {
    const it = await started({}, (one) => {
      one.app.subscriptions = [{ pubsubname: 'pubsub', topic: 'live', route: '/live' }];
    });
    const streams = [await open(it), await open(it)];
    const id = await it.publish('live', 'x');
    for (const stream of streams) {
      expect(stream.texts()).toEqual(['x']);
      await stream.answer();
    }
    expect(it.app.calls).toHaveLength(1);
    expect(await it.states(id)).toEqual(['processed', 'processed', 'processed']);
  });

  test('a lost one keeps only its own deliveries while another stream has the topic', async () => {
    const it = await stand();
    const first = await open(it);
    const second = await open(it);
    const open_ = await it.publish('live', 'open');
    await first.close('lost');
    const later = await it.publish('live', 'later');
    expect((await it.message(later)).deliveries).toHaveLength(1);
    expect((await it.message(open_)).deliveries.map(({ state }) => state).toSorted()).toEqual([
      'attempting',
      'queued',
    ]);
    expect(second.texts()).toEqual(['open', 'later']);
  });
});

test('an unknown component and a forbidden topic are refused', async () => {
  const it = await stand();
  const sidecar = it.runtime.sidecar('app');
  const channel = new StreamChannel({ peer: '', send: () => undefined, turns: sidecar.turns });
  await expect(
    sidecar.openStream({ pubsubname: 'nope', topic: 't', metadata: {}, channel }),
  ).rejects.toMatchObject({ code: 'ERR_PUBSUB_NOT_FOUND' });
});

test('a cancelled call counts as unanswered, and the event is sent again', async () => {
  const it = await stand();
  const stream = await open(it);
  const id = await it.publish('live');
  const { call } = await it.delivery(id).then(async ({ deliveryId }) => ({
    call: await it.runtime.runningCalls.cancel(deliveryId),
  }));
  expect(call).toEqual({ changed: 1 });
  await it.settle();
  expect((await it.way(id)).at(-1)).toBe('retrying user.cancel (user)');
  await it.pass(10_000);
  expect(stream.events).toHaveLength(2);
});

test('an event that is never answered is sent again after the time of the setting', async () => {
  const it = await stand();
  it.set('delivery.attemptTimeoutMs', 20);
  const stream = await open(it);
  const id = await it.publish('live');
  // Streams have a timer of their own, which the stand's clock does not move.
  await expect.poll(async () => (await it.way(id)).at(-1)).toBe('retrying policy.no-answer (policy)');
  expect((await it.delivery(id)).attempts[0]?.error).toEqual({
    code: 'timeout',
    message: 'No answer within 20 ms.',
  });
  await it.pass(10_000);
  expect(stream.events.length).toBeGreaterThan(1);
  // A late answer counts for the attempt that runs now.
  expect(stream.channel.processed(stream.events[0]?.id ?? '', 0)).toBe(true);
  await it.settle();
  expect(await it.states(id)).toEqual(['processed']);
});
