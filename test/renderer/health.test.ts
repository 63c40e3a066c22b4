/** Health: one report per app, asked for only where it is shown. */
import { describe, expect, test } from 'vitest';
import type { HealthReport } from '../../core/contract/console.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { createHealthStores, type HealthStores } from '../../renderer/state/health.ts';
import { FakeHost, settle } from './fake-pipe.ts';

function reportOf(appId: string): HealthReport {
  const probe = { healthy: true, status: 204, since: '2026-03-01T00:00:00.000Z', parts: [] } as const;
  return { appId, healthz: probe, outbound: probe, simulated: null, changes: [] };
}

async function healthOf(host: FakeHost): Promise<HealthStores> {
  const link = createLink({ open: host.open });
  const health = createHealthStores(
    createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'no answer' }),
  );
  await settle();
  return health;
}

describe('health', () => {
  test('has one report per app and keeps it', async () => {
    const host = new FakeHost({ 'health.get': ({ appId = '' }) => reportOf(appId) });
    const health = await healthOf(host);
    expect(health.of('orders')).toBe(health.of('orders'));
    expect(health.of('orders')).not.toBe(health.of('payments'));
    await Promise.all([health.of('orders').refresh(), health.of('payments').refresh()]);
    expect(health.of('orders').store.getState().value?.appId).toBe('orders');
    expect(health.of('payments').store.getState().value?.appId).toBe('payments');
  });

  test('asks again at a tick only for shown reports', async () => {
    const host = new FakeHost({ 'health.get': ({ appId = '' }) => reportOf(appId) });
    const health = await healthOf(host);
    await health.of('orders').refresh();
    await health.of('payments').refresh();
    health.onTick();
    await settle();
    expect(host.called('health.get')).toHaveLength(2);
    health.of('payments').watch();
    await settle();
    expect(host.called('health.get').map(({ params }) => params)).toEqual([
      { appId: 'orders' },
      { appId: 'payments' },
      { appId: 'payments' },
    ]);
    expect(host.called('metrics.get')).toEqual([]);
  });
});
