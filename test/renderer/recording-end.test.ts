/**
 * A recording ends with the history that it began in: after a restart with another folder, or of a host that keeps nothing; and in a copy
 * of its window.
 */
import { expect, test, vi } from 'vitest';
import type { SystemDescription } from '../../core/contract/console.ts';
import { createConnectionStore } from '../../renderer/state/connection.ts';
import { endRecordingOfCopy, endRecordingsOfOthers, historyOf } from '../../renderer/state/recording-end.ts';
import { createUiStore, type UiState } from '../../renderer/state/ui.ts';
import { noticeCopy, noticeCopyOfPage, WINDOW_KEY } from '../../renderer/state/window-copy.ts';

const AT = '2026-03-01T10:00:00.000Z';

/** A window, and what it is told: the folder of the history, and the start of the host. */
function windowWith(choices: Partial<UiState>) {
  const connection = createConnectionStore({ status: 'open' });
  const ui = createUiStore(undefined);
  ui.setState(choices);
  const news = vi.fn<(text: string) => void>();
  endRecordingsOfOthers({ connection, toasts: { news }, ui });
  const told = (dataDir: string | undefined, epoch: string): void =>
    connection.setState({ system: { dataDir } as SystemDescription, epoch });
  return { connection, ui, news, told };
}

test('a history is its folder, or the start of a host that keeps none', () => {
  const { connection, told } = windowWith({});
  const seen = [historyOf(connection.getState())];
  for (const [dataDir, epoch] of [
    ['/data', 'e1'],
    [undefined, 'e2'],
  ] as const) {
    told(dataDir, epoch);
    seen.push(historyOf(connection.getState()));
  }
  expect(seen).toEqual(['', '/data', 'e2']);
});

test('a recording goes on after a restart with its folder', () => {
  const { ui, news, told } = windowWith({ recordingSince: AT });
  told('/data', 'e1');
  expect(ui.getState().recordedIn).toBe('/data');
  told('/data', 'e2');
  expect(ui.getState()).toMatchObject({ recordingSince: AT, recordedIn: '/data' });
  expect(news).not.toHaveBeenCalled();
});

test.each([
  ['/data', '/other'],
  ['/data', undefined],
  [undefined, '/data'],
  [undefined, undefined],
])('a recording in %s ends after a restart with %s, and says so', (before, after) => {
  const { ui, news, told } = windowWith({ recordingSince: AT });
  told(before, 'e1');
  told(after, 'e2');
  expect(ui.getState()).toMatchObject({ recordingSince: '', recorded: {}, recordedIn: '' });
  expect(news.mock.calls).toEqual([[expect.stringMatching(/^The recording since .+ has ended: Sidelight/)]]);
});

test('what was recorded in another history is not offered any more', () => {
  const { ui, news, told } = windowWith({ recorded: { since: AT, until: AT }, recordedIn: '/data' });
  told('/other', 'e2');
  expect(ui.getState().recorded).toEqual({});
  expect(news).not.toHaveBeenCalled();
});

/** A browser whose windows hear each other. */
function browser() {
  const hears: ((event: { readonly data: unknown }) => void)[] = [];
  return (session: Map<string, string>, isCopy: () => void): void => {
    const own = hears.length;
    const channel = {
      postMessage: (data: unknown) => hears.forEach((hear, at) => (at === own ? undefined : hear({ data }))),
      addEventListener: (_kind: string, hear: (typeof hears)[number]) => void hears.push(hear),
      close: () => undefined,
    };
    const sessionStorage = {
      getItem: (key: string) => session.get(key) ?? null,
      setItem: (key: string, value: string) => void session.set(key, value),
    };
    noticeCopy({ sessionStorage, channel: channel as unknown as BroadcastChannel }, isCopy);
  };
}

test('of a window and its copies each copy learns that it is one, and gets a name of its own', () => {
  const open = browser();
  const copies: string[] = [];
  const first = new Map<string, string>();
  open(first, () => copies.push('first'));
  open(new Map(), () => copies.push('other'));
  const name = first.get(WINDOW_KEY);
  const copied = new Map(first);
  open(copied, () => copies.push('copy'));
  open(new Map(copied), () => copies.push('copy of the copy'));
  open(new Map(first), () => copies.push('second copy'));
  expect(copies).toEqual(['copy', 'copy of the copy', 'second copy']);
  expect(first.get(WINDOW_KEY)).toBe(name);
  expect(copied.get(WINDOW_KEY)).not.toBe(name);
});

test('a window that is opened again with its storage is no copy', () => {
  const isCopy = vi.fn<() => void>();
  browser()(new Map([[WINDOW_KEY, 'w1']]), isCopy);
  expect(isCopy).not.toHaveBeenCalled();
});

test('a page whose browser has no channel, or forbids it or storage, starts and notices no copy', () => {
  const forbidden = (): never => {
    throw new DOMException('Forbidden', 'SecurityError');
  };
  const page = {
    sessionStorage: { getItem: () => null, setItem: () => undefined },
    BroadcastChannel: class {
      readonly close = vi.fn<() => void>();
      readonly postMessage = vi.fn<() => void>();
      readonly addEventListener = vi.fn<() => void>();
    },
  };
  const pages = [
    { ...page, BroadcastChannel: undefined as unknown as typeof page.BroadcastChannel },
    Object.defineProperty({ ...page }, 'BroadcastChannel', { get: () => forbidden }),
    Object.defineProperty({ ...page }, 'sessionStorage', { get: forbidden }),
  ];
  const isCopy = vi.fn<() => void>();
  for (const each of pages) expect(() => noticeCopyOfPage(each, isCopy)()).not.toThrow();
  expect(isCopy).not.toHaveBeenCalled();
});

test('a copy of a window ends the recording, and says that it goes on in the other', () => {
  const { ui, news } = windowWith({ recordingSince: AT, recordedIn: '/data', beforeHere: { a: 'b' } });
  endRecordingOfCopy({ ui, toasts: { news } });
  expect(ui.getState()).toMatchObject({ recordingSince: '', recordedIn: '', beforeHere: { a: 'b' } });
  expect(news.mock.calls).toEqual([
    [expect.stringMatching(/^This window is a copy of another one\. The recording since .+ continues there/)],
  ]);
  endRecordingOfCopy({ ui, toasts: { news } });
  expect(news).toHaveBeenCalledTimes(1);
});
