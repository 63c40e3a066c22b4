/** An app that answers again is news where it has left messages parked, once for the same ones. */
import { expect, test, vi } from 'vitest';
import type { RuntimeChanged } from '../../core/contract/console.ts';
import { watchBackAgain, type Found } from '../../renderer/state/back-again.ts';
import { createConnectionStore } from '../../renderer/state/connection.ts';
import { deliveryIn, rowNamed } from './samples.ts';

type Channel = RuntimeChanged['health'][number]['channel'];

/** Messages with a parked delivery to the app shop. */
function parked(...ids: readonly string[]): Found {
  const items = ids.map((messageId) =>
    rowNamed(messageId, { deliveries: [deliveryIn('parked', { appId: 'shop' })] }),
  );
  return { items, total: items.length, nextCursor: null };
}

function watched(found: (cursor?: string) => Found | undefined) {
  const connection = createConnectionStore({ status: 'open' });
  const news = vi.fn<(text: string, action?: { title: string; run: () => void }) => void>();
  const go = vi.fn<(path: string, params?: Readonly<Record<string, string | undefined>>) => void>();
  const find = vi.fn<(filter: string, limit: number, cursor?: string) => Promise<Found | undefined>>(
    async (_filter, _limit, cursor) => found(cursor),
  );
  const stop = watchBackAgain({ connection, toasts: { news }, navigation: { go }, find });
  const tell = async (...channels: readonly Channel[]): Promise<void> => {
    const health = channels.map((channel) => ({ appId: 'shop', healthy: true, channel }));
    connection.setState({ runtime: { health } as unknown as RuntimeChanged });
    await Promise.resolve();
  };
  const restart = async (): Promise<void> => {
    await tell('not-reachable');
    await tell('unknown');
    await tell('answering');
  };
  return { news, go, find, stop, tell, restart };
}

test('the parked messages of an app that is back are named, with the way to them', async () => {
  const { news, go, restart, stop } = watched(() => parked('m1'));
  await restart();
  await vi.waitFor(() => expect(news).toHaveBeenCalledOnce());
  const [text, action] = news.mock.calls[0] ?? [];
  expect(text).toBe('App shop is back. 1 parked message waits for you.');
  expect(action?.title).toBe('Show them');
  action?.run();
  expect(go).toHaveBeenCalledWith('/messages', { f: 'app:shop state:parked' });
  stop();
});

test('the same messages are not told again, and others are', async () => {
  let found = parked('m1');
  const { news, find, restart, stop } = watched(() => found);
  await restart();
  await restart();
  await vi.waitFor(() => expect(find).toHaveBeenCalledTimes(2));
  expect(news).toHaveBeenCalledOnce();
  found = parked('m2', 'm1');
  await restart();
  await vi.waitFor(() => expect(news).toHaveBeenCalledTimes(2));
  stop();
});

test('nothing is told without parked messages, or while an instance of the app is away', async () => {
  const { news, find, tell, restart, stop } = watched(() => parked());
  await tell('answering');
  await tell('not-reachable', 'answering');
  await tell('answering', 'not-reachable');
  expect(find).not.toHaveBeenCalled();
  await restart();
  await vi.waitFor(() => expect(find).toHaveBeenCalledOnce());
  expect(news).not.toHaveBeenCalled();
  stop();
});

test('messages that the app published, and that are parked at another app, are not told', async () => {
  const elsewhere = [deliveryIn('parked', { appId: 'mail' }), deliveryIn('processed', { appId: 'shop' })];
  let found: Found = {
    ...parked(),
    items: [rowNamed('m1', { appId: 'shop', deliveries: elsewhere })],
    total: 1,
  };
  const { news, find, restart, stop } = watched(() => found);
  await restart();
  await vi.waitFor(() => expect(find).toHaveBeenCalledOnce());
  expect(news).not.toHaveBeenCalled();
  found = { items: [...parked('m2').items, ...found.items], total: 900, nextCursor: 'more' };
  await restart();
  await vi.waitFor(() => expect(news).toHaveBeenCalledOnce());
  expect(news.mock.calls[0]?.[0]).toBe('App shop is back. At least 1 parked message waits for you.');
  stop();
});

test('older messages are read where none of the newest is parked at this app, in five parts at most', async () => {
  const elsewhere = [deliveryIn('parked', { appId: 'mail' })];
  const none = { items: [rowNamed('m1', { appId: 'shop', deliveries: elsewhere })], total: 900 };
  let after = 3;
  const { news, find, restart, stop } = watched((cursor = '0') =>
    Number(cursor) < after
      ? { ...none, nextCursor: String(Number(cursor) + 1) }
      : { ...parked('m2'), total: 900, nextCursor: 'more' },
  );
  await restart();
  await vi.waitFor(() => expect(news).toHaveBeenCalledOnce());
  expect(news.mock.calls[0]?.[0]).toBe('App shop is back. At least 1 parked message waits for you.');
  expect(find.mock.calls.map(([, , cursor]) => cursor)).toEqual([undefined, '1', '2', '3']);
  after = 100;
  await restart();
  await vi.waitFor(() => expect(find).toHaveBeenCalledTimes(9));
  expect(news).toHaveBeenCalledOnce();
  stop();
});

test('the number of a last part that has all of them is exact', async () => {
  const { news, restart, stop } = watched((cursor) =>
    cursor === undefined
      ? { ...parked(), total: 201, nextCursor: '1' }
      : { ...parked('m2'), total: 201, nextCursor: null },
  );
  await restart();
  await vi.waitFor(() => expect(news).toHaveBeenCalledOnce());
  expect(news.mock.calls[0]?.[0]).toBe('App shop is back. 1 parked message waits for you.');
  stop();
});
