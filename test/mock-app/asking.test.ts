/** Memory and notifications of the mock app: requests, who answered, answers by a person, callers who leave, its end. */
import { describe, expect, test } from 'vitest';

import { systemClock } from '../../core/adapters/system-clock.ts';
import type { Answer } from '../../core/contract/mock-app.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import type { AppChannel, PendingAnswer } from '../../core/ports/app-channel.ts';
import type { MockApp } from '../../core/ports/mock-app.ts';
import { batch, channelToMock, openMockApp, send, single } from '../support/mock-app-parts.ts';

async function given(answer: Answer): Promise<{ app: MockApp; channel: AppChannel }> {
  const app = await openMockApp({
    rules: [{ ruleId: 'r', name: 'the rule', enabled: true, match: {}, answer }],
  });
  return { app, channel: channelToMock(app) };
}

async function status(pending: PendingAnswer): Promise<number | undefined> {
  const answer = await pending.answer;
  return answer.kind === 'response' ? answer.status : undefined;
}

/** Resolves when `holds` does, looked at after each change. */
async function until(app: MockApp, holds: () => boolean): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const stop = app.onChange(() => {
      if (!holds()) return;
      stop();
      resolve();
    });
  });
}

describe('an answer by a person', () => {
  test('a delivery waits for a person, who answers it', async () => {
    const { app, channel } = await given({ kind: 'ask' });
    const pending = send(channel, single(), 'att_1');
    await until(app, () => app.waiting().length === 1);
    expect(app.waiting()).toEqual([{ attemptId: 'att_1', since: expect.any(Number), path: '/orders' }]);
    expect(app.answeredBy('att_1')).toEqual({ ruleId: 'r', name: 'the rule' });
    expect(app.answer('att_1', { kind: 'respond', status: 418, body: 'tea' })).toBe(true);
    expect(await status(pending)).toBe(418);
    expect(app.waiting()).toEqual([]);
    expect(app.answeredBy('att_1')).toEqual({ ruleId: 'r', name: 'the rule', byPerson: true });
    expect(app.state().requests[0]).toMatchObject({ status: 418, note: 'answered by a person' });
    expect(app.answer('att_1', { kind: 'respond', status: 200 })).toBe(false);
  });

  test('a call counts as a hit of its rule once it is answered, as its attempt is found by the rule only then', async () => {
    const { app, channel } = await given({ kind: 'ask' });
    const hits = (): number | undefined => app.state().rules[0]?.hits;
    const pending = send(channel, single(), 'att_1');
    await until(app, () => app.waiting().length === 1);
    expect(hits()).toBe(0);
    app.answer('att_1', { kind: 'respond', status: 200 });
    await pending.answer;
    expect(hits()).toBe(1);
  });

  test('calls under way are counted though their lines have left the log', async () => {
    const { app, channel } = await given({ kind: 'ask' });
    const pending = send(channel, single(), 'att_1');
    await until(app, () => app.waiting().length === 1);
    const underWay = [{ ruleId: 'r', calls: 1 }];
    expect(app.state().underWay).toEqual(underWay);
    while (app.state().requests.some(({ kind }) => kind === 'delivery')) {
      const asked = Array.from({ length: 100 }, async () => channel.get('/'.padEnd(900, 'x'), {}, 15_000));
      await Promise.all(asked);
    }
    expect(app.state().underWay).toEqual(underWay);
    app.answer('att_1', { kind: 'respond', status: 200 });
    await pending.answer;
    expect(app.state().underWay).toEqual([]);
  });

  test('a waiting batch lists its entries, and the oldest call is first', async () => {
    const { app, channel } = await given({ kind: 'ask' });
    const first = send(channel, batch(['a', 'b']), 'att_1');
    await until(app, () => app.waiting().length === 1);
    const second = send(channel, single(), 'att_2');
    await until(app, () => app.waiting().length === 2);
    expect(app.waiting().map(({ attemptId, entryIds }) => [attemptId, entryIds])).toEqual([
      ['att_1', ['a', 'b']],
      ['att_2', undefined],
    ]);
    app.answer('att_2', { kind: 'respond', status: 200 });
    app.answer('att_1', { kind: 'respond-bulk', status: 200, statuses: { a: 'DROP', b: null } });
    const answer = await first.answer;
    expect(answer.kind === 'response' && Buffer.from(answer.body ?? []).toString()).toBe(
      '{"statuses":[{"entryId":"a","status":"DROP"}]}',
    );
    expect(await status(second)).toBe(200);
  });

  test('the answer ask keeps a call waiting, and reset ends it', async () => {
    const { app, channel } = await given({ kind: 'ask' });
    const pending = send(channel, single(), 'att_1');
    await until(app, () => app.waiting().length === 1);
    expect(app.answer('att_1', { kind: 'ask' })).toBe(true);
    expect(app.waiting().map(({ attemptId }) => attemptId)).toEqual(['att_1']);
    app.answer('att_1', { kind: 'reset' });
    expect(await pending.answer).toMatchObject({ kind: 'none', code: 'reset' });
  });

  test('an invalid answer is refused, and the call continues to wait', async () => {
    const { app, channel } = await given({ kind: 'ask' });
    const pending = send(channel, single(), 'att_1');
    await until(app, () => app.waiting().length === 1);
    expect(() => app.answer('att_1', { kind: 'respond', status: 99 })).toThrow(Refusal);
    expect(app.waiting()).toHaveLength(1);
    app.answer('att_1', { kind: 'respond', status: 200 });
    expect(await status(pending)).toBe(200);
  });

  test('a request without the header can be answered too', async () => {
    const { app, channel } = await given({ kind: 'ask' });
    const pending = send(channel, single());
    await until(app, () => app.waiting().length === 1);
    expect(app.answer(app.waiting()[0]?.attemptId ?? '', { kind: 'respond', status: 200 })).toBe(true);
    expect(await status(pending)).toBe(200);
  });

  test('a caller who leaves is no longer listed', async () => {
    const { app, channel } = await given({ kind: 'ask' });
    const pending = send(channel, single(), 'att_1');
    await until(app, () => app.waiting().length === 1);
    pending.cancel('enough');
    await until(app, () => app.waiting().length === 0);
    expect(app.answer('att_1', { kind: 'respond', status: 200 })).toBe(false);
    await until(app, () => app.state().requests[0]?.note === 'the caller closed the connection');
    expect(app.state().requests[0]?.status).toBeUndefined();
  });
});

