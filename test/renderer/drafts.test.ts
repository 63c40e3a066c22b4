/** Drafts of the publish screens: tabs, and where they are kept: by the browser, and by the host over its restart. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RpcClient } from '../../renderer/client/rpc-client.ts';
import { createDrafts, EMPTY_SINGLE, MAX_TABS, type Drafts } from '../../renderer/state/publish-drafts.ts';
import type { Keep } from '../../renderer/state/ui.ts';
import { hostOf } from './drafts-host.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function memoryKeep(): Keep {
  const all = new Map<string, string>();
  return { getItem: (key) => all.get(key) ?? null, setItem: (key, value) => void all.set(key, value) };
}

/** Waits longer than every pause before a save. */
const pause = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000);

type Host = ReturnType<typeof hostOf>;

/** A window of a browser that has the drafts of the host. */
async function windowOf(host: Host, keep = memoryKeep()): Promise<Drafts> {
  const drafts = createDrafts(keep);
  drafts.connect(host.call);
  await pause();
  return drafts;
}

/** Two windows, each with a browser of its own, which both know that the host has no drafts. */
async function emptyWindows(call: RpcClient['call']): Promise<readonly [Drafts, Drafts]> {
  const windows = [createDrafts(memoryKeep()), createDrafts(memoryKeep())] as const;
  for (const each of windows) each.connect(call);
  await pause();
  return windows;
}

/** Both windows change the topic, one after the other. */
async function editBoth(first: Drafts, second: Drafts): Promise<void> {
  first.editSingle({ topic: 'theirs' });
  await pause();
  second.editSingle({ topic: 'mine' });
  await pause();
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
    await pause();
    const other = await windowOf(host);
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
    await pause();
    const away = createDrafts(keep);
    away.editSingle({ topic: 'newer' });
    away.dispose();
    const again = await windowOf(host, keep);
    expect(again.store.getState().single.topic).toBe('newer');
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'newer' } }] });
  });

  test('gets no drafts over its limit, which is reported', async () => {
    const host = hostOf();
    const drafts = await windowOf(host);
    drafts.editSingle({ data: 'x'.repeat(7 * 1024 * 1024) });
    await pause();
    expect(drafts.store.getState().isTooLong).toBe(true);
    expect(host.kept()).toBeNull();
    drafts.editSingle({ data: 'x' });
    await pause();
    expect(drafts.store.getState().isTooLong).toBe(false);
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { data: 'x' } }] });
  });

  test('gets the drafts again that it no longer has', async () => {
    const keep = memoryKeep();
    const drafts = createDrafts(keep);
    drafts.connect(hostOf().call);
    drafts.editSingle({ topic: 'a' });
    await pause();
    const next = hostOf();
    drafts.connect(next.call);
    await pause();
    expect(next.kept()).toMatchObject({ tabs: [{ draft: { topic: 'a' } }] });
    const later = hostOf();
    createDrafts(keep).connect(later.call);
    await pause();
    expect(later.kept()).toMatchObject({ tabs: [{ draft: { topic: 'a' } }] });
  });

  test('that no longer has any gets those of one window, and the other one has the choice', async () => {
    const host = hostOf();
    const [one, stale] = [createDrafts(memoryKeep()), createDrafts(memoryKeep())] as const;
    one.connect(host.call);
    one.editSingle({ topic: 'old' });
    await pause();
    stale.connect(host.call);
    await pause();
    one.editSingle({ topic: 'new' });
    await pause();
    const next = hostOf();
    stale.connect(next.call);
    one.connect(next.call);
    await pause();
    expect(one.store.getState()).toMatchObject({
      single: { topic: 'new' },
      elsewhere: { tabs: [{ draft: { topic: 'old' } }] },
    });
  });

  test('gets no drafts that nobody wrote', async () => {
    const host = hostOf();
    createDrafts(memoryKeep()).connect(host.call);
    await pause();
    expect(host.kept()).toBeNull();
  });

  test('gets no drafts over those of another window until one of both is chosen', async () => {
    const host = hostOf();
    const [one, other] = await emptyWindows(host.call);
    one.editSingle({ topic: 'a' });
    await pause();
    other.editSingle({ topic: 'b' });
    await pause();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'a' } }] });
    expect(other.store.getState()).toMatchObject({
      single: { topic: 'b' },
      elsewhere: { tabs: [{ draft: { topic: 'a' } }] },
    });
    other.takeOthers();
    await pause();
    const both = [{ draft: { topic: 'b' } }, { draft: { topic: 'a' } }];
    expect(other.store.getState()).toMatchObject({ tabs: both, elsewhere: undefined });
    expect(host.kept()).toMatchObject({ tabs: both });
    one.editSingle({ topic: 'a2' });
    await pause();
    expect(one.store.getState().elsewhere).toBeDefined();
    one.keepOwn();
    await pause();
    expect(one.store.getState()).toMatchObject({ tabs: [{ draft: { topic: 'a2' } }], elsewhere: undefined });
    expect((host.kept() as { tabs: unknown[] }).tabs).toHaveLength(1);
  });

  test('gets the drafts of two windows that save at the same moment one after the other', async () => {
    const host = hostOf();
    const slow = (async (...asked: Parameters<RpcClient['call']>) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return host.call(...asked);
    }) as RpcClient['call'];
    const windows = await emptyWindows(slow);
    for (const [at, each] of windows.entries()) each.editSingle({ topic: `window ${at}` });
    await pause();
    const [one, other] = windows;
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'window 0' } }] });
    expect(one.store.getState().elsewhere).toBeUndefined();
    expect(other.store.getState().elsewhere).toMatchObject({ tabs: [{ draft: { topic: 'window 0' } }] });
  });

  test('the same drafts in two windows are nothing to choose between', async () => {
    const host = hostOf();
    for (const each of await emptyWindows(host.call)) {
      each.editSingle({ topic: 'a' });
      await pause();
      expect(each.store.getState().elsewhere).toBeUndefined();
    }
  });
});

