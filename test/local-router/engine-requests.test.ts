/** Requests of the delivery engine: headers, tokens, batches, lanes, attributes, rates. */
import { describe, expect, test } from 'vitest';
import { SCOPE, answer, engineStand, event } from './engine-stand.ts';

const TENANT = '11111111-1111-4111-8111-111111111111';
const CLIENT = '33333333-3333-4333-8333-333333333333';
const SECURED = { azureActiveDirectoryTenantId: TENANT, azureActiveDirectoryApplicationIdOrUri: CLIENT };

function many(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => event(`e${n}`));
}

/** Batch settings of a subscription without batches, as the management API gives them. */
const asRead = { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 };

describe('requests', () => {
  test('D01 one event, one attempt, with the headers of a delivery', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    await stand.publish(
      event('e1', { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    );
    const [only] = stand.seen;
    expect(only?.request).toMatchObject({ method: 'POST', url: 'https://localhost:9443/ordersin' });
    expect(only?.headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-request-origin': 'eventrouter.localhost',
      'aeg-event-type': 'Notification',
      'aeg-subscription-name': 'ORDERSIN',
      'aeg-delivery-count': '0',
      'aeg-data-version': '',
      'aeg-metadata-version': '1.0',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    expect(only?.headers).not.toHaveProperty('authorization');
    expect(only?.body).toMatchObject({ id: 'e1', data: { n: 1 } });
    expect(stand.delivery1()).toMatchObject({ state: 'processed', attempts: 1 });
    expect(stand.delivery1().transitions.map(({ to, rule }) => `${to} ${rule}`)).toEqual([
      'queued policy.accepted',
      'attempting policy.attempt',
      'processed router.processed',
    ]);
  });

  test('D16 a 401 ends a delivery; with retry401Once a fresh token gets one more attempt at once', async () => {
    for (const retry401Once of [false, true]) {
      const stand = await engineStand({ delivery: { retry401Once } });
      await stand.subscribe('ordersin', {}, SECURED);
      stand.script.reply = (_seen, index) => (index === 0 ? 401 : 200);
      await stand.publish(event());
      await expect.poll(() => stand.states()).toEqual([retry401Once ? 'processed' : 'parked']);
      const tokens = stand.seen.map(({ headers }) => headers['authorization']);
      expect(tokens).toHaveLength(retry401Once ? 2 : 1);
      expect(new Set(tokens).size).toBe(tokens.length);
      expect(stand.delivery1().history[0]).toMatchObject({
        token: { aud: CLIENT, caller: '4962773b-9cdb-44cf-a8bf-237846a00ab7' },
        request: { headers: { authorization: '***' } },
      });
    }
  });

  test('D17 twenty-five events go in batches of at most ten, and a failure counts for all of its batch', async () => {
    const stand = await engineStand({ delivery: { maxConcurrentDeliveries: 1 } });
    await stand.subscribe('ordersin', {}, { maxEventsPerBatch: 10 });
    stand.script.reply = (_seen, index) => (index === 0 ? 200 : index === 1 ? 500 : 200);
    await stand.publish(event('first'));
    await stand.publish(...many(25));
    await stand.pass(60);
    const sizes = stand.seen.map(({ body }) => (Array.isArray(body) ? body.length : 0));
    expect(sizes).toEqual([1, 10, 10, 5, 10]);
    expect(stand.seen[1]?.headers['content-type']).toBe('application/cloudevents-batch+json; charset=utf-8');
    expect(stand.seen[4]?.body).toEqual(stand.seen[1]?.body);
    expect(stand.seen[4]?.headers['aeg-delivery-count']).toBe('1');
    expect(new Set(stand.states())).toEqual(new Set(['processed']));
  });

  test('D18 an event larger than the preferred size goes alone', async () => {
    const stand = await engineStand({ delivery: { maxConcurrentDeliveries: 1 } });
    await stand.subscribe('ordersin', {}, { preferredBatchSizeInKilobytes: 4 });
    await stand.publish(event('a'), event('big', { data: 'x'.repeat(10_240) }), event('b'));
    await stand.pass(1);
    const ids = stand.seen.map(({ body }) =>
      Array.isArray(body) ? body.map((one: { id: string }) => one.id) : [],
    );
    expect(ids).toEqual([['a'], ['big'], ['b']]);
  });

  test('a record that was read and is put again, changed, sends one event at a time as before', async () => {
    const stand = await engineStand();
    await stand.subscribe('ordersin', { retryPolicy: { maxDeliveryAttempts: 2 } }, asRead);
    await stand.publish(event('a'));
    await stand.pass(1);
    expect(stand.seen.map(({ body }) => body)).toEqual([expect.objectContaining({ id: 'a' })]);
    expect(stand.seen[0]?.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  });

  test('D19 a subscription that fails does not disturb another', async () => {
    const stand = await engineStand();
    await stand.subscribe('good');
    await stand.subscribe('bad');
    stand.script.reply = ({ request }) => (request.url.endsWith('/bad') ? 500 : 200);
    await stand.publish(...many(20));
    await stand.pass(1);
    expect(stand.states().filter((state) => state === 'processed')).toHaveLength(20);
    expect(stand.states().filter((state) => state === 'retrying')).toHaveLength(20);
  });

  test('D20 one at a time keeps the order of publishing', async () => {
    const stand = await engineStand({ delivery: { maxConcurrentDeliveries: 1 } });
    await stand.subscribe();
    let running = 0;
    stand.script.reply = () => {
      running += 1;
      expect(running).toBe(1);
      return Promise.resolve(answer(200)).then((done) => {
        running -= 1;
        return done;
      });
    };
    await stand.publish(...many(100));
    await stand.pass(1);
    await expect.poll(() => stand.seen.length).toBe(100);
    expect(stand.seen.map(({ body }) => (body as { id: string }).id)).toEqual(many(100).map(({ id }) => id));
  });

  test('D20 no more than the limit run at the same time', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = () => new Promise(() => undefined);
    await stand.publish(...many(30));
    await stand.pass(1);
    expect(stand.seen).toHaveLength(8);
  });

  test('D24 static and dynamic attributes are headers; a value that is none is left out and said', async () => {
    const stand = await engineStand();
    await stand.subscribe(
      'ordersin',
      {},
      {
        deliveryAttributeMappings: [
          { name: 'X-Fixed', type: 'Static', properties: { value: 'on', isSecret: true } },
          { name: 'X-Kind', type: 'Dynamic', properties: { sourceField: 'data.kind' } },
          { name: 'X-Evil', type: 'Dynamic', properties: { sourceField: 'data.evil' } },
        ],
      },
    );
    await stand.publish(event('e1', { data: { kind: 'big', evil: 'a\r\nauthorization: x' } }));
    expect(stand.seen[0]?.headers).toMatchObject({ 'x-fixed': 'on', 'x-kind': 'big' });
    expect(stand.seen[0]?.headers).not.toHaveProperty('x-evil');
    expect(stand.parts.notes.at(-1)?.text).toContain('X-Evil');
    expect(stand.delivery1().history[0]?.request.headers['x-fixed']).toBe('***');
  });

  test('an event reaches the scopes of its topic, resource group and subscription, and no other', async () => {
    const stand = await engineStand();
    const group = '/subscriptions/s/resourceGroups/g';
    await stand.subscribe('topic');
    await stand.subscribe('group', {}, {}, group);
    await stand.subscribe('whole', {}, {}, '/subscriptions/S/');
    await stand.subscribe('othergroup', {}, {}, `${group}2`);
    await stand.subscribe('resource', {}, {}, `${group}/providers/Contoso.Storage/accounts/a1`);
    await stand.publish(event());
    expect(stand.seen.map(({ request }) => request.url.split('/').at(-1)).toSorted()).toEqual([
      'group',
      'topic',
      'whole',
    ]);
  });

  test('the event schema is delivered as an array, with its versions in headers', async () => {
    const stand = await engineStand();
    stand.parts.topics.put({ name: 'orders', inputSchema: 'EventGridSchema' });
    stand.script.handshake = ({ body }) => {
      const [sent] = JSON.parse(Buffer.from(body ?? []).toString()) as { data: { validationCode: string } }[];
      return answer(200, {}, JSON.stringify({ validationResponse: sent?.data.validationCode }));
    };
    await stand.subscribe('ordersin', { eventDeliverySchema: 'EventGridSchema' });
    const given = {
      id: '1',
      subject: 's',
      eventType: 't',
      eventTime: '2026-01-02T03:04:05Z',
      data: {},
      dataVersion: '7',
    };
    await stand.publish(given);
    expect(stand.seen[0]?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'aeg-data-version': '7',
      'aeg-metadata-version': '1',
    });
    expect(stand.seen[0]?.body).toEqual([{ ...given, topic: SCOPE, metadataVersion: '1' }]);
  });

  test('H17 an endpoint that allows 60 requests per minute gets no more', async () => {
    const stand = await engineStand();
    stand.script.handshake = () =>
      answer(200, { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '60' });
    await stand.subscribe();
    await stand.publish(...many(130));
    await stand.pass(59);
    expect(stand.seen).toHaveLength(60);
    await stand.pass(2);
    expect(stand.seen).toHaveLength(120);
    await stand.pass(60);
    expect(stand.seen).toHaveLength(130);
  });
});
