/** Strips of the host's banners in its order, of which only some are shown at once. */
import { createElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { HOLDS } from '../../renderer/copy/holds.ts';
import { endReloadedNote } from '../../renderer/frame/reloaded-note.ts';
import { ConnectionStrip, HoldStrip, SystemStrips } from '../../renderer/frame/Strips.tsx';
import { AIMING_PX, SETTLED_MS, StandingStill } from '../../renderer/frame/use-still-strips.ts';
import { StandingBanners } from '../../renderer/views/settings/StandingBanners.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';

afterEach(() => void vi.useRealTimers());

test('the note that the host was started again stands on the screen of its list alone', () => {
  const note = (path: string): string => {
    const state = { link: { status: 'open', attempt: 0 }, wasOpen: true, reloaded: true };
    const parts = {
      connection: createStore(() => state),
      navigation: { store: createStore(() => ({ path })) },
    };
    return wordsOf(drawn(createElement(ConnectionStrip), parts));
  };
  expect(note('/messages')).toBe('Sidelight was restarted. The list shows the messages that it kept.');
  expect(note('/settings')).toBe('');
});

test('the note that the host was started again goes after a while, and not once it is stopped', () => {
  vi.useFakeTimers();
  const store = createStore(() => ({ reloaded: true }));
  const connection = { setState: (next: object) => store.setState(next) } as Parameters<
    typeof endReloadedNote
  >[0];
  endReloadedNote(connection)();
  vi.runAllTimers();
  expect(store.getState().reloaded).toBe(true);
  endReloadedNote(connection);
  vi.runAllTimers();
  expect(store.getState().reloaded).toBe(false);
});

test('a banner about an app leads to what helps, and to the messages that it is about', () => {
  const links = (more: object): readonly string[] => {
    const banner = { id: 'app-1', text: 'Something is wrong.', level: 'warn', ...more };
    const link = { status: 'open' };
    const state = { runtime: undefined, system: { banners: [banner] }, dismissedBanners: [], link };
    const html = drawn(createElement(SystemStrips), { connection: createStore(() => state) });
    return [...html.matchAll(/href="([^"]*)"[^>]*>([^<]*)/g)].map(
      ([, href = '', text = '']) => `${text}: ${href.replaceAll('&amp;', '&')}`,
    );
  };
  expect(links({})).toEqual([]);
  expect(links({ appId: 'shop' })).toEqual(['Open Apps: /apps?a=shop&h=address']);
  expect(links({ appId: 'shop', filter: 'route:/orders' })).toEqual([
    'Show them: /messages?f=route%3A%2Forders',
    'Open Apps: /apps?a=shop&h=acts',
  ]);
  expect(links({ appId: 'shop', help: 'discovery' })).toEqual(['Open Apps: /apps?a=shop&h=discovery']);
});

test('a banner about messages that can be sent to a mended route has a button for them', () => {
  const reroute = { code: 'mended-route', appId: 'shop', pubsubname: 'p', topic: 'orders', path: '/x' };
  const banner = { id: 'app-1', text: 'Reroute 2.', level: 'warn', appId: 'shop', filter: 'f', reroute };
  const link = { status: 'open' };
  const state = { runtime: undefined, system: { banners: [banner] }, dismissedBanners: [], link };
  const html = drawn(createElement(SystemStrips), { connection: createStore(() => state) });
  expect(wordsOf(html)).toContain('Reroute them');
});

test('a banner about messages that can be delivered now has a button for them, and leads to them', () => {
  const banner = {
    id: 'app-1',
    text: '2 messages.',
    level: 'warn',
    appId: 'shop',
    filter: 'f',
    help: 'replay',
  };
  const state = {
    ...{ runtime: undefined, system: { banners: [banner] }, dismissedBanners: [] },
    link: { status: 'open' },
  };
  const html = drawn(createElement(SystemStrips), { connection: createStore(() => state) });
  expect(wordsOf(html)).toMatch(/Show them · Open Apps Replay them/);
  expect(html.replaceAll('&amp;', '&')).toContain('href="/apps?a=shop&h=acts"');
});

