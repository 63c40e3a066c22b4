/** Which refusals of a NATS server no repeat changes. */
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { isForGoodRefusal } from '../../core/adapters/jetstream/for-good.ts';

const answer = (code: number, err_code: number, description: string): Error =>
  new JetStreamApiError({ code, err_code, description });

test.each([
  ['larger than the stream takes', answer(400, 10_054, 'message size exceeds maximum allowed')],
  ['headers larger than the server takes', answer(400, 10_097, 'header size exceeds maximum allowed of 64k')],
  ['a sealed stream', answer(400, 10_109, 'invalid operation on sealed stream')],
  [
    'larger than the server takes',
    errors.InvalidArgumentError.format('payload', 'max_payload size exceeded'),
  ],
])('a publish is refused for good: %s', (_, error) => {
  expect(isForGoodRefusal(error)).toBe(true);
});

test.each([
  ['a full stream', answer(503, 10_077, 'maximum messages exceeded')],
  ['a stream that is gone', answer(404, 10_059, 'stream not found')],
  ['no answer', new Error('Cannot reach NATS at localhost: timeout')],
])('a refusal that may pass is not for good: %s', (_, error) => {
  expect(isForGoodRefusal(error)).toBe(false);
});
