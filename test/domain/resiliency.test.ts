// Resiliency documents: policies, targets, the named defaults, and reported mistakes.
import { describe, expect, test } from 'vitest';
import { pubsubPolicies, readResiliency, resiliencyFor } from '../../core/domain/resiliency.ts';
import type { Resiliency } from '../../core/domain/resiliency.ts';
import { delayAfter } from '../../core/domain/retry.ts';

function read(spec: unknown, more: Readonly<Record<string, unknown>> = {}): Resiliency {
  return readResiliency(
    [{ document: { kind: 'Resiliency', spec, ...more }, file: 'r.yaml', index: 1, line: 1 }],
    { appId: 'app' },
  );
}

const target = (component: Readonly<Record<string, unknown>>): unknown => ({
  components: { pubsub: component },
});

describe('policies', () => {
  test.each([
    [{}, { maxAttempts: 0, firstDelayMs: 5000, factor: 1, maxDelayMs: 5000, jitter: 0 }],
    [
      { policy: 'constant', duration: '100ms', maxRetries: 3 },
      { maxAttempts: 4, firstDelayMs: 100, factor: 1, maxDelayMs: 100, jitter: 0 },
    ],
    [{ maxRetries: 0 }, { maxAttempts: 1, firstDelayMs: 5000, factor: 1, maxDelayMs: 5000, jitter: 0 }],
    [
      { policy: 'exponential', maxRetries: 3, maxInterval: '2s' },
      { maxAttempts: 4, firstDelayMs: 500, factor: 1.5, maxDelayMs: 2000, jitter: 0.5 },
    ],
  ])('the retry policy %j is read', (policy, retry) => {
    const read1 = read({
      policies: { retries: { r: policy } },
      targets: target({ inbound: { retry: 'r' } }),
    });
    expect(read1.problems).toEqual([]);
    expect(resiliencyFor(read1, 'pubsub', 'pubsub', 'inbound')).toEqual({ retry });
  });

  test('an endless exponential one ends after 15 minutes of waiting', () => {
    const { retries } = read({ policies: { retries: { r: { policy: 'exponential' } } } });
    const policy = retries.get('r');
    const waits = Array.from({ length: (policy?.maxAttempts ?? 0) - 1 }, (_, k) =>
      policy === undefined ? 0 : delayAfter(policy, k + 1, 0.5),
    );
    const sum = waits.reduce((total, wait) => total + wait, 0);
    expect(sum).toBeLessThanOrEqual(900_000);
    expect(sum + 60_000).toBeGreaterThan(900_000);
  });

  test.each([
    ['0s', 900_001],
    ['1ns', 900_001],
    ['1ms', 900_001],
    ['333ms', 2703],
    ['500ms', 1801],
    ['501ms', 1797],
    ['2s', 452],
    ['60s', 25],
    ['24h', 17],
  ])('an endless exponential one with waits of at most %s makes %i attempts', (maxInterval, maxAttempts) => {
    const { retries } = read({ policies: { retries: { r: { policy: 'exponential', maxInterval } } } });
    expect(retries.get('r')?.maxAttempts).toBe(maxAttempts);
  });

  test('thousands of exponential ones with short waits are read', () => {
    const one = { policy: 'exponential', maxInterval: '1ms' };
    const all = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`r${index}`, one]));
    expect(read({ policies: { retries: all } }).retries.size).toBe(20_000);
  });

  test('a mistake of one of thousands does not repeat hints about all others', () => {
    const one = { Policy: 'constant', duration: 5 };
    const all = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`r${index}`, one]));
    const { problems } = read({ policies: { retries: all } });
    const mistakes = problems.filter(({ severity }) => severity === 'error');
    expect(mistakes).toHaveLength(1000);
    for (const { message } of mistakes) expect(message.length).toBeLessThan(2000);
  });

  test('a timeout holds for the direction that its target names', () => {
    const both = read({
      policies: { timeouts: { t: '1.5s' } },
      targets: target({ inbound: { timeout: 't' }, outbound: {} }),
    });
    expect(resiliencyFor(both, 'pubsub', 'pubsub', 'inbound')).toEqual({ timeoutMs: 1500 });
    expect(resiliencyFor(both, 'pubsub', 'pubsub', 'outbound')).toEqual({});
  });
});

