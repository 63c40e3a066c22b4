/** Checks and calls that cases over gRPC share. */
import assert from 'node:assert/strict';
import type { Context } from './case.ts';
import { listOf, objectOf } from './checks.ts';
import type { Json } from './checks.ts';
import type { GrpcAnswer, GrpcSide, GrpcStream } from './grpc-answer.ts';

export const went = (answer: GrpcAnswer): Json => {
  assert.deepEqual([answer.code, answer.text], ['OK', '']);
  return answer.reply;
};

/** The call failed with this code and text; returns the details. */
export const failed = (answer: GrpcAnswer, code: string, text?: string | RegExp): readonly Json[] => {
  assert.equal(answer.code, code, answer.text);
  if (typeof text === 'string') assert.equal(answer.text, text);
  else if (text !== undefined) assert.match(answer.text, text);
  return answer.details;
};

export const publish = async (
  context: Context,
  data: string | Buffer,
  more: Json = {},
): Promise<GrpcAnswer> =>
  context.grpc.call('PublishEvent', {
    pubsub_name: context.component,
    topic: context.topic(),
    data: Buffer.from(data),
    ...more,
  });

export const bulk = async (
  context: Context,
  entries: readonly Json[],
  more: Json = {},
  // The stable name came with 1.17; the older one is answered by every release.
  method = context.names.isNewer ? 'BulkPublishEvent' : 'BulkPublishEventAlpha1',
): Promise<GrpcAnswer> =>
  context.grpc.call(method, {
    pubsub_name: context.component,
    topic: context.topic(),
    entries: entries.map((entry) => ({ content_type: 'text/plain', ...entry })),
    ...more,
  });

export const info = (details: readonly Json[]): Json => {
  const found = details.find(({ type }) => type === 'ErrorInfo');
  assert.ok(found, 'there is no ErrorInfo');
  return found;
};

/** Opens a stream of the case's topic and waits until it is served. */
export const opened = async (
  context: Context,
  more: Json = {},
  side: GrpcSide = context.grpc,
): Promise<GrpcStream> => {
  const stream = side.stream();
  stream.send({ initial_request: { pubsub_name: context.component, topic: context.topic(), ...more } });
  const first = await context.within(stream.next(), 'the first message of the stream');
  assert.equal(went(first)['kind'], 'initial_response');
  return stream;
};

export const nextEvent = async (context: Context, stream: GrpcStream): Promise<Json> => {
  const reply = went(await context.within(stream.next(), 'an event on the stream'));
  return objectOf(reply['event_message']);
};

export const say = (stream: GrpcStream, event: Json, status: number): void =>
  stream.send({ event_processed: { id: event['id'], status: { status } } });

export const textOf = (event: Json): string => {
  const { data } = event;
  assert.ok(Buffer.isBuffer(data), 'there are no bytes');
  return data.toString('utf8');
};

/** Answers the next `count` events of a stream with SUCCESS; their data, in the order of arrival. */
export const takeAll = async (
  context: Context,
  stream: GrpcStream,
  count: number,
): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const event = await nextEvent(context, stream);
    texts.push(textOf(event));
    say(stream, event, 0);
  }
  return texts;
};

/** Whether the metadata list a subscription of the case's topic. */
export const isListed = async (context: Context): Promise<boolean> => {
  const reply = went(await context.grpc.call('GetMetadata', {}));
  return listOf(reply['subscriptions']).some((each) => objectOf(each)['topic'] === context.topic());
};
