/** Settings of a component, and every mistake in them (C01 to C29). */
import { describe, expect, test } from 'vitest';
import { readEventRouterFields } from '../../core/event-router/rules/component-fields.ts';
import type { FieldsRead } from '../../core/event-router/rules/component-fields.ts';
import type { GivenField } from '../../core/domain/component.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { ProfileName } from '../../core/contract/profile.ts';

const EXAMPLE = {
  direction: 'input, output',
  accessKey: 'bG9jYWwtZGV2LWtleS0wMDAwMDAwMDAwMDAwMDAwMDA=',
  topicEndpoint: 'https://localhost:7443/topics/orders/api/events',
  cloudTenantId: '11111111-1111-4111-8111-111111111111',
  cloudSubscriptionId: '22222222-2222-4222-8222-222222222222',
  cloudClientId: '33333333-3333-4333-8333-333333333333',
  cloudClientSecret: 'local-dev-secret',
  subscriberEndpoint: 'https://localhost:9443/api/events',
  handshakePort: '9000',
  scope:
    '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/dev/providers/Cloud.EventRouter/topics/orders',
  eventSubscriptionName: 'ordersin',
};
type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `null`: the entry is left out. */
function read(changes: Values = {}, component = 'orders', profile: ProfileName = 'sidecar'): FieldsRead {
  return readOf({ ...EXAMPLE, ...changes }, component, profile);
}

function readOf(values: Values, component = 'orders', profile: ProfileName = 'sidecar'): FieldsRead {
  const given: GivenField[] = Object.entries(values).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const written = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
    return [{ name, value: String(value), written }];
  });
  const namespace = profile === 'dapr' ? 'Microsoft.EventGrid' : 'Cloud.EventRouter';
  return readEventRouterFields(given, { component, profile: PROFILES[profile], namespace });
}

const errors = ({ problems }: FieldsRead): string[] =>
  problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
const warnings = ({ problems }: FieldsRead): string[] =>
  problems.filter(({ severity }) => severity === 'warning').map(({ code }) => code);

test('C01: the example is valid, with both sides on and no warning', () => {
  const found = read();
  expect(found.problems).toEqual([]);
  expect(found.sides).toEqual({ input: true, output: true, explicit: true });
  expect(found.fields?.input).toMatchObject({
    path: '/api/events',
    handshakePort: 9000,
    subscriptionName: 'ordersin',
    route: 'orders',
    scope: { kind: 'topic' },
  });
  expect(found.fields?.output?.topicEndpoint).toBe(EXAMPLE.topicEndpoint);
});

describe('handshakePort', () => {
  test('C02: a number is refused with its text', () => {
    const found = read({ handshakePort: 9000 });
    expect(errors(found)).toEqual(['EVR-CFG-44']);
    expect(found.problems[0]?.message).toBe(
      'component "orders": metadata field "handshakePort" must be passed as a quoted string (EVR-CFG-44); found the number 9000',
    );
  });
  test.each(['0', '65536', '90a', ' 9000', '-1', '1e3'])('C03: %j is no port', (handshakePort) => {
    expect(errors(read({ handshakePort }))).toEqual(['EVR-CFG-45']);
  });
  test.each(['1', '65535'])('C04: %j is one', (handshakePort) => {
    expect(errors(read({ handshakePort }))).toEqual([]);
  });
});

describe('eventSubscriptionName', () => {
  test.each(['ab', 'a'.repeat(65)])('C05: %j has a wrong length', (eventSubscriptionName) => {
    expect(errors(read({ eventSubscriptionName }))).toEqual(['EVR-CFG-60']);
  });
  test.each(['abc', 'a'.repeat(64), 'A1b2'])('C06: %j is accepted', (eventSubscriptionName) => {
    expect(errors(read({ eventSubscriptionName }))).toEqual([]);
  });
  test.each(['orders-in', 'orders_in', 'orders in', 'ördersin'])(
    'C07: %j has other characters than letters and digits',
    (eventSubscriptionName) => {
      expect(errors(read({ eventSubscriptionName }))).toEqual(['EVR-CFG-61']);
    },
  );
  test.each([
    ['C08', 'orders', 'sidecar', 'orders', 0],
    ['C09', 'orders-in', 'sidecar', 'ordersin', 1],
    ['C09 in profile dapr', 'orders-in', 'dapr', 'orders-in', 0],
  ] as const)('%s: without one, %s (%s) becomes %s', (_id, component, profile, name, notes) => {
    const values = profile === 'dapr' ? asDapr() : EXAMPLE;
    const found = readOf({ ...values, eventSubscriptionName: undefined }, component, profile);
    expect(errors(found)).toEqual([]);
    expect(found.fields?.input?.subscriptionName).toBe(name);
    expect(found.notes).toHaveLength(notes);
  });
  test('C10: a component name without a valid subscription name is refused', () => {
    expect(errors(read({ eventSubscriptionName: null }, 'a-b'))).toEqual(['EVR-CFG-62']);
  });
});