describe('remembered requests', () => {
  test('have the rule that answered, in the log and by attempt', async () => {
    const { app, channel } = await given({ kind: 'respond', status: 503 });
    await send(channel, single(), 'att_1').answer;
    app.setRules([]);
    await send(channel, single(), 'att_2').answer;
    expect(app.answeredBy('att_1')).toEqual({ ruleId: 'r', name: 'the rule' });
    expect(app.answeredBy('att_2')).toBeUndefined();
    const [first, second] = app.state().requests;
    expect(first).toMatchObject({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      topic: 'orders',
      eventId: 'e1',
      status: 503,
      durationMs: expect.any(Number),
      answeredBy: { ruleId: 'r', name: 'the rule' },
    });
    expect(second?.answeredBy).toBeUndefined();
    expect(app.state().defaultHits).toBe(1);
  });

  test('are the newest 1,000', async () => {
    const { app, channel } = await given({ kind: 'respond', status: 200 });
    for (let n = 0; n < 2100; n++) await channel.get(`/${n}`, {}, 5000);
    const { requests } = app.state();
    expect(requests).toHaveLength(1000);
    expect([requests[0]?.path, requests.at(-1)?.path]).toEqual(['/1100', '/2099']);
  });

  test('state() returns a copy', async () => {
    const { app, channel } = await given({ kind: 'respond', status: 200 });
    await send(channel, single()).answer;
    const { requests, rules } = app.state();
    await send(channel, single()).answer;
    expect(requests).toHaveLength(1);
    expect(rules[0]?.hits).toBe(1);
  });
});

describe('notifications', () => {
  test("come at once for a person's changes, soon for requests, and not after the listener was removed", async () => {
    const { app, channel } = await given({ kind: 'respond', status: 200 });
    let told = 0;
    const stop = app.onChange(() => told++);
    app.setRules([]);
    app.setSubscriptions([]);
    app.usePreset('S2');
    expect(told).toBe(3);
    const before = told;
    const soon = new Promise<void>((resolve) => {
      const end = app.onChange(() => {
        end();
        resolve();
      });
    });
    for (let n = 0; n < 20; n++) await send(channel, single()).answer;
    await soon;
    expect(told).toBeGreaterThan(before);
    expect(told).toBeLessThan(before + 20);
    stop();
    const after = told;
    app.setRules([]);
    expect(told).toBe(after);
  });
});

describe('the end of a mock app', () => {
  test.each<Answer>([{ kind: 'hang' }, { kind: 'ask' }, { kind: 'respond', status: 200, delayMs: 600_000 }])(
    'close ends a request under $kind, and the port is free',
    async (answer) => {
      const { app, channel } = await given(answer);
      const pending = send(channel, single(), 'att_1');
      await until(app, () => app.state().requests.length === 1);
      await app.close();
      expect(await pending.answer).toMatchObject({ kind: 'none', code: 'reset' });
      expect(await channel.probe(1000)).toBe(false);
      const again = await openMockApp({ port: Number(new URL(app.url).port) });
      expect(again.url).toBe(app.url);
    },
  );

  test('a delayed answer to a caller who left keeps no timer', async () => {
    let waiting = 0;
    const clock = systemClock();
    const app = await openMockApp({
      clock: {
        ...clock,
        at: (dueMs, run) => {
          waiting++;
          const cancel = clock.at(dueMs, run);
          return () => {
            waiting--;
            cancel();
          };
        },
      },
      rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 200, delayMs: 600_000 } }],
    });
    const pending = send(channelToMock(app), single());
    while (app.state().requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(waiting).toBe(1);
    pending.cancel('enough');
    while (app.state().requests[0]?.durationMs === undefined)
      await new Promise((resolve) => setImmediate(resolve));
    expect(waiting).toBe(0);
  });

  test('a taken port is an error', async () => {
    const app = await openMockApp();
    await expect(openMockApp({ port: Number(new URL(app.url).port) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