/** Two windows, each with a browser of its own, of which the second one has drafts by topic. */
async function twoWindows(host: Host, topics: readonly string[] = ['a']): Promise<readonly [Drafts, Drafts]> {
  const windows = [createDrafts(memoryKeep()), createDrafts(memoryKeep())] as const;
  const [, second] = windows;
  second.connect(host.call);
  for (const [at, topic] of topics.entries()) {
    if (at > 0) second.open();
    second.editSingle({ topic });
  }
  await pause();
  windows[0].connect(host.call);
  await pause();
  return windows;
}

const topicsOf = (drafts: Drafts): readonly string[] =>
  drafts.store.getState().tabs.map(({ draft }) => draft.topic);

const entry = (event: string) => ({ id: 1, entryId: '1', contentType: 'text/plain', event });

describe('drafts of two windows that are opened beside each other', () => {
  test('stay at the host while both together are too many, and the note says how many', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host);
    for (let n = 0; n < 12; n += 1) one.open({ ...EMPTY_SINGLE, topic: `one ${n}` });
    for (let n = 0; n < 12; n += 1) other.open({ ...EMPTY_SINGLE, topic: `other ${n}` });
    await pause();
    const late = one.store.getState().elsewhere === undefined ? other : one;
    const before = host.kept();
    late.takeOthers();
    await pause();
    expect(host.kept()).toEqual(before);
    expect(late.store.getState().elsewhere).toMatchObject({ obstacle: { kind: 'tabs', over: 5 } });
    for (const over of [4, 3]) {
      late.close(late.store.getState().tabs[1]?.id ?? 0);
      await pause();
      expect(late.store.getState().elsewhere).toMatchObject({ obstacle: { kind: 'tabs', over } });
    }
    for (const { id } of late.store.getState().tabs.slice(1, 4)) late.close(id);
    await pause();
    expect(late.store.getState().elsewhere?.obstacle).toBeUndefined();
    late.takeOthers();
    await pause();
    expect(topicsOf(late)).toHaveLength(MAX_TABS);
    expect(late.store.getState().elsewhere).toBeUndefined();
  });

  test('stay at the host while both have entries of a bulk list', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host);
    other.editBulk({ topic: 'b', entries: [entry('theirs')] });
    await pause();
    one.editBulk({ topic: 'c', entries: [entry('mine')] });
    await pause();
    one.takeOthers();
    await pause();
    expect(host.kept()).toMatchObject({ bulk: { topic: 'b', entries: [{ event: 'theirs' }] } });
    expect(one.store.getState()).toMatchObject({
      bulk: { entries: [{ event: 'mine' }] },
      elsewhere: { obstacle: { kind: 'bulk' } },
    });
    one.editBulk({ entries: [] });
    await pause();
    one.takeOthers();
    await pause();
    expect(one.store.getState().bulk).toMatchObject({ topic: 'b', entries: [{ event: 'theirs' }] });
  });

  test('have the bulk list of the window that changed it', async () => {
    const host = hostOf();
    const [, other] = await twoWindows(host);
    other.editBulk({ entries: [entry('first')] });
    await pause();
    const third = await windowOf(host);
    other.editBulk({ entries: [entry('second')] });
    await pause();
    third.editSingle({ topic: 'mine' });
    await pause();
    third.takeOthers();
    expect(third.store.getState().bulk).toMatchObject({ entries: [{ event: 'second' }] });
  });

  test('open a draft that both have once, also one with rows of metadata', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host);
    const metadata = { key: 'k', value: 'v' };
    for (const each of [one, other])
      each.open({ ...EMPTY_SINGLE, topic: 'same', metadata: [{ ...metadata, id: each.nextId() }] });
    other.open({ ...EMPTY_SINGLE, topic: 'theirs' });
    await pause();
    const late = one.store.getState().elsewhere === undefined ? other : one;
    late.takeOthers();
    expect(topicsOf(late).filter((topic) => topic === 'same')).toHaveLength(1);
  });
});

