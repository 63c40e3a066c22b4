/** Mistakes in subscription and resiliency files stand at their line and column; policies hold for the apps they name. */
import { expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { declaredFor, onlyOnce, describeProblem } from '../../core/runtime/components/declared.ts';
import { componentFolder } from '../support/component-folder.ts';

const SUBSCRIPTIONS = `apiVersion: sidecar.io/v2alpha1
kind: Subscription
metadata:
  name: one
spec:
  pubsubname: pubsub
  topc: orders
  routes:
    default: /orders
---
apiVersion: sidecar.io/v2alpha1
kind: Subscription
metadata:
  name: two
spec:
  pubsubname: pubsub
  topic: orders
  routes:
    rules:
      - match: event.type ==
        path: /a
---
apiVersion: sidecar.io/v2alpha1
kind: Subscription
metadata:
  name: three
spec:
  pubsubname: pubsub
  topic: fine
  routes:
    default: /fine
`;

const RESILIENCY = `apiVersion: sidecar.io/v1alpha1
kind: Resiliency
metadata:
  name: r
scopes: [one]
spec:
  policies:
    timeouts: { short: 1s }
    retries:
      quick: { policy: constant, duration: 1ms, maxRetries: 2 }
      broken:
        policy: constant
        duration: soon
  targets:
    components:
      pubsub:
        inbound: { retry: quick, timout: x }
        outbound: { retry: quick, timeout: short }
`;

const facts = { profile: PROFILES.sidecar };

test('a problem of a declared subscription or policy has file, document, line and column', async () => {
  const { source } = await componentFolder({ 'subs.yaml': SUBSCRIPTIONS, 'retry.yml': RESILIENCY });
  const declared = declaredFor('one', await source.load(), facts);
  expect(declared.subscriptions.map(({ topic }) => topic)).toEqual(['fine']);
  expect(declared.subscriptionProblems.map(describeProblem)).toEqual([
    'subs.yaml:6:3 (document 1): Subscription one: spec.topic must be a name, found nothing.',
    'subs.yaml:7:3 (document 1): Subscription one: spec.topc is not read. Did you mean topic?',
    expect.stringMatching(
      /^subs\.yaml:20:16 \(document 2\): Subscription two: spec\.routes\.rules\[0\]\.match/,
    ),
  ]);
  expect(declared.resiliencyProblems.map(describeProblem)).toEqual([
    expect.stringMatching(/^retry\.yml:17:34 \(document 1\): .*timout is not read\. Did you mean timeout\?$/),
    expect.stringMatching(/^retry\.yml:13:19 \(document 1\): .*duration such as 5s, found the text "soon"/),
    expect.stringMatching(/^retry\.yml:18:\d+ \(document 1\): .*outbound timeouts .* no effect here\.$/),
  ]);
});

test('a mistake found for several apps is reported once; a policy applies to the apps it names', async () => {
  const { source } = await componentFolder({ 'subs.yaml': SUBSCRIPTIONS, 'retry.yml': RESILIENCY });
  const resources = await source.load();
  const [one, two] = ['one', 'two'].map((appId) => declaredFor(appId, resources, facts));
  expect(onlyOnce([...(one?.subscriptionProblems ?? []), ...(two?.subscriptionProblems ?? [])])).toHaveLength(
    3,
  );
  const retry = one?.policies.get('pubsub')?.retry;
  expect(retry?.maxAttempts).toBe(3);
  expect(retry && one?.retryPositions.get(retry)).toEqual({ file: 'retry.yml', line: 10 });
  expect(two?.policies.get('pubsub')).toBeUndefined();
});
