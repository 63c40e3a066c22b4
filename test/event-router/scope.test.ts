/** Scopes of event subscriptions: the rows C11 to C15 of the event router's configuration cases, and the paths built from a scope. */
import { describe, expect, test } from 'vitest';
import {
  parseScope,
  recordId,
  scopeTakesTopic,
  subscriptionPath,
  topicOf,
} from '../../core/router-protocol/scope.ts';

const SPACE = 'Cloud.EventRouter';
const GROUP = '/subscriptions/x/resourceGroups/g';

function scope(text: string) {
  const parsed = parseScope(text, SPACE);
  if (!parsed.ok) throw new Error(parsed.complaint.reason);
  return parsed.value;
}

function code(text: string): string {
  const parsed = parseScope(text, SPACE);
  return parsed.ok ? 'ok' : parsed.complaint.code;
}

describe('the four shapes of a scope', () => {
  test.each([
    ['/subscriptions/x/', 'subscription'],
    [GROUP, 'resourceGroup'],
    [`${GROUP}/providers/Contoso.Storage/accounts/a1`, 'resource'],
    [`${GROUP}/providers/${SPACE}/topics/orders`, 'topic'],
  ])('C11 %s is a scope of kind %s', (text, kind) => {
    expect(scope(text).kind).toBe(kind);
  });

  test('C12 the slash after a subscription may be missing', () => {
    expect(scope('/subscriptions/x')).toMatchObject({ kind: 'subscription', trailingSlash: false });
    expect(scope('/subscriptions/x').key).toBe(scope('/subscriptions/X/').key);
  });

  test.each([
    'subscriptions/x/',
    '//subscriptions/x',
    '/subscriptions//',
    '/subscriptions/x/resourceGroups/',
    '/subscriptions/x/resourceGroups/g.',
    '/subscriptions/x/resourceGroups/g/providers/N.S/t',
    '/subscriptions/x/resourceGroups/g/providers/N/t/n',
    '/subscriptions/x/resourceGroups/g/providers/N.S/t/n/t2/n2',
    `${GROUP}/providers/${SPACE}/topics/ab`,
    `${GROUP}/providers/N.S/t/..`,
    `${GROUP}/providers/N.S/t/a%2fb`,
    `${GROUP}/providers/N.S/t/a\\b`,
    '/subscriptions/x?q',
    '/subscriptions/x#q',
    '',
  ])('C13 %j has none of the shapes', (text) => {
    expect(code(text)).toBe('EVR-CFG-51');
  });

  test('C14 a placeholder that was not replaced has its own code', () => {
    expect(code('/subscriptions/{subscriptionId}/')).toBe('EVR-CFG-52');
  });

  test('C15 keywords in capitals are accepted and kept as written', () => {
    expect(scope('/SUBSCRIPTIONS/x/RESOURCEGROUPS/g')).toMatchObject({
      kind: 'resourceGroup',
      text: '/SUBSCRIPTIONS/x/RESOURCEGROUPS/g',
      key: '/subscriptions/x/resourcegroups/g',
    });
  });

  test('a trailing slash that the shape does not have is accepted and noted', () => {
    expect(scope(`${GROUP}/`)).toMatchObject({ kind: 'resourceGroup', trailingSlash: true });
  });
});

test('paths have one slash between segments and an encoded name', () => {
  expect(subscriptionPath(scope('/subscriptions/x/'), SPACE, 'a b')).toBe(
    '/subscriptions/x/providers/Cloud.EventRouter/eventSubscriptions/a%20b',
  );
  expect(recordId(scope('/subscriptions/x/'), SPACE, 'ab1')).toBe(
    '/subscriptions/x/providers/Cloud.EventRouter/eventSubscriptions/ab1',
  );
});

test('a scope includes the topics inside it, and no other', () => {
  const topic = `${GROUP}/providers/${SPACE}/topics/orders`;
  expect(topicOf(scope(topic))).toBe('orders');
  for (const outer of ['/subscriptions/x', GROUP, topic])
    expect(scopeTakesTopic(scope(outer), topic)).toBe(true);
  for (const other of ['/subscriptions/y', '/subscriptions/x/resourceGroups/g2', `${topic}2`]) {
    expect(scopeTakesTopic(scope(other), topic)).toBe(false);
  }
});
