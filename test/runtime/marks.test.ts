/** Notes and tags that a person gives messages: what they take of the memory for unfinished messages. */
import { expect, test } from 'vitest';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const NOTE = 'n'.repeat(10_000);
const TAGS = Array.from({ length: 50 }, (_, n) => `${'t'.repeat(98)}${n}`);

/** Memory for a good hundred messages with such a note, and deliveries that wait for a person. */
async function holding(): Promise<Stand> {
  const stand = await started(
    { journal: new LastingJournal({ durable: true }), backlogMemoryBytes: 3_000_000 },
    (it) => subscribe(it, { topic: 'orders', route: '/orders' }),
  );
  await stand.runtime.holds.add({ at: 'delivery', filter: '' });
  return stand;
}

async function publishSome(stand: Stand, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await stand.publish('orders', n));
  return ids;
}

/** How many messages took the marks, and why the next one did not. */
async function markAll(
  stand: Stand,
  ids: readonly string[],
  marks: object,
): Promise<{ taken: number; refusal?: unknown }> {
  for (const [taken, id] of ids.entries()) {
    try {
      await stand.runtime.marks.update(id, marks);
    } catch (refusal) {
      return { taken, refusal };
    }
  }
  return { taken: ids.length };
}

test.each([
  ['notes', { note: NOTE }],
  ['tags', { tags: TAGS }],
])('%s of unfinished messages are refused where there is no memory for them', async (_, marks) => {
  const stand = await holding();
  const ids = await publishSome(stand, 250);
  const { taken, refusal } = await markAll(stand, ids, marks);
  expect(refusal).toMatchObject({
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    params: { reason: expect.stringContaining('memory') },
  });
  expect(taken).toBeGreaterThan(50);
  expect(taken).toBeLessThan(200);
  // A shorter note, a pin and the end of what waits need no memory.
  const [first = '', refused = ''] = [ids[0], ids[taken]];
  await stand.runtime.marks.update(first, { note: 'short', tags: [] });
  await stand.runtime.marks.update(refused, { pinned: true });
  await stand.runtime.deliveryActions.drop({ filter: 'state:held' });
  await stand.settle();
  expect(await markAll(stand, ids, marks)).toEqual({ taken: 250 });
});
