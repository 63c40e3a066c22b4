/** Replies to an event or a batch in odd bytes: each is read, or refused, as by the reference. */
import { expect, test, vi } from 'vitest';

import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import { batchReply, eventReply } from '../../core/grpc-protocol/replies.ts';

const FULL = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

test.each<[string, readonly number[], string | number]>([
  ['no byte', [], 'SUCCESS'],
  ['RETRY', [8, 1], 'RETRY'],
  ['a number without a word', [8, 7], 7],
  ['a negative number', [8, ...FULL, 1], -1],
  ['a number in more bytes than it needs', [8, 0x82, 0x80, 0], 'DROP'],
  ['a number of which 32 bits count', [8, 0x82, 0x80, 0x80, 0x80, 0x10], 'DROP'],
  ['two statuses, of which the last counts', [8, 1, 8, 0], 'SUCCESS'],
  ['a field that is not known', [0x12, 1, 0xff], 'SUCCESS'],
  ['a group that is not known', [0x13, 8, 2, 0x14], 'SUCCESS'],
  ['the largest field number', [0xf8, 0xff, 0xff, 0xff, 0x0f, 1], 'SUCCESS'],
  ['the status as a text', [10, 1, 65], 'SUCCESS'],
  ['the status in four bytes', [13, 1, 0, 0, 0], 'SUCCESS'],
  ['the status in eight bytes', [9, 1, 0, 0, 0, 0, 0, 0, 0], 'SUCCESS'],
  ['the status as a group', [0x0b, 0x0c], 'SUCCESS'],
  ['DROP before the status as a text', [8, 2, 10, 1, 65], 'DROP'],
])('%s is read', async (_, bytes, status) => {
  expect(eventReply(Buffer.from(bytes), await loadProtocol())).toEqual({ status });
});

test('of a reply that is 4 MiB of statuses only the last one is kept', async () => {
  const protocol = await loadProtocol();
  const reply = Buffer.alloc(4 * 1024 * 1024, Buffer.from([8, 1]));
  reply[reply.length - 1] = 2;
  const parts = vi.spyOn(reply, 'subarray');
  expect(eventReply(reply, protocol)).toEqual({ status: 'DROP' });
  expect(parts.mock.calls.length).toBe(1);
});

test.each<[string, readonly number[]]>([
  ['the field number 0', [0, 0]],
  ['a field number that is too large', [0xf8, 0xff, 0xff, 0xff, 0x1f, 1]],
  ['a group that ends as another one', [0x13, 0x1c]],
  ['a group without an end', [0x0b]],
  ['the end of a group that did not begin', [0x0c]],
  ['groups in each other without end', Array.from({ length: 20_000 }, () => 0x13)],
  ['half a tag', [0xff]],
  ['half a number', [8]],
  ['a number of more than 64 bits', [8, ...FULL, 2]],
  ['a number of eleven bytes', [8, ...FULL, 0xff, 1]],
  ['a text that is cut off', [0x12, 5, 1]],
  ['eight bytes that are cut off', [0x11, 1]],
  ['a form that does not exist', [0x0e]],
  ['DROP before half a tag', [8, 2, 0xff]],
  ['JSON', [...Buffer.from('{"status":"DROP"}')]],
])('%s is refused', async (_, bytes) => {
  const protocol = await loadProtocol();
  expect(() => eventReply(Buffer.from(bytes), protocol)).toThrow(Error);
});

const A = [0x0a, 1, 0x61];
/** A field of a reply to a batch with these bytes as its content. */
const entry = (...bytes: readonly number[]): number[] => [0x0a, bytes.length, ...bytes];
const a = (status: string | number): object => ({ entry_id: 'a', status });

test.each<[string, readonly number[], readonly object[]]>([
  ['no byte', [], []],
  ['RETRY', entry(...A, 0x10, 1), [a('RETRY')]],
  ['no status', entry(...A), [a('SUCCESS')]],
  ['an entry without a byte', entry(), [{ entry_id: '', status: 'SUCCESS' }]],
  ['the status before the id', entry(0x10, 2, ...A), [a('DROP')]],
  ['a status without a word', entry(...A, 0x10, 7), [a(7)]],
  ['a negative status', entry(...A, 0x10, ...FULL, 1), [a(-1)]],
  ['a status of which 32 bits count', entry(...A, 0x10, 0x82, 0x80, 0x80, 0x80, 0x10), [a('DROP')]],
  [
    'two ids and two statuses, of which the last count',
    entry(0x0a, 1, 0x62, 0x10, 1, ...A, 0x10, 2),
    [a('DROP')],
  ],
  ['an id twice', [...entry(...A, 0x10, 1), ...entry(...A, 0x10, 2)], [a('RETRY'), a('DROP')]],
  ['a status as a text', entry(...A, 0x12, 1, 0x31), [a('SUCCESS')]],
  ['a status in four bytes', entry(...A, 0x15, 1, 0, 0, 0), [a('SUCCESS')]],
  ['an id as a number', entry(8, 0x61, 0x10, 1), [{ entry_id: '', status: 'RETRY' }]],
  [
    'fields that are not known in an entry',
    entry(...A, 0x1a, 1, 0xff, 0x23, 8, 2, 0x24, 0x10, 1),
    [a('RETRY')],
  ],
  ['fields that are not known', [0x12, 1, 0xff, ...entry(...A), 0x18, 5], [a('SUCCESS')]],
  ['entries as a number', [8, 1, ...entry(...A)], [a('SUCCESS')]],
  ['entries as a group', [0x0b, ...A, 0x0c, ...entry(...A, 0x10, 2)], [a('DROP')]],
])('of a batch: %s is read', async (_, bytes, statuses) => {
  expect(batchReply(Buffer.from(bytes), await loadProtocol())).toEqual({ statuses });
});

test.each<[string, readonly number[]]>([
  ['an entry that is cut off', [0x0a, 5, ...A]],
  ['an id that is cut off', entry(0x0a, 5, 0x61)],
  ['an id that is not UTF-8', entry(0x0a, 1, 0xff)],
  ['an id that is not UTF-8, behind one that is', entry(...A, 0x0a, 2, 0xc3, 0x28)],
  ['half a status', entry(...A, 0x10)],
  ['a field number in an entry that is not allowed', entry(...A, 0, 0)],
  ['a group in an entry that ends as another one', entry(0x23, 0x2c)],
  ['a group that goes beyond its entry', [...entry(...A, 0x23), 0x24]],
  ['JSON', [...Buffer.from('{"statuses":[]}')]],
])('of a batch: %s is refused', async (_, bytes) => {
  const protocol = await loadProtocol();
  expect(() => batchReply(Buffer.from(bytes), protocol)).toThrow(Error);
});

test('of a batch: 100,000 entries are read, and one more is refused with the limit', async () => {
  const protocol = await loadProtocol();
  const reply = Buffer.alloc(2 * 100_001, Buffer.from([0x0a, 0]));
  expect(batchReply(reply.subarray(2), protocol)).toMatchObject({ statuses: { length: 100_000 } });
  expect(() => batchReply(reply, protocol)).toThrow('more than 100,000 entries');
  // What is not an entry does not count as one.
  expect(batchReply(Buffer.alloc(400_000, Buffer.from([0x18, 0])), protocol)).toEqual({ statuses: [] });
});
