/** Payloads that are read apart from their message: put together, begun again when they change, kept, and copied with every digit. */
import { describe, expect, test } from 'vitest';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { bodyOfPayload, eventText, publishLongAgain } from '../../renderer/format/long-payload.ts';
import { createPayloads } from '../../renderer/state/payloads.ts';
import { FakeHost, settle } from './fake-pipe.ts';
import { transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

const DATA = '{"n":12345678901234567890.10}';

async function stand(parts: (from: number) => { text: string; size: number; next?: number }) {
  const host = new FakeHost({
    'messages.payload': ({ from = 0 }) => ({ kind: 'json' as const, ...parts(from) }),
  });
  const rpc = createRpcClient(createLink({ open: host.open, after: () => () => undefined }), {
    lost: 'lost',
    away: 'away',
    noAnswer: 'none',
  });
  await settle();
  return { host, payloads: createPayloads(rpc) };
}

const part = (text: string, from: number, long = 10) => {
  const next = from + long < text.length ? { next: from + long } : {};
  return { text: text.slice(from, from + long), size: text.length, ...next };
};

describe('a long payload', () => {
  test('is read part by part, with its progress, and kept', async () => {
    const { host, payloads } = await stand((from) => part(DATA, from));
    const message = wholeMessage();
    const shares: number[] = [];
    const read = await payloads.read({ message }, { onShare: (share) => shares.push(share) });
    expect(read).toEqual({ kind: 'json', text: DATA });
    expect(shares).toEqual([10 / 29, 20 / 29, 1]);
    expect(payloads.known({ message })).toBe(read);
    await payloads.read({ message });
    expect(host.called('messages.payload').map(({ params }) => params)).toMatchObject([
      { from: 0 },
      { from: 10 },
      { from: 20 },
    ]);
    // After its release from a hold it may be another one.
    expect(payloads.known({ message: { ...message, stage: 'held' } })).toBeUndefined();
    expect(payloads.known({ message, recordingId: 'rec_1' })).toBeUndefined();
  });

  test('is asked for as a delivery sends it, and again after the delivery was released once more', async () => {
    const { host, payloads } = await stand((from) => part('{"n":1}', from));
    const message = wholeMessage();
    const delivery = wholeDelivery({
      transitions: [transitionBy('user.release', 'queued', { sequence: 7 })],
    });
    await payloads.read({ message, delivery });
    expect(host.called('messages.payload').map(({ params }) => params)).toMatchObject([
      { deliveryId: delivery.deliveryId },
    ]);
    expect(payloads.known({ message, delivery })).toBeDefined();
    expect(payloads.known({ message })).toBeUndefined();
    const again = wholeDelivery({
      transitions: [
        transitionBy('user.release', 'queued', { sequence: 7 }),
        transitionBy('user.release', 'queued', { sequence: 9 }),
      ],
    });
    expect(payloads.known({ message, delivery: again })).toBeUndefined();
  });

  test('is read again from the beginning if it is edited meanwhile', async () => {
    let text = DATA;
    const { payloads } = await stand((from) => {
      const answer = part(text, from);
      text = `${DATA} `;
      return answer;
    });
    expect(await payloads.read({ message: wholeMessage() })).toEqual({ kind: 'json', text: `${DATA} ` });
  });

  test('is no longer read when it is given up', async () => {
    const stop = new AbortController();
    const { host, payloads } = await stand((from) => {
      stop.abort();
      return part(DATA, from);
    });
    const reading = payloads.read({ message: wholeMessage() }, { signal: stop.signal });
    await expect(reading).rejects.toThrow('aborted');
    expect(host.called('messages.payload')).toHaveLength(1);
  });
});

describe('a message with a long payload', () => {
  const envelope = { id: '1', type: 't' };
  const own = wholeMessage({ contentType: 'application/cloudevents+json', envelope, payloadApart: true });

  test('is copied as an event with every digit', () => {
    expect(eventText(own, { kind: 'json', text: DATA })).toBe(`{"id":"1","type":"t","data":${DATA}}`);
    expect(eventText(own, { kind: 'text', text: 'a "b"' })).toBe('{"id":"1","type":"t","data":"a \\"b\\""}');
    expect(eventText(own, { kind: 'base64', text: 'AAE=' })).toContain('"data_base64":"AAE="');
    expect(eventText(own, { kind: 'none', text: '' })).toBe('{"id":"1","type":"t"}');
    expect(eventText({ ...own, envelope: {} }, { kind: 'json', text: '1' })).toBe('{"data":1}');
  });

  test('is published again as it was', () => {
    const plain = wholeMessage({ payloadApart: true });
    expect(publishLongAgain(plain, { kind: 'json', text: DATA })).toMatchObject({ data: DATA });
    expect(publishLongAgain(plain, { kind: 'base64', text: 'AAE=' })).toMatchObject({ dataBase64: 'AAE=' });
    expect(publishLongAgain(own, { kind: 'json', text: DATA }).data).toBe(
      `{"id":"1","type":"t","data":${DATA}}`,
    );
    expect(bodyOfPayload({ kind: 'base64', text: 'AAE=' }).bytes).toEqual(new Uint8Array([0, 1]));
  });
});