describe('scope', () => {
  const group = '/subscriptions/x/resourceGroups/g';
  test.each([
    ['/subscriptions/x/', 'subscription'],
    [group, 'resourceGroup'],
    [`${group}/providers/Contoso.Storage/accounts/one`, 'resource'],
    [`${group}/providers/Cloud.EventRouter/topics/orders`, 'topic'],
    ['/subscriptions/x', 'subscription'],
  ])('C11, C12: %s is a %s', (scope, kind) => {
    const found = read({ scope, cloudSubscriptionId: 'x' });
    expect(found.problems).toEqual([]);
    expect(found.fields?.input?.scope.kind).toBe(kind);
  });
  test.each([
    'subscriptions/x/',
    '/subscriptions//',
    '/subscriptions/x/resourceGroups/',
    `${group}/providers/N.S/t`,
    `${group}/providers/N.S/t/n/t2/n2`,
    '/subscriptions/x/?q',
    '/subscriptions/../resourceGroups/g',
  ])('C13: %s is refused, because it has none of the shapes', (scope) => {
    expect(errors(read({ scope }))).toEqual(['EVR-CFG-51']);
  });
  test('C14: a placeholder that was not replaced is refused', () => {
    expect(errors(read({ scope: '/subscriptions/{subscriptionId}/' }))).toEqual(['EVR-CFG-52']);
  });
  test('C15: keywords are accepted in any case, and kept as written', () => {
    const found = read({ scope: '/SUBSCRIPTIONS/x/RESOURCEGROUPS/g', cloudSubscriptionId: 'X' });
    expect(found.problems).toEqual([]);
    expect(found.fields?.input?.scope.text).toBe('/SUBSCRIPTIONS/x/RESOURCEGROUPS/g');
  });
});

describe('subscriberEndpoint', () => {
  test('C16: http is refused', () => {
    expect(errors(read({ subscriberEndpoint: 'http://localhost:9443/a' }))).toEqual(['EVR-CFG-42']);
  });
  test.each(['https://localhost:9443', 'https://localhost:9443/'])(
    'C17: %s gets a path',
    (subscriberEndpoint) => {
      const found = read({ subscriberEndpoint });
      expect(found.fields?.input).toMatchObject({
        subscriberEndpoint: 'https://localhost:9443/api/events',
        path: '/api/events',
      });
      expect(found.notes).toHaveLength(1);
    },
  );
  test.each([
    ['https://u:p@h/a', 'EVR-CFG-41'],
    ['https://h/a#f', 'EVR-CFG-41'],
    ['notaurl', 'EVR-CFG-41'],
    ['https://h/a b', 'EVR-CFG-41'],
    [`https://h/${'a'.repeat(2048)}`, 'EVR-CFG-41'],
    ['', 'EVR-CFG-40'],
  ])('C18: %j is refused', (subscriberEndpoint, code) => {
    expect(errors(read({ subscriberEndpoint }))).toEqual([code]);
  });
});

describe('direction', () => {
  test.each([
    ['input, output', true, true],
    ['input,output', true, true],
    ['output, input', true, true],
    ['Output', false, true],
  ])('C19: %j switches its sides on', (direction, input, output) => {
    expect(read({ direction }).sides).toEqual({ input, output, explicit: true });
  });
  test.each(['inbound', 'input; output', ''])('C20: %j is refused', (direction) => {
    expect(errors(read({ direction }))).toEqual(['EVR-CFG-10']);
  });
  const { accessKey, topicEndpoint } = EXAMPLE;
  test('C21: output alone needs only output fields', () => {
    const found = readOf({ direction: 'output', accessKey, topicEndpoint });
    expect(found.problems).toEqual([]);
    expect(found.fields?.input).toBeUndefined();
  });
  test('C22: input alone needs no key', () => {
    const found = read({ direction: 'input', accessKey: null, topicEndpoint: null });
    expect(found.problems).toEqual([]);
    expect(found.fields?.output).toBeUndefined();
  });
  test('C23: all missing fields are reported at once', () => {
    expect(errors(readOf({ direction: 'input', scope: EXAMPLE.scope }))).toEqual([
      'EVR-CFG-30',
      'EVR-CFG-32',
      'EVR-CFG-34',
      'EVR-CFG-36',
      'EVR-CFG-40',
      'EVR-CFG-43',
    ]);
  });
  test('C24: without direction, output fields make an output side', () => {
    const found = readOf({ accessKey, topicEndpoint });
    expect(found.problems).toEqual([]);
    expect(found.sides).toEqual({ input: false, output: true, explicit: false });
  });
  test('C25: a component without any field is refused', () => {
    expect(errors(readOf({}))).toEqual(['EVR-CFG-11']);
  });
});

