/** What an app may answer instead of an array of subscriptions. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';

test.each([
  ['hello', 'failed', 'The answer must be an array of subscriptions, found text that is not JSON.'],
  [' ', 'failed', 'The answer must be an array of subscriptions, found nothing.'],
  ['null', 'done', undefined],
] as const)('the answer %j: %s', async (body, state, error) => {
  const stand = await started({}, (it) => {
    it.app.discoveryAnswers.push({ body });
  });
  expect(stand.runtime.apps()[0]?.discovery).toMatchObject({ state, count: 0 });
  expect(stand.runtime.apps()[0]?.discovery.error).toBe(error);
  expect(stand.runtime.apps()[0]?.problems.map(({ message }) => message)).toEqual(
    error === undefined ? [] : [error],
  );
});
