/** Which field of a form a refusal of the host belongs to. */
import { expect, test } from 'vitest';
import { RpcFailure } from '../../renderer/client/rpc-client.ts';
import { isOfField, wordsAt } from '../../renderer/components/use-refused.ts';
import { PUBLISH } from '../../renderer/copy/publish.ts';

test.each([
  ['maskPaths', 'maskPaths', true],
  ['maskPaths', 'maskPaths[0]', true],
  ['retryPolicy', 'retryPolicy.maxDeliveryAttempts', true],
  ['name', 'names', false],
  ['name', undefined, false],
])('%s has a refusal of %s: %s', (field, named, is) => expect(isOfField(field, named)).toBe(is));

test('a topic that is missing is asked for as the form for a publish asks for it', () => {
  const missing = { code: 'ERR_TOPIC_EMPTY', field: 'topic', expected: 'a topic' };
  expect(wordsAt(new RpcFailure('topic is empty in pubsub pubsub', missing))).toBe(PUBLISH.noTopic);
  const other = { code: 'INVALID_PARAMS', field: 'topic', expected: 'text' };
  expect(wordsAt(new RpcFailure('topic must be text', other))).toBe('Use text.');
});
