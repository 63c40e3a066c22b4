/** What an act on the selection is sent for: ids where they are few and known, else the filter of that moment. */
import { describe, expect, test, vi } from 'vitest';
import { ACT_DONE, ACT_WHY, SELECTION } from '../../renderer/copy/acts.ts';
import type { ActSubject } from '../../renderer/format/act-targets.ts';
import { commandOf } from '../../renderer/keys/commands.ts';
import { singleNow, whatNow, whyNoSubject } from '../../renderer/keys/subjects.ts';
import { createCommandsStore, type Confirmation, type Overlay } from '../../renderer/state/commands.ts';
import type { Console } from '../../renderer/state/console.ts';
import { FIRST } from '../../renderer/state/messages-state.ts';
import { deliveryIn, rowNamed } from './samples.ts';

const UP_TO = { number: 9, count: 9, isFixed: false };
const FIXED = { allSelected: true, upTo: { ...UP_TO, isFixed: true } };

function stand(ids: number, more: Partial<typeof FIRST>, loaded = ids, matching = 1204) {
  const selected = new Set(Array.from({ length: ids }, (_, n) => `m${n}`));
  const state: { -readonly [Key in keyof typeof FIRST]: (typeof FIRST)[Key] } = {
    ...FIRST,
    selected,
    total: ids,
    upTo: UP_TO,
    ...more,
  };
  const commands = createCommandsStore();
  const acts: unknown[][] = [];
  const failures: string[] = [];
  const asked: Confirmation[] = [];
  const removed: unknown[] = [];
  const pinned: string[] = [];
  const console = {
    messages: {
      store: { getState: () => state },
      select: () => undefined,
      rows: {
        indexOf: () => undefined,
        rowOf: (id: string) =>
          Number(id.slice(1)) < loaded ? rowNamed(id, { deliveries: [deliveryIn('parked')] }) : undefined,
      },
    },
    detail: { store: { getState: () => ({ value: undefined }) } },
    call: async () => ({ items: [], total: matching }),
    commands: {
      ...commands,
      open(overlay: Overlay) {
        commands.open(overlay);
        if (overlay.kind === 'confirm') asked.push(overlay.question);
      },
    },
    jobs: { remove: async (what: unknown) => removed.push(what) > 0 },
    acting: {
      run: (_id: string, work: () => Promise<unknown>) =>
        work().catch((reason: unknown) => void failures.push(String(reason))),
      pin: ({ messageId }: { readonly messageId: string }) => void pinned.push(messageId),
      act: (...args: unknown[]) => void acts.push(['ids', ...args]),
      actOnFilter: (act: unknown, what: unknown) => void acts.push(['filter', act, what]),
    },
    toasts: { failed: (text: string) => void failures.push(text) },
    navigation: { param: () => undefined },
  } as unknown as Console;
  return { console, state, commands, acts, failures, asked, removed, pinned };
}

test('messages that are selected by their ids are sent as ids', () => {
  const { console } = stand(3, FIXED);
  expect(whatNow(console)).toEqual({ messageIds: ['m0', 'm1', 'm2'] });
});

test.each([
  ['some are not loaded', 3],
  ['they are more than one act takes', 600],
  ['none is loaded', 0],
])('the filter is sent with the number of the last message if %s', (_why, ids) => {
  const { console, acts } = stand(ids, { allSelected: true, filter: 'topic:a', current: 'm0' });
  const what = { filter: 'topic:a', upTo: 9 };
  expect(whatNow(console)).toEqual(what);
  expect(commandOf('release')?.when?.(console)).toBeUndefined();
  commandOf('retry')?.run(console);
  expect(acts).toEqual([['filter', 'retry', what]]);
});

test('while the host is asked what is selected, no act takes the keyboard row instead', () => {
  const { console } = stand(0, { isSelecting: true, current: 'm0' }, 3);
  expect(whatNow(console)).toBeUndefined();
  expect(commandOf('delete')?.when?.(console)).toBe(ACT_WHY.selecting);
  expect(commandOf('retry')?.when?.(console)).toBe(ACT_WHY.selecting);
  expect(commandOf('replay')?.when?.(console)).toBe(ACT_WHY.selecting);
});

