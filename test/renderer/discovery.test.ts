/** Discovery in words: an app that was not asked is never said to have answered. */
import { expect, test } from 'vitest';
import type { DiscoveryState } from '../../core/contract/subscription.ts';
import { reportDiscovered } from '../../renderer/format/discovered-text.ts';
import { discoveryText, isUnasked } from '../../renderer/format/discovery.ts';
import { COMMANDS } from '../../renderer/keys/commands.ts';
import type { Console } from '../../renderer/state/console.ts';
import { createToasts } from '../../renderer/state/toasts.ts';

const URL = 'http://127.0.0.1:6001/sidecar/subscribe';
const DONE: DiscoveryState = { state: 'done', url: URL, at: '2026-03-01T14:32:08.412Z', count: 0 };
const NONE = 'no pub/sub component is loaded for it';

test('an app without any component was not asked', () => {
  expect(isUnasked(DONE)).toBe(true);
  expect(discoveryText({ ...DONE, error: NONE })).toBe(`Not asked for its subscriptions: ${NONE}.`);
});

test('an app that listens and is not healthy is not said to be out of reach', () => {
  const waiting: DiscoveryState = { state: 'waiting', url: URL, count: 0 };
  expect(discoveryText(waiting)).toBe("Can't reach the app on port 6001; retrying.");
  expect(discoveryText({ ...waiting, error: 'its health check does not pass' })).toBe(
    'Not asked for its subscriptions yet: its health check does not pass.',
  );
});

test('an app that answered without subscriptions and one without an address have other words', () => {
  expect(discoveryText({ ...DONE, status: 200 })).toMatch(/^Last discovered .*: 200, 0 subscriptions$/);
  expect(discoveryText({ ...DONE, status: 200, count: 1, unused: 2 })).toMatch(
    /: 200, 1 subscription, 2 not usable$/,
  );
  expect(discoveryText({ ...DONE, status: 404 })).toMatch(
    /^The app declares no subscriptions: it answers 404 to GET http:\/\/127\.0\.0\.1:6001\/sidecar\/subscribe\. The app gets messages only by subscriptions in files\. Asked at /,
  );
  expect(discoveryText({ ...DONE, url: '' })).toBe(
    'The app has no address, so it is not asked for subscriptions.',
  );
});

test('an app that speaks another profile is not said to declare no subscriptions', () => {
  const problems = [{ code: 'other-profile' }];
  expect(discoveryText({ ...DONE, status: 404 }, problems)).toMatch(
    /^Last discovered .* from http:\/\/127\.0\.0\.1:6001\/sidecar\/subscribe: 404, 0 subscriptions$/,
  );
});

/** The notifications after a discovery with these results. */
function told(...discovery: Parameters<typeof reportDiscovered>[1]): readonly string[] {
  const toasts = createToasts();
  reportDiscovered(toasts, discovery);
  return toasts.store.getState().toasts.map(({ kind, text }) => `${kind}: ${text}`);
}

const FAILED = { ...DONE, appId: 'app', state: 'failed', error: 'The app answered 500' } as const;

test('the notification after a discovery counts the subscriptions that cannot be used', () => {
  expect(told({ ...DONE, appId: 'app', status: 200 })).toEqual(['done: Discovered 0 subscriptions.']);
  expect(told({ ...DONE, appId: 'app', status: 200, unused: 1 })).toEqual([
    'done: Discovered 0 subscriptions. 1 entry of the list could not be used: the Apps screen says why.',
  ]);
});

test('a discovery that failed is notified as a failure with its reason, and never as a success', () => {
  expect(told(FAILED)).toEqual([
    'failed: Discovery of the app failed: The app answered 500 (http://127.0.0.1:6001/sidecar/subscribe).',
  ]);
  expect(told({ ...FAILED, appId: 'shop', error: 'No answer within 10 s.' })).toEqual([
    'failed: Discovery of app shop failed: No answer within 10 s (http://127.0.0.1:6001/sidecar/subscribe).',
  ]);
});

test('of several apps the failures are told beside what the others answered', () => {
  const cart = { ...DONE, appId: 'cart', status: 200, count: 2 };
  expect(told(FAILED, cart, { ...FAILED, appId: 'shop' }).toSorted()).toEqual([
    'done: Discovered 2 subscriptions.',
    'failed: Discovery of the app failed: The app answered 500 (http://127.0.0.1:6001/sidecar/subscribe). Discovery of app shop failed: The app answered 500 (http://127.0.0.1:6001/sidecar/subscribe).',
  ]);
});

test('the command tells the failure', async () => {
  const toasts = createToasts();
  const console = {
    acting: {
      run: async (_id: string, work: () => Promise<unknown>) => expect(await work()).toBeUndefined(),
    },
    call: () => Promise.resolve({ subscriptions: [{}], problems: [], discovery: [FAILED] }),
    topology: { onChange: () => undefined },
    toasts,
  } as unknown as Console;
  COMMANDS.find(({ id }) => id === 'discover')?.run(console);
  await expect.poll(() => toasts.store.getState().toasts).toMatchObject([{ kind: 'failed' }]);
});
