/** An app that is asked while it leaves, comes again under its id, or is turned to another address. */
import { expect, test, vi } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import type { ReceivedAnswer } from '../../core/ports/app-channel.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';
import { ScriptedApp } from '../support/scripted-app.ts';

const CUT: ReceivedAnswer = { kind: 'none', code: 'timeout', message: 'no answer' };

/** An app that answers what it subscribes to when the test says so. */
class SlowApp extends ScriptedApp {
  readonly waiting: { readonly at: string; readonly answer: (answer: ReceivedAnswer) => void }[] = [];

  override get(): Promise<ReceivedAnswer> {
    return new Promise((answer) => this.waiting.push({ at: this.url, answer }));
  }
}

function subscribing(topic: string): ReceivedAnswer {
  const body = JSON.stringify([{ pubsubname: 'pubsub', topic, route: '/' }]);
  return { kind: 'response', status: 200, headers: {}, body: bufferCodec.fromText(body) };
}

const topicsOf = (stand: Stand, appId: string): readonly string[] =>
  stand.runtime.topology
    .subscriptions()
    .filter((row) => row.appId === appId)
    .map(({ topic }) => topic);

async function enter(stand: Stand, url: string): Promise<SlowApp> {
  const channel = new SlowApp(stand.clock, url);
  await stand.runtime.membership.enter({ appId: 'late', channel, added: true }, async () => undefined);
  await stand.settle();
  return channel;
}

test('an app that is added again with its id while the old one is asked is asked too', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const before = await enter(stand, 'http://before');
  expect(before.waiting).toHaveLength(1);
  const leaving = stand.runtime.membership.leave('late');
  await stand.pass(1000);
  await leaving;
  const again = await enter(stand, 'http://again');
  expect(again.waiting).toHaveLength(1);
  again.waiting[0]?.answer(subscribing('letters'));
  await stand.settle();
  expect(topicsOf(stand, 'late')).toEqual(['letters']);
  before.waiting[0]?.answer(CUT);
  await stand.pass(10_000);
  expect(before.waiting).toHaveLength(1);
  expect(topicsOf(stand, 'late')).toEqual(['letters']);
});

test('an app that gets another address while it is asked is asked there, and only that answer counts', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const app = await enter(stand, 'http://old');
  app.url = 'http://new';
  app.waiting[0]?.answer(subscribing('of-the-old-one'));
  const asked = stand.runtime.rediscovery.ask('late');
  await stand.settle();
  expect(app.waiting.map(({ at }) => at)).toEqual(['http://old', 'http://new']);
  expect(topicsOf(stand, 'late')).toEqual([]);
  app.waiting[1]?.answer(subscribing('letters'));
  await stand.settle();
  expect((await asked).subscriptions).toMatchObject([{ topic: 'letters' }]);
  expect(stand.runtime.topology.discoveries()).toContainEqual(
    expect.objectContaining({ appId: 'late', state: 'done', url: 'http://new/sidecar/subscribe' }),
  );
});

test('an app that is moved from an address without an answer is asked at the new one at once', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const app = await enter(stand, 'http://old');
  app.url = 'http://new';
  const asked = stand.runtime.rediscovery.ask('late');
  await stand.settle();
  expect(app.waiting.map(({ at }) => at)).toEqual(['http://old', 'http://new']);
  app.waiting[1]?.answer(subscribing('letters'));
  await stand.settle();
  expect((await asked).subscriptions).toMatchObject([{ topic: 'letters' }]);
  app.waiting[0]?.answer(subscribing('of-the-old-one'));
  await stand.settle();
  expect(topicsOf(stand, 'late')).toEqual(['letters']);
});

test('an app that is asked again while it is asked lists what it subscribes to now', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const app = await enter(stand, 'http://app');
  const asked = [stand.runtime.rediscovery.ask('late'), stand.runtime.rediscovery.ask('late')];
  app.waiting[0]?.answer(subscribing('before'));
  await stand.settle();
  // One call serves all who asked while the first one was under way.
  expect(app.waiting).toHaveLength(2);
  app.waiting[1]?.answer(subscribing('now'));
  await stand.settle();
  for (const one of asked) expect((await one).subscriptions).toMatchObject([{ topic: 'now' }]);
  expect(app.waiting).toHaveLength(2);
});

test('an app is asked once more after a discovery that broke off', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const app = await enter(stand, 'http://app');
  app.waiting[0]?.answer(subscribing('before'));
  await stand.settle();
  const broken = stand.runtime.rediscovery.ask('late');
  const next = stand.runtime.rediscovery.ask('late');
  const refuse = (): never => {
    throw new Error('the log is full');
  };
  vi.spyOn(stand.lines, 'push').mockImplementationOnce(refuse).mockImplementationOnce(refuse);
  app.waiting[1]?.answer({ kind: 'response', status: 500, headers: {}, body: bufferCodec.fromText('') });
  await expect(broken).rejects.toThrow('the log is full');
  await stand.settle();
  app.waiting[2]?.answer(subscribing('now'));
  expect((await next).subscriptions).toMatchObject([{ topic: 'now' }]);
});

