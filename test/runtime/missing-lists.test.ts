/** An app that answered 404 to discovery, or an empty list, is named once a message comes that no subscription takes, and not before. */
import { expect, test } from 'vitest';
import { appBanners } from '../../core/host/app-banners.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const ORDERS = { topic: 'orders', route: '/orders' };
const TEXT =
  'A message was published to orders on pubsub, to which nobody subscribes. The app answers 404 at http://app.test:6001/sidecar/subscribe, so it has no subscriptions.';

function banners(stand: Stand): readonly string[] {
  return appBanners(() => stand.runtime.topology.problems())().map(({ text }) => text);
}

function saidIn(stand: Stand): readonly string[] {
  return stand.logged('warn').filter((text) => text.startsWith('A message was published to '));
}

async function without(...apps: readonly string[]): Promise<Stand> {
  return started({ apps: ['app', 'shop'].slice(0, Math.max(1, apps.length)) }, (it) => {
    subscribe(it, ORDERS);
    for (const appId of apps) it.appOf(appId).discoveryAnswers.push(404);
  });
}

test('is one line of the log and one banner, however many messages and topics there are', async () => {
  const stand = await without('app');
  expect(banners(stand)).toEqual([]);
  await stand.publish('orders');
  await stand.publish('orders');
  await stand.publish('paid');
  expect(saidIn(stand)).toEqual([TEXT]);
  expect(appBanners(() => stand.runtime.topology.problems())()).toEqual([
    { id: 'app-1', text: TEXT, level: 'warn', appId: 'app', help: 'discovery' },
  ]);
});

test('ends when the app gives a list, and is news again after that', async () => {
  const stand = await without('app');
  await stand.publish('orders');
  await stand.runtime.rediscovery.ask('app');
  expect(banners(stand)).toEqual([]);
  stand.app.discoveryAnswers.push(404);
  await stand.runtime.rediscovery.ask('app');
  expect(banners(stand)).toEqual([]);
  await stand.publish('orders');
  expect(saidIn(stand)).toEqual([TEXT, TEXT]);
});

test('an app that only publishes is not named, and the other ones are', async () => {
  const stand = await without('app', 'shop');
  await stand.publish('orders', 'x', { appId: 'app' });
  const said = saidIn(stand);
  expect(said).toEqual([expect.stringContaining('App shop answers 404 at http://app.test:6002/')]);
});

test('nobody is named for a message that a subscription takes', async () => {
  const stand = await started({ apps: ['app', 'shop'] }, (it) => {
    subscribe(it, ORDERS);
    it.app.discoveryAnswers.push(404);
  });
  await stand.publish('orders');
  expect(saidIn(stand)).toEqual([]);
  await stand.publish('paid', 'x', { appId: 'app' });
  expect(saidIn(stand)).toEqual([]);
  await stand.publish('paid', 'x', { appId: 'shop' });
  expect(saidIn(stand)).toEqual([TEXT.replace('orders', 'paid')]);
});

test('an app that speaks another profile has its own problem', async () => {
  const stand = await started({}, (it) => {
    it.app.discoveryAnswers.push(404);
    it.app.otherProfile = { body: [{ pubsubname: 'pubsub', ...ORDERS }] };
  });
  await stand.publish('orders');
  expect(saidIn(stand)).toEqual([]);
  expect(banners(stand)).toHaveLength(1);
});

test('an app with an empty list is named as one without a list, until it lists something', async () => {
  const stand = await started({ apps: ['app', 'shop'] }, (it) => {
    subscribe(it, ORDERS);
    it.app.discoveryAnswers.push({ status: 200, body: [] });
  });
  await stand.publish('orders', 'x', { appId: 'app' });
  await stand.publish('paid', 'x', { appId: 'app' });
  expect(banners(stand)).toEqual([]);
  await stand.publish('paid', 'x', { appId: 'shop' });
  await stand.publish('paid', 'x', { appId: 'shop' });
  const text = TEXT.replace('orders', 'paid').replace('answers 404', 'answers with an empty list');
  expect(saidIn(stand)).toEqual([text]);
  expect(appBanners(() => stand.runtime.topology.apps())()).toEqual([
    { id: 'app-1', text, level: 'warn', appId: 'app', help: 'discovery' },
  ]);
  await stand.runtime.rediscovery.ask('app');
  expect(banners(stand)).toEqual([]);
});

test('an app that was not asked, because it may use no component, is not named', async () => {
  const stand = await started({ apps: ['app', 'shop'] }, (it) => {
    subscribe(it, ORDERS);
    it.components.components = [component('pubsub', 'pubsub.in-memory', {}, { scopes: ['shop'] })];
  });
  expect(stand.app.asked).toEqual([]);
  await stand.publish('paid', 'x', { appId: 'shop' });
  expect(saidIn(stand)).toEqual([]);
});