test('C26: a client id that is no UUID is refused', () => {
  expect(errors(read({ cloudClientId: 'abc' }))).toEqual(['EVR-CFG-35']);
});

test('C27: one field in two spellings is refused', () => {
  const found = read({ AccessKey: 'x' });
  expect(errors(found)).toEqual(['EVR-CFG-02']);
  expect(found.fields).toBeUndefined();
});

/** The component under the names of the other profile. */
function asDapr(): Values {
  const { cloudTenantId, cloudSubscriptionId, cloudClientId, cloudClientSecret, scope, ...rest } = EXAMPLE;
  return {
    ...rest,
    azureTenantId: cloudTenantId,
    azureSubscriptionId: cloudSubscriptionId,
    azureClientId: cloudClientId,
    azureClientSecret: cloudClientSecret,
    scope: scope.replace('Cloud.EventRouter', 'Microsoft.EventGrid'),
  };
}

test('C28: the names of the other profile give the same result', () => {
  const ours = read().fields?.input;
  const theirs = readOf(asDapr(), 'orders', 'dapr');
  expect(theirs.problems).toEqual([]);
  expect({ ...theirs.fields?.input, scope: 0 }).toEqual({ ...ours, scope: 0 });
  const { azureTenantId, ...rest } = asDapr();
  expect(readOf({ ...rest, spnTenantId: azureTenantId }, 'orders', 'dapr').problems).toEqual([]);
  expect(readOf({ ...rest, tenantId: azureTenantId }, 'orders', 'sidecar').problems).not.toEqual([]);
});

describe('warnings', () => {
  test.each([
    ['C29: a field that is not known', { foo: '1' }, 'EVR-CFG-90'],
    ['http on this machine', { topicEndpoint: 'http://127.0.0.1:1/x' }, 'EVR-CFG-91'],
    ['a tenant that is no UUID', { cloudTenantId: 'contoso.example' }, 'EVR-CFG-92'],
    ['another subscription than the scope has', { cloudSubscriptionId: 'other' }, 'EVR-CFG-93'],
    ['a secret that looks like an id', { cloudClientSecret: EXAMPLE.cloudClientId }, 'EVR-CFG-94'],
    ['a scalar that is no string', { route: 7 }, 'EVR-CFG-95'],
  ])('%s is a warning', (_name, changes, code) => {
    const found = read(changes);
    expect(warnings(found)).toEqual([code]);
    expect(found.fields).toBeDefined();
  });
});

test.each([
  [{ accessKey: '' }, 'EVR-CFG-20'],
  [{ accessKey: 'a\nb' }, 'EVR-CFG-21'],
  [{ accessKey: 'a'.repeat(1025) }, 'EVR-CFG-21'],
  [{ topicEndpoint: '' }, 'EVR-CFG-22'],
  [{ topicEndpoint: 'http://example.com/x' }, 'EVR-CFG-23'],
  [{ topicEndpoint: 'https://u@localhost/x' }, 'EVR-CFG-23'],
  [{ cloudTenantId: 'a/b' }, 'EVR-CFG-31'],
  [{ cloudSubscriptionId: '-a' }, 'EVR-CFG-33'],
])('%j is refused with %s', (changes, code) => {
  expect(errors(read(changes))).toEqual([code]);
});

test('a value from a secret store does not count as missing before it is known', () => {
  const given = Object.entries(EXAMPLE).map(([name, value]) => ({
    name,
    value: name === 'cloudClientSecret' ? undefined : value,
  }));
  const facts = { component: 'orders', profile: PROFILES.sidecar, namespace: 'Cloud.EventRouter' };
  const found = readEventRouterFields(given, facts);
  expect(found.problems).toEqual([]);
  expect(found.fields).toBeUndefined();
});

test('secrets are not printed', () => {
  const { fields } = read();
  expect(JSON.stringify(fields)).not.toContain(EXAMPLE.cloudClientSecret);
  expect(`${String(fields?.output?.accessKey)}`).toBe('***');
  expect(fields?.output?.accessKey.reveal()).toBe(EXAMPLE.accessKey);
});
