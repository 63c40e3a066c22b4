/** Drafts of several windows of one browser: each window has its own over a reload, and a closed one leaves what it could not send. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDrafts, EMPTY_SINGLE, type Drafts } from '../../renderer/state/publish-drafts.ts';
import { keepOfWindow, type KeepingPage } from '../../renderer/state/window-keep.ts';
import { hostOf } from './drafts-host.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Longer than every pause before a save. */
const PAUSE = 1000;

function storageOf(): Storage {
  const all = new Map<string, string>();
  return {
    get length() {
      return all.size;
    },
    key: (at) => [...all.keys()][at] ?? null,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
    clear: () => all.clear(),
  };
}

interface OpenWindow {
  /** The drafts of the page that is shown. */
  drafts: Drafts;
  /** Leaves the page, and shows it again. */
  reload(): void;
  close(): void;
}

/** A browser whose windows share one storage, as pages of one address do, and each have one of their own. */
function browserOf(host: ReturnType<typeof hostOf>): { readonly local: Storage; open(): OpenWindow } {
  const local = storageOf();
  function pageIn(session: Storage): { readonly drafts: Drafts; leave(): void } {
    const page = Object.assign(new EventTarget(), { localStorage: local, sessionStorage: session });
    const drafts = createDrafts(keepOfWindow(page));
    page.dispatchEvent(new Event('pageshow'));
    drafts.connect(host.call);
    const leave = (): void => {
      page.dispatchEvent(new Event('pagehide'));
      // Nothing of the page goes on.
      vi.clearAllTimers();
    };
    return { drafts, leave };
  }
  return {
    local,
    open() {
      const session = storageOf();
      let page = pageIn(session);
      return {
        get drafts() {
          return page.drafts;
        },
        reload() {
          page.leave();
          page = pageIn(session);
        },
        close: () => page.leave(),
      };
    },
  };
}

const rest = (): Promise<unknown> => vi.advanceTimersByTimeAsync(PAUSE);
const topicsOf = ({ drafts }: OpenWindow): readonly string[] =>
  drafts.store.getState().tabs.map(({ draft }) => draft.topic);
const otherTopics = ({ drafts }: OpenWindow): readonly string[] | undefined =>
  drafts.store.getState().elsewhere?.tabs.map(({ draft }) => draft.topic);

/** Two windows of one browser: the first one has drafts that are not sent, because the second one has saved others. */
async function unsent() {
  const host = hostOf();
  const browser = browserOf(host);
  const one = browser.open();
  one.drafts.editSingle({ topic: 'both' });
  await rest();
  const other = browser.open();
  await rest();
  other.drafts.editSingle({ topic: 'theirs' });
  await rest();
  one.drafts.editSingle({ topic: 'mine' });
  await rest();
  expect(otherTopics(one)).toEqual(['theirs']);
  other.drafts.editSingle({ topic: 'theirs!' });
  await rest();
  return { host, browser, one, other };
}

describe('drafts that were not sent', () => {
  test('are in their window after a reload, whatever the other window saved', async () => {
    const { host, one, other } = await unsent();
    for (const _reload of [1, 2]) {
      one.reload();
      await rest();
      expect(topicsOf(one)).toEqual(['mine']);
      expect(otherTopics(one)).toEqual(['theirs!']);
    }
    other.reload();
    await rest();
    expect(topicsOf(other)).toEqual(['theirs!']);
    expect(otherTopics(other)).toBeUndefined();
    expect(host.kept()).toMatchObject({ tabs: [{ draft: { topic: 'theirs!' } }] });
  });

  test('are in one new window once their window is closed', async () => {
    const { browser, one } = await unsent();
    const beside = browser.open();
    await rest();
    expect(topicsOf(beside)).toEqual(['theirs!']);
    one.close();
    const reopened = browser.open();
    await rest();
    expect(topicsOf(reopened)).toEqual(['mine']);
    expect(otherTopics(reopened)).toEqual(['theirs!']);
    reopened.reload();
    await rest();
    expect(topicsOf(reopened)).toEqual(['mine']);
    const next = browser.open();
    await rest();
    expect(topicsOf(next)).toEqual(['theirs!']);
    expect(otherTopics(next)).toBeUndefined();
  });

  test('of two closed windows are in two new ones', async () => {
    const { browser, one, other } = await unsent();
    other.drafts.editSingle({ topic: 'just typed' });
    other.close();
    one.close();
    const topics = [browser.open(), browser.open(), browser.open()].map(topicsOf);
    expect(topics.toSorted()).toEqual([[''], ['just typed'], ['mine']]);
  });

  test('and were typed just before a reload are there after it', async () => {
    const host = hostOf();
    const one = browserOf(host).open();
    await rest();
    one.drafts.open({ ...EMPTY_SINGLE, topic: 'just typed' });
    one.reload();
    expect(topicsOf(one)).toEqual(['', 'just typed']);
    await rest();
    expect(host.kept()).toMatchObject({ tabs: [{}, { draft: { topic: 'just typed' } }] });
  });
});

