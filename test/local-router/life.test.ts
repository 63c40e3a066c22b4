/** The router's own life: ports, restarts, a kill, callers that are slow or leave (D21). */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent, request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LOCAL_ROUTER_DEFAULTS } from '../../core/local-router/options.ts';
import { openDatabase } from '../../core/local-router/store/database.ts';
import { createLocalRouter } from '../../core/local-router/local-router.ts';
import { randomIds, systemRandom } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { forbidPort } from '../support/forbidden-port.ts';
import { CLIENT, KEY, SECRET, TENANT, cloudEvent, wanted, wireStand } from './wire-stand.ts';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'sidelight-life-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return path.join(made, 'router');
}

async function takenPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const HARD = { router: false, ingress: false };

function make(listen: Partial<typeof LOCAL_ROUTER_DEFAULTS.listen>) {
  return createLocalRouter({
    settings: {
      ...LOCAL_ROUTER_DEFAULTS,
      listen: { router: 'localhost:0', ingress: 'localhost:0', topicPorts: {}, soft: HARD, ...listen },
    },
    profile: 'sidecar',
    clock: systemClock(),
    random: systemRandom(),
    ids: randomIds(),
    log: { write: () => undefined },
  });
}

describe('ports', () => {
  test('a taken default port is replaced, and a taken port of a setting is an error', async () => {
    const port = await takenPort();
    const strict = await make({ router: `localhost:${port}` });
    await expect(strict.start()).rejects.toMatchObject({ code: 'EVR-NET-01' });
    await strict.stop();
    const soft = await make({ router: `localhost:${port}`, soft: { router: true, ingress: false } });
    onTestFinished(() => soft.stop());
    await soft.start();
    expect(Number(new URL(soft.addresses().router).port)).toBeGreaterThan(port);
  });

  test('default ports that are all taken are named from the first to the last', async () => {
    for (const port of [65_534, 65_535]) {
      const server = net.createServer();
      onTestFinished(() => void server.close());
      // Another program may have it, which serves as well.
      await new Promise<void>((resolve) => {
        server.once('error', () => resolve());
        server.listen(port, '127.0.0.1', resolve);
      });
    }
    const soft = await make({ router: 'localhost:65534', soft: { router: true, ingress: false } });
    await expect(soft.start()).rejects.toMatchObject({
      code: 'EVR-NET-01',
      message: expect.stringMatching(/ cannot listen on localhost: no port from 65534 to 65535 is free$/),
    });
    await soft.stop();
  });

  test('a port on which this user may not listen is not said to be in use', async () => {
    forbidPort(443);
    const router = await make({ router: 'localhost:443' });
    await expect(router.start()).rejects.toMatchObject({
      code: 'EVR-NET-02',
      message: expect.stringMatching(
        / cannot listen on localhost:443: port 443 needs more rights than this user has, like every port below 1024$/,
      ),
    });
    await router.stop();
  });

  test('an ingress that cannot listen leaves the router running, and says why', async () => {
    const router = await make({ ingress: `localhost:${await takenPort()}` });
    onTestFinished(() => router.stop());
    await router.start();
    expect(router.ingress.status()).toMatchObject({ listening: false, error: { code: 'EVR-ING-01' } });
    expect(router.status().notes.at(-1)).toMatchObject({ code: 'EVR-ING-01' });
  });

  test('only loopback is listened on unless it is allowed', async () => {
    const router = await make({ router: '0.0.0.0:0' });
    await expect(router.start()).rejects.toThrow(/loopback only/);
    await router.stop();
  });
});

