/** What the delivery engine does beside the schedule: batches, lanes, hands, filters, dead letters, crashes (event-router 16.5). */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LIVE_STATES } from '../../core/adapters/local-router/engine/entry.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { answer, engineStand, event } from './engine-stand.ts';

const DEAD_LETTER = {
  deadLetterDestination: { endpointType: 'StorageBlob', properties: { blobContainerName: 'dead' } },
};
const TENANT = '11111111-1111-4111-8111-111111111111';
const CLIENT = '33333333-3333-4333-8333-333333333333';
const SECURED = { azureActiveDirectoryTenantId: TENANT, azureActiveDirectoryApplicationIdOrUri: CLIENT };

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'sidelight-router-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return path.join(made, 'router');
}

function many(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => event(`e${n}`));
}

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

describe('by hand', () => {
  test('D22 hold keeps an event from being attempted, release lets it go', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = (_seen, index) => (index === 0 ? 500 : 200);
    await stand.publish(event());
    const { deliveryId } = stand.delivery1();
    expect(await stand.delivery.face.act(deliveryId, 'hold')).toMatchObject({ state: 'held' });
    await stand.pass(3600);
    expect(stand.seen).toHaveLength(1);
    await stand.delivery.face.act(deliveryId, 'release');
    await stand.settle();
    const done = stand.delivery1();
    expect(done).toMatchObject({ state: 'processed', attempts: 2 });
    expect(done.transitions.filter(({ cause }) => cause === 'user').map(({ rule }) => rule)).toEqual([
      'user.hold',
      'user.release',
    ]);
  });

  test('D22 retry comes at once and keeps the counter; drop and dead-letter end it', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = () => 500;
    await stand.publish(event('a'), event('b'));
    const [a, b] = [stand.delivery1('a'), stand.delivery1('b')];
    await stand.delivery.face.act(a.deliveryId, 'retry');
    await stand.settle();
    expect(stand.delivery1('a')).toMatchObject({ state: 'retrying', attempts: 2 });
    await stand.delivery.face.act(a.deliveryId, 'drop');
    expect(stand.delivery1('a')).toMatchObject({ state: 'dropped', rule: 'user.drop' });
    await stand.delivery.face.act(b.deliveryId, 'dead-letter');
    expect(stand.delivery1('b')).toMatchObject({
      state: 'dead-lettered',
      rule: 'user.dead-letter',
      deadLetter: { reason: 'MovedByHand' },
    });
    await stand.pass(3600);
    expect(stand.seen).toHaveLength(3);
    await expect(stand.delivery.face.act(a.deliveryId, 'hold')).rejects.toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
    });
    await expect(stand.delivery.face.act('nobody', 'retry')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a retry of a parked delivery opens a new round', async () => {
    const stand = await engineStand();
    await stand.subscribe('ordersin', { retryPolicy: { maxDeliveryAttempts: 2 } });
    stand.script.reply = () => 500;
    await stand.publish(event());
    await stand.pass(60);
    expect(stand.delivery1()).toMatchObject({ state: 'parked', attempts: 2, rule: 'router.exhausted' });
    await stand.delivery.face.act(stand.delivery1().deliveryId, 'retry');
    await stand.pass(60);
    expect(stand.delivery1()).toMatchObject({ state: 'parked', attempts: 4 });
  });

  test('hurry makes everything that waits due now', async () => {
    const stand = await engineStand({ delivery: { probation: true } });
    await stand.subscribe();
    stand.script.reply = () => 503;
    await stand.publish(...many(5));
    await stand.pass(1);
    stand.script.reply = () => 200;
    stand.delivery.face.hurry();
    await stand.settle();
    expect(stand.states()).toEqual(Array.from({ length: 5 }, () => 'processed'));
  });

  test('resend sends a changed copy with an id of its own to the one subscription', async () => {
    const stand = await engineStand();
    await stand.subscribe('one');
    await stand.subscribe('two');
    await stand.publish(event('e1'));
    const { items } = stand.delivery.face.list({ text: 'one' });
    const made = await stand.delivery.face.resend(
      items[0]?.deliveryId ?? '',
      JSON.stringify(event('e1', { data: 2 })),
    );
    await stand.settle();
    expect(made.subscriptionName).toBe('one');
    expect(made.eventId).not.toBe('e1');
    expect(stand.seen).toHaveLength(3);
    expect(stand.seen[2]).toMatchObject({ body: { data: 2, id: made.eventId } });
  });

  test.each([
    [false, 'dropped'],
    [true, 'parked'],
  ])('D23 keepOnDelete %s: what waited for a deleted subscription is %s', async (keepOnDelete, state) => {
    const stand = await engineStand({ settings: { keepOnDelete } });
    const id = await stand.subscribe();
    stand.script.reply = () => 500;
    await stand.publish(event());
    stand.parts.subscriptions.remove(id);
    await stand.pass(3600);
    expect(stand.delivery1()).toMatchObject({ state, rule: 'router.subscription-deleted' });
    expect(stand.seen).toHaveLength(1);
  });

  test('D23 an endpoint of the event schema is told once that its subscription is gone', async () => {
    const stand = await engineStand();
    stand.parts.topics.put({ name: 'orders', inputSchema: 'EventGridSchema' });
    stand.script.handshake = ({ body }) => {
      const [sent] = JSON.parse(Buffer.from(body ?? []).toString()) as { data: { validationCode: string } }[];
      return answer(200, {}, JSON.stringify({ validationResponse: sent?.data.validationCode }));
    };
    const id = await stand.subscribe('ordersin', { eventDeliverySchema: 'EventGridSchema' });
    stand.parts.subscriptions.remove(id);
    await stand.pass(60);
    expect(stand.seen.map(({ headers }) => headers['aeg-event-type'])).toEqual(['SubscriptionDeletion']);
  });
});