test('while everything is held the strip says what is under way all the same', () => {
  const words = (attempting: number): string => {
    const list = known({
      items: [{ at: 'delivery', filter: '', name: HOLDS.holdAllName, holdId: 'h1', enabled: true }],
    });
    const connection = createStore(() => ({ runtime: { counts: { attempting } }, link: { status: 'open' } }));
    return wordsOf(drawn(createElement(HoldStrip), { connection, holds: { list } }));
  };
  expect(words(0)).toMatch(/^All deliveries are held /);
  // A person may have released one of them while everything is held.
  expect(words(1)).toMatch(
    /^New attempts are held\. 1 attempt is under way: it began before the hold, or was released\./,
  );
  expect(words(2)).toContain('2 attempts are under way: they began before the hold, or were released.');
});

test('a banner that another discovery ends has a button for it', () => {
  const banner = { id: 'app-1', text: 'It failed.', level: 'warn', appId: 'shop', help: 'discovery' };
  const link = { status: 'open' };
  const state = { runtime: undefined, system: { banners: [banner] }, dismissedBanners: [], link };
  const html = drawn(createElement(SystemStrips), { connection: createStore(() => state) });
  expect(html).toContain('aria-label="Discover again: shop"');
});

test('of several banners two take one line each, and a button shows all where some are left out', () => {
  const html = (n: number): string => {
    const banners = Array.from({ length: n }, (_, index) => ({
      id: `app-${index}`,
      text: `Problem ${index}.`,
      level: 'warn',
    }));
    const state = { runtime: undefined, system: { banners }, dismissedBanners: [] };
    return drawn(createElement(SystemStrips), { connection: createStore(() => state) });
  };
  const seen = (text: string) => ({
    lines: text.match(/Problem \d\./g)?.length,
    short: text.match(/data-short/g)?.length ?? 0,
    button: /aria-expanded="false"[^>]*>.*?(Show (?:all \d|whole text))/.exec(text)?.[1],
  });
  expect(seen(html(1))).toEqual({ lines: 1, short: 0, button: undefined });
  expect(seen(html(2))).toEqual({ lines: 2, short: 2, button: undefined });
  expect(seen(html(3))).toMatchObject({ button: 'Show all 3' });
  // Tab comes to the button behind the banners, at whose end it stands.
  const { length } = html(3).split('Dismiss');
  expect(html(3).split('aria-expanded')[0]?.split('Dismiss')).toHaveLength(length);
  expect(seen(html(5))).toEqual({
    lines: 2,
    short: 2,
    button: 'Show all 5',
  });
});

test('a click does not count for a strip that moved under the pointer in the last instant', () => {
  const [still, first, second] = [new StandingStill(), {}, {}];
  const pointer = { x: 900, y: 20 };
  still.note([[first, 0]], { since: 0, pointer: undefined });
  expect(still.isMeant(first, pointer, 0)).toBe(true);
  // Another one comes above it, while the pointer aims at where it was.
  const tops = [
    [second, 0],
    [first, 36],
  ] as const;
  still.note(tops, { since: 1000, pointer });
  still.note(tops, { since: 1300, pointer });
  const meant = (x: number, now: number) =>
    [second, first].map((strip) => still.isMeant(strip, { x, y: 20 }, now));
  expect(meant(900, 1000 + SETTLED_MS - 1)).toEqual([false, false]);
  expect(meant(900 - AIMING_PX, 1001)).toEqual([false, false]);
  expect(meant(899 - AIMING_PX, 1001)).toEqual([true, true]);
  expect(meant(900, 1000 + SETTLED_MS)).toEqual([true, true]);
});

test('the settings list the banners of now, and not those that the host had when the window was loaded', () => {
  const html = (runtime: object | undefined): string => {
    const banner = { id: 'app-1', text: '1 message can be delivered now.', level: 'warn' };
    const state = { runtime, system: { banners: [banner] }, dismissedBanners: [] };
    return drawn(createElement(StandingBanners), { connection: createStore(() => state) });
  };
  const words = (runtime: object | undefined): string => wordsOf(html(runtime));
  expect(html(undefined)).toContain('lucide-triangle-alert');
  expect(words(undefined)).toBe('Current banners 1 message can be delivered now.');
  expect(words({ banners: [] })).toBe('');
  expect(words({ banners: [{ id: 'app-2', text: 'Another.', level: 'error' }] })).toBe(
    'Current banners Another.',
  );
});
