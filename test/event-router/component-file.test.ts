/** An event-router component in a file: every problem with its place, secrets masked (C02, C23, C27, C30). */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createRegistry } from '../../core/adapters/registry.ts';
import { createEventRouterBinding, EventRouterBinding } from '../../core/event-router/binding/binding.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { RouterAccess } from '../../core/event-router/client/router-access.ts';
import { componentFolder } from '../support/component-folder.ts';
import type { ComponentFolder } from '../support/component-folder.ts';

const NO_ACCESS: RouterAccess = {
  prepare: async () => Promise.reject(new Error('not in this test')),
  anchors: () => [],
  rules: () => {
    throw new Error('not in this test');
  },
  remembered: async () => undefined,
  remember: async () => undefined,
};
const log = { write: () => undefined };

async function folder(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<ComponentFolder> {
  const clock = systemClock();
  const profile = PROFILES.sidecar;
  const types = createRegistry({
    clock,
    log,
    profile,
    env,
    folders: [],
    eventRouter: ({ name, metadata }) =>
      createEventRouterBinding({
        component: name,
        metadata,
        profile,
        namespace: 'Cloud.EventRouter',
        access: NO_ACCESS,
        clock,
        log,
        version: '1',
        strict: () => false,
      }),
  });
  return componentFolder(files, { types, env });
}

const HEAD = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata: { name: orders }
spec:
  type: bindings.cloud.eventrouter
  version: v1
  metadata:
`;

test('C02, C23: every problem has line, column, field and code, and the component has them all', async () => {
  const text = `${HEAD}    - name: direction
      value: input
    - name: handshakePort
      value: 9000
    - name: scope
      value: subscriptions/x
`;
  const { source, component } = await folder({ 'orders.yaml': text });
  const problems = await source.validate('orders.yaml', text);
  expect(problems.map(({ code, line, column, field }) => [code, line, column, field])).toEqual(
    expect.arrayContaining([
      ['EVR-CFG-44', 11, 14, 'spec.metadata[1]'],
      ['EVR-CFG-51', 13, 14, 'spec.metadata[2]'],
      ['EVR-CFG-30', 8, 5, 'spec.metadata'],
    ]),
  );
  expect(problems).toHaveLength(7);
  const spec = await component('orders');
  expect(spec?.problems).toHaveLength(7);
  expect(spec?.failed).toContain('EVR-CFG-44');
  expect(spec?.failed).toContain('EVR-CFG-51');
});

test('C27: a field that stands twice is an error here, and the last one does not count', async () => {
  const text = `${HEAD}    - { name: direction, value: output }
    - { name: AccessKey, value: a }
    - { name: accesskey, value: b }
    - { name: topicEndpoint, value: "https://h/x" }
`;
  const { source } = await folder({});
  const problems = await source.validate('orders.yaml', text);
  expect(problems.map(({ code, line }) => [code, line])).toEqual([['EVR-CFG-02', 10]]);
});

test('C30: a secret comes from its store and is shown nowhere', async () => {
  const store = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata: { name: store }
spec: { type: secretstores.local.env, version: v1 }
`;
  const text = `${HEAD}    - { name: direction, value: output }
    - { name: accessKey, secretKeyRef: { name: KEY_OF_TOPIC } }
    - { name: topicEndpoint, value: "https://localhost:1/x" }
auth: { secretStore: store }
`;
  const files = { 'store.yaml': store, 'orders.yaml': text };
  const { source, component } = await folder(files, { KEY_OF_TOPIC: 'very-secret-value' });
  expect(await source.validate('orders.yaml', text)).toEqual([]);
  const spec = await component('orders');
  expect(spec?.metadata['accessKey']).toBe('very-secret-value');
  expect(spec?.shown['accessKey']).toBe('***');
  const missing = await folder(files);
  expect((await missing.component('orders'))?.failed).toContain('EVR-CFG-20');
});

test('C30: the shown fields of a component never have the secret', async () => {
  const text = `${HEAD}    - { name: direction, value: output }
    - { name: accessKey, value: very-secret-value }
    - { name: topicEndpoint, value: "https://localhost:1/x" }
`;
  const { source, component } = await folder({ 'orders.yaml': text });
  const spec = await component('orders');
  expect(spec?.failed).toBeUndefined();
  expect(JSON.stringify([spec?.shown, spec?.problems])).not.toContain('very-secret-value');
  const built = spec === undefined ? undefined : source.build(spec);
  expect(built?.kind).toBe('binding');
  const binding = built?.kind === 'binding' ? built.binding : undefined;
  if (!(binding instanceof EventRouterBinding)) throw new Error('it is no event-router binding');
  const seen = inspect([binding, binding.fields, binding.guest], { depth: 20, showHidden: true });
  expect(seen).not.toContain('very-secret-value');
  expect(JSON.stringify(built?.kind === 'binding' ? built.binding : {})).not.toContain('very-secret-value');
  expect(seen).toContain('***');
});
