/** An app that is asked while it leaves, comes again under its id, or is turned to another address. */
import { expect, test } from 'vitest';
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
