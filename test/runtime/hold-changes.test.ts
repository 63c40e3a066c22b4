/** Holds that are changed: members that go, and "the next n" that counts again. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';

test('optional members of a hold can be removed, and its count starts when it is set', async () => {
  const stand = await started();
  const hold = await stand.runtime.holds.add({ at: 'delivery', filter: '', name: 'one', times: 1 });
  const states = async (): Promise<readonly string[]> => stand.states(await stand.publish('orders'));
  expect([await states(), await states()]).toEqual([['held'], ['processed']]);
  expect(await stand.runtime.holds.update(hold.holdId, { name: null })).toMatchObject({ hits: 1, times: 1 });
  expect(await states()).toEqual(['processed']);
  expect(await stand.runtime.holds.update(hold.holdId, { times: 1 })).not.toHaveProperty('name');
  expect([await states(), await states()]).toEqual([['held'], ['processed']]);
  await stand.runtime.holds.update(hold.holdId, { enabled: false });
  await stand.runtime.holds.update(hold.holdId, { enabled: true });
  expect([await states(), await states()]).toEqual([['held'], ['processed']]);
  const free = await stand.runtime.holds.update(hold.holdId, { times: null });
  expect(free).toEqual({ at: 'delivery', filter: '', enabled: true, holdId: hold.holdId, hits: 1 });
  expect([await states(), await states()]).toEqual([['held'], ['held']]);
});
