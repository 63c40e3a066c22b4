/** The table of topics, and discovery above the subscriptions, with many apps. */
import { expect, test } from 'vitest';
import { appsText, notKnownText } from '../../renderer/views/topics/TopicsTab.tsx';

test('up to three apps are named, of more the first two', () => {
  expect(appsText(['shop'])).toBe('shop');
  expect(appsText(['shop', 'billing', 'mail'])).toBe('3 apps: shop, billing, mail');
  expect(appsText(['shop', 'billing', 'mail', 'stock'])).toBe('4 apps: shop, billing and 2 more');
});

test('where subscriptions depend on the answer of an app, the table names it', () => {
  expect(notKnownText(['app'])).toBe('not known until the app answers');
  expect(notKnownText(['shop', 'mail'])).toBe('not known until app shop and app mail answer');
  expect(notKnownText(['a', 'b', 'c'])).toBe('not known until app a, app b and app c answer');
  expect(notKnownText(['a', 'b', 'c', 'd'])).toBe('not known until app a, app b and 2 more answer');
});
