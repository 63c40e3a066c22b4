/** The input side on its way to being ready: its order, and what is there already. */
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import type { EventRouterSettings } from '../../core/contract/event-router/settings.ts';
import { RouterConnection } from '../../core/event-router/connection/router-connection.ts';
import { embeddedMethods } from '../../core/event-router/console/embedded.ts';
import type { ConsoleDependencies } from '../../core/event-router/console/lookup.ts';
import type { LocalRouter } from '../../core/ports/local-router.ts';
import type { Journal } from '../../core/ports/journal.ts';
import { freePort } from '../support/free-port.ts';
import { SCOPE, passes, rig } from './rig.ts';
import type { Rig } from './rig.ts';

const TOPIC = 'POST /topics/orders';
const RECORD = `${SCOPE}/providers/Cloud.EventRouter/eventSubscriptions/ordersin`.toLowerCase();

const puts = (it: Rig): number => it.router.count('PUT', '/eventSubscriptions/');

describe('from a clean start', () => {
  test('S01: the component becomes ready, and the subscription has its settings', async () => {
    const it = await rig();
    const binding = await it.listening();
    await it.reaches(binding, 'ready');
    expect(binding.report().input?.steps.map(({ step, result }) => `${step} ${result}`)).toEqual([
      'configured done',
      'waiting-app done',
      'probing-app skipped',
      'resolving-identity done',
      'listening done',
      'self-probing done',
      'acquiring-token done',
      'reconciling done',
      'ready done',
    ]);
    expect(it.router.records.get(RECORD)).toMatchObject({
      provisioningState: 'Succeeded',
      eventDeliverySchema: 'CloudEventSchemaV1_0',
    });
    const put = it.router.asked.find(({ method }) => method === 'PUT');
    expect(JSON.parse(put?.body ?? '')).toEqual({
      properties: {
        destination: {
          endpointType: 'WebHook',
          properties: {
            endpointUrl: it.metadata['subscriberEndpoint'],
            azureActiveDirectoryTenantId: it.metadata['cloudTenantId'],
            azureActiveDirectoryApplicationIdOrUri: it.metadata['cloudClientId'],
          },
        },
        eventDeliverySchema: 'CloudEventSchemaV1_0',
      },
    });
  });

  test('S12: nothing is put before the listener listens and the probe succeeded', async () => {
    const it = await rig();
    let seen: string[] = [];
    const binding = await it.component();
    it.router.onPut = () => {
      seen = binding.report().input?.steps.map(({ step, result }) => `${step} ${result}`) ?? [];
    };
    binding.notice({ kind: 'subscribed', appId: 'app', path: '/orders' });
    await binding.listen(async () => ({ accepted: true }));
    await it.reaches(binding, 'ready');
    expect(seen).toContain('listening done');
    expect(seen).toContain('self-probing done');
    expect(seen).toContain('reconciling running');
  });

  test('the subscription is not deleted when the component ends', async () => {
    const it = await rig();
    const binding = await it.listening();
    await it.reaches(binding, 'ready');
    await binding.close();
    expect(it.router.count('DELETE', '/')).toBe(0);
    expect(binding.report().input?.state).toBe('stopped');
  });
});