test('a window whose drafts the host has leaves none behind', async () => {
  const browser = browserOf(hostOf());
  const one = browser.open();
  one.drafts.editSingle({ topic: 'saved' });
  await rest();
  one.close();
  expect(browser.local).toHaveLength(0);
});

test('a page that comes back as it was has its drafts alone', async () => {
  const session = storageOf();
  const local = storageOf();
  const page = Object.assign(new EventTarget(), { localStorage: local, sessionStorage: session });
  const drafts = createDrafts(keepOfWindow(page));
  drafts.editSingle({ topic: 'mine' });
  page.dispatchEvent(new Event('pagehide'));
  expect(local).toHaveLength(1);
  page.dispatchEvent(new Event('pageshow'));
  expect(local).toHaveLength(0);
  expect(session.getItem('sidelight.drafts')).toContain('"topic":"mine"');
});

test('storage that is full costs what a closed window leaves, and no reload', async () => {
  const host = hostOf();
  const browser = browserOf(host);
  browser.local.setItem = () => {
    throw new Error('full');
  };
  const one = browser.open();
  one.drafts.editSingle({ topic: 'mine' });
  one.reload();
  expect(topicsOf(one)).toEqual(['mine']);
});

test('drafts that an earlier build kept for all windows are in one of them', async () => {
  const browser = browserOf(hostOf());
  browser.local.setItem(
    'sidelight.drafts',
    JSON.stringify({ tabs: [{ draft: { topic: 'old' } }], isAhead: true }),
  );
  expect(topicsOf(browser.open())).toEqual(['old']);
  expect(topicsOf(browser.open())).toEqual(['']);
});

test('drafts too long for the browser are those of the host after a reload, and not an older copy', async () => {
  const host = hostOf();
  const one = browserOf(host).open();
  await rest();
  one.drafts.editSingle({ topic: 'small' });
  // The window saves the small ones here before the host has answered, and has long ones by then.
  vi.advanceTimersByTime(PAUSE);
  const data = 'x'.repeat(1_500_000);
  one.drafts.editSingle({ data });
  await rest();
  one.reload();
  await rest();
  expect(one.drafts.store.getState()).toMatchObject({
    single: { topic: 'small', data },
    elsewhere: undefined,
  });
});

test('drafts that are kept nowhere, as they are too long for the browser and wait for a choice, are reported', async () => {
  const { one } = await unsent();
  expect(one.drafts.store.getState().isTooLong).toBe(false);
  one.drafts.editSingle({ data: 'x'.repeat(1_500_000) });
  await rest();
  expect(otherTopics(one)).toBeDefined();
  expect(one.drafts.store.getState().isTooLong).toBe(true);
  one.drafts.keepOwn();
  await rest();
  expect(one.drafts.store.getState()).toMatchObject({ elsewhere: undefined, isTooLong: false });
});

test('a page whose storage is forbidden is shown and left without an error', () => {
  const page = new EventTarget();
  const forbidden = {
    get: (): Storage => {
      throw new Error('forbidden');
    },
  };
  Object.defineProperties(page, { localStorage: forbidden, sessionStorage: forbidden });
  const listeners: (() => void)[] = [];
  page.addEventListener = (_type: string, listener: unknown) => void listeners.push(listener as () => void);
  const drafts = createDrafts(keepOfWindow(page as unknown as KeepingPage));
  drafts.editSingle({ topic: 'mine' });
  expect(listeners).toHaveLength(2);
  for (const listener of listeners) expect(listener).not.toThrow();
});