test('while the open message is being loaded, an act says so, and where it could not be loaded it asks for a message', () => {
  const { console } = stand(0, {});
  const withFailure = (failure: unknown): Console =>
    ({
      ...console,
      navigation: { param: (name: string) => (name === 'm' ? 'm9' : undefined) },
      detail: { store: { getState: () => ({ value: undefined, failure }) } },
    }) as unknown as Console;
  expect(whyNoSubject(withFailure(undefined))).toBe(ACT_WHY.loading);
  expect(commandOf('edit')?.when?.(withFailure(undefined))).toBe(ACT_WHY.loading);
  expect(whyNoSubject(withFailure(new Error('gone')))).toBe(ACT_WHY.noMessage);
});

test('a running call of a selection that is not loaded is told, too', () => {
  const { console, failures } = stand(3, { allSelected: true, upTo: { ...UP_TO, count: 9000 } });
  commandOf('cancel')?.run(console);
  expect(failures).toEqual([
    '8,997 of the selected messages are not loaded, or no longer there. Sidelight left them as they are.',
  ]);
});

test('editing is about the open message, also while it is loading, and never about a ticked one', () => {
  const { console } = stand(3, {});
  const open = { ...console, navigation: { param: (name: string) => (name === 'm' ? 'm99' : undefined) } };
  expect(singleNow(open as unknown as Console)).toBeUndefined();
  expect(singleNow(console)?.row.messageId).toBe('m0');
});

test.each([
  ['one of five is loaded', 5, 1, 'Delete 5 messages?'],
  ['the only one is not loaded', 1, 0, 'Delete 1 message?'],
])('deleting asks, and says how many are removed, where %s', async (_why, ids, loaded, title) => {
  const { console, asked, removed } = stand(ids, {}, loaded);
  commandOf('delete')?.run(console);
  expect(asked.map((question) => question.title)).toEqual([title]);
  asked[0]?.run();
  expect(removed).toEqual([{ messageIds: Array.from({ length: ids }, (_, n) => `m${n}`) }]);
});

test('deleting everything asks with the number of the host and the filter that the person typed', async () => {
  const { console, asked, removed } = stand(0, { allSelected: true, filter: 'topic:a' });
  commandOf('delete')?.run(console);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]?.title).toBe('Delete 1,204 messages?');
  expect(asked[0]?.text).toMatch(/Filter: topic:a\.$/);
  asked[0]?.run();
  expect(removed).toEqual([{ filter: 'topic:a', upTo: 9 }]);
});

test('selected messages that are not loaded, or gone, are told', () => {
  const { console, acts, failures } = stand(5, {}, 3);
  commandOf('retry')?.run(console);
  expect(acts.map(([how, which, subjects]) => [how, which, (subjects as unknown[]).length])).toEqual([
    ['ids', 'retry', 3],
  ]);
  expect(failures).toEqual([
    '2 of the selected messages are not loaded, or no longer there. Sidelight left them as they are.',
  ]);
});