describe('drafts that only one of two windows changed', () => {
  test('are saved after the other one looked at another tab', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host, ['a', 'b']);
    other.choose(other.store.getState().tabs[0]?.id ?? 0);
    await pause();
    one.editSingle({ topic: 'typed' });
    await pause();
    expect(one.store.getState().elsewhere).toBeUndefined();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'a' } }, { draft: { topic: 'typed' } }] });
  });

  test('stay at the host when the other one, in which nothing was typed, shows another tab', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host, ['a', 'b']);
    other.editSingle({ topic: 'theirs' });
    await pause();
    one.choose(one.store.getState().tabs[0]?.id ?? 0);
    await pause();
    expect(one.store.getState().elsewhere).toBeUndefined();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'a' } }, { draft: { topic: 'theirs' } }] });
    one.connect(host.call);
    await pause();
    expect(topicsOf(one)).toEqual(['a', 'theirs']);
    expect(one.store.getState().elsewhere).toBeUndefined();
  });

  test('are those of this window after a reload while a save has no answer', async () => {
    const host = hostOf();
    const keep = memoryKeep();
    const before = createDrafts(keep);
    before.connect(host.call);
    before.editSingle({ topic: 'a' });
    await pause();
    const lost = (async (...[method, params]: Parameters<RpcClient['call']>) => {
      const answer = await host.call(method, params);
      if (method === 'drafts.set') throw new Error('connection lost');
      return answer;
    }) as RpcClient['call'];
    before.connect(lost);
    before.open({ ...EMPTY_SINGLE, topic: 'b', metadata: [{ id: before.nextId(), key: 'k', value: 'v' }] });
    await pause();
    expect(host.kept()).toMatchObject({ tabs: [{}, { draft: { topic: 'b' } }] });
    const after = createDrafts(keep);
    after.editSingle({ data: 'typed' });
    after.connect(host.call);
    await pause();
    expect(after.store.getState().elsewhere).toBeUndefined();
    expect(host.kept()).toMatchObject({ tabs: [{}, { draft: { topic: 'b', data: 'typed' } }] });
  });
});

describe('drafts that were typed here and not sent before a reload', () => {
  /** A window that was left with drafts of its own, while another one has saved others. */
  async function reloaded(host: Host, change: (drafts: Drafts, text: string) => void) {
    const keep = memoryKeep();
    const before = createDrafts(keep);
    before.connect(host.call);
    before.editSingle({ topic: 'both' });
    await pause();
    const other = await windowOf(host);
    change(other, 'theirs');
    await pause();
    change(before, 'mine');
    await pause();
    expect(before.store.getState().elsewhere).toBeDefined();
    return () => windowOf(host, keep);
  }

  test('stay here with the note after every reload', async () => {
    const host = hostOf();
    const open = await reloaded(host, (drafts, topic) => drafts.editSingle({ topic }));
    for (let n = 0; n < 3; n += 1) {
      const after = await open();
      expect(topicsOf(after)).toEqual(['mine']);
      expect(after.store.getState().elsewhere).toMatchObject({ tabs: [{ draft: { topic: 'theirs' } }] });
    }
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'theirs' } }] });
  });

  test('keep their bulk list beside that of the other window', async () => {
    const open = await reloaded(hostOf(), (drafts, event) => drafts.editBulk({ entries: [entry(event)] }));
    const after = await open();
    after.takeOthers();
    expect(after.store.getState()).toMatchObject({
      bulk: { entries: [{ event: 'mine' }] },
      elsewhere: { obstacle: { kind: 'bulk' } },
    });
  });
});

