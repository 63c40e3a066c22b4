/** `messages.publishBulk`: events as values, and as JSON text with every digit. */
import { beforeEach, describe, expect, test } from 'vitest';
import { inMemoryConsole } from './in-memory-console.ts';
import type { InMemoryConsole } from './in-memory-console.ts';

const BASE = { pubsubname: 'pubsub', topic: 'orders' };

let console: InMemoryConsole;
beforeEach(() => {
  console = inMemoryConsole();
});

describe('the event of a bulk entry as text', () => {
  const entry = { entryId: '"1"', contentType: 'application/json' };
  const event = '{"id":12345678901234567890,"a":1.0}';

  test('is passed as it was written', async () => {
    const metadata = { ttlInSeconds: '5' };
    await console.call('messages.publishBulk', {
      ...BASE,
      entries: [
        { ...entry, eventText: event, metadata },
        { ...entry, event: null },
      ],
    });
    const first = `{"entryId":"\\"1\\"","event":${event},"contentType":"application/json","metadata":{"ttlInSeconds":"5"}}`;
    const body = `[${first},${JSON.stringify({ ...entry, event: null })}]`;
    expect(console.runtime.calls).toEqual([
      { method: 'publishBulk', args: [{ ...BASE, body, metadata: {} }] },
    ]);
  });

  test.each([
    ['no event', {}, 'entries[0].event', 'event or eventText'],
    ['two', { event: 1, eventText: '1' }, 'entries[0].eventText', 'either event or eventText'],
    ['no JSON', { eventText: '1},{' }, 'entries[0].eventText', 'JSON'],
  ])('%s is refused', async (_, more, field, expected) => {
    const entries = [{ ...entry, ...more }];
    expect(await console.refused('messages.publishBulk', { ...BASE, entries })).toMatchObject({
      data: { code: 'INVALID_PARAMS', field, expected },
    });
    expect(console.runtime.calls).toEqual([]);
  });
});
