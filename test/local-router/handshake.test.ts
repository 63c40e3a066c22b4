/** The router's side of the validation handshake: consent, tries, the callback. */
import { describe, expect, test } from 'vitest';
import { ORIGIN, answer, engineStand, event, noAnswer } from './engine-stand.ts';
import type { EngineStand, Reply } from './engine-stand.ts';

const FIVE_MINUTES = 300;

async function outcome(stand: EngineStand, ...replies: readonly Reply[]) {
  stand.script.handshake = (_request, index) => replies[Math.min(index, replies.length - 1)] ?? 200;
  const id = await stand.subscribe();
  return { id, kept: () => stand.parts.subscriptions.get(id) };
}

function given(url: string): { readonly id: string; readonly token: string } {
  const query = new URL(url).searchParams;
  return { id: query.get('id') ?? '', token: query.get('token') ?? '' };
}

describe('OPTIONS', () => {
  test('asks with origin, callback and rate', async () => {
    const stand = await engineStand();
    await outcome(stand, answer(200, { 'webhook-allowed-origin': ORIGIN }));
    expect(stand.handshakes[0]).toMatchObject({
      method: 'OPTIONS',
      headers: { 'webhook-request-origin': ORIGIN, 'webhook-request-rate': '120' },
    });
    expect(stand.handshakes[0]?.headers['webhook-request-callback']).toMatch(
      /^https:\/\/localhost:7443\/eventsubscriptions\/ordersin\/validate\?id=.+&t=.+&apiVersion=2022-06-15&token=[\w-]{43}$/,
    );
  });

  test.each(['*', ORIGIN, ORIGIN.toUpperCase()])('H10 200 that allows %s is consent', async (allowed) => {
    const stand = await engineStand();
    const { kept } = await outcome(stand, answer(200, { 'webhook-allowed-origin': allowed }));
    expect(kept()).toMatchObject({ state: 'Succeeded' });
    expect(stand.parts.handshakes.list()[0]).toMatchObject({ consent: 'yes', status: 200 });
  });

  test('H11 200 that allows another origin is a refusal', async () => {
    const stand = await engineStand();
    const { kept } = await outcome(stand, answer(200, { 'webhook-allowed-origin': 'other.example' }));
    expect(kept()).toMatchObject({ state: 'Failed', error: { code: 'Url validation' } });
    await stand.publish(event());
    await stand.pass(60);
    expect(stand.seen).toEqual([]);
  });

  test('H12 200 without consent waits for the callback, which validates', async () => {
    const stand = await engineStand();
    const { id, kept } = await outcome(stand, 200);
    expect(kept()).toMatchObject({ state: 'AwaitingManualAction' });
    const url = stand.parts.subscriptions.validationUrl(id) ?? '';
    expect(url).toBe(stand.handshakes[0]?.headers['webhook-request-callback']);
    await stand.pass(FIVE_MINUTES - 1);
    stand.parts.subscriptions.callback('ordersin', given(url), '30');
    expect(kept()).toMatchObject({ state: 'Succeeded', allowedRate: 30 });
    expect(stand.parts.handshakes.list()[0]).toMatchObject({ kind: 'callback', consent: 'yes' });
  });

  test('H13 after five minutes it has failed, and the callback is refused', async () => {
    const stand = await engineStand();
    const { id, kept } = await outcome(stand, 200);
    const url = stand.parts.subscriptions.validationUrl(id) ?? '';
    await stand.pass(FIVE_MINUTES);
    expect(kept()).toMatchObject({ state: 'Failed' });
    expect(() => stand.parts.subscriptions.callback('ordersin', given(url))).toThrow(/expired/);
  });

  test('H14 a wrong token is refused, and a right one works once', async () => {
    const stand = await engineStand();
    const { id, kept } = await outcome(stand, 200);
    const url = stand.parts.subscriptions.validationUrl(id) ?? '';
    const right = given(url);
    const call = (token: string): void => stand.parts.subscriptions.callback('ordersin', { ...right, token });
    expect(() => call('x'.repeat(43))).toThrow(/not valid/);
    expect(() => call('')).toThrow(/not valid/);
    expect(kept()).toMatchObject({ state: 'AwaitingManualAction' });
    call(right.token);
    expect(kept()).toMatchObject({ state: 'Succeeded' });
    expect(() => call(right.token)).toThrow(/used already/);
  });

  test('H14 ten calls a minute and no more', async () => {
    const stand = await engineStand();
    await outcome(stand, 200);
    const call = () => () => stand.parts.subscriptions.callback('ordersin', { id: 'x', token: 'y' });
    for (let n = 0; n < 10; n++) expect(call()).toThrow(/not valid/);
    expect(call()).toThrow(/too often/);
  });

  test('H15 two 503 and then 200 are validated at the third try, 5 s apart', async () => {
    const stand = await engineStand();
    const { kept } = await outcome(stand, 503, 503, answer(200, { 'webhook-allowed-origin': '*' }));
    await stand.pass(4);
    expect(stand.handshakes).toHaveLength(1);
    await stand.pass(2);
    expect(stand.handshakes).toHaveLength(2);
    await stand.pass(5);
    expect(kept()).toMatchObject({ state: 'Succeeded' });
    expect(stand.parts.handshakes.list().map(({ attempt, consent }) => [attempt, consent])).toEqual([
      [3, 'yes'],
      [2, 'no'],
      [1, 'no'],
    ]);
  });

  test('three 503 name the ingress', async () => {
    const stand = await engineStand();
    const { kept } = await outcome(stand, 503);
    await stand.pass(20);
    expect(kept()?.error?.message).toBe(
      'Webhook validation handshake failed for https://localhost:9443/ordersin. Http OPTIONS request failed with response code ServiceUnavailable (503). The ingress is malfunctioning.',
    );
    expect(stand.handshakes).toHaveLength(3);
  });

  test('H16 a redirect is not followed', async () => {
    const stand = await engineStand();
    const { kept } = await outcome(stand, answer(302, { location: '/good', 'webhook-allowed-origin': '*' }));
    await stand.pass(20);
    expect(kept()).toMatchObject({ state: 'Failed' });
    expect(new Set(stand.handshakes.map(({ url }) => url))).toEqual(
      new Set(['https://localhost:9443/ordersin']),
    );
  });

  test.each(['0', 'abc', '-1', '1.5'])('H18 an allowed rate of %s is a failure', async (rate) => {
    const stand = await engineStand();
    const headers = { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': rate };
    const { kept } = await outcome(stand, answer(200, headers));
    expect(kept()?.error?.message).toContain('invalid allowed rate');
  });

  test('a call without an answer counts as a try', async () => {
    const stand = await engineStand();
    const { kept } = await outcome(
      stand,
      noAnswer('SocketError'),
      answer(200, { 'webhook-allowed-origin': '*' }),
    );
    await stand.pass(6);
    expect(kept()).toMatchObject({ state: 'Succeeded' });
  });
});

describe('the validation event', () => {
  function echo(status: number, change: (code: string) => string = (code) => code) {
    return ({ body }: { readonly body?: Uint8Array }): Reply => {
      const [sent] = JSON.parse(Buffer.from(body ?? []).toString()) as { data: { validationCode: string } }[];
      const validationResponse = change(sent?.data.validationCode ?? '');
      return answer(status, {}, JSON.stringify({ validationResponse }));
    };
  }

  async function eventStand(handshake: EngineStand['script']['handshake']) {
    const stand = await engineStand();
    stand.parts.topics.put({ name: 'orders', inputSchema: 'EventGridSchema' });
    stand.script.handshake = handshake;
    const id = await stand.subscribe('ordersin', { eventDeliverySchema: 'EventGridSchema' });
    return { stand, id, state: () => stand.parts.subscriptions.get(id)?.state };
  }

  test('H19 200 that echoes the code, in any letter case, validates', async () => {
    const { stand, state } = await eventStand(echo(200, (code) => code.toUpperCase()));
    expect(state()).toBe('Succeeded');
    const [request] = stand.handshakes;
    expect(request?.headers).toMatchObject({
      'aeg-event-type': 'SubscriptionValidation',
      'aeg-subscription-name': 'ORDERSIN',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(JSON.parse(Buffer.from(request?.body ?? []).toString())).toMatchObject([
      { eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', subject: '', dataVersion: '2' },
    ]);
  });

  test('H19 202 is not accepted even with the code: tried again, then failed', async () => {
    const { stand, state } = await eventStand(echo(202));
    expect(state()).toBe('Creating');
    await stand.pass(11);
    expect(state()).toBe('Failed');
    expect(stand.handshakes).toHaveLength(3);
  });

  test('200 with another code waits for the validation URL', async () => {
    const { stand, id, state } = await eventStand(echo(200, () => 'another'));
    expect(state()).toBe('AwaitingManualAction');
    stand.parts.subscriptions.callback('ordersin', given(stand.parts.subscriptions.validationUrl(id) ?? ''));
    expect(state()).toBe('Succeeded');
  });
});

describe('updates', () => {
  test('a failed update continues to deliver to the old endpoint', async () => {
    const stand = await engineStand();
    const id = await stand.subscribe();
    stand.script.handshake = () => 503;
    await stand.subscribe('ordersin', {}, { endpointUrl: 'https://localhost:9443/elsewhere' });
    await stand.pass(20);
    expect(stand.parts.subscriptions.get(id)).toMatchObject({ state: 'Failed' });
    await stand.publish(event());
    expect(stand.seen[0]?.request.url).toBe('https://localhost:9443/ordersin');
  });

  test('a second PUT waits for the handshake of the first', async () => {
    const stand = await engineStand();
    let consent: (value: ReturnType<typeof answer>) => void = () => undefined;
    stand.script.handshake = (_request, index) =>
      index === 0
        ? new Promise((resolve) => (consent = resolve))
        : answer(200, { 'webhook-allowed-origin': '*' });
    await stand.subscribe();
    const second = stand.subscribe('ordersin', {}, { endpointUrl: 'https://localhost:9443/second' });
    await stand.settle();
    expect(stand.handshakes).toHaveLength(1);
    consent(answer(200, { 'webhook-allowed-origin': '*' }));
    const id = await second;
    expect(stand.handshakes[1]?.url).toBe('https://localhost:9443/second');
    expect(stand.parts.subscriptions.get(id)).toMatchObject({ state: 'Succeeded' });
  });

  test('an expired subscription gets no events', async () => {
    const stand = await engineStand();
    await stand.subscribe('ordersin', { expirationTimeUtc: '2026-01-02T04:00:00Z' });
    await stand.pass(3600);
    await stand.publish(event());
    expect(stand.seen).toEqual([]);
  });

  test('a handshake that a stop cut off is repeated after the next start', async () => {
    const stand = await engineStand();
    stand.script.handshake = () => new Promise(() => undefined);
    const id = await stand.subscribe();
    expect(stand.parts.subscriptions.get(id)).toMatchObject({ state: 'Creating' });
    stand.script.handshake = () => answer(200, { 'webhook-allowed-origin': '*' });
    stand.parts.subscriptions.resume();
    await stand.settle();
    expect(stand.parts.subscriptions.get(id)).toMatchObject({ state: 'Succeeded' });
  });
});
