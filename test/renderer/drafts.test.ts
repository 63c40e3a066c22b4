/** Drafts of the publish screens: tabs, and where they are kept: by the browser, and by the host over its restart. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RpcClient } from '../../renderer/client/rpc-client.ts';
import { createDrafts, EMPTY_SINGLE } from '../../renderer/state/publish-drafts.ts';
import type { Keep } from '../../renderer/state/ui.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function memoryKeep(): Keep {
  const all = new Map<string, string>();
  return { getItem: (key) => all.get(key) ?? null, setItem: (key, value) => void all.set(key, value) };
}

/** A host that keeps what it is given; `savedAt` counts. */
function hostOf(): { readonly call: RpcClient['call']; readonly kept: () => unknown } {
  let kept: { drafts: unknown; savedAt: string | null } = { drafts: null, savedAt: null };
  let n = 0;
  const answers = {
    'drafts.get': () => structuredClone(kept),
    'drafts.set': ({ drafts }: { readonly drafts: unknown }) => {
      n += 1;
      kept = { drafts: structuredClone(drafts), savedAt: `2026-01-01T00:00:0${String(n)}.000Z` };
      return { savedAt: kept.savedAt };
    },
  };
  const call = async (method: keyof typeof answers, params: never): Promise<unknown> =>
    answers[method](params);
  // The two methods that drafts call, by their names.
  return { call: call as unknown as RpcClient['call'], kept: () => kept.drafts };
}

describe('tabs', () => {
  test('are opened, chosen, closed; the last one is emptied', () => {
    const drafts = createDrafts(undefined);
    const now = (): string => drafts.store.getState().single.topic;
    drafts.editSingle({ topic: 'a' });
    drafts.open();
    drafts.editSingle({ topic: 'b' });
    drafts.open({ ...EMPTY_SINGLE, topic: 'c' });
    const [first, second, third] = drafts.store.getState().tabs;
    expect(drafts.store.getState().tabs.map(({ draft }) => draft.topic)).toEqual(['a', 'b', 'c']);
    drafts.choose(first?.id ?? 0);
    expect(now()).toBe('a');
    expect(drafts.close(second?.id ?? 0)?.topic).toBe('b');
    expect(now()).toBe('a');
    drafts.close(first?.id ?? 0);
    expect(now()).toBe('c');
    drafts.close(third?.id ?? 0);
    expect(drafts.store.getState().tabs).toHaveLength(1);
    expect(now()).toBe('');
    expect(drafts.close(12345)).toBeUndefined();
  });

  test('there are at most twenty', () => {
    const drafts = createDrafts(undefined);
    for (let n = 0; n < 30; n += 1) drafts.open();
    expect(drafts.store.getState().tabs).toHaveLength(20);
  });

  test('a single draft of an older build is the first tab', () => {
    const keep = memoryKeep();
    keep.setItem('sidelight.drafts', JSON.stringify({ single: { topic: 'old', data: 'x' } }));
    expect(createDrafts(keep).store.getState()).toMatchObject({
      single: { topic: 'old', data: 'x' },
      tabs: [{ draft: { topic: 'old' } }],
    });
  });
});

describe('the host', () => {
  test('gives its drafts to a browser that has none, in their tabs', async () => {
    const host = hostOf();
    const one = createDrafts(memoryKeep());
    one.connect(host.call);
    one.editSingle({ topic: 'a' });
    one.open({ ...EMPTY_SINGLE, topic: 'b' });
    one.editBulk({ topic: 'many' });
    await vi.advanceTimersByTimeAsync(1000);
    const other = createDrafts(memoryKeep());
    other.connect(host.call);
    await vi.advanceTimersByTimeAsync(1000);
    expect(other.store.getState()).toMatchObject({
      tabs: [{ draft: { topic: 'a' } }, { draft: { topic: 'b' } }],
      single: { topic: 'b' },
      bulk: { topic: 'many' },
    });
  });

  test('keeps a draft that was written without a connection, and gets it sent', async () => {
    const host = hostOf();
    const keep = memoryKeep();
    const before = createDrafts(keep);
    before.connect(host.call);
    before.editSingle({ topic: 'a' });
    await vi.advanceTimersByTimeAsync(1000);
    const away = createDrafts(keep);
    away.editSingle({ topic: 'newer' });
    away.dispose();
    const again = createDrafts(keep);
    again.connect(host.call);
    await vi.advanceTimersByTimeAsync(1000);
    expect(again.store.getState().single.topic).toBe('newer');
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'newer' } }] });
  });

  test('gets no drafts over its limit, which is reported', async () => {
    const host = hostOf();
    const drafts = createDrafts(memoryKeep());
    drafts.connect(host.call);
    await vi.advanceTimersByTimeAsync(1000);
    drafts.editSingle({ data: 'x'.repeat(7 * 1024 * 1024) });
    await vi.advanceTimersByTimeAsync(1000);
    expect(drafts.store.getState().isTooLong).toBe(true);
    expect(host.kept()).toBeNull();
    drafts.editSingle({ data: 'x' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(drafts.store.getState().isTooLong).toBe(false);
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { data: 'x' } }] });
  });

  test('gets no drafts over those of another window until one of both is chosen', async () => {
    const host = hostOf();
    const windows = [createDrafts(memoryKeep()), createDrafts(memoryKeep())] as const;
    const [one, other] = windows;
    for (const each of windows) each.connect(host.call);
    await vi.advanceTimersByTimeAsync(1000);
    one.editSingle({ topic: 'a' });
    await vi.advanceTimersByTimeAsync(1000);
    other.editSingle({ topic: 'b' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'a' } }] });
    expect(other.store.getState()).toMatchObject({
      single: { topic: 'b' },
      elsewhere: { tabs: [{ draft: { topic: 'a' } }] },
    });
    other.takeOthers();
    await vi.advanceTimersByTimeAsync(1000);
    const both = [{ draft: { topic: 'b' } }, { draft: { topic: 'a' } }];
    expect(other.store.getState()).toMatchObject({ tabs: both, elsewhere: undefined });
    expect(host.kept()).toMatchObject({ tabs: both });
    one.editSingle({ topic: 'a2' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(one.store.getState().elsewhere).toBeDefined();
    one.keepOwn();
    await vi.advanceTimersByTimeAsync(1000);
    expect(one.store.getState()).toMatchObject({ tabs: [{ draft: { topic: 'a2' } }], elsewhere: undefined });
    expect((host.kept() as { tabs: unknown[] }).tabs).toHaveLength(1);
  });

  test('the same drafts in two windows are nothing to choose between', async () => {
    const host = hostOf();
    const windows = [createDrafts(memoryKeep()), createDrafts(memoryKeep())] as const;
    for (const each of windows) each.connect(host.call);
    await vi.advanceTimersByTimeAsync(1000);
    for (const each of windows) {
      each.editSingle({ topic: 'a' });
      await vi.advanceTimersByTimeAsync(1000);
      expect(each.store.getState().elsewhere).toBeUndefined();
    }
  });
});
