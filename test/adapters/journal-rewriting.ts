/** A message that is given something else to carry while it is held: everything that asks for it finds the new one. */
import { describe, expect, test } from 'vitest';
import type { Journal, JournalRecord } from '../../core/ports/journal.ts';
import { accepted, changed, delivered, filterOf, messageRow, NOW_MS, published } from './journal-records.ts';
import type { Current } from './journal-records.ts';

const WIRE = JSON.stringify({ specversion: '1.0', source: 'hand', data: { n: 'edited '.repeat(100) } });

function rewritten(number: number): JournalRecord {
  return {
    kind: 'message.changed',
    messageId: `msg_${number}`,
    patch: { topic: 'refunds', sizeBytes: WIRE.length, flags: ['by hand'] },
    content: { wire: WIRE, metadata: { ttl: '60s' }, givenContentType: 'text/plain' },
  };
}

const FOUND = [
  ['data.n:1', []],
  ['data.n:2', [1]],
  ['data.n!=2', [2, 3]],
  ['before', [2]],
  ['after', [1]],
  ['type:first', [1]],
  ['source:shop-web', [1, 2, 3]],
] as const;

export function rewritingTests(journal: Current, reopen: () => (() => Promise<Journal>) | undefined): void {
  describe('a payload that was edited for a delivery', () => {
    const edited = (n: number, word: string) =>
      JSON.stringify({ specversion: '1.0', source: 'edited', type: 'other', data: { n, word } });
    const look = async (of: Journal) => {
      for (const [filter, numbers] of FOUND)
        expect([filter, ...(await of.test([1, 2, 3], filterOf(filter), NOW_MS))]).toEqual([
          filter,
          ...numbers,
        ]);
    };

    test('is what filters read, if the list shows it, also after another change and a restart', async () => {
      await journal().append([
        accepted(1, { row: { eventType: 'first' }, data: { n: 1, word: 'before' } }),
        accepted(2, { data: { n: 3, word: 'before' } }),
        accepted(3, { data: { n: 4 } }),
        delivered(1, 'held'),
        delivered(2, 'processed', { delivery: { changedWire: edited(2, 'after') } }),
        delivered(2, 'parked', { nth: 2 }),
      ]);
      expect([...(await journal().test([1], filterOf('data.n:1'), NOW_MS))]).toEqual([1]);
      await journal().append([delivered(1, 'queued', { delivery: { changedWire: edited(2, 'after') } })]);
      await look(journal());
      await journal().append([changed(1, { pinned: true }), delivered(1, 'processed'), ...[published(1)]]);
      await look(journal());
      const again = await reopen()?.();
      if (again !== undefined) await look(again);
    });
  });

  describe('a rewritten message', () => {
    const matching = async (of: Journal, filter: string) => [
      ...(await of.test([1, 2], filterOf(filter), NOW_MS)),
    ];
    const held = { row: { stage: 'held' as const }, data: { n: 'first' }, metadata: { old: 'yes' } };

    test('is found with its new content by id, topic, payload and in the counts, also after a restart', async () => {
      await journal().append([accepted(1, held), accepted(2)]);
      const before = await journal().stats();
      await journal().append([rewritten(1)]);
      await journal().append([changed(1, { pinned: true })]);
      const look = async (of: Journal) => {
        const row = messageRow(1, {
          stage: 'held',
          topic: 'refunds',
          sizeBytes: WIRE.length,
          flags: ['by hand'],
          pinned: true,
        });
        expect((await of.get('msg_1'))?.message).toEqual({
          row,
          wire: WIRE,
          metadata: { ttl: '60s' },
          givenContentType: 'text/plain',
        });
        expect(await matching(of, 'topic:refunds')).toEqual([1]);
        expect(await matching(of, 'data.n:edited*')).toEqual([1]);
        expect(await matching(of, 'source:hand')).toEqual([1]);
        expect(await matching(of, 'data.n:first')).toEqual([]);
        const counts = (await of.totals()).map(({ topic, messages }) => [topic, messages]);
        expect(Object.fromEntries(counts)).toMatchObject({ orders: 1, refunds: 1 });
        const after = await of.stats();
        expect(after.messages).toBe(2);
        expect(after.bytes).toBeGreaterThan(before.bytes + 500);
      };
      await look(journal());
      const again = await reopen()?.();
      if (again !== undefined) await look(again);
    });

    test('keeps its old content in an attempt that sent it', async () => {
      await journal().append([accepted(1, held)]);
      const old = (await journal().get('msg_1'))?.message.wire;
      await journal().append([rewritten(1), published(1)]);
      const request = { method: 'POST' as const, url: 'http://app/', headers: {}, body: String(old) };
      await journal().append([delivered(1, 'processed', { attempt: { request } })]);
      const source = await journal().get('msg_1');
      expect(source?.deliveries[0]?.attempts[0]?.request.body).toBe(old);
      expect(source?.message.wire).toBe(WIRE);
    });

    test('frees all of its room when it is removed', async () => {
      await journal().append([accepted(2)]);
      const before = await journal().stats();
      await journal().append([accepted(1, held), rewritten(1)]);
      await journal().append([{ kind: 'message.removed', messageIds: ['msg_1'] }]);
      expect(await journal().stats()).toMatchObject({ messages: 1, bytes: before.bytes });
      expect((await journal().totals()).filter(({ messages }) => messages > 0)).toMatchObject([
        { topic: 'orders', messages: 1 },
      ]);
    });
  });
}
