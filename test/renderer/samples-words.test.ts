/** Words about the added samples. */
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { addedText } from '../../renderer/format/samples-words.ts';
import { removeSamples } from '../../renderer/keys/frame-commands.ts';
import { RpcFailure } from '../../renderer/client/rpc-client.ts';
import type { Console } from '../../renderer/state/console.ts';

test('each kind of sample is counted, and other entries are named', () => {
  expect(
    addedText([
      'subscription payments',
      'subscription refunds',
      'answer Sample: never answers',
      'answer Sample: fails twice, then succeeds',
      'retry policy pubsub/payments',
      'hold sample-hold',
    ]),
  ).toBe('2 subscriptions, 2 mock answers, 1 retry policy, 1 hold');
  expect(addedText(['15 messages', 'hold sample-hold'])).toBe('15 messages, 1 hold');
  expect(addedText([])).toBe('nothing');
});

test('removing samples says what the host removed, and that there were none', async () => {
  const said: unknown[] = [];
  const reopened: unknown[] = [];
  const consoleThatRemoves = (removed: readonly string[]): Console =>
    ({
      acting: { run: async (_id: string, work: () => Promise<unknown>) => void said.push(await work()) },
      call: () => Promise.resolve({ removed }),
      ui: { setState: () => undefined },
      navigation: { param: () => undefined, store: createStore(() => ({ path: '/messages' })) },
      messages: { reopen: (at: unknown) => void reopened.push(at) },
    }) as unknown as Console;
  await removeSamples(consoleThatRemoves([]));
  expect(said).toEqual(['There is no sample data.']);
  expect(reopened).toEqual([]);
  await removeSamples(consoleThatRemoves(['hold x']));
  expect(said.at(-1)).toContain('hold');
  expect(reopened).toHaveLength(1);
});

test.each([
  ['/messages', 1],
  ['/recordings', 0],
])('removing samples on %s closes the open message %i times', async (path, times) => {
  const change = vi.fn<Console['navigation']['change']>();
  const call = vi.fn<(method: string) => Promise<unknown>>(async (method) => {
    if (method === 'samples.remove') return { removed: ['hold x'] };
    throw new RpcFailure('There is no such message.', { code: 'NOT_FOUND' });
  });
  await removeSamples({
    acting: { run: async (_id: string, work: () => Promise<unknown>) => void (await work()) },
    call,
    ui: { setState: () => undefined },
    navigation: { param: () => 'm1', change, store: createStore(() => ({ path })) },
    messages: { reopen: () => undefined },
  } as unknown as Console);
  expect(change).toHaveBeenCalledTimes(times);
});
