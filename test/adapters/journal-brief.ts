/** Messages in brief: states, names, payload values and chains of replays, the same from every journal. */
import { describe, expect, test } from 'vitest';
import { SORTABLE } from '../../core/contract/words.ts';
import { readFacet } from '../../core/domain/facet.ts';
import { sortValueOf } from '../../core/domain/row-order.ts';
import { accepted, delivered, finished, removed } from './journal-records.ts';
import type { Current } from './journal-records.ts';

export function briefTests(journal: Current): void {
  describe('in brief', () => {
    const brief = async (numbers: readonly number[], ...texts: string[]) => {
      const facets = texts.flatMap((text) => readFacet(text) ?? []);
      expect(facets).toHaveLength(texts.length);
      const found = await journal().summaries(numbers, facets);
      return found.map((one) => one && [one.number, one.state, ...one.values]);
    };

    test('the state that needs attention most, and the moment', async () => {
      await journal().append([
        ...finished(1),
        delivered(1, 'parked', { nth: 2 }),
        accepted(2),
        accepted(3, { row: { stage: 'refused' } }),
        ...finished(4),
        accepted(5, { row: { tap: 'shop' } }),
        ...finished(6, { row: { tap: 'shop' } }),
        accepted(7, { row: { tap: 'shop', stage: 'held' } }),
        accepted(8, { row: { expectedBy: ['shop'] } }),
      ]);
      expect(await brief([8])).toEqual([[8, 'unseen']]);
      expect(await brief([7, 6, 5])).toEqual([
        [7, 'held'],
        [6, 'processed'],
        [5, 'unseen'],
      ]);
      expect(await brief([4, 3, 2, 1, 9])).toEqual([
        [4, 'processed'],
        [3, 'refused'],
        [2, 'none'],
        [1, 'parked'],
        undefined,
      ]);
      const [first] = await journal().summaries([2], []);
      expect(first?.atMs).toBe(Date.parse('2026-03-01T10:00:00.001Z'));
    });

    test('state, route and last answer of the delivery that needs attention most', async () => {
      const answered = (status: number, word?: string) => ({
        lastAnswer: { status, ...(word === undefined ? {} : { word }) },
      });
      await journal().append([
        accepted(1),
        delivered(1, 'processed', { delivery: { route: { path: '/a' }, ...answered(200, 'SUCCESS') } }),
        delivered(1, 'parked', { nth: 2, delivery: { route: { path: '/b' }, ...answered(503) } }),
        accepted(2),
      ]);
      expect(await brief([1, 2], 'state', 'route', 'answer')).toEqual([
        [1, 'parked', 'parked', '/b', '503'],
        [2, 'none', 'none', undefined, undefined],
      ]);
      const moment = Date.parse('2026-03-01T10:00:00Z') / 1000;
      expect(await brief([1, 2], 'repeats')).toEqual([
        [1, 'parked', `${moment} orders · 503`],
        [2, 'none', `${moment} orders`],
      ]);
    });

    test.each(SORTABLE)('columnValues returns the values of rows in the column %s', async (column) => {
      const row = { subject: 'b', pinned: true, expiresAt: '2026-03-01T11:00:00.000Z', batchId: 'bat_1' };
      await journal().append([
        accepted(1, { row: { ...row, eventType: 'made', eventId: 'e-1', traceId: 'f'.repeat(32) } }),
        delivered(1, 'retrying', {
          delivery: { attemptCount: 2, nextAttemptAt: '2026-03-01T10:30:00.000Z', lastDurationMs: 7 },
        }),
        delivered(1, 'parked', {
          nth: 2,
          delivery: { attemptCount: 3, route: { path: '/b' }, lastAnswer: { status: 503 } },
        }),
        accepted(2, { row: { broker: { id: '1-0', consumer: 'c' } } }),
        accepted(3, { row: { stage: 'refused' } }),
        ...finished(4),
        accepted(5, { row: { tap: 'shop' } }),
        accepted(6, { row: { expectedBy: ['shop'] } }),
      ]);
      const rows = await journal().rows([6, 5, 4, 3, 2, 1]);
      const { numbers, values } = await journal().columnValues([6, 5, 4, 9, 3, 2, 1], column);
      expect(new Map(numbers.map((number, at) => [number, values[at]]))).toEqual(
        new Map(rows.map((shown) => [shown?.number, shown && sortValueOf(column, shown)])),
      );
    });

    test('names, payload values and extensions', async () => {
      const envelope = {
        specversion: '1.0',
        correlationid: 'c-1',
        data: { a: [{ b: 5 }], c: 'x', d: { e: 1 } },
      };
      await journal().append([
        accepted(1, {
          row: { topic: 'refunds', eventType: 'a\0b', traceId: 't1', batchId: 'b1' },
          wire: JSON.stringify(envelope),
        }),
        accepted(2, { data: 'y'.repeat(600) }),
        accepted(3, { row: { raw: true }, wire: '{"a":[{"b":"raw"}]}' }),
      ]);
      expect(await brief([1], 'topic', 'type', 'trace', 'batch')).toEqual([
        [1, 'none', 'refunds', 'a\u2400b', 't1', 'b1'],
      ]);
      expect(await brief([1, 2, 3], 'correlation', 'data.a[0].b', 'data.c', 'data.d')).toEqual([
        [1, 'none', 'c-1', '5', 'x', '{"e":1}'],
        [2, 'none', undefined, undefined, undefined, undefined],
        [3, 'none', undefined, 'raw', undefined, undefined],
      ]);
    });

    test('payloads in one line', async () => {
      await journal().append([
        accepted(1, { wire: '{"data": {"a": 12345678901234567890}}' }),
        accepted(2, { row: { raw: true }, wire: new Uint8Array([255, 0]) }),
        accepted(3, { row: { raw: true }, wire: 'x'.repeat(300) }),
      ]);
      const found = await journal().summaries([3, 2, 1, 9], [{ kind: 'preview' }]);
      expect(found.map((one) => one?.values)).toEqual([
        [`${'x'.repeat(200)}…`],
        ['ff 00'],
        ['{"a":12345678901234567890}'],
        undefined,
      ]);
    });

    test('the line of a payload that was edited for the delivery in need of attention', async () => {
      const lines = async () => {
        const found = await journal().summaries([1, 2, 3], [{ kind: 'preview' }, { kind: 'edited' }]);
        return found.map((one) => one?.values);
      };
      await journal().append([
        accepted(1, { wire: '{"data":{"a":1}}' }),
        delivered(1, 'queued', { delivery: { changedWire: '{"data":{"a":2}}' } }),
        accepted(2, { wire: '{"data":{"b":1}}' }),
        delivered(2, 'processed', { delivery: { changedWire: '{"data":{"b":2}}' } }),
        delivered(2, 'parked', { nth: 2 }),
        accepted(3, { row: { raw: true }, wire: 'as it was' }),
        delivered(3, 'processed', { delivery: { changedWire: new Uint8Array([255, 0]) } }),
      ]);
      expect(await brief([1, 2, 3], 'data.a', 'data.b', 'correlation')).toEqual([
        [1, 'queued', '2', undefined, undefined],
        [2, 'parked', undefined, '1', undefined],
        [3, 'processed', undefined, undefined, undefined],
      ]);
      const expected = [
        ['{"a":2}', 'edited'],
        ['{"b":1}', undefined],
        ['ff 00', 'edited'],
      ];
      expect(await lines()).toEqual(expected);
      await journal().append([delivered(1, 'processed')]);
      expect(await lines()).toEqual(expected);
    });

    test('the head of a chain of replays, even after its removal', async () => {
      await journal().append([
        accepted(1),
        accepted(2, { row: { replayOf: 'msg_1' } }),
        accepted(3, { row: { replayOf: 'msg_2' } }),
        accepted(4),
      ]);
      const chain = async () => {
        const found = await journal().summaries([1, 2, 3, 4], [{ kind: 'replay' }]);
        return found.map((one) => one && [one.values[0], one.root]);
      };
      const none = [undefined, undefined];
      expect(await chain()).toEqual([none, ['msg_1', 1], ['msg_1', 1], none]);
      await journal().append([removed(1)]);
      expect(await chain()).toEqual([undefined, ['msg_1', undefined], ['msg_1', undefined], none]);
    });
  });
}
