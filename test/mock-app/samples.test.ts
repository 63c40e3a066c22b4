/** The plan of "Send sample traffic": twelve messages, nine states, answers that lead there. */
import { describe, expect, test } from 'vitest';

import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { readDiscovery } from '../../core/domain/subscription.ts';
import { checkRules } from '../../core/mock-app/check-rules.ts';
import { SAMPLE_PREFIX, samplePlan } from '../../core/mock-app/samples.ts';
import { batch, channelToMock, openMockApp, single } from '../support/mock-app-parts.ts';

describe.each(['sidecar', 'dapr'] as const)('profile %s', (name) => {
  const profile = PROFILES[name];
  const plan = samplePlan(profile, 'pubsub');

  test('twelve messages end in all nine states', () => {
    const states = [
      ...plan.publishes.map(({ leadsTo }) => leadsTo),
      ...plan.bulkPublishes.flatMap(({ leadsTo }) => leadsTo),
    ];
    expect(states).toHaveLength(12);
    expect(new Set(states)).toEqual(new Set(DELIVERY_STATES));
    expect(plan.bulkPublishes.flatMap(({ entries }) => entries)).toHaveLength(
      plan.bulkPublishes.flatMap(({ leadsTo }) => leadsTo).length,
    );
  });

  test('the subscriptions are valid, and every message has one', () => {
    const read = readDiscovery(plan.subscriptions, { appId: 'app', profile });
    expect(read.problems).toEqual([]);
    const topics = read.subscriptions.map(({ topic }) => topic);
    for (const { topic } of [...plan.publishes, ...plan.bulkPublishes]) expect(topics).toContain(topic);
    const bulk = read.subscriptions.filter((one) => one.bulk !== undefined).map(({ topic }) => topic);
    expect(bulk).toEqual(['shipments', 'invoices']);
  });

  test('rules, holds and policies are valid and recognisable', () => {
    checkRules(plan.rules);
    expect(plan.rules.every(({ ruleId }) => ruleId?.startsWith(SAMPLE_PREFIX))).toBe(true);
    for (const { filter } of plan.holds) expect(parseFilter(filter).ok).toBe(true);
    expect(Object.keys(plan.retryByTopic)).toEqual(['pubsub/payments', 'pubsub/refunds', 'pubsub/shipments']);
  });

  test('the mock app answers sample messages as planned and others as before', async () => {
    const app = await openMockApp({ profile, subscriptions: plan.subscriptions, rules: plan.rules });
    const channel = channelToMock(app);
    const answer = async (topic: string, type: string): Promise<string> => {
      const sending = single({ topic, type });
      const got = await channel.deliver({ path: `/${topic}`, ...sending, timeoutMs: 5000 }).answer;
      return got.kind === 'response' ? `${got.status} ${Buffer.from(got.body ?? []).toString()}` : got.code;
    };
    const typed = (state: string): [string, string] => {
      const found = plan.publishes.find(({ leadsTo }) => leadsTo === state);
      return [found?.topic ?? '', found?.metadata?.['cloudevent.type'] ?? ''];
    };
    expect(await answer(...typed('expired'))).toBe('200 {"status":"RETRY"}');
    expect([
      await answer(...typed('processed')),
      await answer(...typed('processed')),
      await answer(...typed('processed')),
    ]).toEqual(['503 ', '503 ', '200 {"status":"SUCCESS"}']);
    expect(await answer(...typed('dropped'))).toBe('404 ');
    expect(await answer(...typed('parked'))).toBe('200 {"status":"RETRY"}');
    expect(await answer(...typed('retrying'))).toBe('200 {"status":"RETRY"}');
    for (const topic of ['orders', 'payments', 'refunds', 'shipments', 'invoices']) {
      expect(await answer(topic, profile.eventType)).toBe('200 {"status":"SUCCESS"}');
    }
    const entry = plan.bulkPublishes[0]?.entries[0];
    const shipments = (): Promise<unknown> =>
      channel
        .deliver({
          path: '/shipments',
          ...batch(['a', 'b', 'c', 'd'], () => ({ type: entry?.metadata?.['cloudevent.type'] ?? '' })),
          body: batch(['a', 'b', 'c', 'd'], () => ({
            type: entry?.metadata?.['cloudevent.type'] ?? '',
          })).body.replaceAll('"orders"', '"shipments"'),
        })
        .answer.then((got) =>
          got.kind === 'response' ? JSON.parse(Buffer.from(got.body ?? []).toString()) : got,
        );
    expect(await shipments()).toEqual({
      statuses: [
        { entryId: 'a', status: 'SUCCESS' },
        { entryId: 'b', status: 'RETRY' },
        { entryId: 'c', status: 'DROP' },
      ],
    });
    expect(await shipments()).toMatchObject({
      statuses: [{ status: 'RETRY' }, { status: 'RETRY' }, { status: 'RETRY' }, { status: 'RETRY' }],
    });
  });
});
