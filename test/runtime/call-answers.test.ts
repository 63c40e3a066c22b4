/** An app that answers no call in time, or refuses each one for want of a token: a problem that the first other answer ends. */
import { expect, onTestFinished, test } from 'vitest';
import { appBanners } from '../../core/host/app-banners.ts';
import { openMockApp } from '../support/mock-app-parts.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand, StandOptions } from '../support/runtime-stand.ts';

const BARE =
  'Sidelight sent it no token: if the app asks for the token that its sidecar sends, start Sidelight with APP_API_TOKEN=TOKEN in its environment.';
const SENT =
  'Sidelight sent it the token of APP_API_TOKEN, as sidecar-api-token: if the app asks for that token, one of the two is wrong.';

const SAID = /^The app (?:answers \w+ to its deliveries|has answered none|answers again)/;

function saidIn(stand: Stand): readonly string[] {
  return stand.lines.map(({ text }) => text).filter((text) => SAID.test(text));
}

async function silentStand(options: StandOptions = {}): Promise<Stand> {
  const stand = await started(options);
  stand.set('delivery.attemptTimeoutMs', 2000);
  return stand;
}

/** Five messages time out. */
async function fallsSilent(stand: Stand): Promise<void> {
  stand.app.answerWith = () => 'hang';
  for (let n = 0; n < 5; n += 1) await stand.publish('orders');
  await stand.pass(2000);
}

function bannersOf(stand: Stand): () => readonly string[] {
  const banners = appBanners(() => stand.runtime.topology.problems());
  return () => banners().flatMap(({ text }) => (SAID.test(text) ? [text] : []));
}

test('calls in a row without an answer are one banner, which counts on until the first answer', async () => {
  const stand = await silentStand();
  const banners = appBanners(() => stand.runtime.topology.problems());
  stand.app.answerWith = () => 'hang';
  for (let n = 0; n < 4; n += 1) await stand.publish('orders');
  await stand.pass(2000);
  expect(banners()).toEqual([]);
  await stand.publish('orders');
  await stand.pass(2000);
  const first = banners();
  expect(first).toMatchObject([{ level: 'warn', appId: 'app' }]);
  const [said = ''] = saidIn(stand);
  expect(said).toMatch(
    /^The app has answered none of its last 5 calls. The last one: no answer within 2000 ms.$/,
  );
  await stand.publish('orders');
  await stand.pass(4000);
  // The number grows, and a banner that a person dismissed stays away.
  expect(banners()).toMatchObject([{ id: first[0]?.id }]);
  expect(banners()[0]?.text).not.toBe(said);
  expect(saidIn(stand)).toEqual([said]);
  stand.app.answerWith = () => 'SUCCESS';
  await stand.publish('orders');
  expect(banners()).toEqual([]);
  expect(saidIn(stand)).toEqual([said, 'The app answers again.']);
});

test('an app that answers now and then is not silent', async () => {
  const stand = await silentStand();
  for (const answer of ['hang', 'hang', 'hang', 'SUCCESS', 'hang', 'hang', 'hang'] as const) {
    stand.app.next.push(answer);
    await stand.publish('orders');
    await stand.pass(2000);
  }
  expect(saidIn(stand)).toEqual([]);
});

test.each(['reset', 'refused'] as const)(
  'a call that was %s is no answer, and ends the streak',
  async (broken) => {
    const stand = await silentStand();
    await fallsSilent(stand);
    expect(bannersOf(stand)()).toEqual(saidIn(stand));
    stand.app.next.push(broken);
    await stand.publish('orders');
    expect(bannersOf(stand)()).toEqual([]);
    expect(saidIn(stand)).toHaveLength(1);
  },
);

test('one message whose attempts all time out may be slow', async () => {
  const stand = await silentStand();
  stand.app.answerWith = () => 'hang';
  const id = await stand.publish('orders');
  await stand.pass(60 * 60_000);
  expect(await stand.states(id)).toEqual(['parked']);
  expect(stand.app.calls.length).toBeGreaterThan(5);
  expect(saidIn(stand)).toEqual([]);
});

