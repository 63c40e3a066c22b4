/** Requests in a gRPC app's reply to a binding's event, which are not supported: logged once for each app and binding. */
import { expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import type { ReceivedAnswer } from '../../core/ports/app-channel.ts';
import { BindingReplies } from '../../core/runtime/delivering/binding-reply.ts';

const reply = (body: unknown, protocol: 'grpc' | 'http' = 'grpc'): ReceivedAnswer => ({
  kind: 'response',
  protocol,
  status: 0,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});

function stand(): {
  readonly lines: string[];
  readonly saw: (answer: ReceivedAnswer, binding?: string) => void;
} {
  const lines: string[] = [];
  const log = { write: (_level: string, _part: string, text: string) => void lines.push(text) };
  const replies = new BindingReplies({ log, codec: bufferCodec } as never);
  const saw = (answer: ReceivedAnswer, pubsubname = 'tick'): void =>
    replies.look(
      { appId: 'checkout', deliveryId: 'd', subscription: { pubsubname, topic: '', source: 'binding' } },
      answer,
    );
  return { lines, saw };
}

test('a reply with further bindings and data is logged once for each binding', () => {
  const { lines, saw } = stand();
  saw(reply({ to: ['a'], data: 'eA==' }));
  saw(reply({ to: ['a'], data: 'eA==' }));
  saw(reply({ to: [], data: 'eA==' }), 'other');
  expect(lines).toEqual([
    'App checkout answered an event of binding tick with to and data, which has no effect here: no further binding is invoked.',
    'App checkout answered an event of binding other with data, which has no effect here: no further binding is invoked.',
  ]);
});

test('a reply that asks for nothing, or over HTTP, is not logged', () => {
  const { lines, saw } = stand();
  saw(reply({ to: [], data: '' }));
  saw(reply({ to: ['a'] }, 'http'));
  saw({ kind: 'none', code: 'timeout', message: '' });
  expect(lines).toEqual([]);
});

test('a reply with more values than other answers may have is not read', () => {
  const { lines, saw } = stand();
  saw(reply({ to: ['a'], data: 'eA==', more: Array.from({ length: 400_000 }, () => 0) }));
  expect(lines).toEqual([]);
});
