/** The whole product with files and settings: what is not valid, one side alone, a router that is another instance's (C02, C22, T28). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { cloudEvent, eventually, readyExample, untilReady, wholeProduct } from './whole-product.ts';
import type { Whole } from './whole-product.ts';

const file = (fields: Readonly<Record<string, string | number>>): string =>
  JSON.stringify({
    apiVersion: 'sidecar.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'orders' },
    spec: {
      type: 'bindings.cloud.eventrouter',
      version: 'v1',
      metadata: Object.entries(fields).map(([name, value]) => ({ name, value })),
    },
  });

const SUBSCRIPTION = '22222222-2222-4222-8222-222222222222';
const INPUT = {
  direction: 'input',
  cloudTenantId: '11111111-1111-4111-8111-111111111111',
  cloudSubscriptionId: SUBSCRIPTION,
  cloudClientId: '33333333-3333-4333-8333-333333333333',
  cloudClientSecret: 'a-secret',
  subscriberEndpoint: 'https://localhost:9443/api/events',
  scope: `/subscriptions/${SUBSCRIPTION}/resourceGroups/dev/providers/Cloud.EventRouter/topics/orders`,
};

async function product(how: Parameters<typeof wholeProduct>[0]): Promise<Whole> {
  const whole = await wholeProduct(how);
  onTestFinished(() => whole.stop());
  return whole;
}

const healths = ({ sidecar }: Whole): Promise<number[]> =>
  Promise.all(
    ['healthz', 'healthz/outbound'].map(async (path) => (await fetch(`${sidecar}/v1.0/${path}`)).status),
  );

test('C02: with a port that is no quoted string both probes answer 500, and the status has its place', async () => {
  const whole = await product({ files: { 'orders.yaml': file({ ...INPUT, handshakePort: 9000 }) } });
  expect(await healths(whole)).toEqual([500, 500]);
  const { components } = await whole.rpc('eventRouter.status', { component: 'orders' });
  expect(components[0]).toMatchObject({
    state: 'failed',
    problems: [{ code: 'EVR-CFG-44', file: 'orders.yaml' }],
  });
  const port = components[0]?.fields.find(({ field }) => field === 'handshakePort');
  expect(port).toMatchObject({ value: '9000', problems: [{ code: 'EVR-CFG-44' }] });
  expect(await whole.refused('eventRouter.handshake', { component: 'orders' })).toContain('EVR-CFG-44');
  // The file is fixed while everything runs.
  const fixed = file({ ...INPUT, handshakePort: String(await freePort()) });
  await writeFile(join(whole.folder, 'orders.yaml'), fixed);
  await whole.rpc('components.reload', {});
  expect(await healths(whole)).toEqual([204, 204]);
});

test('C22: with the input side alone, create finds no output side', async () => {
  const port = String(await freePort());
  const whole = await product({
    files: { 'orders.yaml': file({ ...INPUT, handshakePort: port }) },
    set: ['eventRouter.mode=off'],
  });
  const answer = await whole.invoke('orders', { operation: 'create', data: {} });
  expect(answer).toMatchObject({ status: 500 });
  expect(answer.text).toContain("couldn't find output binding orders");
  const state = await eventually(async () => {
    const { components } = await whole.rpc('eventRouter.status', {});
    const { input } = components[0] ?? {};
    return input?.state === 'failed' ? input : undefined;
  }, 'the input says that there is no router');
  expect(state.steps.find(({ result }) => result === 'failed')?.message).toContain('eventRouter.mode is off');
});

test('T28: the router of another instance is used like the real one, only by addresses and trust', async () => {
  const far = await product({});
  const name = await readyExample(far);
  const { endpoints } = await far.rpc('eventRouter.status', {});
  const { pem = '' } = await far.rpc('eventRouter.certificate', {});
  await writeFile(join(far.folder, 'ca.pem'), pem);
  const { components } = await far.rpc('eventRouter.status', { component: name });
  const input = components[0]?.input;
  const secret = await far.rpc('eventRouter.reveal', { component: name, field: 'cloudClientSecret' });
  const key = await far.rpc('eventRouter.reveal', { component: name, field: 'accessKey' });
  const value = (field: string): string =>
    components[0]?.fields.find((one) => one.field === field)?.value ?? '';
  // A second instance has the same component and takes the webhook over.
  const text = file({
    ...Object.fromEntries(components[0]?.fields.map(({ field }) => [field, value(field)]) ?? []),
    cloudClientSecret: secret.value,
    accessKey: key.value,
    route: 'orders',
  });
  const { router } = await far.rpc('eventRouter.status', {});
  expect(router?.running).toBe(true);
  const mode = JSON.stringify({
    authority: endpoints?.authority,
    management: endpoints?.management,
  });
  // The second product's own webhook is closed: only one of the two may listen on the port.
  const { input: before } = components[0] ?? {};
  expect(before?.webhook?.listening).toBe(true);
  const near = await product({
    files: { 'orders.yaml': text },
    set: [
      `eventRouter.endpoints=${mode}`,
      'eventRouter.mode=external',
      `eventRouter.trust.extraCaFiles=${JSON.stringify([join(far.folder, 'ca.pem')])}`,
      'eventRouter.ingress.selfProbe=false',
    ],
  });
  const status = await near.rpc('eventRouter.status', {});
  expect(status).toMatchObject({ mode: 'external' });
  expect(status.router).toBeUndefined();
  // The port is still the first instance's: shown, and tried until it is free.
  await eventually(async () => {
    const now = await near.rpc('eventRouter.status', {});
    return now.components[0]?.input?.steps.some(({ code }) => code === 'EVR-NET-01') ? true : undefined;
  }, 'the port is taken');
  expect(await near.invoke('orders', { operation: 'create', data: cloudEvent('far-1') })).toEqual({
    status: 204,
    text: '',
  });
  expect(await near.refused('eventRouter.faults', { ingress: '503' })).toContain('the embedded router');
  const got = await eventually(async () => {
    const { items } = await far.rpc('messages.list', { filter: 'id:far-1' });
    return items.find(({ deliveries }) => deliveries[0]?.state === 'processed');
  }, 'the event at the first instance');
  expect(got.eventId).toBe('far-1');
  expect(input?.subscriptionName).toBe('examplein');
  await untilReady(far, name);
});
