/** How a call over gRPC that failed becomes the answer of an attempt. */
import { Metadata } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { grpcCode } from '../../core/contract/grpc.ts';
import { broken } from '../../core/adapters/grpc-app-channel/answers.ts';

function lost(details: string): ReturnType<typeof broken> {
  const error: ServiceError = Object.assign(new Error(details), {
    code: grpcCode('UNAVAILABLE'),
    details,
    metadata: new Metadata(),
  });
  return broken(error, { headers: undefined, timeoutMs: 1000, waitMs: 1 });
}

test.each([
  ['connect ECONNREFUSED 127.0.0.1:1. Resolution note: ', 'connect ECONNREFUSED 127.0.0.1:1.'],
  ['connect ECONNREFUSED. Resolution note: no address', 'connect ECONNREFUSED. Resolution note: no address'],
  ['connect failed ', 'connect failed '],
])('the text %j of a lost call is told as %j', (details, message) => {
  expect(lost(details)).toMatchObject({ kind: 'none', message });
});

test('a text of two million blanks is read at once', () => {
  const details = `a${' '.repeat(2_000_000)}b`;
  expect(lost(details)).toMatchObject({ kind: 'none', message: details });
});
