/** Payloads that do not come with their message: left out where they are long, and given in parts with every digit. */
import { describe, expect, test, vi } from 'vitest';
import type { MessageDetail, PayloadPart } from '../../core/contract/message.ts';
import { accepted, delivered, published, type AcceptedMore } from '../adapters/journal-records.ts';
import { Console } from '../../core/console/console.ts';
import { PART_CHARACTERS } from '../../core/console/payload-parts.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import { ask, call } from './recording-calls.ts';

const LONG_NUMBER = '12345678901234567890.10';

async function stand(more: AcceptedMore) {
  const clock = new ManualClock();
  const bench = makeBench(clock);
  const console = new Console(bench.deps);
  await bench.runtime.journal.append([accepted(1, more), published(1)]);
  const get = vi.spyOn(bench.runtime.journal, 'get');
  const part = (from?: number) =>
    call<PayloadPart>(console, 'messages.payload', {
      messageId: 'msg_1',
      ...(from !== undefined && { from }),
    });
  const whole = async (): Promise<{ texts: string[]; kind: string }> => {
    const texts: string[] = [];
    for (let from: number | undefined = 0; ;) {
      const { text, next, kind }: PayloadPart = await part(from);
      texts.push(text);
      if (next === undefined) return { texts, kind };
      from = next;
    }
  };
  return { clock, console, get, part, whole, bench };
}

/** An event whose data are longer than one part, with a number that no double holds, and a pair of surrogates at the end of the part. */
function longData(): string {
  const start = `{"n":${LONG_NUMBER},"text":"`;
  return `${start}${'x'.repeat(PART_CHARACTERS - start.length - 1)}😀${'y'.repeat(1000)}"}`;
}

describe('messages.payload', () => {
  test('gives the data of an event in parts, with every digit and character, and reads the message once', async () => {
    const data = longData();
    const { whole, get } = await stand({ wire: `{"specversion":"1.0","id":"e","data":${data}}` });
    const { texts, kind } = await whole();
    expect(kind).toBe('json');
    expect(texts.map(({ length }) => length)).toEqual([PART_CHARACTERS, data.length - PART_CHARACTERS]);
    expect(texts.join('')).toBe(data);
    expect(get).toHaveBeenCalledTimes(1);
  });

  test('gives a text as its value, bytes as base64, a raw payload unchanged, and an empty text for no payload', async () => {
    const event = (rest: string): AcceptedMore => ({ wire: `{"specversion":"1.0"${rest}}` });
    const of = async (more: AcceptedMore) => (await stand(more)).part();
    expect(await of(event(',"data":"a \\"b\\""'))).toEqual({ kind: 'text', text: 'a "b"', size: 5 });
    expect(await of(event(',"data_base64":"AAE="'))).toEqual({ kind: 'base64', text: 'AAE=', size: 4 });
    expect(await of(event(''))).toEqual({ kind: 'none', text: '', size: 0 });
    expect(await of({ wire: ' {"n": 1.0} ', row: { raw: true } })).toMatchObject({ text: ' {"n": 1.0} ' });
    expect(await of({ wire: 'no json', row: { raw: true } })).toMatchObject({
      kind: 'text',
      text: 'no json',
    });
  });

  test('reads the message again where the next part is not asked for in ten seconds', async () => {
    const { part, get, clock } = await stand({ wire: `{"specversion":"1.0","data":${longData()}}` });
    const { next } = await part();
    clock.advance(10_001);
    expect(await part(next)).not.toHaveProperty('next');
    expect(get).toHaveBeenCalledTimes(2);
  });

  test('leaves no timer behind when the console closes, which would hold up the end of the process', async () => {
    const { part, console, clock } = await stand({ wire: `{"specversion":"1.0","data":${longData()}}` });
    const before = clock.waiting;
    await part();
    expect(clock.waiting).toBe(before + 1);
    await console.close();
    // A part that was under way comes after the end.
    await part();
    expect(clock.waiting).toBe(before);
  });

  test('gives what a person edited for a delivery, with its content type, and what was published for any other', async () => {
    const data = longData();
    const { console, bench } = await stand({ data: { n: 1 } });
    const edited = (type: string, rest: string) =>
      `{"specversion":"1.0","datacontenttype":"${type}","data":${rest}}`;
    await bench.runtime.journal.append([
      delivered(1, 'processed', { delivery: { changedWire: edited('application/json', data) } }),
      delivered(1, 'processed', { nth: 2 }),
      delivered(1, 'processed', { nth: 3, delivery: { changedWire: edited('text/xml', '"<a/>"') } }),
    ]);
    const of = (nth: number, from?: number) =>
      call<PayloadPart>(console, 'messages.payload', {
        messageId: 'msg_1',
        deliveryId: `dlv_1_${nth}`,
        ...(from !== undefined && { from }),
      });
    const first = await of(1);
    expect(first.text + (await of(1, first.next)).text).toBe(data);
    expect(first.contentType).toBe('application/json');
    expect(await of(2)).toEqual({ kind: 'json', text: '{"n":1}', size: 7 });
    expect(await of(3)).toEqual({ kind: 'text', text: '<a/>', size: 4, contentType: 'text/xml' });
  });

  test('refuses an unknown delivery', async () => {
    const { console } = await stand({});
    const asked = { messageId: 'msg_1', deliveryId: 'dlv_9_9' };
    expect((await ask(console, 'messages.payload', asked)).error).toMatchObject({
      message: 'The message msg_1 has no delivery dlv_9_9.',
      data: { code: 'NOT_FOUND', field: 'deliveryId' },
    });
  });

  test('refuses an unknown message', async () => {
    const { console } = await stand({});
    expect((await ask(console, 'messages.payload', { messageId: 'msg_9' })).error).toMatchObject({
      message: 'There is no message msg_9.',
      data: { code: 'NOT_FOUND', field: 'messageId' },
    });
  });
});

describe('messages.get', () => {
  test('leaves out the payload of a message that is longer than was asked for, and nothing else', async () => {
    const { console, bench } = await stand({ row: { sizeBytes: 5000 } });
    const { detail } = bench.runtime.messages;
    vi.spyOn(bench.runtime.messages, 'detail').mockImplementation(async (messageId) => ({
      ...(await detail(messageId)),
      envelope: { specversion: '1.0', source: 'shop-web', data: { n: 1 } },
      data: { n: 1 },
    }));
    const get = (payloadUpTo?: number) =>
      call<MessageDetail>(console, 'messages.get', {
        messageId: 'msg_1',
        ...(payloadUpTo !== undefined && { payloadUpTo }),
      });
    const { data, envelope, ...rest } = await get();
    expect(await get(5000)).toEqual({ data, envelope, ...rest });
    expect(await get(4999)).toEqual({
      ...rest,
      envelope: { specversion: '1.0', source: 'shop-web' },
      payloadApart: true,
    });
  });
});

test('routes.explain takes the event of a message, with other members in place of its own', async () => {
  const { console, bench } = await stand({ data: { n: 1 } });
  const explain = vi.spyOn(bench.runtime.topology, 'explain').mockResolvedValue([]);
  const asked = { pubsubname: 'pubsub', topic: 'orders', messageId: 'msg_1' };
  await call(console, 'routes.explain', { ...asked, event: {} });
  await call(console, 'routes.explain', { ...asked, event: { type: 'b' } });
  const event = { specversion: '1.0', source: 'shop-web', data: { n: 1 } };
  expect(explain.mock.calls.map(([question]) => question.event)).toEqual([event, { ...event, type: 'b' }]);
});