describe('an existing subscription', () => {
  async function readyOnce(): Promise<Rig> {
    const it = await rig();
    const first = await it.listening();
    await it.reaches(first, 'ready');
    await first.close();
    it.router.asked.length = 0;
    it.lines.length = 0;
    return it;
  }

  test('S05: an unchanged one is only read', async () => {
    const it = await readyOnce();
    await it.reaches(await it.listening(), 'ready');
    expect(puts(it)).toBe(0);
    expect(it.lines.some(({ text }) => text.includes('already exists with the correct endpoint'))).toBe(true);
  });

  test('S06: another path is put, and settings of others on the subscription stay', async () => {
    const it = await readyOnce();
    const old = it.router.records.get(RECORD);
    it.router.records.set(RECORD, {
      ...old,
      filter: { subjectBeginsWith: '/a' },
      retryPolicy: { maxDeliveryAttempts: 3, eventTimeToLiveInMinutes: 5 },
      labels: ['kept'],
    });
    it.metadata['subscriberEndpoint'] = `https://localhost:${it.ingress.port}/other/events`;
    await it.reaches(await it.listening(), 'ready');
    expect(puts(it)).toBe(1);
    const put = JSON.parse(it.router.asked.find(({ method }) => method === 'PUT')?.body ?? '') as unknown;
    expect(put).toMatchObject({
      properties: {
        destination: { properties: { endpointUrl: `https://localhost:${it.ingress.port}/other/events` } },
        filter: { subjectBeginsWith: '/a' },
        retryPolicy: { maxDeliveryAttempts: 3, eventTimeToLiveInMinutes: 5 },
        labels: ['kept'],
      },
    });
    expect(JSON.stringify(put)).not.toMatch(/provisioningState|endpointBaseUrl/);
  });

  test('S07: another schema is corrected', async () => {
    const it = await readyOnce();
    it.router.records.set(RECORD, {
      ...it.router.records.get(RECORD),
      eventDeliverySchema: 'EventGridSchema',
    });
    await it.reaches(await it.listening(), 'ready');
    expect(it.router.records.get(RECORD)?.eventDeliverySchema).toBe('CloudEventSchemaV1_0');
  });

  test('S08: another kind of destination is replaced, and the rest stays', async () => {
    const it = await readyOnce();
    it.router.records.set(RECORD, {
      ...it.router.records.get(RECORD),
      destination: { endpointType: 'StorageQueue', properties: { queueName: 'q' } },
      labels: ['kept'],
    });
    await it.reaches(await it.listening(), 'ready');
    const put = it.router.asked.find(({ method }) => method === 'PUT')?.body ?? '';
    expect(put).not.toContain('queueName');
    expect(it.router.records.get(RECORD)).toMatchObject({
      destination: { endpointType: 'WebHook' },
      labels: ['kept'],
    });
  });

  test.each(['Failed', 'Canceled', 'AwaitingManualAction'] as const)(
    'S09: a subscription that is %s is put again although nothing differs',
    async (provisioningState) => {
      const it = await readyOnce();
      it.router.records.set(RECORD, { ...it.router.records.get(RECORD), provisioningState });
      await it.reaches(await it.listening(), 'ready');
      expect(puts(it)).toBe(1);
    },
  );

  test('S10: another scope creates a new subscription, and the old one is shown until it is deleted', async () => {
    const it = await readyOnce();
    it.metadata['scope'] = SCOPE.replace('topics/orders', 'topics/others');
    const binding = await it.listening();
    await it.reaches(binding, 'ready');
    expect(it.router.records.size).toBe(2);
    const previous = { scope: SCOPE, name: 'ordersin' };
    expect(binding.report().input?.previous).toEqual(previous);
    await binding.close();
    const again = await it.listening();
    await it.reaches(again, 'ready');
    expect(again.report().input?.previous).toEqual(previous);
    await again.input?.management.remove(previous, new AbortController().signal);
    expect(again.report().input?.previous).toBeUndefined();
    expect([...it.router.records.keys()]).not.toContain(RECORD);
  });

  test('an endpoint with a query is read in full, and unchanged if it is the same', async () => {
    const it = await rig();
    it.metadata['subscriberEndpoint'] += '?code=abc';
    const first = await it.listening();
    await it.reaches(first, 'ready');
    await first.close();
    it.router.asked.length = 0;
    it.router.script('POST getFullUrl', {
      status: 200,
      body: { endpointUrl: it.metadata['subscriberEndpoint'] },
    });
    await it.reaches(await it.listening(), 'ready');
    expect(it.router.count('POST', 'getFullUrl')).toBe(1);
    expect(puts(it)).toBe(0);
  });

  test('a subscription that another client is creating is awaited', async () => {
    const it = await readyOnce();
    const good = it.router.records.get(RECORD);
    it.router.records.set(RECORD, { ...good, provisioningState: 'Updating' });
    const binding = await it.listening();
    await it.reaches(binding, 'reconciling');
    await passes(it.clock, () => it.router.count('GET', '/eventSubscriptions/') >= 2);
    it.router.records.set(RECORD, { ...good, provisioningState: 'Succeeded' });
    await it.reaches(binding, 'ready');
    expect(puts(it)).toBe(0);
  });
});

