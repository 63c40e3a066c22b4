/** An outbound policy of a Resiliency document: a publish that the component did not take is tried again. */
import { expect, test } from 'vitest';
import { PublishFailure } from '../../core/ports/pubsub.ts';
import type { PubSub } from '../../core/ports/pubsub.ts';
import { component } from '../support/listed-components.ts';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

/** A component whose publishes fail as often as a test says. */
class Failing implements PubSub {
  readonly features = {
    bulkPublish: false,
    bulkSubscribe: false,
    ttl: false,
    wildcards: false,
    keepsHistory: false,
    redelivers: false,
  };
  readonly capabilities = [];
  tries = 0;
  readonly #failures: readonly Error[];

  constructor(failures: readonly Error[]) {
    this.#failures = failures;
  }

  publish(): Promise<void> {
    const failure = this.#failures[this.tries];
    this.tries += 1;
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  }

  start = (): Promise<void> => Promise.resolve();
  subscribe = (): ReturnType<PubSub['subscribe']> => Promise.resolve({ close: () => Promise.resolve() });
  close = (): Promise<void> => Promise.resolve();
}

const away = (): Error => new PublishFailure(503, 'the server is away');

async function on(failing: Failing, matching?: string): Promise<Stand> {
  const quick = { policy: 'constant', duration: '1s', maxRetries: 2 };
  const retry = matching === undefined ? quick : { ...quick, matching: { httpStatusCodes: matching } };
  const spec = {
    policies: { retries: { retry } },
    targets: { components: { pubsub: { outbound: { retry: 'retry' } } } },
  };
  return started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.failing')];
    it.components.own.set('pubsub', () => failing);
    it.components.resiliency = [{ spec }];
  });
}

/** Result of the publish after its waits. */
async function outcome(it: Stand): Promise<string> {
  const publishing = it.publish('orders').then(
    () => 'taken',
    (error: unknown) => String(error),
  );
  for (let n = 0; n < 4; n += 1) await it.pass(1000);
  return publishing;
}

test('a publish succeeds with a later try', async () => {
  const failing = new Failing([away(), away()]);
  expect(await outcome(await on(failing))).toBe('taken');
  expect(failing.tries).toBe(3);
});

test('after its last try the publisher gets the error of that try', async () => {
  const failing = new Failing([away(), away(), new Error('the last word'), away()]);
  expect(await outcome(await on(failing))).toContain('the last word');
  expect(failing.tries).toBe(3);
});

test.each([
  ['503', away(), 2],
  ['429', away(), 1],
  ['429', new Error('of no known kind'), 2],
] as const)('a policy for %s, and %s, leads to %i tries', async (matching, error, tries) => {
  const failing = new Failing([error]);
  await outcome(await on(failing, matching));
  expect(failing.tries).toBe(tries);
});

test('a stop ends the wait before another try, and the publisher gets the reason', async () => {
  const failing = new Failing([away(), away(), away()]);
  const it = await on(failing);
  const publishing = it.publish('orders').then(
    () => 'taken',
    (error: unknown) => String(error),
  );
  await it.pass(100);
  await it.stop();
  expect(await Promise.race([publishing, Promise.resolve('not answered')])).toContain('the server is away');
  expect(failing.tries).toBe(1);
});