describe('the state of the router', () => {
  test('faults that a person armed, and the scale of time, end with the process', async () => {
    const data = folder();
    const first = await wireStand({ folder: data });
    first.router.faults.arm({ target: 'identity', times: 3, status: 500 });
    first.router.deliveries.setTimeScale(0.5);
    expect(first.router.status().timeScale).toBe(0.5);
    await first.router.stop();
    const second = await wireStand({ folder: data });
    expect(second.router.faults.list()).toEqual([]);
    expect(second.router.status().timeScale).not.toBe(0.5);
  });

  test('topics, keys, clients and subscriptions are there after a restart, without a new handshake', async () => {
    const data = folder();
    const first = await wireStand({ folder: data });
    await first.subscribe();
    const { key2 } = first.router.topics.keys('orders');
    const { kid } = first.router.identity.status().keys[0] ?? { kid: '' };
    const ca = first.router.certificates.caPem();
    await first.router.stop();
    const second = await wireStand({ folder: data, skipAdopt: true });
    expect(second.router.topics.keys('orders')).toEqual({ key1: KEY, key2 });
    expect(second.router.identity.status().keys[0]?.kid).toBe(kid);
    expect(second.router.certificates.caPem()).toBe(ca);
    expect(second.router.subscriptions.list()).toMatchObject([
      { record: { name: 'ordersin', properties: { provisioningState: 'Succeeded' } } },
    ]);
    expect(second.hook.seen).toEqual([]);
    const open = readdirSync(data).filter((file) => (statSync(path.join(data, file)).mode & 0o077) !== 0);
    expect(process.platform === 'win32' ? [] : open).toEqual([]);
  });

  test('a damaged state file is kept under another name and reported', async () => {
    const data = folder();
    const first = await wireStand({ folder: data });
    await first.router.stop();
    writeFileSync(
      path.join(data, 'router.db'),
      'this is no database, only text that is long enough to look at',
    );
    for (const tail of ['-wal', '-shm']) rmSync(path.join(data, `router.db${tail}`), { force: true });
    const second = await wireStand({ folder: data });
    expect(second.router.status().notes[0]?.text).toContain('kept it as');
    expect(readdirSync(data).some((file) => file.startsWith('router.db.damaged-'))).toBe(true);
  });

  describe('a state file that was being laid out', () => {
    const THINGS =
      'CREATE TABLE things (kind TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID';

    /** A file with this in it and nothing that says its layout. */
    function begun(sql: string): { data: string; tables: () => unknown[] } {
      const data = folder();
      mkdirSync(data);
      const file = path.join(data, 'router.db');
      const run = <T>(work: (db: DatabaseSync) => T): T => {
        const db = new DatabaseSync(file);
        const result = work(db);
        db.close();
        return result;
      };
      run((db) => db.exec(sql));
      const tables = (): unknown[] =>
        run((db) => db.prepare('SELECT name FROM sqlite_schema ORDER BY name').all()).map(({ name }) => name);
      return { data, tables };
    }

    test('gets all its tables or none', () => {
      const { data, tables } = begun('CREATE TABLE deliveries_by_state (stands, in_the_way)');
      expect(() => openDatabase(data, 0)).toThrow(/deliveries_by_state/);
      expect(tables()).toEqual(['deliveries_by_state']);
    });

    test('is completed if an earlier build left it in part', () => {
      const { data, tables } = begun(THINGS);
      openDatabase(data, 0).db.close();
      expect(tables()).toContain('dead_letters');
    });
  });

  test('D21 an event that was answered with 200 survives a kill', async () => {
    const data = folder();
    const seed = await wireStand({ folder: data });
    await seed.subscribe();
    await seed.router.stop();
    chmodSync(data, 0o700);
    const script = path.join(import.meta.dirname, 'life-process.ts');
    const child = spawn(process.execPath, [script, data], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, { timeout: 15_000 }).toMatch(/\}$/);
    const { router, ca } = JSON.parse(said) as { router: string; ca: string };
    const dispatcher = new Agent({ connect: { ca }, allowH2: false });
    onTestFinished(() => dispatcher.close());
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const answer = await request(`${router}/topics/orders/api/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/cloudevents+json', 'aeg-sas-key': KEY },
          body: JSON.stringify(cloudEvent(`e${n}`)),
          dispatcher,
        });
        await answer.body.dump();
        return answer.statusCode;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const after = await wireStand({ folder: data, skipAdopt: true });
    const rows = after.stored();
    expect(rows.map(({ eventId }) => eventId).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, n) => `e${n}`).toSorted(),
    );
    expect(rows.every(({ state }) => ['queued', 'attempting', 'retrying'].includes(state))).toBe(true);
  });
});

test('D01 one event through topic, engine, TLS and ingress', async () => {
  const stand = await wireStand();
  await stand.subscribe();
  expect((await stand.publish(cloudEvent('e1', { subject: 'ö' }))).status).toBe(200);
  await expect.poll(() => stand.stored()[0]?.state).toBe('processed');
  const [delivered] = stand.hook.events();
  expect(delivered?.body).toBe(JSON.stringify(cloudEvent('e1', { subject: 'ö' })));
  expect(delivered?.headers).toMatchObject({
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'aeg-subscription-name': 'ORDERSIN',
    'aeg-delivery-count': '0',
    'webhook-request-origin': 'eventrouter.localhost',
  });
  expect(stand.router.status().counts).toMatchObject({ processed: 1, queued: 0 });
});

test('D07 a webhook that answers 500 is called again, whatever its app answered', async () => {
  const stand = await wireStand();
  await stand.subscribe();
  let asked = 0;
  stand.hook.script.respond = (_request, response) => {
    response.statusCode = (asked += 1) < 3 ? 500 : 200;
    response.end();
  };
  await stand.publish(cloudEvent());
  await expect.poll(() => stand.stored()[0]?.state, { timeout: 5000 }).toBe('processed');
  expect(stand.hook.events().map(({ headers }) => headers['aeg-delivery-count'])).toEqual(['0', '1', '2']);
});

test('a component with a wide scope gets the events of topics without a place', async () => {
  const stand = await wireStand({ skipAdopt: true });
  const scope = '/subscriptions/s1/resourceGroups/dev';
  const input = {
    tenantId: TENANT,
    subscriptionId: 's1',
    clientId: CLIENT,
    clientSecret: SECRET,
    subscriberEndpoint: stand.subscriber,
    handshakePort: stand.hook.port,
  };
  const topicEndpoint = `${stand.base}/topics/orders/api/events`;
  await stand.router.adopt({ component: 'out', topicEndpoint, accessKey: KEY });
  const done = await stand.router.adopt({ component: 'in', input: { ...input, scope } });
  expect(done).toContain(`topic orders placed in ${scope}`);
  expect(await stand.router.adopt({ component: 'in', input: { ...input, scope } })).toEqual([]);
  await stand.manage('PUT', stand.recordPath('wide', scope), { properties: wanted(stand.subscriber) });
  await expect
    .poll(() => stand.router.subscriptions.list()[0]?.record.properties.provisioningState)
    .toBe('Succeeded');
  expect(stand.router.subscriptions.list()[0]?.topics).toEqual(['orders']);
  await stand.publish(cloudEvent());
  await expect.poll(() => stand.hook.events().length).toBe(1);
  const elsewhere = {
    ...input,
    scope: '/subscriptions/s2/resourceGroups/x/providers/Cloud.EventRouter/topics/orders',
  };
  await stand.router.adopt({ component: 'other', input: elsewhere });
  expect(stand.router.topics.list()[0]?.resourceId).toContain('/subscriptions/s1/');
  expect(stand.router.status().notes.some(({ text }) => text.includes('do not reach the scope'))).toBe(true);
});

test('a listener is called for every kind of change', async () => {
  const stand = await wireStand({ ownKeys: true });
  const kinds = new Set<string>();
  const stop = stand.router.onChange(({ kind }) => void kinds.add(kind));
  await stand.subscribe();
  await stand.publish(cloudEvent());
  await stand.router.identity.rotateKey(true);
  await stand.router.ingress.setFault('503');
  await expect
    .poll(() => [...kinds].toSorted())
    .toEqual(
      expect.arrayContaining(['delivery', 'handshake', 'identity', 'ingress', 'subscription', 'topic']),
    );
  stop();
});