describe('the note about another window', () => {
  test('stays when a change is undone here, and nothing of the other window is replaced', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host);
    await editBoth(other, one);
    expect(one.store.getState().elsewhere).toBeDefined();
    one.editSingle({ topic: 'a' });
    await pause();
    expect(one.store.getState().elsewhere).toBeDefined();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'theirs' } }] });
    one.takeOthers();
    await pause();
    expect(topicsOf(one)).toEqual(['a', 'theirs']);
  });

  test('goes when the other window undoes its change', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host);
    await editBoth(other, one);
    expect(one.store.getState().elsewhere).toBeDefined();
    other.editSingle({ topic: 'a' });
    await pause();
    one.editSingle({ data: 'more' });
    await pause();
    expect(one.store.getState().elsewhere).toBeUndefined();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'mine', data: 'more' } }] });
  });

  test('says why they do not fit for as long as they do not, whatever the other window saves', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host);
    other.editBulk({ entries: [entry('theirs')] });
    await pause();
    one.editBulk({ entries: [entry('mine')] });
    await pause();
    one.takeOthers();
    const obstacle = (): unknown => one.store.getState().elsewhere?.obstacle;
    for (const text of ['a', 'ab']) {
      other.editSingle({ data: text });
      await pause();
      one.editSingle({ data: `mine ${text}` });
      await pause();
      expect(obstacle()).toEqual({ kind: 'bulk' });
    }
    other.editBulk({ entries: [] });
    await pause();
    one.editSingle({ data: 'mine' });
    await pause();
    expect(one.store.getState().elsewhere).toBeDefined();
    expect(obstacle()).toBeUndefined();
  });

  test('saves once when these are kept, and not again after the end of the window', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host);
    await editBoth(other, one);
    one.editSingle({ data: 'typed' });
    const called: string[] = [];
    one.connect((async (...[method, params]: Parameters<RpcClient['call']>) => {
      called.push(method);
      return host.call(method, params);
    }) as RpcClient['call']);
    await vi.advanceTimersByTimeAsync(0);
    one.keepOwn();
    one.dispose();
    await pause();
    expect(called).toEqual(['drafts.get', 'drafts.set']);
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'mine', data: 'typed' } }] });
  });

  test('leads to twenty drafts of the other window where nothing is written here any more', async () => {
    const host = hostOf();
    const all = Array.from({ length: MAX_TABS }, (_, n) => `t${n}`);
    const one = await windowOf(host);
    await twoWindows(host, all);
    one.editSingle({ topic: 'mine' });
    await pause();
    one.takeOthers();
    expect(one.store.getState().elsewhere?.obstacle).toEqual({ kind: 'tabs', over: 1 });
    one.close(one.store.getState().tab);
    await pause();
    one.takeOthers();
    await pause();
    expect(topicsOf(one)).toEqual(all);
    expect(one.store.getState()).toMatchObject({ single: { topic: 't0' }, elsewhere: undefined });
  });

  test('goes when both are equal, and comes for long drafts too', async () => {
    const host = hostOf();
    const [one, other] = await twoWindows(host);
    other.editSingle({ topic: 'theirs' });
    await pause();
    one.editSingle({ data: 'x'.repeat(1_500_000) });
    await pause();
    expect(one.store.getState().elsewhere).toBeDefined();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'theirs' } }] });
    one.editSingle({ data: '', topic: 'theirs' });
    await pause();
    expect(one.store.getState().elsewhere).toBeUndefined();
  });
});

describe('what is typed while a save has no answer', () => {
  test('is not taken for saved, here or at the host', async () => {
    const host = hostOf();
    const keep = memoryKeep();
    const drafts = createDrafts(keep);
    let answer = (): void => undefined;
    let isLost = false;
    const slow = (async (...[method, params]: Parameters<RpcClient['call']>) => {
      if (isLost) throw new Error('connection lost');
      if (method === 'drafts.set')
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return host.call(method, params);
    }) as RpcClient['call'];
    drafts.connect(slow);
    await pause();
    drafts.editSingle({ data: 'one' });
    await pause();
    drafts.editSingle({ data: 'two' });
    await pause();
    drafts.editSingle({ data: 'three' });
    answer();
    await vi.advanceTimersByTimeAsync(0);
    const second = answer;
    await pause();
    isLost = true;
    second();
    await pause();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { data: 'two' } }] });
    expect(createDrafts(keep).store.getState().single.data).toBe('three');
    drafts.connect(host.call);
    await pause();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { data: 'three' } }] });
  });
});

test('drafts that the browser refuses to keep are said to be kept nowhere, until the host has them', async () => {
  const host = hostOf();
  const full: Keep = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    },
  };
  const drafts = createDrafts(full);
  drafts.editSingle({ topic: 'a' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.store.getState()).toMatchObject({ isRefused: true, isTooLong: false });
  drafts.connect(host.call);
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.store.getState().isRefused).toBe(false);
});

test('drafts that the browser keeps are not said to be lost without a connection', async () => {
  const drafts = createDrafts(memoryKeep());
  drafts.editSingle({ topic: 'a' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(drafts.store.getState().isRefused).toBe(false);
});
