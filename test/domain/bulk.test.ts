// Bulk delivery: when a batch is cut, how it is split, the body it is sent with.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { bulkBody, cutBatch, splitByPath } from '../../core/domain/bulk.ts';
import type { Waiting } from '../../core/domain/bulk.ts';
import { anyText, bytes, codec } from './node-codec.ts';

const limits = { maxMessagesCount: 3, maxAwaitDurationMs: 100 };
const waiting = (...at: readonly number[]): Waiting[] => at.map((enqueuedAt) => ({ enqueuedAt, path: '/p' }));

describe('cutting', () => {
  test('without waiting entries there is no batch and no next time', () => {
    expect(cutBatch([], limits, 5)).toEqual({ entries: [] });
  });

  test('too few entries too early wait until the oldest is due', () => {
    expect(cutBatch(waiting(10, 50), limits, 60)).toEqual({ entries: [], askAgainAt: 110 });
  });

  test('all waiting entries go once the oldest is due', () => {
    expect(cutBatch(waiting(10, 50), limits, 110).entries).toHaveLength(2);
  });

  test('a full batch goes at once, and the rest at its own time', () => {
    expect(cutBatch(waiting(10, 10, 10), limits, 10).entries).toHaveLength(3);
    const cut = cutBatch(waiting(10, 10, 10, 20), limits, 20);
    expect([cut.entries.length, cut.askAgainAt]).toEqual([3, 120]);
    expect(cutBatch(waiting(1, 1, 1, 1, 1, 1, 1), limits, 2).askAgainAt).toBe(2);
  });

  test('property: every entry is sent once, in order, never more than the limit, never later than its wait', () => {
    const gaps = fc.array(fc.nat({ max: 80 }), { minLength: 1, maxLength: 40 });
    const anyLimits = fc.record({
      maxMessagesCount: fc.integer({ min: 1, max: 5 }),
      maxAwaitDurationMs: fc.integer({ min: 1, max: 200 }),
    });
    fc.assert(
      fc.property(gaps, anyLimits, (waits, limit) => {
        let at = 0;
        const arrivals = waits.map((gap) => (at += gap));
        const queue: Waiting[] = [];
        const sent: { readonly entry: Waiting; readonly sentAt: number; readonly size: number }[] = [];
        let arrived = 0;
        let nowMs = 0;
        while (sent.length < arrivals.length) {
          while (arrived < arrivals.length && (arrivals[arrived] ?? 0) <= nowMs) {
            queue.push({ enqueuedAt: arrivals[arrived++] ?? 0, path: '/p' });
          }
          const cut = cutBatch(queue, limit, nowMs);
          for (const entry of queue.splice(0, cut.entries.length))
            sent.push({ entry, sentAt: nowMs, size: cut.entries.length });
          const next = arrived < arrivals.length ? (arrivals[arrived] ?? 0) : Number.POSITIVE_INFINITY;
          if (sent.length < arrivals.length)
            nowMs = Math.max(nowMs, Math.min(cut.askAgainAt ?? Number.POSITIVE_INFINITY, next));
        }
        expect(sent.map(({ entry }) => entry.enqueuedAt)).toEqual(arrivals);
        expect(sent.every(({ size }) => size <= limit.maxMessagesCount)).toBe(true);
        expect(sent.every(({ entry, sentAt }) => sentAt - entry.enqueuedAt <= limit.maxAwaitDurationMs)).toBe(
          true,
        );
      }),
    );
  });
});

test('a batch has one call for each path, in the order of their first entries', () => {
  const entries = ['/b', '/a', '/b', '/c', '/a'].map((path, n) => ({ path, n }));
  expect(splitByPath(entries).map((group) => group.map(({ n }) => n))).toEqual([[0, 2], [1, 4], [3]]);
});

describe('the body', () => {
  const input = { id: 'call-1', pubsubname: 'pubsub', topic: 'orders', profile: PROFILES.dapr, codec };

  test('has an envelope unchanged, with every digit', () => {
    const wire = '{"data":12345678901234567890,"id":"1"}';
    const body = bulkBody({
      ...input,
      raw: false,
      entries: [
        { entryId: 'e1', wire },
        { entryId: 'e2', wire: codec.fromText(wire), metadata: { k: 'v' } },
      ],
    });
    expect(body).toBe(
      `{"entries":[{"entryId":"e1","event":${wire},"metadata":null,"contentType":"application/cloudevents+json"},` +
        `{"entryId":"e2","event":${wire},"metadata":{"k":"v"},"contentType":"application/cloudevents+json"}],` +
        '"id":"call-1","metadata":{"pubsubName":"pubsub"},"pubsubname":"pubsub","topic":"orders","type":"com.dapr.event.sent.bulk"}',
    );
  });

  test('has base64 for a raw subscription', () => {
    const body = JSON.parse(
      bulkBody({ ...input, raw: true, entries: [{ entryId: 'e', wire: codec.fromText('hello') }] }),
    ) as { entries: unknown };
    expect(body.entries).toEqual([
      { entryId: 'e', event: 'aGVsbG8=', metadata: null, contentType: 'application/octet-stream' },
    ]);
  });

  test('property: always JSON, with the entries that were put in', () => {
    const entry = fc.record({
      entryId: anyText,
      wire: fc.uint8Array().map((value) => bytes(...value)),
    });
    fc.assert(
      fc.property(fc.array(entry), anyText, (entries, topic) => {
        const body = JSON.parse(bulkBody({ ...input, topic, raw: true, entries })) as {
          topic: string;
          entries: { entryId: string; event: string }[];
        };
        expect(body.topic).toBe(topic);
        expect(body.entries.map(({ entryId, event }) => [entryId, event])).toEqual(
          entries.map(({ entryId, wire }) => [entryId, codec.toBase64(wire)]),
        );
      }),
    );
  });
});
