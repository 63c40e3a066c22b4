/** What an act on the selection is sent for: ids where they are few and known, else the filter of that moment. */
import { expect, test, vi } from 'vitest';
import { ACT_WHY, SELECTION } from '../../renderer/copy/acts.ts';
import { commandOf } from '../../renderer/keys/commands.ts';
import { singleNow, whatNow } from '../../renderer/keys/subjects.ts';
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

test('a running call of a selection that is not loaded is told, too', () => {
  const { console, failures } = stand(3, { allSelected: true, upTo: { ...UP_TO, count: 9000 } });
  commandOf('cancel')?.run(console);
  expect(failures).toEqual([
    '8,997 of the selected messages are not loaded, or no longer there: nothing was done with them.',
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
    '2 of the selected messages are not loaded, or no longer there: nothing was done with them.',
  ]);
});

test('an act on messages of which only the ids are known goes by the filter, and a delete by the ids', () => {
  const { console, acts } = stand(3, { ...FIXED, filter: 'topic:a' }, 1);
  commandOf('retry')?.run(console);
  expect(acts).toEqual([['filter', 'retry', { filter: 'topic:a', upTo: 9 }]]);
  expect(whatNow(console)).toEqual({ messageIds: ['m0', 'm1', 'm2'] });
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

test.each(['replayToOriginal', 'editRelease', 'cancel'])(
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
  const { console, asked, commands } = stand(0, { allSelected: true });
  const dialog = { kind: 'note', messageId: 'm1' } as const;
  commandOf('delete')?.run(console);
  commands.open(dialog);
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
  expect(commands.store.getState().overlay).toBe(dialog);
});

test('the question before deleting everything is not asked after the selection has ended', async () => {
  const { console, asked, state } = stand(0, { allSelected: true });
  commandOf('delete')?.run(console);
  state.allSelected = false;
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
});
