/** An app that answers no call in time, or refuses each one for want of a token: a problem that the first other answer ends. */
import { expect, test } from 'vitest';
import { appBanners } from '../../core/host/app-banners.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const BARE =
  'Sidelight sent it no token: if the app asks for the token that its sidecar sends, start Sidelight with APP_API_TOKEN=TOKEN in its environment.';
const SENT =
  'Sidelight sent it the token of APP_API_TOKEN, as sidecar-api-token: if the app asks for that token, one of the two is wrong.';

const SAID = /^The app (?:answers \w+ to its deliveries|has answered none|is no longer silent)/;

function saidIn(stand: Stand): readonly string[] {
  return stand.lines.map(({ text }) => text).filter((text) => SAID.test(text));
}

async function silentStand(): Promise<Stand> {
  const stand = await started();
  stand.set('delivery.attemptTimeoutMs', 2000);
  return stand;
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
  expect(saidIn(stand)).toEqual([said, 'The app is no longer silent.']);
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

test('another program at the address is a new beginning', async () => {
  const stand = await started();
  stand.app.next.push(401);
  await stand.publish('orders');
  expect(saidIn(stand)).toHaveLength(1);
  subscribe(stand, { topic: 'orders', route: '/orders' });
  await stand.runtime.rediscovery.ask('app');
  await stand.settle();
  expect(appBanners(() => stand.runtime.topology.problems())()).toEqual([]);
});
