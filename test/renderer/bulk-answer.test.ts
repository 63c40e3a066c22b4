/** What the form for many messages says after its request. */
import { expect, test } from 'vitest';
import type { RpcClient } from '../../renderer/client/rpc-client.ts';
import { BULK } from '../../renderer/copy/publish.ts';
import type { EntryDraft } from '../../renderer/state/publish-drafts.ts';
import { batchOf, withResults } from '../../renderer/views/publish/use-bulk-publish.ts';

const entry = (id: number, entryId: string): EntryDraft => ({
  id,
  entryId,
  contentType: 'application/json',
  event: '{}',
});

test('an entry that is changed, or gets the id of another one, has not been published', () => {
  const [one, two] = [entry(1, '1'), entry(2, '2')];
  const results = withResults(new Map(), [one, two], new Map([['2', 'no room']]), [one, two]);
  expect(results.get(one)).toEqual({ ok: true, text: BULK.published });
  expect(results.get(two)).toEqual({ ok: false, text: 'no room' });
  expect(results.get({ ...one, event: '{"other":1}' })).toBeUndefined();
  expect(results.get(entry(3, '1'))).toBeUndefined();
});

test('the results of an earlier request for other entries stay', () => {
  const [one, two] = [entry(1, '1'), entry(2, '2')];
  const first = withResults(new Map(), [one, two], new Map([['2', 'no room']]), [one, two]);
  const again = withResults(first, [two], new Map(), [one, two]);
  expect([again.get(one)?.ok, again.get(two)?.ok]).toEqual([true, true]);
});

test('the results of entries that the form no longer has are forgotten', () => {
  const [one, two] = [entry(1, '1'), entry(2, '2')];
  const first = withResults(new Map(), [one, two], new Map(), [one, two]);
  const changed = { ...one, event: '{"other":1}' };
  const again = withResults(first, [changed], new Map(), [changed, two]);
  expect([...again.keys()]).toEqual([two, changed]);
});

test('messages whose batch cannot be read any more are published all the same', async () => {
  const call = (() => Promise.reject(new Error('There is no message msg_1.'))) as RpcClient['call'];
  expect(await batchOf(call, ['msg_1', 'msg_2'])).toBeUndefined();
  expect(await batchOf(call, [])).toBeUndefined();
});
