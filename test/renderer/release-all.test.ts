/** The release of everything that is held counts what another hold has caught since, wherever it was held before. */
import { expect, test } from 'vitest';
import type { RpcClient } from '../../renderer/client/rpc-client.ts';
import { createHolds } from '../../renderer/state/holds.ts';

interface Held {
  readonly deliveryId?: string;
  readonly since: string;
  readonly row: { readonly messageId: string };
}

/** A host whose queue is `before`, and `after` once something was released. */
function hostWith(before: readonly Held[], after: readonly Held[]): RpcClient {
  let isReleased = false;
  const call = (method: string, { deliveryIds = ['one'] }: { deliveryIds?: string[] }): unknown => {
    const items = isReleased ? after : before;
    if (method === 'holds.queue') return { items, nextCursor: null, total: items.length };
    isReleased = true;
    return { changed: deliveryIds.length };
  };
  return { call: (...asked: Parameters<typeof call>) => Promise.resolve(call(...asked)) } as RpcClient;
}

const [first, then] = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:01.000Z'];
const atPublish = { since: first, row: { messageId: 'msg_1' } };
const atDelivery = { deliveryId: 'dlv_2', since: first, row: { messageId: 'msg_2' } };

test('a message that was held at its publish is held again once a hold has its delivery', async () => {
  const again = { deliveryId: 'dlv_1', since: then, row: { messageId: 'msg_1' } };
  const holds = createHolds(hostWith([atPublish], [again]));
  expect(await holds.releaseAll(1)).toEqual({ released: 1, again: 1 });
});

test('two deliveries of a published message are one message that is held again', async () => {
  const both = ['dlv_1', 'dlv_3'].map((deliveryId) => ({
    deliveryId,
    since: then,
    row: { messageId: 'msg_1' },
  }));
  const holds = createHolds(hostWith([atPublish], both));
  expect(await holds.releaseAll(1)).toEqual({ released: 1, again: 1 });
});

test('a delivery is held again if it has a new time, and what came meanwhile is not', async () => {
  const came = { deliveryId: 'dlv_9', since: then, row: { messageId: 'msg_9' } };
  const again = createHolds(hostWith([atDelivery], [{ ...atDelivery, since: then }, came]));
  expect(await again.releaseAll(1)).toEqual({ released: 1, again: 1 });
  const gone = createHolds(hostWith([atDelivery], [came]));
  expect(await gone.releaseAll(1)).toEqual({ released: 1, again: 0 });
});