test('S23: a scope of the subscription shape makes a path with single slashes', async () => {
  const it = await rig();
  it.metadata['scope'] = '/subscriptions/22222222-2222-4222-8222-222222222222/';
  await it.reaches(await it.listening(), 'ready');
  const { url = '' } = it.router.asked.find(({ method }) => method === 'PUT') ?? {};
  expect(url).toBe(
    '/subscriptions/22222222-2222-4222-8222-222222222222/providers/Cloud.EventRouter/eventSubscriptions/ordersin?api-version=2022-06-15',
  );
});

describe('settings that change while it runs', () => {
  test('another key is used for the next call, and the input is unchanged', async () => {
    const it = await rig();
    const binding = await it.listening();
    await it.reaches(binding, 'ready');
    const asked = it.router.asked.length;
    it.router.script(TOPIC, { status: 200 }, { status: 200 });
    await binding.invoke('create', '{}');
    expect(binding.change({ ...it.metadata, accessKey: 'another key' })).toBe(true);
    expect(binding.input?.steps.state).toBe('ready');
    await binding.invoke('create', '{}');
    const keys = it.router.asked.slice(asked).map(({ headers }) => headers['aeg-sas-key']);
    expect(keys).toEqual([it.metadata['accessKey'], 'another key']);
  });

  test('another port is served before the old one closes', async () => {
    const it = await rig();
    const binding = await it.listening();
    await it.reaches(binding, 'ready');
    const port = await freePort();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    expect(binding.change({ ...it.metadata, handshakePort: String(port) })).toBe(true);
    await passes(it.clock, () => it.step(binding, 'listening').code === 'EVR-NET-01');
    expect((await it.send({ method: 'OPTIONS' })).status).toBe(200);
    await new Promise<void>((resolve) => taken.close(() => resolve()));
    it.ingress.upstream = port;
    await it.reaches(binding, 'ready');
    await expect(it.send({ method: 'OPTIONS' })).rejects.toThrow(/ECONNREFUSED/);
    expect(binding.report().input?.webhook?.address).toBe(`127.0.0.1:${port}`);
    await binding.close();
  });

  test('another secret requests a new token, and the webhook continues to answer', async () => {
    const it = await rig();
    const binding = await it.listening();
    await it.reaches(binding, 'ready');
    const before = it.router.count('POST', '/token');
    it.router.secret = 'a new secret';
    expect(binding.change({ ...it.metadata, cloudClientSecret: 'a new secret' })).toBe(true);
    expect((await it.send({ method: 'OPTIONS' })).status).toBe(200);
    await it.reaches(binding, 'ready');
    expect(it.router.count('POST', '/token')).toBe(before + 1);
  });

  test.each([
    ['a direction', { direction: 'input' }],
    ['a route', { route: 'elsewhere' }],
    ['a mistake', { handshakePort: '0' }],
  ])('%s needs a new instance of the component', async (_name, more) => {
    const it = await rig();
    const binding = await it.component();
    expect(binding.change({ ...it.metadata, ...more })).toBe(false);
    expect(binding.report().input?.webhook?.address).toBe(`127.0.0.1:${it.port}`);
  });
});

test('topics that are asked for while the embedded router opens are those that it then has', async () => {
  let listens = (): void => undefined;
  const open = new Promise<void>((resolve) => (listens = resolve));
  const router = {
    start: () => open,
    addresses: () => ({ router: 'https://localhost:1', ingress: 'https://localhost:2', topicPorts: {} }),
    topics: { list: () => [{ name: 'orders' }] },
  } as unknown as LocalRouter;
  const access = new RouterConnection({
    profile: PROFILES.sidecar,
    settings: () => ({ listen: { router: 'localhost:1', ingress: 'localhost:2' } }) as EventRouterSettings,
    journal: {} as Journal,
    log: { write: () => undefined },
    makeRouter: async () => router,
    changed: () => undefined,
  });
  const methods = embeddedMethods({ access } as ConsoleDependencies, {
    binding: () => expect.unreachable(),
    input: () => expect.unreachable(),
    router: () => access.openRouter(),
  });
  expect(await methods['eventRouter.topics']({})).toEqual({ items: [] });
  const opening = access.openRouter();
  const asked = methods['eventRouter.topics']({});
  listens();
  expect(await asked).toEqual({ items: [{ name: 'orders' }] });
  await opening;
});
