/** The address: going to the present place is counted, and a screen opens where a person left it. */
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

test('a screen opens where a person left it, and again at its beginning', () => {
  const navigation = createNavigation(bar());
  navigation.go('/messages', { f: 'state:parked', m: 'msg_1' });
  navigation.visit('/mock');
  expect(navigation.store.getState()).toEqual({ path: '/mock', search: '' });
  navigation.visit('/messages');
  expect(navigation.param('f')).toBe('state:parked');
  expect(navigation.param('m')).toBe('msg_1');
  navigation.visit('/messages');
  expect(navigation.store.getState()).toEqual({ path: '/messages', search: '' });
});

test('the last change on a screen is what it comes back to', () => {
  const navigation = createNavigation(bar());
  navigation.go('/messages', { f: 'state:parked' });
  navigation.change({ f: undefined });
  navigation.visit('/recordings');
  expect(navigation.placeOf('/messages')).toBe('/messages');
  expect(navigation.placeOf('/settings')).toBe('/settings');
});
