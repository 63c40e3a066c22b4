// Calls and components of blocks that Sidelight does not serve, by path, header and type.
import { expect, test } from 'vitest';
import { blockOfType, otherCall } from '../../core/domain/other-blocks.ts';

const HEADER = 'dapr-app-id';

test.each([
  ['/v1.0/invoke/shop/method/orders/1', undefined, 'service invocation', '/v1.0/invoke/shop'],
  ['/orders/1', 'shop', 'service invocation', '/… (dapr-app-id: shop)'],
  ['/v1.0/state/store', undefined, 'state management', '/v1.0/state/store'],
  ['/v1.0/state/store/key', undefined, 'state management', '/v1.0/state/store'],
  ['/v1.0-alpha1/jobs/clean', undefined, 'jobs', '/v1.0-alpha1/jobs/…'],
  ['/v1.0-alpha2/conversation/echo/converse', undefined, 'conversation', '/v1.0-alpha2/conversation/echo'],
  ['/v1.0-beta1/workflows/dapr/x/start', undefined, 'workflows', '/v1.0-beta1/workflows/dapr'],
  ['/v1.0/secrets/local/key', undefined, 'secrets', '/v1.0/secrets/local'],
])('%s with the header %s is a call of %s', (path, target, block, shown) => {
  expect(otherCall(path, target, HEADER)).toEqual({ block, path: shown });
});

test.each(['/', '/orders', '/v1.0/stat/x', '/v2/state/x', '/v1.0/metadata/x'])('%s is none', (path) => {
  expect(otherCall(path, undefined, HEADER)).toBeUndefined();
  expect(otherCall(path, '', HEADER)).toBeUndefined();
});

test.each([
  ['state.redis', 'state management'],
  ['conversation.echo', 'conversation'],
  ['workflow.temporal', 'workflows'],
  ['workflowbackend.sqlite', 'workflows'],
  ['workflowbackend.durabletaskscheduler', 'workflows'],
  ['pubsub.kafka', undefined],
  ['bindings.postgres', undefined],
  ['stateful', undefined],
])('a component of the type %s is for %s', (type, block) => {
  expect(blockOfType(type)).toBe(block);
});
