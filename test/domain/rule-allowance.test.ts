// How many match rules of one app are compiled: beyond it a subscription is an error that names its rule, and the others stand.
import { expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { MAX_RULES, MAX_RULE_CHARACTERS } from '../../core/domain/rule-allowance.ts';
import { readDeclarative, readDiscovery } from '../../core/domain/subscription.ts';
import { declaredFor } from '../../core/runtime/components/declared.ts';

const options = { appId: 'checkout', profile: PROFILES.sidecar };
const LONG = `event.type == "${'x'.repeat(9_000)}"`;
/** As many long rules as an app may have. */
const FIT = Math.floor(MAX_RULE_CHARACTERS / LONG.length);
const TOO_LONG = 'the rules of an app have at most 250,000 characters together';
const TOO_MANY = 'an app has at most 10,000 rules';

function spec(topic: string, matches: readonly string[]): object {
  const rules = matches.map((match) => ({ match, path: '/x' }));
  return { pubsubname: 'pubsub', topic, routes: { rules, default: '/d' } };
}

function document(topic: string, matches: readonly string[]): object {
  return {
    apiVersion: 'sidecar.io/v2alpha1',
    kind: 'Subscription',
    metadata: { name: topic },
    spec: spec(topic, matches),
  };
}

const many = (count: number, match: string): string[] => Array.from({ length: count }, () => match);

test('all rules of one answer share a limit of characters', () => {
  const read = readDiscovery(
    [spec('a', many(FIT - 1, LONG)), spec('b', [LONG, LONG]), spec('c', ['event.type == "short"'])],
    options,
  );
  expect(read.subscriptions.map(({ topic }) => topic)).toEqual(['a', 'c']);
  expect(read.problems).toEqual([
    {
      code: 'unusable-subscription',
      topic: 'b',
      field: 'routes.rules[1].match',
      message: `Subscription 2 (b): routes.rules[1].match is not compiled: ${TOO_LONG}`,
      severity: 'error',
    },
  ]);
});

test('all rules of one answer share a limit of their number', () => {
  const read = readDiscovery([spec('a', many(MAX_RULES, '')), spec('b', ['event.a'])], options);
  expect(read.subscriptions.map(({ topic }) => topic)).toEqual(['a']);
  expect(read.problems).toMatchObject([
    { message: `Subscription 2 (b): routes.rules[0].match is not compiled: ${TOO_MANY}` },
  ]);
});

test('each answer has limits of its own', () => {
  for (let i = 0; i < 2; i += 1)
    expect(readDiscovery([spec('a', many(FIT, LONG))], options).problems).toEqual([]);
});

test('all documents of files share the limits for an app, and each app has its own', () => {
  const documents = ['a', 'b'].map((topic, index) => ({
    file: `${topic}.yaml`,
    index: 1,
    line: 1,
    document: document(topic, many(FIT - index, LONG)),
  }));
  for (const appId of ['one', 'two']) {
    const declared = declaredFor(
      appId,
      { subscriptions: documents, resiliency: [] },
      { profile: options.profile },
    );
    expect(declared.subscriptions.map(({ topic }) => topic)).toEqual(['a']);
    expect(declared.subscriptionProblems).toMatchObject([
      {
        file: 'b.yaml',
        field: 'spec.routes.rules[0].match',
        message: `Subscription b: spec.routes.rules[0].match is not compiled: ${TOO_LONG}`,
        severity: 'error',
      },
    ]);
  }
});

test('a document that is looked at alone has an allowance of its own', () => {
  const read = readDeclarative(document('a', many(FIT + 1, LONG)), { file: 'a.yaml' }, options);
  expect(read.problems).toMatchObject([
    { field: `spec.routes.rules[${FIT}].match`, message: expect.stringContaining(TOO_LONG) },
  ]);
});
