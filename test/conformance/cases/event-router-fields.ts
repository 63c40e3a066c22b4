/** Fields of the event-router component: each is missed, each has its shape. Conformance case 123; the interface's tables. */
import assert from 'node:assert/strict';
import type { Case, Context } from '../suite/case.ts';
import { listOf, objectOf } from '../suite/checks.ts';
import { routerFields, routerFile } from '../suite/files.ts';
import { otherStatus, toldOtherwise } from '../suite/spoiler.ts';
import type { Spoil } from '../suite/spoiler.ts';

/** Codes of the errors in a component with these changes. */
const mistakes = async (
  context: Context,
  changes: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> => {
  const { console: rpc, names } = context;
  const text = routerFile(names, 'other', routerFields(names, changes));
  const { problems } = await (rpc ?? assert.fail('no console')).call('components.validate', {
    file: 'other.yaml',
    text,
  });
  return listOf(problems)
    .map(objectOf)
    .filter(({ severity }) => severity === 'error')
    .map(({ code }) => code);
};

/** Both probes say that a component is not initialised. */
const isUnhealthy = async (context: Context): Promise<void> => {
  for (const path of ['/v1.0/healthz', '/v1.0/healthz/outbound'])
    assert.equal((await context.sidecar.send(path)).status, 500);
};

/** Each code of an error in its turn is another one. */
const otherCodes = (codes: readonly string[]): readonly Spoil[] =>
  codes.map((code) => toldOtherwise(code, 'EVR-CFG-00'));

const REQUIRED = [
  ['accessKey', 'EVR-CFG-20'],
  ['topicEndpoint', 'EVR-CFG-22'],
  ['cloudTenantId', 'EVR-CFG-30'],
  ['cloudSubscriptionId', 'EVR-CFG-32'],
  ['cloudClientId', 'EVR-CFG-34'],
  ['cloudClientSecret', 'EVR-CFG-36'],
  ['subscriberEndpoint', 'EVR-CFG-40'],
  ['handshakePort', 'EVR-CFG-43'],
  ['scope', 'EVR-CFG-50'],
] as const;

const GROUP = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/g';

export const routerFieldCases: readonly Case[] = [
  {
    id: '123',
    title: 'a subscription name of 2 or 65 characters or with "-" is an error of configuration',
    basis: 'S',
    rows: ['binding.eventSubscriptionName', 'limits.eventSubscriptionName'],
    needsConsole: true,
    run: async (context) => {
      await isUnhealthy(context);
      assert.deepEqual(await mistakes(context, { eventSubscriptionName: 'ab' }), ['EVR-CFG-60']);
      assert.deepEqual(await mistakes(context, { eventSubscriptionName: 'a'.repeat(65) }), ['EVR-CFG-60']);
      assert.deepEqual(await mistakes(context, { eventSubscriptionName: 'a-b' }), ['EVR-CFG-61']);
      assert.deepEqual(await mistakes(context, { eventSubscriptionName: 'a'.repeat(64) }), []);
    },
    spoils: [otherStatus(204), ...otherCodes(['EVR-CFG-60', 'EVR-CFG-61'])],
  },
  {
    id: '123f',
    title: 'every field that its side needs is missed',
    basis: 'S',
    rows: REQUIRED.map(([field]) => `binding.${field}`),
    needsConsole: true,
    run: async (context) => {
      await isUnhealthy(context);
      assert.deepEqual(await mistakes(context, {}), []);
      for (const [field, code] of REQUIRED)
        assert.deepEqual(await mistakes(context, { [field]: undefined }), [code]);
    },
    spoils: [otherStatus(204), ...otherCodes(REQUIRED.map(([, code]) => code))],
  },
  {
    id: '123p',
    title:
      'handshakePort is a quoted string, subscriberEndpoint https, the client a UUID, the direction one of three',
    basis: 'S',
    rows: [
      'binding.handshakePort',
      'binding.subscriberEndpoint',
      'binding.cloudClientId',
      'binding.direction',
    ],
    needsConsole: true,
    run: async (context) => {
      await isUnhealthy(context);
      assert.deepEqual(await mistakes(context, { handshakePort: 9000 }), ['EVR-CFG-44']);
      assert.deepEqual(await mistakes(context, { subscriberEndpoint: 'http://h/x' }), ['EVR-CFG-42']);
      assert.deepEqual(await mistakes(context, { cloudClientId: 'abc' }), ['EVR-CFG-35']);
      assert.deepEqual(await mistakes(context, { direction: 'inward' }), ['EVR-CFG-10']);
    },
    spoils: [otherStatus(204), ...otherCodes(['EVR-CFG-44', 'EVR-CFG-42', 'EVR-CFG-35', 'EVR-CFG-10'])],
  },
  ...(
    [
      ['subscription', '/subscriptions/22222222-2222-4222-8222-222222222222/'],
      ['resource-group', GROUP],
      ['resource', `${GROUP}/providers/Contoso.Storage/accounts/one`],
      ['topic', `${GROUP}/providers/Cloud.EventRouter/topics/orders`],
    ] as const
  ).map(([shape, scope], at): Case => ({
    id: `123s${at + 1}`,
    title: `a scope of the shape ${shape} is good, the same without its beginning is not`,
    basis: 'S',
    rows: [`scope.${shape}`],
    needsConsole: true,
    run: async (context) => {
      await isUnhealthy(context);
      assert.deepEqual(await mistakes(context, { scope }), []);
      assert.deepEqual(await mistakes(context, { scope: scope.slice(1) }), ['EVR-CFG-51']);
    },
    spoils: [
      otherStatus(204),
      ...otherCodes(['EVR-CFG-51']),
      toldOtherwise('"problems":[]', '"problems":[{"severity":"error","code":"EVR-CFG-51"}]'),
    ],
  })),
];
