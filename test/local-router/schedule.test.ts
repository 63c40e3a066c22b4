/** Retry schedule, time to live, status table and ends of the delivery engine, on a clock the test moves. */
import { describe, expect, test } from 'vitest';
import { waitMs } from '../../core/local-router/rules/schedule.ts';
import { answer, engineStand, event, noAnswer } from './engine-stand.ts';
import type { Reply } from './engine-stand.ts';

const SCHEDULE = [0, 10, 40, 100, 400, 1000, 2800, 6400, 17_200, 38_800, 82_000];
const DEAD_LETTER = {
  deadLetterDestination: { endpointType: 'StorageBlob', properties: { blobContainerName: 'dead' } },
};
const DAY_S = 86_400;

function replies(...list: readonly Reply[]): (seen: unknown, index: number) => Reply {
  return (_seen, index) => list[Math.min(index, list.length - 1)] ?? 200;
}

describe('the schedule', () => {
  test('D02 an endpoint that fails three times is asked at 0, 10, 40 and 100 s', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = replies(500, 500, 500, 200);
    await stand.publish(event());
    await stand.pass(200);
    expect(stand.times()).toEqual([0, 10, 40, 100]);
    expect(stand.seen.map(({ headers }) => headers['aeg-delivery-count'])).toEqual(['0', '1', '2', '3']);
    expect(stand.delivery1()).toMatchObject({ state: 'processed', attempts: 4, rule: 'router.processed' });
  });

  test('D03 an endpoint that always fails is asked eleven times within a day, then the event has expired', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = replies(500);
    await stand.publish(event());
    await stand.pass(DAY_S - 1);
    expect(stand.times()).toEqual(SCHEDULE);
    expect(stand.states()).toEqual(['retrying']);
    await stand.pass(1);
    const ended = stand.delivery1();
    expect(ended).toMatchObject({ state: 'expired', attempts: 11, rule: 'router.expired' });
    expect(ended.transitions.at(-1)).toMatchObject({ cause: 'ttl', at: ended.expiresAt });
    await stand.pass(DAY_S);
    expect(stand.seen).toHaveLength(11);
  });

  test.each([
    ['exact', 1800],
    ['at-attempt', 2800],
  ] as const)(
    'D04 with 30 minutes to live there are six attempts; checked %s it ends at %i s',
    async (ttlCheck, endS) => {
      const stand = await engineStand({ delivery: { ttlCheck } });
      await stand.subscribe('ordersin', {
        retryPolicy: { maxDeliveryAttempts: 10, eventTimeToLiveInMinutes: 30 },
      });
      stand.script.reply = replies(500);
      await stand.publish(event());
      await stand.pass(endS - 1);
      expect(stand.states()).toEqual(['retrying']);
      await stand.pass(1);
      expect(stand.states()).toEqual(['expired']);
      expect(stand.times()).toEqual(SCHEDULE.slice(0, 6));
    },
  );

  test('D05 after the third of three attempts the event is a dead letter', async () => {
    const stand = await engineStand();
    await stand.subscribe('ordersin', { retryPolicy: { maxDeliveryAttempts: 3 }, ...DEAD_LETTER });
    stand.script.reply = replies(500);
    await stand.publish(event());
    await stand.pass(DAY_S);
    expect(stand.times()).toEqual([0, 10, 40]);
    expect(stand.delivery1()).toMatchObject({
      state: 'dead-lettered',
      deadLetter: { reason: 'MaxDeliveryAttemptsExceeded' },
    });
  });

  test('D26 chance adds at most a tenth to every wait', () => {
    for (let n = 0; n < 1000; n++) {
      const failures = 1 + (n % 12);
      const facts = { failures, minimumS: 0, timeScale: 1, jitter: 0.1 };
      const plain = waitMs({ ...facts, chance: 0 });
      const wait = waitMs({ ...facts, chance: n / 1000 });
      expect(wait).toBeGreaterThanOrEqual(plain);
      expect(wait).toBeLessThanOrEqual(plain * 1.1);
    }
  });

  test('D26 the engine asks chance for each wait', async () => {
    const stand = await engineStand({ delivery: { jitter: 0.1 }, chance: () => 0.5 });
    await stand.subscribe();
    stand.script.reply = replies(500, 200);
    await stand.publish(event());
    await stand.pass(60);
    expect(stand.times()).toEqual([0, 10.5]);
  });

  test('D27 a scale of 0.01 divides every wait and the life by 100', async () => {
    const stand = await engineStand({ delivery: { timeScale: 0.01 } });
    await stand.subscribe();
    stand.script.reply = replies(500);
    await stand.publish(event());
    await stand.pass(864);
    expect(stand.times()).toEqual(SCHEDULE.map((seconds) => seconds / 100));
    expect(stand.states()).toEqual(['expired']);
  });

  test('the plan of a waiting delivery names every attempt to come', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = replies(500);
    await stand.publish(event());
    await stand.pass(15);
    const { planned, publishedAt } = stand.delivery1();
    const seconds = planned.map(({ at }) => (Date.parse(at) - Date.parse(publishedAt)) / 1000);
    expect(seconds).toEqual(SCHEDULE.slice(2));
    expect(planned.map(({ number }) => number)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('the status table', () => {
  test.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [413, 'PayloadTooLarge'],
  ])('D06 %i is never tried again and goes to the dead letters', async (status, outcome) => {
    const stand = await engineStand();
    await stand.subscribe('ordersin', DEAD_LETTER);
    stand.script.reply = replies(status);
    await stand.publish(event());
    await stand.pass(DAY_S);
    expect(stand.seen).toHaveLength(1);
    expect(stand.delivery1()).toMatchObject({
      state: 'dead-lettered',
      lastOutcome: outcome,
      deadLetter: { reason: 'UndeliverableByResponse' },
    });
  });

  test.each([
    ['park', 'parked'],
    ['drop', 'dropped'],
  ] as const)('D08 without a destination onExhausted %s leaves it %s', async (onExhausted, state) => {
    const stand = await engineStand({ delivery: { onExhausted } });
    await stand.subscribe();
    stand.script.reply = replies(400);
    await stand.publish(event());
    await stand.pass(60);
    expect(stand.delivery1()).toMatchObject({ state, rule: 'router.bad-request' });
  });

  test('D09 with probation a 404 makes the whole subscription wait five minutes', async () => {
    const stand = await engineStand({ delivery: { probation: true } });
    await stand.subscribe();
    stand.script.reply = replies(404, 200);
    await stand.publish(event('e1'));
    await stand.pass(5);
    await stand.publish(event('e2'));
    await stand.pass(294);
    expect(stand.seen).toHaveLength(1);
    await stand.pass(2);
    expect(stand.times()).toEqual([0, 300, 300]);
  });

  test.each<readonly [string, Reply, number]>([
    ['408', 408, 120],
    ['503', 503, 30],
    ['429 with Retry-After: 90', answer(429, { 'retry-after': '90' }), 90],
    ['429 with a longer Retry-After', answer(429, { 'retry-after': '999999' }), 3600],
    ['500', 500, 10],
  ])('D10 after %s the next attempt waits', async (_name, reply, seconds) => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = replies(reply, 200);
    await stand.publish(event());
    await stand.pass(4000);
    expect(stand.times()).toEqual([0, seconds]);
  });

  test('D11 the statuses from 200 to 204 are successes, and 205 and 206 are not', async () => {
    for (const status of [200, 201, 202, 203, 204, 205, 206]) {
      const stand = await engineStand();
      await stand.subscribe();
      stand.script.reply = replies(status, 200);
      await stand.publish(event());
      await stand.pass(20);
      expect([status, stand.seen.length]).toEqual([status, status <= 204 ? 1 : 2]);
    }
  });

  test('D12 a redirect is a failure like any other', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = replies(answer(302, { location: 'https://localhost:9443/elsewhere' }), 200);
    await stand.publish(event());
    await stand.pass(20);
    expect(stand.times()).toEqual([0, 10]);
    expect(stand.seen[1]?.request.url).toBe('https://localhost:9443/ordersin');
    expect(stand.delivery1().history[0]).toMatchObject({ outcome: 'Aborted', response: { status: 302 } });
  });

  test('D13 no answer is a timeout after 30 s, and the next attempt comes 10 s later', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    stand.script.reply = replies(new Promise(() => undefined), 200);
    await stand.publish(event());
    await stand.pass(39);
    expect(stand.delivery1()).toMatchObject({
      state: 'retrying',
      lastOutcome: 'TimedOut',
      rule: 'router.timed-out',
    });
    await stand.pass(2);
    expect(stand.times()).toEqual([0, 40]);
  });

  test('D14 a success after the timeout takes the event out of the queue', async () => {
    const stand = await engineStand();
    await stand.subscribe();
    let late: (value: ReturnType<typeof answer>) => void = () => undefined;
    stand.script.reply = replies(new Promise((resolve) => (late = resolve)));
    await stand.publish(event());
    await stand.pass(35);
    expect(stand.states()).toEqual(['retrying']);
    late(answer(200));
    await stand.pass(5);
    expect(stand.delivery1()).toMatchObject({ state: 'processed', attempts: 1 });
    await stand.pass(DAY_S);
    expect(stand.seen).toHaveLength(1);
  });

  test.each([
    [true, 30],
    [false, 10],
  ])('D15 a refused connection with probation %s waits %i s', async (probation, seconds) => {
    const stand = await engineStand({ delivery: { probation } });
    await stand.subscribe();
    stand.script.reply = replies(noAnswer('SocketError'), 200);
    await stand.publish(event());
    await stand.pass(60);
    expect(stand.times()).toEqual([0, seconds]);
    expect(stand.delivery1().history[0]).toMatchObject({
      outcome: 'SocketError',
      rule: 'router.socket-error',
    });
  });
});