test('a repeated discovery goes to the new address of an app', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const app = await enter(stand, 'http://old');
  app.waiting[0]?.answer(CUT);
  await stand.settle();
  app.url = 'http://new';
  await stand.pass(1000);
  app.waiting[1]?.answer(subscribing('letters'));
  await stand.settle();
  expect(app.waiting.map(({ at }) => at)).toEqual(['http://old', 'http://new']);
  expect(stand.runtime.topology.discoveries()).toContainEqual(
    expect.objectContaining({ appId: 'late', state: 'done', url: 'http://new/sidecar/subscribe' }),
  );
});

async function entered(stand: Stand, topic: string): Promise<ScriptedApp> {
  const channel = new ScriptedApp(stand.clock, 'http://old');
  channel.subscriptions = [{ pubsubname: 'pubsub', topic, route: '/' }];
  await stand.runtime.membership.enter({ appId: 'late', channel, added: true }, async () => undefined);
  await stand.settle();
  return channel;
}

test('a message waits for an app at a new address until it answers there', async () => {
  const stand = await started();
  const app = await entered(stand, 'orders');
  app.isOpen = false;
  app.url = 'http://new:1';
  const asked = stand.runtime.rediscovery.ask('late');
  await stand.settle();
  const early = await stand.publish('invoices');
  await stand.pass(10_000);
  await asked;
  const late = await stand.publish('invoices');
  const order = await stand.publish('orders');
  for (const id of [early, late])
    expect(await stand.message(id)).toMatchObject({ stage: 'waiting', waitingFor: ['late'] });
  expect(app.calls).toEqual([]);
  const { deliveries } = await stand.message(order);
  expect(deliveries.find(({ appId }) => appId === 'late')?.state).toBe('queued');

  app.url = 'http://new:2';
  app.isOpen = true;
  app.subscriptions = [{ pubsubname: 'pubsub', topic: 'invoices', route: '/' }];
  await stand.during(stand.runtime.rediscovery.ask('late'));
  await stand.pass(1000);
  for (const id of [early, late]) expect((await stand.delivery(id)).state).toBe('processed');
});

test('an app that is back from an address where nobody listens is healthy, because it answered', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const { app, runtime } = stand;
  const home = app.url;
  const channel = (): string | undefined =>
    runtime.health.of().healthz.parts.find(({ name }) => name === 'application channel')?.detail;
  app.isOpen = false;
  app.url = 'http://nobody';
  await stand.during(runtime.rediscovery.ask('app'));
  await stand.pass(3500);
  expect(runtime.health.of().healthz.healthy).toBe(false);
  app.url = home;
  app.isOpen = true;
  await runtime.rediscovery.ask('app');
  const change = runtime.health.of().changes.find(({ probe }) => probe === 'healthz');
  expect(change?.healthy).toBe(true);
  expect(change?.reason).toMatch(new RegExp(`application channel: ${home} answered$`));
  app.isOpen = false;
  await stand.pass(5000);
  expect(channel()).toBe(`${home} answered before and does not answer now`);
  app.isOpen = true;
  await stand.pass(5000);
  expect(channel()).toBe(`${home} answered`);
});

test('a failed discovery at a new address says whose subscriptions stay', async () => {
  const stand = await started();
  const app = await entered(stand, 'orders');
  app.url = 'http://new';
  app.discoveryAnswers.push(500);
  await stand.during(stand.runtime.rediscovery.ask('late'));
  expect(stand.logged('error')).toEqual([
    expect.stringContaining('Until then the subscriptions that http://old gave stay.'),
  ]);
});

test('an app that is turned from a closed port to one that answers 500 is asked there once', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const app = await entered(stand, 'orders');
  app.isOpen = false;
  await stand.pass(20_000);
  app.asked.length = 0;
  app.url = 'http://new';
  app.isOpen = true;
  app.discoveryAnswers.push(500, 500);
  await stand.runtime.rediscovery.ask('late');
  await stand.pass(1000);
  expect(app.asked).toHaveLength(1);
  expect(stand.logged('error').filter((text) => text.includes('answered 500'))).toHaveLength(1);

  app.isOpen = false;
  await stand.pass(1000);
  app.isOpen = true;
  await stand.pass(1000);
  expect(app.asked).toHaveLength(2);
});

/** An app that lists topics of its own at each address, as soon as something listens there. */
class MovingApp extends ScriptedApp {
  override async get(): Promise<ReceivedAnswer> {
    await Promise.resolve();
    return this.isOpen
      ? subscribing(`of-${this.url.slice('http://'.length)}`)
      : { kind: 'none', code: 'refused', message: 'connect ECONNREFUSED 127.0.0.1:1' };
  }
}

test('an app that gets an address where nobody listens has one warning, and is asked by itself when it listens', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/' }));
  const channel = new MovingApp(stand.clock, 'http://old');
  await stand.runtime.membership.enter({ appId: 'late', channel, added: true }, async () => undefined);
  await stand.pass(1000);
  expect(topicsOf(stand, 'late')).toEqual(['of-old']);
  channel.isOpen = false;
  channel.url = 'http://new';
  void stand.runtime.rediscovery.ask('late');
  await stand.pass(15_000);
  const loud = stand.lines.filter(({ level }) => level === 'warn' || level === 'error');
  expect(loud.map(({ text }) => text.slice(0, text.indexOf(',')))).toEqual(['Nothing listens at http://new']);
  channel.isOpen = true;
  await stand.pass(5000);
  expect(topicsOf(stand, 'late')).toEqual(['of-new']);
});