describe('an act on messages of which only the ids are known', () => {
  const parked = (id: string) => rowNamed(id, { deliveries: [deliveryIn('parked')] });

  /** Three selected messages, of which one is loaded; the host has `kept`. */
  function unread(kept: readonly string[]) {
    const at = stand(3, { ...FIXED, filter: 'topic:a' }, 1);
    const filters: unknown[] = [];
    const call = async (_method: string, { filter }: { readonly filter: string }) => {
      filters.push(filter);
      return { items: kept.map(parked), nextCursor: null, total: kept.length };
    };
    return { ...at, filters, console: { ...at.console, call } as unknown as Console };
  }

  const idsIn = (acts: readonly unknown[][]): unknown =>
    acts.map(([how, act, subjects]) => [
      how,
      act,
      (subjects as readonly ActSubject[]).map(({ row }) => row.messageId),
    ]);

  test('reads their rows, and goes by the ids as a delete does', async () => {
    const { console, acts, filters, failures } = unread(['m2', 'm1', 'm9']);
    expect(commandOf('drop')?.when?.(console)).toBeUndefined();
    commandOf('drop')?.run(console);
    await vi.waitFor(() => expect(idsIn(acts)).toEqual([['ids', 'drop', ['m0', 'm1', 'm2']]]));
    expect(filters).toEqual(['id:m1 OR id:m2']);
    expect(failures).toEqual([]);
    expect(whatNow(console)).toEqual({ messageIds: ['m0', 'm1', 'm2'] });
  });

  test('tells of those that are gone', async () => {
    const { console, acts, failures } = unread(['m2']);
    commandOf('retry')?.run(console);
    await vi.waitFor(() => expect(idsIn(acts)).toEqual([['ids', 'retry', ['m0', 'm2']]]));
    expect(failures).toEqual([
      '1 of the selected messages is not loaded, or no longer there. Sidelight left it as it is.',
    ]);
  });

  test('does nothing once something else is selected, and says so', async () => {
    const { console, acts, state, failures } = unread(['m1', 'm2']);
    commandOf('retry')?.run(console);
    state.allSelected = false;
    state.selected = new Set(['m1']);
    await vi.waitFor(() => expect(failures).toEqual([ACT_DONE.selectionChanged]));
    expect(acts).toEqual([]);
  });

  test('says why their rows could not be read', async () => {
    const { console, acts, failures } = unread([]);
    const call = () => Promise.reject(new Error('the host is away'));
    commandOf('retry')?.run({ ...console, call });
    await vi.waitFor(() => expect(failures).toEqual(['Error: the host is away']));
    expect(acts).toEqual([]);
  });
});

test.each([
  ['nothing of everything is loaded', 0, { allSelected: true }, 0],
  ['a part of everything is loaded', 3, { allSelected: true }, 3],
  ['a part of a few is loaded', 3, FIXED, 1],
])('pinning says that not all messages are loaded where %s', (_why, ids, more, loaded) => {
  const { console } = stand(ids, more, loaded);
  expect(commandOf('pin')?.when?.(console)).toBe(SELECTION.notLoaded);
});

test('pinning takes all messages that are loaded, and tells of ticked ones that are not', () => {
  const { console, pinned, failures } = stand(3, {}, 2);
  expect(commandOf('pin')?.when?.(console)).toBeUndefined();
  commandOf('pin')?.run(console);
  expect(pinned).toEqual(['m0', 'm1']);
  expect(failures).toHaveLength(1);
});

test.each(['replayToOriginal', 'replayAndRemove', 'editRelease', 'cancel'])(
  'the command %s says that the selection is not loaded, not that there is none',
  (id) => {
    const { console } = stand(0, { allSelected: true });
    expect(commandOf(id)?.when?.(console)).toBe(SELECTION.notLoaded);
  },
);

test('deleting everything where nothing matches any more fails with the reason', async () => {
  const { console, failures, asked } = stand(0, { allSelected: true }, 0, 0);
  commandOf('delete')?.run(console);
  await vi.waitFor(() => expect(failures).toEqual([`Error: ${ACT_WHY.noneLeft}`]));
  expect(asked).toEqual([]);
});

test('the question before deleting everything replaces no dialog that was opened while the host counted', async () => {
  const { console, asked, commands, failures } = stand(0, { allSelected: true });
  const dialog = { kind: 'note', messageId: 'm1' } as const;
  commandOf('delete')?.run(console);
  commands.open(dialog);
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
  expect(commands.store.getState().overlay).toBe(dialog);
  expect(failures).toEqual([
    'Another dialog was open, so Sidelight did not ask about Delete. Close the dialog, then choose Delete again.',
  ]);
});

test('the question before deleting everything is not asked after the selection has ended', async () => {
  const { console, asked, state, failures } = stand(0, { allSelected: true });
  commandOf('delete')?.run(console);
  state.allSelected = false;
  await vi.waitFor(() => expect(failures).toEqual([ACT_DONE.selectionChanged]));
  expect(asked).toEqual([]);
});
