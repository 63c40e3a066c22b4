/** Where a held delivery goes, as its row says it. */
import { expect, test } from 'vitest';
import { heldTo } from '../../renderer/views/holds/HeldRow.tsx';

test('a held delivery names its app and route, and a stream instead of a route', () => {
  expect(heldTo({}, { appId: 'shop', route: '/orders' })).toBe('shop → /orders');
  expect(heldTo({}, { appId: 'shop' })).toBe('shop');
  expect(heldTo({ stream: true }, { appId: 'shop', route: '/' })).toBe('shop → its stream');
});
