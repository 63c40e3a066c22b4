/** `messages.publishBulk`: events as values, and as JSON text with every digit. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { settle } from './bench.ts';
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

describe('payloads of a large request', () => {
  const inner = `{"a":1.0,"list":[12345678901234567890,"${'x'.repeat(300_000)}"], "a":"\\u00e9"}`;
  const answer = (method: string, params: string): Promise<string | undefined> => {
    const request = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"pubsubname":"pubsub","topic":"orders",${params}}}`;
    return console.console.answer(request, new AbortController().signal);
  };
  const entryOf = (event: string): string =>
    `"entries":[{"entryId":"0","contentType":"application/json","event":[0]},{"entryId":"1","event":${event},"contentType":"application/json"}]`;

  test('are published as they are written, and never parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    await answer('messages.publishBulk', entryOf(inner));
    await answer('messages.publish', `"data":${inner}`);
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(1000);
    const body = `[{"entryId":"0","contentType":"application/json","event":[0]},{"entryId":"1","event":${inner},"contentType":"application/json"}]`;
    const [bulk, one] = console.runtime.calls;
    expect(bulk).toMatchObject({ method: 'publishBulk', args: [{ ...BASE, body }] });
    expect(one).toMatchObject({
      method: 'publish',
      args: [{ ...BASE, body: inner, contentType: 'application/json' }],
    });
  });

  test('of a batch are carried so too, each to its own request', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const call = (data: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"messages.publish","params":{"pubsubname":"pubsub","topic":"orders","data":${data}}}`;
    const batch = ` [5,${call('1')},${call(inner)},${call(`[${inner}]`)}]`;
    await console.console.answer(batch, new AbortController().signal);
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(1000);
    const bodies = console.runtime.calls.map(({ args }) => (args[0] as { body: string }).body);
    expect(bodies).toEqual(['1', inner, `[${inner}]`]);
  });

  test('in a place that is not theirs change nothing', async () => {
    const other = `{"jsonrpc":"2.0","id":1,"method":"messages.publishBulk","params":[{"entries":[{"event":${inner}}]}]}`;
    const signal = new AbortController().signal;
    expect(await console.console.answer(other, signal)).toContain('INVALID_PARAMS');
    expect(await answer('messages.publishBulk', `"entries":{"0":{"event":${inner}}}`)).toContain(
      'INVALID_PARAMS',
    );
    expect(console.runtime.calls).toEqual([]);
  });

  test.each([
    ['an event that is no JSON', entryOf(inner.replace('1.0', '1.'))],
    ['no JSON beside the event', `${entryOf(inner)},`],
    ['too many levels', entryOf(`${'['.repeat(998)}${inner}${']'.repeat(998)}`)],
  ])('%s is refused as in any other request', async (_, params) => {
    expect(await answer('messages.publishBulk', params)).toContain('PARSE_ERROR');
    expect(console.runtime.calls).toEqual([]);
  });

  test('of two members of one name the last one counts', async () => {
    await answer('messages.publish', `"data":${inner},"d\\u0061ta":{"b":"${'y'.repeat(20_000)}"}`);
    await answer('messages.publish', `"data":${inner},"data":"short"`);
    const bodies = console.runtime.calls.map(({ args }) => (args[0] as { body: string }).body);
    expect(bodies).toEqual([`{"b":"${'y'.repeat(20_000)}"}`, 'short']);
  });
});

describe('publishes of one client to one topic', () => {
  const entries = [{ entryId: '1', contentType: 'application/json', event: 1 }];
  const single = { ...BASE, data: 1 };

  /** What was published, in its order, while the first bulk publish takes its time. */
  async function published(
    requests: readonly (readonly [method: string, params: object])[],
    clientOf: (index: number) => AbortSignal,
  ): Promise<readonly string[]> {
    const begun: string[] = [];
    const { publishByHand } = console.runtime;
    let end = (): void => undefined;
    vi.spyOn(publishByHand, 'bulk').mockImplementation(async ({ topic }) => {
      begun.push(`bulk to ${topic}`);
      if (begun.length === 1) await new Promise<void>((resolve) => (end = resolve));
      begun.push(`end of bulk to ${topic}`);
      return { messageIds: [], failedEntries: [] };
    });
    vi.spyOn(publishByHand, 'one').mockImplementation(async ({ topic }) => {
      begun.push(`one to ${topic}`);
      return { messageId: 'msg_1' };
    });
    const answers = requests.map(([method, params], id) =>
      console.console.answer(JSON.stringify({ jsonrpc: '2.0', id, method, params }), clientOf(id)),
    );
    await settle();
    end();
    await Promise.all(answers);
    return begun;
  }

  test('keep their order behind a bulk publish, also one that is refused', async () => {
    const { signal } = new AbortController();
    const order = await published(
      [
        ['messages.publishBulk', { ...BASE, entries }],
        ['messages.publishBulk', { ...BASE, entries: [{ entryId: '1' }] }],
        ['messages.publish', single],
        ['messages.publishBulk', { ...BASE, entries }],
        ['messages.publish', single],
      ],
      () => signal,
    );
    const bulk = ['bulk to orders', 'end of bulk to orders'];
    expect(order).toEqual([...bulk, 'one to orders', ...bulk, 'one to orders']);
  });

  test('wait for no other topic, and for no other client', async () => {
    const [own, others] = [new AbortController().signal, new AbortController().signal];
    const order = await published(
      [
        ['messages.publishBulk', { ...BASE, entries }],
        ['messages.publish', { ...single, topic: 'letters' }],
        ['messages.publish', single],
      ],
      (index) => (index < 2 ? own : others),
    );
    expect(order.at(-1)).toBe('end of bulk to orders');
    expect(order.slice(0, 3).toSorted()).toEqual(['bulk to orders', 'one to letters', 'one to orders']);
  });
});