test('silence ends when no call was made for ten minutes, and one that still waits is a call', async () => {
  const stand = await silentStand();
  const banners = bannersOf(stand);
  await fallsSilent(stand);
  stand.set('delivery.attemptTimeoutMs', 20 * 60_000);
  await stand.publish('orders');
  await stand.pass(15 * 60_000);
  expect(banners()).toHaveLength(1);

  const other = await silentStand();
  const ofOther = bannersOf(other);
  await fallsSilent(other);
  expect(ofOther()).toHaveLength(1);
  await other.pass(60 * 60_000);
  expect(ofOther()).toEqual([]);
  await other.publish('orders');
  await other.pass(2000);
  expect(ofOther()).toEqual([]);
  expect(saidIn(other)).toHaveLength(1);
});

test.each([401, 403])('discovery that is answered %i names the variable with the token', async (status) => {
  const prepare = (stand: Stand): void => void stand.app.discoveryAnswers.push(status);
  for (const [options, todo] of [
    [{}, BARE],
    [{ appApiToken: 'secret' }, SENT],
  ] as const) {
    const stand = await started(options, prepare);
    expect(stand.logged('error')).toHaveLength(1);
    expect(stand.logged('error')[0]).toContain(`The app answered ${status} (`);
    expect(stand.logged('error')[0]).toContain(`. ${todo} Sidelight asks again`);
  }
});

test('deliveries that are all answered 401 name it too, until one is answered otherwise', async () => {
  for (const [options, todo] of [
    [{}, BARE],
    [{ appApiToken: 'secret' }, SENT],
  ] as const) {
    const stand = await started(options);
    const banners = appBanners(() => stand.runtime.topology.problems());
    stand.app.next.push(401, 401, 'SUCCESS', 401);
    await stand.publish('orders');
    await stand.publish('orders');
    const text = `The app answers 401 to its deliveries. ${todo}`;
    expect(banners()).toMatchObject([{ level: 'error', text }]);
    expect(saidIn(stand)).toEqual([text]);
    await stand.publish('orders');
    await stand.publish('orders');
    expect(banners()).toEqual([]);
    expect(saidIn(stand)).toHaveLength(1);
  }
});

test('over gRPC it is UNAUTHENTICATED', async () => {
  const stand = await started({}, (it) => {
    it.app.protocol = 'grpc';
    it.app.subscriptions = [{ pubsub_name: 'pubsub', topic: 'orders' }];
  });
  stand.app.next.push(16);
  await stand.publish('orders');
  expect(saidIn(stand)).toEqual([`The app answers UNAUTHENTICATED to its deliveries. ${BARE}`]);
});

test.each([500, 404])('an answer %i before it is no sign that the token is taken', async (status) => {
  const stand = await started();
  stand.app.next.push(status, 401);
  await stand.publish('orders');
  await stand.publish('orders');
  expect(bannersOf(stand)()).toEqual([`The app answers 401 to its deliveries. ${BARE}`]);
});

test('a refusal is over when the same route answers otherwise, and is said once', async () => {
  const stand = await started({}, (it) =>
    subscribe(it, { topic: 'orders', route: '/orders' }, { topic: 'refunds', route: '/refunds' }),
  );
  const refused = [`The app answers 401 to its deliveries. ${BARE}`];
  const after = async (topic: string, status: number): Promise<readonly string[]> => {
    stand.app.next.push(status);
    await stand.publish(topic);
    return bannersOf(stand)();
  };
  expect(await after('orders', 401)).toEqual(refused);
  expect(await after('refunds', 500)).toEqual(refused);
  expect(await after('orders', 500)).toEqual([]);
  expect(await after('orders', 401)).toEqual(refused);
  expect(await after('refunds', 200)).toEqual([]);
  expect(await after('orders', 401)).toEqual([]);
  expect(saidIn(stand)).toEqual(refused);
});

test.each(['asked again', 'another address', 'the mock app', 'killed'])(
  'what was said of the app ends when it may be another one: %s',
  async (way) => {
    const mock = await openMockApp();
    onTestFinished(() => mock.close());
    const stand = await silentStand({ mock: () => mock });
    stand.app.next.push(401);
    await stand.publish('orders');
    await fallsSilent(stand);
    const banners = bannersOf(stand);
    expect(banners()).toHaveLength(2);
    if (way === 'another address') stand.app.url = 'http://app.test:7001';
    if (way === 'the mock app') stand.app.url = mock.url;
    if (way === 'killed') stand.app.isOpen = false;
    else await stand.runtime.rediscovery.ask('app');
    await stand.pass(1000);
    stand.app.isOpen = true;
    await stand.pass(1000);
    expect(banners()).toEqual([]);
    expect(saidIn(stand)).toHaveLength(2);
  },
);
