/** Replies to one event in odd bytes: each is read, or refused, as by the reference 1.13.6. */
import { expect, test, vi } from 'vitest';

import { loadProtocol } from '../../core/grpc-protocol/protocol.ts';
import { eventReply } from '../../core/grpc-protocol/replies.ts';

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