describe('what is kept', () => {
  test('D21 after a crash with five running attempts all five are made again', async () => {
    const data = folder();
    const clock = new ManualClock();
    const before = await engineStand({ folder: data, clock });
    await before.subscribe();
    before.script.reply = () => new Promise(() => undefined);
    await before.publish(...many(5));
    await before.settle();
    expect(before.states()).toEqual(Array.from({ length: 5 }, () => 'attempting'));
    // The first life is left as it is, as after a kill: its file is read by the second one.
    const after = await engineStand({ folder: data, clock });
    await after.settle();
    expect(after.seen).toHaveLength(5);
    expect(after.states()).toEqual(Array.from({ length: 5 }, () => 'processed'));
    expect(after.delivery1().transitions.map(({ rule }) => rule)).toContain('restart.requeued');
  });

  test('a later life goes on with the wait that was left', async () => {
    const data = folder();
    const clock = new ManualClock();
    const before = await engineStand({ folder: data, clock });
    await before.subscribe();
    before.script.reply = () => 500;
    await before.publish(event());
    await before.pass(12);
    expect(before.times()).toEqual([0, 10]);
    await before.stop();
    const after = await engineStand({ folder: data, clock });
    const startS = 17;
    await after.pass(60);
    expect(after.times().map((seconds) => seconds + startS)).toEqual([40]);
    expect(after.seen[0]?.headers['aeg-delivery-count']).toBe('2');
  });

  test('D25 a dead letter is an array in a tree by name and hour, with what happened to it', async () => {
    const data = folder();
    const stand = await engineStand({ folder: data });
    await stand.subscribe('ordersin', { retryPolicy: { maxDeliveryAttempts: 1 }, ...DEAD_LETTER });
    stand.script.reply = () => 500;
    await stand.publish(event());
    await stand.pass(1);
    const [file] = stand.delivery.face.deadLetters();
    expect(file?.file).toMatch(/^dead\/ORDERSIN\/2026\/1\/2\/3\/[0-9a-f-]+\.json$/);
    expect(JSON.parse(stand.delivery.face.deadLetter(file?.file ?? ''))).toEqual([
      {
        ...event(),
        deadletterreason: 'MaxDeliveryAttemptsExceeded',
        deliveryattempts: 1,
        lastdeliveryoutcome: 'Aborted',
        publishtime: '2026-01-02T03:04:05.000Z',
        lastdeliveryattempttime: '2026-01-02T03:04:05.000Z',
      },
    ]);
    if (process.platform !== 'win32') {
      expect(statSync(path.join(data, 'dead-letters', file?.file ?? '')).mode & 0o077).toBe(0);
    }
    expect(() => stand.delivery.face.deadLetter('../ca.key')).toThrow(/no dead-letter file/);
    expect(await stand.delivery.face.removeDeadLetters()).toBe(1);
    expect(readdirSync(path.join(data, 'dead-letters/dead/ORDERSIN/2026/1/2/3'))).toEqual([]);
  });

  test('D25 dead letters can go to another topic, and on from there', async () => {
    const stand = await engineStand();
    stand.parts.topics.put({ name: 'poison' });
    const poison = stand.parts.topics.get('poison')?.resourceId ?? '';
    await stand.subscribe('ordersin', {
      retryPolicy: { maxDeliveryAttempts: 1 },
      deadLetterDestination: { endpointType: 'LocalTopic', properties: { topic: 'poison' } },
    });
    await stand.subscribe('poisonin', {}, {}, poison);
    stand.script.reply = ({ request }) => (request.url.endsWith('/ordersin') ? 500 : 200);
    await stand.publish(event());
    await stand.pass(1);
    expect(stand.seen[1]).toMatchObject({
      body: { id: 'e1', deadletterreason: 'MaxDeliveryAttemptsExceeded' },
    });
    expect(stand.states()).toEqual(['processed', 'dead-lettered']);
  });

  test('a store that cannot be written refuses events and loses none', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.parts.store.flush();
    stand.parts.store.db.exec('PRAGMA query_only = ON');
    await expect(stand.publish(event('lost'))).rejects.toMatchObject({ status: 503 });
    stand.parts.store.db.exec('PRAGMA query_only = OFF');
    await stand.publish(event('kept'));
    await stand.pass(5);
    expect(stand.seen.map(({ body }) => (body as { id: string }).id)).toEqual(['kept']);
    expect(stand.delivery.ledger.open).toBe(0);
    expect(LIVE_STATES).toContain('queued');
  });

  test('beyond the backlog a publish is refused', async () => {
    const stand = await engineStand({ delivery: { backlog: 3 } });
    await stand.subscribe();
    stand.script.reply = () => 500;
    await stand.publish(...many(3));
    await expect(stand.publish(event('one-more'))).rejects.toMatchObject({ status: 503 });
  });
});
