/** Acts of a person on the router's deliveries, and the deliveries of a deleted subscription (D22, D23). */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CountingIds } from '../support/counting-ids.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { answer, engineStand, event } from './engine-stand.ts';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'sidelight-hands-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return path.join(made, 'router');
}

function many(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => event(`e${n}`));
}

describe('acts by hand', () => {
  test('D22 hold keeps an event from being attempted, release lets it go', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = (_seen, index) => (index === 0 ? 500 : 200);
    await stand.publish(event());
    const { deliveryId } = stand.delivery1();
    expect(await stand.delivery.service.act(deliveryId, 'hold')).toMatchObject({ state: 'held' });
    await stand.pass(3600);
    expect(stand.seen).toHaveLength(1);
    await stand.delivery.service.act(deliveryId, 'release');
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
    await stand.delivery.service.act(a.deliveryId, 'retry');
    await stand.settle();
    expect(stand.delivery1('a')).toMatchObject({ state: 'retrying', attempts: 2 });
    await stand.delivery.service.act(a.deliveryId, 'drop');
    expect(stand.delivery1('a')).toMatchObject({ state: 'dropped', rule: 'user.drop' });
    await stand.delivery.service.act(b.deliveryId, 'dead-letter');
    expect(stand.delivery1('b')).toMatchObject({
      state: 'dead-lettered',
      rule: 'user.dead-letter',
      deadLetter: { reason: 'MovedByHand' },
    });
    await stand.pass(3600);
    expect(stand.seen).toHaveLength(3);
    await expect(stand.delivery.service.act(a.deliveryId, 'hold')).rejects.toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
    });
    await expect(stand.delivery.service.act('nobody', 'retry')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a retry of a parked delivery opens a new round', async () => {
    const stand = await engineStand();
    await stand.subscribe('ordersin', { retryPolicy: { maxDeliveryAttempts: 2 } });
    stand.script.reply = () => 500;
    await stand.publish(event());
    await stand.pass(60);
    expect(stand.delivery1()).toMatchObject({ state: 'parked', attempts: 2, rule: 'router.exhausted' });
    await stand.delivery.service.act(stand.delivery1().deliveryId, 'retry');
    await stand.pass(60);
    expect(stand.delivery1()).toMatchObject({ state: 'parked', attempts: 4 });
  });

  describe('within the delay before a dead letter is written', () => {
    const DEAD_LETTER = {
      deadLetterDestination: { endpointType: 'StorageBlob', properties: { blobContainerName: 'dead' } },
    };
    const delivery = { deadLetterDelay: 300 };
    const written = (data: string): string[] =>
      readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

    test('a retry ends the delay, and a new refusal begins another one', async () => {
      const stand = await engineStand({ delivery });
      await stand.subscribe('ordersin', DEAD_LETTER);
      stand.script.reply = (seen) => (seen.atS >= 250 ? 200 : 400);
      await stand.publish(event());
      await stand.pass(200);
      const { deliveryId, state } = stand.delivery1();
      expect(state).toBe('parked');
      await stand.delivery.service.act(deliveryId, 'retry');
      await stand.pass(150);
      expect(stand.delivery1()).toMatchObject({ state: 'parked', attempts: 2 });
      await stand.delivery.service.act(deliveryId, 'retry');
      await stand.pass(1000);
      expect(stand.delivery1()).toMatchObject({ state: 'processed', attempts: 3 });
      expect(stand.delivery.service.deadLetters()).toEqual([]);
    });

    test('a stop leaves the dead letter to the next start', async () => {
      const [data, clock, ids] = [folder(), new ManualClock(), new CountingIds()];
      const first = await engineStand({ folder: data, clock, ids, delivery });
      await first.subscribe('ordersin', DEAD_LETTER);
      first.script.reply = () => 400;
      await first.publish(event());
      await first.stop();
      const second = await engineStand({ folder: data, clock, ids, delivery });
      await second.pass(1000);
      const { transitions } = second.delivery1();
      expect(transitions.filter(({ to }) => to === 'dead-lettered')).toHaveLength(1);
      expect(written(data)).toHaveLength(1);
    });
  });

  test('hurry makes all waiting deliveries due now', async () => {
    const stand = await engineStand({ delivery: { probation: true } });
    await stand.subscribe();
    stand.script.reply = () => 503;
    await stand.publish(...many(5));
    await stand.pass(1);
    stand.script.reply = () => 200;
    stand.delivery.service.hurry();
    await stand.settle();
    expect(stand.states()).toEqual(Array.from({ length: 5 }, () => 'processed'));
  });

  test('hurry repeats a running attempt at once if it fails', async () => {
    const stand = await engineStand({ delivery: { probation: true } });
    await stand.subscribe();
    let fail = (): void => undefined;
    stand.script.reply = () => new Promise((resolve) => (fail = () => resolve(answer(503))));
    await stand.publish(event());
    stand.script.reply = () => 200;
    stand.delivery.service.hurry();
    fail();
    await stand.settle();
    expect(stand.delivery1()).toMatchObject({ state: 'processed', attempts: 2 });
  });

  test('resend sends a changed copy with an id of its own to the one subscription', async () => {
    const stand = await engineStand();
    await stand.subscribe('one');
    await stand.subscribe('two');
    await stand.publish(event('e1'));
    const { items } = stand.delivery.service.list({ text: 'one' });
    const made = await stand.delivery.service.resend(items[0]?.deliveryId ?? '', {
      text: JSON.stringify(event('e1', { data: 2 })),
    });
    await stand.settle();
    expect(made.subscriptionName).toBe('one');
    expect(made.eventId).not.toBe('e1');
    expect(stand.seen).toHaveLength(3);
    expect(stand.seen[2]).toMatchObject({ body: { data: 2, id: made.eventId } });
  });

  test('resend goes to another subscription if that is named, and refuses a body that is no event', async () => {
    const stand = await engineStand();
    await stand.subscribe('one');
    const two = await stand.subscribe('two', { filter: { includedEventTypes: ['another'] } });
    await stand.publish(event('e1'));
    const { deliveryId } = stand.delivery1('e1');
    const made = await stand.delivery.service.resend(deliveryId, { subscriptionId: two });
    await stand.settle();
    expect(made.subscriptionName).toBe('two');
    expect(stand.seen.map(({ request }) => new URL(request.url).pathname)).toEqual(['/one', '/two']);
    for (const text of ['{', '[]', '{"id":"x"}'])
      await expect(stand.delivery.service.resend(deliveryId, { text })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      });
    expect(stand.seen).toHaveLength(2);
  });

  describe('breakpoints', () => {
    test('an event that matches a breakpoint waits until its release, even over a restart; others are delivered', async () => {
      const data = folder();
      const life = { folder: data, clock: new ManualClock(), ids: new CountingIds() };
      const stand = await engineStand(life);
      await stand.subscribe();
      const { breakpoints } = stand.delivery.service;
      const { breakpointId } = breakpoints.add({ subjectBeginsWith: 'hold/' });
      await stand.publish(event('held', { subject: 'hold/1' }), event('free'));
      await stand.pass(90_000);
      expect(stand.seen.map(({ body }) => body)).toMatchObject([{ id: 'free' }]);
      expect(stand.delivery1('held')).toMatchObject({ state: 'held', attempts: 0, rule: 'user.hold' });
      expect(stand.delivery1('held').transitions.at(-1)).toMatchObject({ to: 'held', note: 'breakpoint' });
      expect(stand.delivery.ledger.counts()).toMatchObject({ held: 1, processed: 1 });
      await stand.stop();
      const later = await engineStand(life);
      expect(later.delivery.service.breakpoints.list()).toMatchObject([{ breakpointId }]);
      expect(later.seen).toEqual([]);
      await later.publish(event('second', { subject: 'hold/2' }));
      expect(later.delivery1('second').state).toBe('held');
      const { deliveryId } = later.delivery1('held');
      await later.delivery.service.act(deliveryId, 'release');
      await later.settle();
      // The event's time to live passed while a person held it: it gets another one.
      expect(later.delivery1('held')).toMatchObject({ state: 'processed', attempts: 1 });
      later.delivery.service.breakpoints.remove(breakpointId);
      await later.publish(event('third', { subject: 'hold/3' }));
      expect(later.delivery1('third').state).toBe('processed');
      expect(later.delivery1('second').state).toBe('held');
    });

    test('an invalid filter and an unknown id are refused', async () => {
      const { breakpoints } = (await engineStand()).delivery.service;
      const advanced = {
        advancedFilters: [{ operatorType: 'NumberIn' as const, key: 'data.n', values: ['x'] }],
      };
      expect(() => breakpoints.add(advanced)).toThrow(/advancedFilters\[0\]/);
      expect(() => breakpoints.remove('nobody')).toThrow(/no breakpoint/);
      expect(breakpoints.list()).toEqual([]);
    });
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

  test('D23 an endpoint of the event schema gets one notice of its deleted subscription', async () => {
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
