/** The gRPC way to an app: what is sent as bytes, what each end of a call becomes, and how connections come back. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGrpcAppChannel } from '../../core/adapters/grpc-app-channel/channel.ts';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import type { TopicEvent } from '../../core/domain/topic-event.ts';
import { jsonOf } from '../../core/grpc-protocol/struct.ts';
import type { AppCall, AppChannel, ReceivedAnswer } from '../../core/ports/app-channel.ts';
import { rawGrpcApp } from './raw-app.ts';
import type { RawGrpcApp } from './raw-app.ts';

const EVENT: TopicEvent = {
  id: '1',
  source: 's',
  type: 't',
  spec_version: '1.0',
  data_content_type: 'application/json',
  topic: 'orders',
  data: '{"n":1}',
  pubsub_name: 'pubsub',
  path: '',
  extensions: { deep: { a: [1, 'x', null, true] }, empty: {} },
};
const CALL: AppCall = {
  path: APP_METHODS.onTopicEvent,
  headers: { pubsubname: 'pubsub', 'grpc-trace-bin': Buffer.from([1, 2]).toString('base64') },
  body: '',
  message: { kind: 'event', event: EVENT },
  timeoutMs: 10_000,
};

async function stand(isTls = false): Promise<{ readonly app: RawGrpcApp; readonly channel: AppChannel }> {
  const app = await rawGrpcApp(isTls);
  const channel = createGrpcAppChannel({ url: app.url });
  onTestFinished(() => channel.close());
  return { app, channel };
}

function textOf(answer: ReceivedAnswer): string {
  return answer.kind === 'response' ? String(Buffer.from(answer.body ?? [])) : answer.message;
}

/** Answers every event with this. */
function answers(app: RawGrpcApp, answer: () => { readonly status: number } | undefined): void {
  const { topicEventRequest, topicEventResponse } = app.protocol;
  app.on(APP_METHODS.onTopicEvent, topicEventRequest, topicEventResponse, answer);
}

test('a channel over TLS accepts any certificate', async () => {
  const { app, channel } = await stand(true);
  answers(app, () => ({ status: 0 }));
  expect(channel.url).toBe(app.url);
  expect(app.url).toMatch(/^grpcs:/);
  expect(await channel.probe(10_000)).toBe(true);
  expect(textOf(await channel.deliver(CALL).answer)).toBe('{"status":"SUCCESS"}');
});

test('an event arrives with every field, and its answer comes back as JSON', async () => {
  const { app, channel } = await stand();
  const seen: object[] = [];
  const { topicEventRequest, topicEventResponse } = app.protocol;
  app.on(APP_METHODS.onTopicEvent, topicEventRequest, topicEventResponse, (request) => {
    seen.push({ ...request, data: String(request.data), extensions: jsonOf(request.extensions) });
    return { status: 1 };
  });
  const answer = await channel.deliver(CALL).answer;
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({ id: '1', data: '{"n":1}', extensions: EVENT.extensions });
  expect(answer).toMatchObject({ kind: 'response', protocol: 'grpc', status: 0, statusText: 'OK' });
  expect(textOf(answer)).toBe('{"status":"RETRY"}');
  expect(app.metadata[0]).toMatchObject({ pubsubname: 'pubsub', 'grpc-trace-bin': Buffer.from([1, 2]) });
});

