/** Grouped lists: how a group is named, and lines that the host tells of. */
import { expect, test } from 'vitest';
import type { GroupRow } from '../../core/contract/view.ts';
import {
  groupByOf,
  groupingOf,
  groupName,
  groupsNote,
  groupTitle,
  stateParts,
  statesText,
} from '../../renderer/format/groups.ts';
import { groupLine, RowWindow } from '../../renderer/state/row-window.ts';
import { rowDomId } from '../../renderer/views/messages/ListRow.tsx';
import { rowNamed } from './samples.ts';

function group(more: Partial<GroupRow> = {}): GroupRow {
  const at = new Date(2026, 0, 2, 14, 32, 8, 412).toISOString();
  return {
    groupId: '=orders',
    value: 'orders',
    messages: 12,
    worst: 'parked',
    states: { parked: 2, processed: 10 },
    firstAt: at,
    lastAt: at,
    isOpen: false,
    ...more,
  };
}

test('the element of a line has an id without blanks, and no two lines have the same', () => {
  const ids = ['a b', 'a\tb', 'a%20b', 'a%b', 'ab'].map((value) => rowDomId(groupLine(`=${value}`)));
  expect(ids.filter((id) => /\s/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the name of a group has its value, count, worst state and time span', () => {
  expect(groupName(group(), 'topic')).toBe('orders, 12 messages, Parked, 2 of 12, 14:32:08.412');
  const later = new Date(2026, 0, 2, 14, 40, 1, 7).toISOString();
  const one = group({ messages: 1, worst: 'none', states: { none: 1 }, lastAt: later });
  expect(groupName(one, 'topic')).toBe('orders, 1 message, No subscription, 14:32:08.412 to 14:40:01.007');
});

test('messages without a value have a name, too', () => {
  expect(groupTitle({}, 'trace')).toBe('No trace');
  expect(groupTitle({}, 'data.order.id')).toBe('No data.order.id');
  expect(groupTitle(group({ value: 'msg_1' }), 'replay')).toBe('Replays of msg_1');
});

test('a group by state has the word of its chip, and its bar a part for each state', () => {
  expect(groupTitle(group({ value: 'dead-lettered' }), 'state')).toBe('Dead-lettered');
  expect(groupTitle(group({ value: 'unseen' }), 'state')).toBe('Not seen here');
  expect(groupTitle({}, 'answer')).toBe('No finished call');
  expect(stateParts(group())).toEqual([
    { state: 'parked', n: 2 },
    { state: 'processed', n: 10 },
  ]);
  expect(statesText(group())).toBe('2 Parked, 10 Processed');
});

test('correlation is the extension, or the path that was set', () => {
  expect(groupByOf('correlation', '')).toBe('correlation');
  expect(groupByOf('correlation', 'data.order.id')).toBe('data.order.id');
  expect(groupByOf('correlation', 'no path')).toBe('correlation');
  expect(groupByOf('none', 'data.order.id')).toBe('');
  expect([groupingOf('data.order.id'), groupingOf('batch'), groupingOf('')]).toEqual([
    'correlation',
    'batch',
    'none',
  ]);
});

test('lines stay where they were read, and move when groups above them grow', () => {
  const rows = new RowWindow();
  rows.total = 10;
  const answer = {
    rows: [rowNamed('m1', {}), rowNamed('m2', {})],
    total: 10,
    groups: [
      { index: 1, group: group({ groupId: '=a' }) },
      { index: 5, group: group({ groupId: '=b' }) },
    ],
  };
  expect(rows.take(3, answer)).toBe(3);
  expect([1, 3, 4, 5].map((place) => rows.idAt(place))).toEqual([
    groupLine('=a'),
    'm1',
    'm2',
    groupLine('=b'),
  ]);
  expect([...rows.entries()].map(([, { messageId }]) => messageId)).toEqual(['m1', 'm2']);
  rows.shift(2);
  expect([3, 5, 6, 7].map((place) => rows.idAt(place))).toEqual([
    groupLine('=a'),
    'm1',
    'm2',
    groupLine('=b'),
  ]);
  rows.shift(-4);
  expect([rows.idAt(1), rows.idAt(2), rows.indexOf(groupLine('=a'))]).toEqual(['m1', 'm2', undefined]);
});

test('the list says in which order its groups are, and which delivery of a message counts', () => {
  expect(['', 'repeats'].map(groupsNote)).toEqual([undefined, undefined]);
  expect(groupsNote('topic')).toBe('Groups are sorted by name.');
  expect(groupsNote('data.order.id')).toBe(
    'Groups are sorted by the time of their first message, oldest first.',
  );
  expect(groupsNote('route')).toBe(
    'Groups are sorted by name. A message with several deliveries counts once, under the one that needs attention most.',
  );
  expect(groupsNote('state')).toMatch(/^Most urgent groups first\. A message with several deliveries/);
});
