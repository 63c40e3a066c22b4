/** The number beside Apps in the navigation, which stays when a person closes the banner about a route. */
import { expect, test } from 'vitest';
import { appsBadge } from '../../renderer/frame/MainNav.tsx';

test.each([
  [0, 0, undefined],
  [1, 0, { text: '1', name: '1 failed' }],
  [0, 1, { text: '1', name: '1 problem with routes' }],
  [2, 3, { text: '5', name: '5: 2 failed, 3 problems with routes' }],
  [1500, 0, { text: '999+', name: '999+ failed' }],
])('%i failed processes and %i problems with routes', (failed, routes, badge) => {
  expect(appsBadge(failed, routes)).toEqual(badge);
});
