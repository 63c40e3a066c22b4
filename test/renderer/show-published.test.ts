/** Where a person is led when what was published is there. */
import { describe, expect, test } from 'vitest';
import { showPublished } from '../../renderer/state/show-published.ts';
import { createNavigation } from '../../renderer/state/navigation.ts';
import { createToasts } from '../../renderer/state/toasts.ts';
import { createUiStore, type Jump } from '../../renderer/state/ui.ts';

/** @returns the address after, and the toast */
function arrivesAt(hash: string, jump?: Jump): readonly [string, string | undefined, string | undefined] {
  const bar = {
    location: { hash },
    history: {
      pushState: (_data: unknown, _unused: string, url: string) => void (bar.location.hash = url),
      replaceState: () => undefined,
    },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  const navigation = createNavigation(bar);
  const toasts = createToasts();
  const ui = createUiStore(undefined);
  if (jump !== undefined) ui.setState({ jump });
  const acting = { show: (m: string) => navigation.go('/messages', { m }) };
  showPublished({ acting, navigation, toasts, ui }, 'm1', 'Done.', '/publish');
  const [toast] = toasts.store.getState().toasts;
  return [bar.location.hash, toast?.text, toast?.action?.title];
}

describe('a message that was published', () => {
  test('opens beside the visible list, whose filter stays', () => {
    expect(arrivesAt('#/messages?f=topic:a&m=m0&d=d0')).toEqual([
      '#/messages?f=topic%3Aa&m=m1',
      'Done.',
      undefined,
    ]);
  });

  test('leaves the publish form in place, and elsewhere has a notification that leads to it', () => {
    expect(arrivesAt('#/publish')).toEqual(['#/publish', undefined, undefined]);
    expect(arrivesAt('#/health')).toEqual(['#/health', 'Done.', 'Show message']);
  });

  test('is opened always or never, as chosen', () => {
    expect(arrivesAt('#/publish', 'always')).toEqual(['#/messages?m=m1', 'Done.', undefined]);
    expect(arrivesAt('#/messages?f=x', 'never')).toEqual(['#/messages?f=x', 'Done.', 'Show message']);
  });

  test('is opened if an older build had that setting', () => {
    const kept = (value: unknown): Jump =>
      createUiStore({ getItem: () => JSON.stringify(value), setItem: () => undefined }).getState().jump;
    expect(kept({ jumpAfterPublish: true })).toBe('always');
    expect(kept({ jumpAfterPublish: false })).toBe('inSight');
    expect(kept({ jump: 'never' })).toBe('never');
    expect(kept({ jump: 'sometimes' })).toBe('inSight');
  });
});
