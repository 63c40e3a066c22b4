/** `messages.publishBulk`: events as values, and as JSON text with every digit. */
import { beforeEach, describe, expect, test } from 'vitest';
import { deskOf } from './desk.ts';
import type { Desk } from './desk.ts';

const BASE = { pubsubname: 'pubsub', topic: 'orders' };

let desk: Desk;
beforeEach(() => {
  desk = deskOf();
});

describe('the event of a bulk entry as text', () => {
  const entry = { entryId: '"1"', contentType: 'application/json' };
  const event = '{"id":12345678901234567890,"a":1.0}';

  test('goes on as it is written', async () => {
    const metadata = { ttlInSeconds: '5' };
    await desk.call('messages.publishBulk', {
      ...BASE,
      entries: [
        { ...entry, eventText: event, metadata },
        { ...entry, event: null },
      ],
    });
    const first = `{"entryId":"\\"1\\"","event":${event},"contentType":"application/json","metadata":{"ttlInSeconds":"5"}}`;
    const body = `[${first},${JSON.stringify({ ...entry, event: null })}]`;
    expect(desk.runtime.calls).toEqual([{ method: 'publishBulk', args: [{ ...BASE, body, metadata: {} }] }]);
  });

  test.each([
    ['no event', {}, 'entries[0].event', 'event or eventText'],
    ['two', { event: 1, eventText: '1' }, 'entries[0].eventText', 'either event or eventText'],
    ['no JSON', { eventText: '1},{' }, 'entries[0].eventText', 'JSON'],
  ])('%s is refused', async (_, more, field, expected) => {
    const entries = [{ ...entry, ...more }];
    expect(await desk.refused('messages.publishBulk', { ...BASE, entries })).toMatchObject({
      data: { code: 'INVALID_PARAMS', field, expected },
    });
    expect(desk.runtime.calls).toEqual([]);
  });
});
