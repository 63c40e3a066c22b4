/** What an act on the selection is sent for: ids where they are few and known, else the filter of that moment. */
import { expect, test } from 'vitest';
import { commandOf } from '../../renderer/keys/commands.ts';
import { whatNow } from '../../renderer/keys/subjects.ts';
import type { Console } from '../../renderer/state/console.ts';
import { FIRST } from '../../renderer/state/messages-state.ts';
import { deliveryIn, rowNamed } from './samples.ts';

const UP_TO = { number: 9, at: '2026-01-31T14:30:00.000Z', count: 9 };

function stand(ids: number, more: Partial<typeof FIRST>, loaded = ids) {
  const selected = new Set(Array.from({ length: ids }, (_, n) => `m${n}`));
  const state = { ...FIRST, selected, total: ids, upTo: UP_TO, ...more };
  const acts: unknown[][] = [];
  const failures: string[] = [];
  const console = {
    messages: {
      store: { getState: () => state },
      rows: {
        rowOf: (id: string) =>
          Number(id.slice(1)) < loaded ? rowNamed(id, { deliveries: [deliveryIn('parked')] }) : undefined,
      },
    },
    detail: { store: { getState: () => ({ value: undefined }) } },
    acting: {
      act: (...args: unknown[]) => void acts.push(['ids', ...args]),
      actOnFilter: (...args: unknown[]) => void acts.push(['filter', ...args]),
    },
    toasts: { failed: (text: string) => void failures.push(text) },
    navigation: { param: () => undefined },
  } as unknown as Console;
  return { console, acts, failures };
}

test('a few loaded messages are sent as ids', () => {
  const { console } = stand(3, { allSelected: true });
  expect(whatNow(console)).toEqual({ messageIds: ['m0', 'm1', 'm2'] });
});

test.each([
  ['some are not loaded', 3, { total: 1000 }],
  ['they are more than one act takes', 600, {}],
])('the filter of that moment is sent if %s', (_why, ids, more) => {
  const { console, acts } = stand(ids, { allSelected: true, filter: 'topic:a', ...more });
  const filter = `(topic:a) time:<=${UP_TO.at}`;
  expect(whatNow(console)).toEqual({ filter });
  commandOf('retry')?.run(console);
  expect(acts).toEqual([['filter', 'retry', filter]]);
});

test('messages that came since are no reason for a filter', () => {
  const { console } = stand(3, { allSelected: true, total: 5, later: 2 });
  expect(whatNow(console)).toEqual({ messageIds: ['m0', 'm1', 'm2'] });
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
