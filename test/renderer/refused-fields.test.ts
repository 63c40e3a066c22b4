/** Which field of a form a refusal of the host belongs to. */
import { expect, test } from 'vitest';
import { isOfField } from '../../renderer/components/use-refused.ts';

test.each([
  ['maskPaths', 'maskPaths', true],
  ['maskPaths', 'maskPaths[0]', true],
  ['retryPolicy', 'retryPolicy.maxDeliveryAttempts', true],
  ['name', 'names', false],
  ['name', undefined, false],
])('%s has a refusal of %s: %s', (field, named, is) => expect(isOfField(field, named)).toBe(is));
