/** Writing to a journal: groups, order, patches, what is read back by id, what is refused, what a restart finds. */
import { describe, expect, test } from 'vitest';

import { DELIVERY_STATES, ENDED_STATES } from '../../core/contract/delivery.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { Journal } from '../../core/ports/journal.ts';
import {
  accepted,
  attempt,
  changed,
  count,
  delivered,
  finished,
  messageRow,
  pageNumbers,
  published,
  removed,
  transition,
  unfinishedNumbers,
} from './journal-records.ts';
import type { Current } from './journal-records.ts';

export function writingTests(journal: Current, reopen: () => (() => Promise<Journal>) | undefined): void {
  describe('append', () => {
    test('a group is stored as a whole', async () => {
      await journal().append([
        ...finished(1),
        accepted(2),
        { kind: 'sequence', sequence: 7 },
        { kind: 'kept', key: 'holds', value: [{ holdId: 'hold_1' }] },
      ]);
      expect((await pageNumbers(journal())).numbers).toEqual([2, 1]);
      expect(await journal().lastSequence()).toBe(7);
      expect(await journal().kept('holds')).toEqual([{ holdId: 'hold_1' }]);
    });

    test('groups appended at the same time keep their order', async () => {
      const groups = count(1, 50).map((number) => finished(number));
      await Promise.all(groups.map((group) => journal().append(group)));
      expect((await pageNumbers(journal(), { order: 'oldest' })).numbers).toEqual(count(1, 50));
      await Promise.all(
        count(1, 20).map((value) => journal().append([{ kind: 'kept', key: 'value', value }])),
      );
      expect(await journal().kept('value')).toBe(20);
    });

    test('appending no records changes nothing', async () => {
      await journal().append([]);
      expect(await journal().stats()).toMatchObject({ messages: 0, lastNumber: 0, oldestNumber: 0 });
    });

    test('a message that exists already is refused with its whole group', async () => {
      await journal().append([accepted(1)]);
      const group = [accepted(2), { kind: 'kept' as const, key: 'a', value: 1 }, accepted(1)];
      await expect(journal().append(group)).rejects.toMatchObject({ name: 'JournalError', code: 'broken' });
      expect((await pageNumbers(journal())).numbers).toEqual([1]);
      expect(await journal().kept('a')).toBeUndefined();
      await expect(journal().append([accepted(3), accepted(3)])).rejects.toMatchObject({ code: 'broken' });
      await journal().append([accepted(2)]);
      expect((await pageNumbers(journal())).numbers).toEqual([2, 1]);
    });

    test('records of a removed message change nothing', async () => {
      await journal().append([accepted(1), removed(1)]);
      await journal().append([
        published(1),
        changed(1, { pinned: true }),
        delivered(1, 'queued'),
        removed(1),
      ]);
      expect(await journal().get('msg_1')).toBeUndefined();
      expect(await journal().messageOfDelivery('dlv_1_1')).toBeUndefined();
      expect(await unfinishedNumbers(journal())).toEqual([]);
    });
  });

  describe('get', () => {
    test('get returns the whole stored message', async () => {
      const bytes = new Uint8Array([0xff, 0, 1]);
      const row: Partial<MessageRow> = { topic: 'refunds', eventId: 'A-1', tags: ['a', 'b'], flags: ['odd'] };
      const metadata = { ttlInSeconds: '60' };
      await journal().append([accepted(1, { row, wire: bytes, metadata, releasedFrom: ['hold_1'] })]);
      expect(await journal().get('msg_1')).toEqual({
        message: {
          row: messageRow(1, row),
          wire: bytes,
          metadata,
          givenContentType: 'application/json',
          releasedFrom: ['hold_1'],
        },
        row: messageRow(1, row),
        deliveries: [],
      });
      expect(await journal().get('msg_2')).toBeUndefined();
    });

    test('get returns deliveries in order of creation, with attempts and transitions', async () => {
      const first = { transition: { sequence: 1 } };
      const second = {
        delivery: { attemptCount: 1, nextAttemptAt: '2026-03-01T10:00:01.000Z' },
        transition: { sequence: 3, rule: 'single.2xx.retry' as const },
        attempt: {
          attemptId: 'att_1',
          response: { status: 200, headers: { a: 'b' }, body: '{"status":"RETRY"}' },
        },
      };
      await journal().append([
        accepted(1),
        delivered(1, 'queued', first),
        delivered(1, 'queued', { nth: 2 }),
      ]);
      await journal().append([delivered(1, 'retrying', second)]);
      await journal().append([delivered(1, 'parked', { attempt: { attemptId: 'att_2' } })]);
      const source = await journal().get('msg_1');
      expect(source?.deliveries.map(({ delivery }) => delivery.deliveryId)).toEqual(['dlv_1_1', 'dlv_1_2']);
      expect(source?.deliveries[0]?.delivery.state).toBe('parked');
      expect(source?.deliveries[0]?.transitions).toEqual([
        transition('queued', first.transition),
        transition('retrying', second.transition),
      ]);
      expect(source?.deliveries[0]?.attempts).toEqual([
        attempt(second.attempt),
        attempt({ attemptId: 'att_2' }),
      ]);
      expect(source?.deliveries[1]).toMatchObject({ attempts: [], transitions: [] });
    });

    test('the row has the members that a list shows of each delivery', async () => {
      const lastAnswer = { status: 200, word: 'RETRY' };
      await journal().append([
        accepted(1),
        delivered(1, 'retrying', {
          delivery: {
            attemptCount: 2,
            nextAttemptAt: '2026-03-01T10:00:01.000Z',
            lastAnswer,
            lastDurationMs: 12,
            heldBy: 'hold_1',
            changedWire: 'x',
          },
        }),
        delivered(1, 'parked', { nth: 2, delivery: { route: { path: '' } } }),
        delivered(1, 'attempting', { nth: 3, delivery: { route: { path: '' }, heldAt: 'response' } }),
        delivered(1, 'held', { nth: 4, delivery: { route: { path: '' }, heldAt: 'delivery' } }),
      ]);
      const deliveries = [
        {
          deliveryId: 'dlv_1_1',
          appId: 'mail',
          state: 'retrying',
          attempts: 2,
          route: '/orders',
          nextAttemptAt: '2026-03-01T10:00:01.000Z',
          lastDurationMs: 12,
          lastAnswer,
        },
        { deliveryId: 'dlv_1_2', appId: 'mail', state: 'parked', attempts: 0 },
        { deliveryId: 'dlv_1_3', appId: 'mail', state: 'attempting', attempts: 0, heldAt: 'response' },
        { deliveryId: 'dlv_1_4', appId: 'mail', state: 'held', attempts: 0 },
      ];
      expect((await journal().get('msg_1'))?.row).toEqual({ ...messageRow(1), deliveries });
      expect((await journal().get('msg_1'))?.message.row).toEqual(messageRow(1));
    });

    test('a returned message does not change with later records', async () => {
      await journal().append([accepted(1), delivered(1, 'queued', { transition: {} })]);
      const before = await journal().get('msg_1');
      const { items } = await journal().page({ order: 'newest', limit: 1, nowMs: 0 });
      await journal().append([
        changed(1, { pinned: true }),
        delivered(1, 'parked', { transition: {}, attempt: {} }),
        delivered(1, 'queued', { nth: 2 }),
      ]);
      expect(before?.deliveries).toHaveLength(1);
      expect(before?.deliveries[0]).toMatchObject({ delivery: { state: 'queued' }, attempts: [] });
      expect(before?.deliveries[0]?.transitions).toHaveLength(1);
      expect(items[0]).toEqual(before?.row);
      expect(items[0]?.pinned).toBeUndefined();
    });

    test('the message of a delivery is found, even after the delivery has ended', async () => {
      await journal().append([...finished(1), accepted(2), delivered(2, 'queued', { nth: 3 })]);
      expect(await journal().messageOfDelivery('dlv_1_1')).toBe('msg_1');
      expect(await journal().messageOfDelivery('dlv_2_3')).toBe('msg_2');
      expect(await journal().messageOfDelivery('dlv_9_9')).toBeUndefined();
    });
  });

  describe('changes', () => {
    test('a change sets, replaces and removes members', async () => {
      await journal().append([accepted(1, { row: { stage: 'held', heldBy: 'hold_1' } })]);
      await journal().append([changed(1, { pinned: true, tags: ['a'], note: 'see' })]);
      await journal().append([changed(1, { stage: null, heldBy: null, tags: ['b'] })]);
      const source = await journal().get('msg_1');
      expect(source?.row).toEqual(messageRow(1, { pinned: true, tags: ['b'], note: 'see' }));
      expect(source?.row).not.toHaveProperty('stage');
      expect(source?.message.row).toEqual(source?.row);
      expect((await pageNumbers(journal(), { filter: 'is:pinned' })).numbers).toEqual([1]);
    });

    test('a change stores the holds that released the message', async () => {
      await journal().append([accepted(1), changed(1, { releasedFrom: ['hold_1', 'hold_2'] })]);
      expect((await journal().get('msg_1'))?.message.releasedFrom).toEqual(['hold_1', 'hold_2']);
      expect((await journal().get('msg_1'))?.row).not.toHaveProperty('releasedFrom');
    });

    test('a change cannot alter id, number or deliveries', async () => {
      await journal().append([accepted(1), delivered(1, 'queued')]);
      await journal().append([changed(1, { messageId: 'msg_9', number: 9, deliveries: [], topic: 'x' })]);
      expect((await journal().get('msg_1'))?.row).toMatchObject({
        messageId: 'msg_1',
        number: 1,
        topic: 'x',
      });
      expect((await journal().get('msg_1'))?.row.deliveries).toHaveLength(1);
    });
  });

  describe('unfinished', () => {
    test.each(DELIVERY_STATES)(
      'a message with a delivery %s is unfinished unless that state is final',
      async (state) => {
        await journal().append([
          accepted(1),
          published(1),
          delivered(1, 'processed', { nth: 2 }),
          delivered(1, state),
        ]);
        const isOpen = !ENDED_STATES.some((ended) => ended === state);
        expect(await unfinishedNumbers(journal())).toEqual(isOpen ? [1] : []);
      },
    );

    test.each([
      ['held', false, true],
      ['waiting', false, true],
      ['waiting', true, true],
      ['refused', false, false],
      ['dropped', false, false],
      ['expired', false, false],
    ] as const)('a message whose stage is %s, published: %s', async (stage, isPublished, isOpen) => {
      await journal().append([accepted(1, { row: { stage } }), ...(isPublished ? [published(1)] : [])]);
      expect(await unfinishedNumbers(journal())).toEqual(isOpen ? [1] : []);
    });

    test('a message that is not published yet, or waits for an app, is unfinished', async () => {
      await journal().append([accepted(1), accepted(2), published(2), accepted(3), published(3)]);
      await journal().append([changed(3, { waitingFor: ['mail'] })]);
      expect(await unfinishedNumbers(journal())).toEqual([1, 3]);
      await journal().append([published(1), changed(3, { waitingFor: null })]);
      expect(await unfinishedNumbers(journal())).toEqual([]);
    });

    test('a change by a person stays until a record replaces it', async () => {
      let now = journal();
      const wire = async (): Promise<unknown> =>
        (await now.get('msg_1'))?.deliveries[0]?.delivery.changedWire;
      const bytes = async (): Promise<number> => (await now.stats()).bytes;
      await journal().append([accepted(1), delivered(1, 'held', { delivery: { changedWire: 'edited ✓' } })]);
      const before = await bytes();
      await journal().append([delivered(1, 'queued', { transition: {} })]);
      expect(await wire()).toBe('edited ✓');
      expect((await bytes()) - before).toBeLessThan(1000);
      await journal().append([delivered(1, 'queued', { delivery: { changedWire: 'x'.repeat(10_000) } })]);
      expect((await bytes()) - before).toBeGreaterThan(9000);
      const again = await reopen()?.();
      now = again ?? now;
      await now.append([delivered(1, 'queued')]);
      expect(await wire()).toBe('x'.repeat(10_000));
      expect((await bytes()) - before).toBeGreaterThan(9000);
      await again?.close();
    });

    test('unfinished messages come in order of acceptance, even if one was opened again', async () => {
      await journal().append(count(1, 6).flatMap((number) => finished(number)));
      for (const number of [5, 2, 4]) await journal().append([delivered(number, 'queued')]);
      expect(await unfinishedNumbers(journal())).toEqual([2, 4, 5]);
    });

    test('unfinished messages have everything that a restart needs', async () => {
      await journal().append([
        accepted(1, { data: { a: 1 }, releasedFrom: ['hold_1'] }),
        published(1),
        accepted(2),
        delivered(1, 'retrying', {
          delivery: { attemptCount: 1, roundStart: 1, releasedFrom: ['hold_2'], changedWire: '{"x":1}' },
          transition: {},
          attempt: {},
        }),
      ]);
      const found = [];
      for await (const each of journal().unfinished()) found.push(each);
      const { message, deliveries } = (await journal().get('msg_1')) ?? {};
      expect(found).toHaveLength(2);
      expect(found[0]).toMatchObject({ message, deliveries, published: true });
      expect(found[0]?.deliveries[0]?.delivery).toMatchObject({ changedWire: '{"x":1}', roundStart: 1 });
      expect(found[1]).toMatchObject({ published: false, deliveries: [] });
    });
  });

  describe('after a restart', () => {
    test('a journal that reports itself as durable survives a restart', async () => {
      expect(journal().durable).toBe(reopen() !== undefined);
      await journal().append([
        ...finished(1),
        accepted(2),
        delivered(2, 'queued', { attempt: {}, transition: {} }),
      ]);
      await journal().append([
        { kind: 'sequence', sequence: 9 },
        { kind: 'kept', key: 'rules', value: { a: [1] } },
      ]);
      const before = await journal().get('msg_2');
      const again = await reopen()?.();
      const seen = again ?? journal();
      expect(await seen.get('msg_2')).toEqual(before);
      expect(await unfinishedNumbers(seen)).toEqual([2]);
      expect(await seen.lastSequence()).toBe(9);
      expect(await seen.kept('rules')).toEqual({ a: [1] });
      expect(await seen.stats()).toMatchObject({ messages: 2, lastNumber: 2, oldestNumber: 1 });
      await again?.close();
    });
  });
}