describe('defaults by name', () => {
  const retry = (maxRetries: number): unknown => ({ maxRetries });
  const names = [
    'DefaultRetryPolicy',
    'DefaultComponentRetryPolicy',
    'DefaultComponentInboundRetryPolicy',
    'DefaultPubsubComponentInboundRetryPolicy',
  ];

  test.each(names.map((_, count) => count + 1))('the most specific of %i policies counts', (count) => {
    const retries = Object.fromEntries(names.slice(0, count).map((name, index) => [name, retry(index)]));
    const { retry: found } = resiliencyFor(read({ policies: { retries } }), 'any', 'pubsub', 'inbound');
    expect(found?.maxAttempts).toBe(count);
  });

  test('a component with a target of its own has none of them; another direction or kind has its own name', () => {
    const retries = { DefaultPubsubComponentInboundRetryPolicy: retry(1), own: retry(6) };
    const all = read({
      policies: { retries, timeouts: { DefaultTimeoutPolicy: '1s' } },
      targets: target({ inbound: { retry: 'own' } }),
    });
    expect(resiliencyFor(all, 'pubsub', 'pubsub', 'inbound')).toEqual({
      retry: expect.objectContaining({ maxAttempts: 7 }) as unknown,
    });
    expect(resiliencyFor(all, 'pubsub', 'pubsub', 'outbound')).toEqual({});
    expect(resiliencyFor(all, 'x', 'pubsub', 'outbound')).toEqual({ timeoutMs: 1000 });
    expect(resiliencyFor(all, 'x', 'binding', 'inbound')).toEqual({ timeoutMs: 1000 });
    expect(
      [...pubsubPolicies(all, 'inbound')].map(([name, policy]) => [name, policy.retry?.maxAttempts]),
    ).toEqual([
      ['', 2],
      ['pubsub', 7],
    ]);
  });
});

describe('mistakes', () => {
  test.each([
    [{ policies: { retries: { r: { policy: 'linear' } } } }, 'spec.policies.retries.r.policy'],
    [{ policies: { retries: { r: { duration: 'soon' } } } }, 'spec.policies.retries.r.duration'],
    [{ policies: { retries: { r: { maxRetries: 1.5 } } } }, 'spec.policies.retries.r.maxRetries'],
    [{ policies: { timeouts: { t: '-5s' } } }, 'spec.policies.timeouts.t'],
    [{ policies: { timeouts: { t: 5 } } }, 'spec.policies.timeouts.t'],
    [{ targets: target({ inbound: { retry: 'missing' } }) }, 'spec.targets.components.pubsub.inbound.retry'],
    [{ targets: { components: { pubsub: 5 } } }, 'spec.targets.components.pubsub'],
    [{ policies: [] }, 'spec.policies'],
  ])('%j names the field', (spec, field) => {
    const { problems } = read(spec);
    expect(problems.at(0)).toMatchObject({ file: 'r.yaml', document: 1, line: 1, field, severity: 'error' });
  });

  test('a bad policy does not affect the others, and circuit breakers are reported as without effect', () => {
    const { retries, problems } = read({
      policies: { retries: { bad: { policy: 'x' }, good: {} }, circuitBreakers: { c: {} } },
    });
    expect([...retries.keys()]).toEqual(['good']);
    expect(problems.map(({ severity }) => severity)).toEqual(['error', 'warning']);
  });

  test('scopes exclude an app, a document that is no object is reported', () => {
    expect(read({ policies: { retries: { r: {} } } }, { scopes: ['other'] }).retries.size).toBe(0);
    expect(read({ policies: { retries: { r: {} } } }, { scopes: ['app'] }).retries.size).toBe(1);
    expect(readResiliency([{ document: 'x', file: 'f' }], { appId: 'app' }).problems).toHaveLength(1);
  });
});
