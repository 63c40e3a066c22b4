/** Going to the place where the page already is: parts that scroll into sight hear of it. */
import { expect, test } from 'vitest';
import { createNavigation } from '../../renderer/state/navigation.ts';

function bar() {
  const location = { hash: '#/recordings?part=test' };
  const put = (_data: unknown, _unused: string, url: string): void => void (location.hash = url);
  return {
    location,
    history: { pushState: put, replaceState: put },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
}

test('navigation to the present place is counted, and to another one changes the address', () => {
  const navigation = createNavigation(bar());
  navigation.go('/recordings', { part: 'test' });
  expect(navigation.again.getState()).toBe(1);
  navigation.go('/recordings', { part: 'compare' });
  expect(navigation.again.getState()).toBe(1);
  expect(navigation.param('part')).toBe('compare');
});