describe('the end of a call', () => {
  test('can be a code of the app, with its text', async () => {
    const { app, channel } = await stand();
    answers(app, () => {
      throw Object.assign(new Error(), { code: 5, details: 'no such order' });
    });
    const answer = await channel.deliver(CALL).answer;
    expect(answer).toMatchObject({ status: 5, statusText: 'NOT_FOUND' });
    expect(textOf(answer)).toBe('no such order');
  });

  test.each([1, 4, 14])('code %i of the app is an answer and no lost connection', async (code) => {
    const { app, channel } = await stand();
    answers(app, () => {
      throw Object.assign(new Error(), { code, details: 'own' });
    });
    expect(await channel.deliver(CALL).answer).toMatchObject({ kind: 'response', status: code });
  });

  test('is the code UNIMPLEMENTED for a method that the app does not have', async () => {
    const { channel } = await stand();
    expect(await channel.deliver(CALL).answer).toMatchObject({ status: 12, statusText: 'UNIMPLEMENTED' });
  });

  test('keeps the number of an unknown status', async () => {
    const { app, channel } = await stand();
    answers(app, () => ({ status: 7 }));
    expect(textOf(await channel.deliver(CALL).answer)).toBe('{"status":7}');
  });

  test('is the code INTERNAL for bytes that are no reply', async () => {
    const { app, channel } = await stand();
    const junk = { encode: () => Buffer.from([0xff, 0xff, 0xff]), decode: () => ({}) };
    app.on(APP_METHODS.onTopicEvent, app.protocol.topicEventRequest, junk, () => ({}));
    expect(await channel.deliver(CALL).answer).toMatchObject({ kind: 'response', status: 13 });
  });

  test('is a refused connection while no program listens', async () => {
    const { app, channel } = await stand();
    app.close();
    expect(await channel.deliver(CALL).answer).toMatchObject({ kind: 'none', code: 'refused' });
  });

  test('is a reset if the app ends during the call', async () => {
    const { app, channel } = await stand();
    answers(app, () => {
      setImmediate(() => app.close());
      return undefined;
    });
    expect(await channel.deliver(CALL).answer).toMatchObject({ kind: 'none', code: 'reset' });
  });

  test('is a timeout without an answer in time', async () => {
    const { app, channel } = await stand();
    answers(app, () => undefined);
    const answer = await channel.deliver({ ...CALL, timeoutMs: 50 }).answer;
    expect(answer).toEqual({ kind: 'none', code: 'timeout', message: 'No answer within 50 ms.' });
  });

  test('is a cancellation by hand', async () => {
    const { app, channel } = await stand();
    const { answer, cancel } = channel.deliver(CALL);
    answers(app, () => {
      cancel('by hand');
      return undefined;
    });
    expect(await answer).toEqual({ kind: 'none', code: 'cancelled', message: 'by hand' });
  });
});

describe('a batch', () => {
  const { topic, pubsub_name, path, ...event } = EVENT;
  const batch: AppCall = {
    ...CALL,
    path: APP_METHODS.onBulkTopicEvent,
    message: {
      kind: 'batch',
      batch: {
        id: 'b',
        entries: [{ entry_id: 'e', cloud_event: event, content_type: 'x', metadata: {} }],
        metadata: {},
        topic,
        pubsub_name,
        type: 'y',
        path,
      },
    },
  };

  /** Serves batches under this method and notes each. */
  function serves(app: RawGrpcApp, method: string, seen: string[]): void {
    const { topicEventBulkRequest, topicEventBulkResponse } = app.protocol;
    app.on(method, topicEventBulkRequest, topicEventBulkResponse, ({ entries }) => {
      seen.push(method);
      return { statuses: entries.map(({ entry_id }) => ({ entry_id, status: 2 })) };
    });
  }

  test('goes to the stable method', async () => {
    const { app, channel } = await stand();
    const seen: string[] = [];
    serves(app, APP_METHODS.onBulkTopicEvent, seen);
    const answer = await channel.deliver(batch).answer;
    expect(textOf(answer)).toBe('{"statuses":[{"entry_id":"e","status":"DROP"}]}');
  });

  test('goes to the older one where the app does not know the stable one, at once the next time', async () => {
    const { app, channel } = await stand();
    const seen: string[] = [];
    serves(app, APP_METHODS.onBulkTopicEventAlpha1, seen);
    for (let i = 0; i < 2; i += 1) await channel.deliver(batch).answer;
    expect(seen).toEqual([APP_METHODS.onBulkTopicEventAlpha1, APP_METHODS.onBulkTopicEventAlpha1]);
    expect(app.metadata).toHaveLength(2);
  });

  test('is the code UNIMPLEMENTED if the app knows neither method', async () => {
    const { channel } = await stand();
    expect(await channel.deliver(batch).answer).toMatchObject({ status: 12 });
  });
});

test('discovery gives what the app lists as JSON', async () => {
  const { app, channel } = await stand();
  const { empty, listTopicSubscriptionsResponse } = app.protocol;
  app.on(APP_METHODS.listTopicSubscriptions, empty, listTopicSubscriptionsResponse, () => ({
    subscriptions: [{ pubsub_name: 'p', topic: 't', metadata: { a: 'b' }, dead_letter_topic: '' }],
  }));
  const answer = await channel.get(APP_METHODS.listTopicSubscriptions, { 'dapr-api-token': 'x' }, 10_000);
  expect(JSON.parse(textOf(answer))).toMatchObject({
    subscriptions: [{ pubsub_name: 'p', topic: 't', metadata: { a: 'b' } }],
  });
  expect(app.metadata[0]).toMatchObject({ 'dapr-api-token': 'x' });
});

test.each(['http://127.0.0.1:1', 'grpc://127.0.0.1', 'nothing'])('%s is no address', (url) => {
  expect(() => createGrpcAppChannel({ url })).toThrow(TypeError);
});
