// Events of a stream that the app never answers: the memory for them is bounded, and each event is forwarded all the same.
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';

import { PROFILES } from '../../core/contract/profile.ts';
import { encodedEvent } from '../../core/grpc-protocol/events.ts';
import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import type { ReceivedAnswer } from '../../core/ports/app-channel.ts';
import type { ObservedCall, TapObserver } from '../../core/ports/tap.ts';
import { DeferredReports } from '../../core/tap/deferred-reports.ts';
import { EventStream } from '../../core/tap/grpc/event-stream.ts';
import { framed } from '../../core/tap/grpc/frames.ts';
import type { Piece } from '../../core/tap/grpc/frames.ts';
import { UnansweredEvents } from '../../core/tap/grpc/unanswered-events.ts';
import { OtherCalls } from '../../core/tap/other-calls.ts';
import { unexpected } from './unexpected.ts';

const MIB = 1024 * 1024;

function piece(bytes: Buffer): Piece {
  return { raw: framed(bytes), message: { isCompressed: false, bytes } };
}

/** A stream whose subscription stands, and what is answered of each event by its number. */
async function subscribed() {
  const protocol = await loadProtocol();
  const answers = new Map<number, ReceivedAnswer>();
  const passed = { toClient: 0, toServer: 0 };
  let n = 0;
  const observer: TapObserver = {
    stopsOf: () => ({ delivery: false, response: false }),
    published: () => ({ messageIds: [], ended: () => undefined }),
    delivering: () => {
      const own = (n += 1);
      return {
        passage: Promise.resolve({ kind: 'pass' }),
        answered: (answer) => {
          answers.set(own, answer);
          return Promise.resolve(undefined);
        },
        lost: () => undefined,
      };
    },
    missed: 0,
    missedWhy: '',
    connect: () => undefined,
    catchUp: () => undefined,
    reportFailed: unexpected,
    unfinished: () => 0,
  };
  const stream = new EventStream(
    { path: '/s', headers: [], from: '127.0.0.1:1' },
    {
      appId: 'shop',
      observer,
      profile: () => PROFILES.dapr,
      codec: bufferCodec,
      protocol,
      others: new OtherCalls(),
      reports: new DeferredReports(systemClock(), unexpected),
      onDelivery: () => undefined,
    },
    { toClient: () => (passed.toClient += 1), toServer: () => (passed.toServer += 1) },
  );
  void stream.fromClient(
    piece(
      protocol.streamRequest.encode({
        initial_request: { pubsub_name: 'redis', topic: 'orders', metadata: {} },
      }),
    ),
  );
  const send = (id: string, bytes: number): void => {
    const event = encodedEvent({
      id,
      source: 'shop',
      type: 't',
      spec_version: '1.0',
      data_content_type: 'text/plain',
      data: Buffer.alloc(bytes, 'x'),
      extensions: {},
    });
    const event_message = { ...event, topic: 'orders', pubsub_name: 'redis', path: '' };
    void stream.fromServer(piece(protocol.streamResponse.encode({ event_message })));
  };
  const say = (id: string): void =>
    void stream.fromClient(
      piece(protocol.streamRequest.encode({ event_processed: { id, status: { status: 0 } } })),
    );
  return { answers, passed, send, say };
}

test('beyond 32 MiB the tap stops waiting for the oldest event, and forwards its answer when it comes', async () => {
  const { answers, passed, send, say } = await subscribed();
  for (let n = 1; n <= 40; n += 1) send(`e${n}`, MIB);
  expect(passed.toClient).toBe(40);
  const given = [...answers.keys()];
  expect(given).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(answers.get(1)).toMatchObject({ kind: 'none', message: expect.stringContaining('32 MiB') });
  say('e1');
  say('e40');
  expect(passed.toServer).toBe(3);
  expect([...answers.keys()]).toEqual([...given, 40]);
  expect(answers.get(40)?.kind).toBe('response');
});

/** Numbers of the events that were given up, in their order. */
function counted(): {
  readonly unanswered: UnansweredEvents;
  readonly call: (n: number) => ObservedCall;
  readonly given: number[];
} {
  const given: number[] = [];
  const call = (n: number): ObservedCall => ({
    passage: Promise.resolve({ kind: 'pass' }),
    answered: () => {
      given.push(n);
      return Promise.resolve(undefined);
    },
    lost: () => undefined,
  });
  return { unanswered: new UnansweredEvents(), call, given };
}

test('many small events reach the limit too, also with one id', () => {
  const { unanswered, call, given } = counted();
  for (let n = 1; n <= 33_000; n += 1) unanswered.add('same', call(n), 1);
  // Each counts 1024 bytes more than it has.
  const most = Math.floor((32 * MIB) / 1025);
  expect(given).toEqual(Array.from({ length: 33_000 - most }, (_, index) => index + 1));
});

test('an answered event frees its memory', () => {
  const { unanswered, call, given } = counted();
  for (let n = 1; n <= 100; n += 1) {
    unanswered.add(`e${n}`, call(n), MIB);
    void unanswered.take(`e${n}`)?.answered({ kind: 'none', code: 'reset', message: 'taken' });
    expect(given).toHaveLength(n);
  }
  for (let n = 101; n <= 131; n += 1) unanswered.add(`e${n}`, call(n), MIB);
  expect(given).toHaveLength(100);
});
