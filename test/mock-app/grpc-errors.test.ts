/** Errors that rules of a mock app answer over gRPC: their text travels in the headers of the answer, whatever it is. */
import { expect, onTestFinished, test } from 'vitest';
import { createGrpcAppChannel } from '../../core/adapters/grpc-app-channel/channel.ts';
import { APP_METHODS } from '../../core/contract/grpc.ts';
import { openMockApp } from '../support/mock-app-parts.ts';

/** Status and text of the answer to an event, where the rule answers 500 with this body. */
async function answerWith(body: string): Promise<{ readonly status: unknown; readonly text: string }> {
  const app = await openMockApp({ protocol: 'grpc' });
  app.setRules([{ enabled: true, match: {}, answer: { kind: 'respond', status: 500, body } }]);
  const channel = createGrpcAppChannel({ url: app.url });
  onTestFinished(() => channel.close());
  const event = {
    id: '1',
    source: 's',
    type: 't',
    spec_version: '1.0',
    data_content_type: 'application/json',
    topic: 'orders',
    data: '{}',
    pubsub_name: 'pubsub',
    path: '/orders',
    extensions: {},
  };
  const answer = await channel.deliver({
    path: APP_METHODS.onTopicEvent,
    headers: {},
    body: '',
    message: { kind: 'event', event },
    timeoutMs: 10_000,
  }).answer;
  if (answer.kind !== 'response') return { status: answer.code, text: answer.message };
  return { status: answer.status, text: String(Buffer.from(answer.body ?? [])) };
}

test.each([
  ['plain', 'no such order', 'no such order'],
  ['of two lines', 'one\r\ntwo', 'one\r\ntwo'],
  ['with half a character', 'a\ud800b', 'a\ufffdb'],
  ['of 4 KiB', 'x'.repeat(4096), 'x'.repeat(4096)],
  ['of 100,000 characters', 'x'.repeat(100_000), `${'x'.repeat(4087)}…`],
  ['of 100,000 characters beyond ASCII', '日'.repeat(100_000), `${'日'.repeat(454)}…`],
  ['of 100,000 blanks in an error', `a${' '.repeat(100_000)}`, `a${' '.repeat(1362)}…`],
  ['of 100,000 characters in two halves', '😀'.repeat(50_000), `${'😀'.repeat(340)}…`],
])('a text %s arrives with the code', async (_name, body, text) => {
  expect(await answerWith(body)).toEqual({ status: 13, text });
});
