// Which messages of two recordings are the same one: by id, else by what they carry, else by their order.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinMessages, type JoinKeys } from '../../core/domain/recording/match-messages.ts';

const keys = (more: Partial<JoinKeys>): JoinKeys => ({
  pubsubname: 'pubsub',
  topic: 'orders',
  eventType: undefined,
  subject: undefined,
  eventId: undefined,
  data: '1',
  ...more,
});

describe('two messages are taken for the same one', () => {
  test('by their id, whatever else differs', () => {
    const before = [keys({ eventId: 'a', data: '1' }), keys({ eventId: 'b', data: '2' })];
    const after = [keys({ eventId: 'b', data: '1' }), keys({ eventId: 'a', data: '2', subject: 's' })];
    expect(joinMessages(before, after)).toEqual([
      { before: 0, after: 1, joinedBy: 'id' },
      { before: 1, after: 0, joinedBy: 'id' },
    ]);
  });

  test('by what they carry where ids are new, so that one more message in between moves none', () => {
    const before = ['1', '2', '3'].map((data, at) => keys({ data, eventId: `old ${at}` }));
    const after = ['1', 'x', '2', '3'].map((data, at) => keys({ data, eventId: `new ${at}` }));
    expect(joinMessages(before, after)).toEqual([
      { before: 0, after: 0, joinedBy: 'data' },
      { after: 1 },
      { before: 1, after: 2, joinedBy: 'data' },
      { before: 2, after: 3, joinedBy: 'data' },
    ]);
  });

  test('by their order within a subject where the data changed', () => {
    const before = [keys({ subject: 'one', data: '1' }), keys({ subject: 'two', data: '2' })];
    const after = [keys({ subject: 'two', data: '20' }), keys({ subject: 'one', data: '10' })];
    expect(joinMessages(before, after)).toEqual([
      { before: 0, after: 1, joinedBy: 'order' },
      { before: 1, after: 0, joinedBy: 'order' },
    ]);
  });

  test.each([
    ['com.dapr.event.sent', 'com.sidecar.event.sent', true],
    ['com.dapr.event.sent', 'com.sidecar.event.sent.bulk', false],
    ['com.dapr.event.sent', 'order.created', false],
  ])('by types that sidecars of two profiles give: %s, %s', (one, other, isSame) => {
    const joined = joinMessages([keys({ eventType: one })], [keys({ eventType: other })]);
    expect(joined.length === 1).toBe(isSame);
  });

  test.each([{ topic: 'others' }, { eventType: 't' }, { subject: 's' }, { pubsubname: 'p' }])(
    'never if one has %j',
    (more) => {
      expect(joinMessages([keys({})], [keys(more)])).toEqual([{ before: 0 }, { after: 0 }]);
    },
  );
});

test('property: each message is listed once, those of a side in order, and a list matches itself completely', () => {
  const one = fc.record({
    eventId: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
    topic: fc.constantFrom('orders', 'refunds'),
    subject: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
    data: fc.constantFrom('1', '2', '3'),
  });
  fc.assert(
    fc.property(fc.array(one), fc.array(one), (before, after) => {
      const joined = joinMessages(before.map(keys), after.map(keys));
      expect(joined.flatMap((each) => each.before ?? [])).toEqual(before.map((_each, at) => at));
      const told = joined.flatMap((each) => each.after ?? []);
      expect(told.toSorted((a, b) => a - b)).toEqual(after.map((_each, at) => at));
      const alone = joined.flatMap((each) => (each.before === undefined ? [each.after ?? -1] : []));
      expect(alone).toEqual(alone.toSorted((a, b) => a - b));
      const itself = joinMessages(before.map(keys), before.map(keys));
      expect(itself.every((each) => each.before === each.after)).toBe(true);
    }),
  );
});
