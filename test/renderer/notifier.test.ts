/** Notifications: only chosen kinds, only new items, one in ten seconds, outside the page only when it is not visible. */
import { describe, expect, test } from 'vitest';
import type { RuntimeChanged } from '../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { createConnectionStore } from '../../renderer/state/connection.ts';
import { startNotifier, type NotifyKind } from '../../renderer/state/notifier.ts';
import { createNavigation } from '../../renderer/state/navigation.ts';
import { createToasts } from '../../renderer/state/toasts.ts';
import { createUiStore } from '../../renderer/state/ui.ts';

function stand(notify: readonly NotifyKind[], look = { allowed: true, looking: false }) {
  const connection = createConnectionStore({ status: 'open' });
  const ui = createUiStore(undefined);
  ui.setState({ notify, notifyOutside: true });
  const toasts = createToasts();
  const location = { hash: '#/messages' };
  const goTo = (_data: unknown, _unused: string, url: string): void => void (location.hash = url);
  const navigation = createNavigation({
    location,
    history: { pushState: goTo, replaceState: goTo },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  let now = 0;
  let waiting: { at: number; run: () => void }[] = [];
  const outside: string[] = [];
  const stop = startNotifier({
    connection,
    ui,
    toasts,
    navigation,
    newest: async (filter) => `newest of ${filter}`,
    now: () => now,
    after(delayMs, run) {
      const entry = { at: now + delayMs, run };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    outside: {
      isAllowed: () => look.allowed,
      isLooking: () => look.looking,
      show: (text) => void outside.push(text),
    },
  });
  return {
    outside,
    stop,
    said: () =>
      toasts.store
        .getState()
        .toasts.map(({ text }) => text)
        .toReversed(),
    noted: () => toasts.store.getState().past,
    navigation,
    tell(change: Partial<Record<NotifyKind, number>>) {
      const counts = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
      connection.setState({ runtime: runtimeOf(counts, change) });
    },
    pass(ms: number) {
      now += ms;
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
  };
}

function runtimeOf(
  zero: Readonly<Record<string, number>>,
  change: Partial<Record<NotifyKind, number>>,
): RuntimeChanged {
  const count = (key: NotifyKind): number => change[key] ?? 0;
  const { queued = 0, attempting = 0, retrying = 0, processed = 0, dropped = 0, expired = 0 } = zero;
  const rest = { queued, attempting, retrying, processed, dropped, expired, held: count('held') };
  return {
    rates: { in: 0, out: 0 },
    counts: { ...rest, parked: count('parked'), 'dead-lettered': count('dead-lettered') },
    kept: 0,
    limit: 0,
    health: [{ appId: 'app', healthy: count('unhealthy') === 0, outbound: true, channel: 'answering' }],
    holds: count('held'),
    waiting: count('waiting'),
  };
}

describe('notifications', () => {
  test('items that exist at first are not notified; later ones are', () => {
    const { tell, pass, said } = stand(['parked']);
    tell({ parked: 3 });
    pass(60_000);
    expect(said()).toEqual([]);
    tell({ parked: 5 });
    pass(0);
    expect(said()).toEqual(['2 parked']);
  });

  test('kinds that the user has not chosen are not shown, and stay in the list', () => {
    const { tell, pass, said, noted, outside } = stand([]);
    tell({});
    tell({ parked: 1, waiting: 1, unhealthy: 1 });
    pass(60_000);
    expect(said()).toEqual([]);
    expect(outside).toEqual([]);
    expect(noted().map(({ text }) => text)).toEqual([
      '1 parked · 1 waiting for your answer · app: not healthy',
    ]);
  });

  test('do not name an app that has recovered before they come', () => {
    const { tell, pass, said, noted } = stand(['unhealthy', 'parked']);
    tell({});
    tell({ parked: 1 });
    pass(0);
    tell({ parked: 1, unhealthy: 1 });
    tell({ parked: 1 });
    pass(10_000);
    expect(said()).toEqual(['1 parked']);
    expect(noted().map(({ text }) => text)).toEqual(['1 parked']);
    // Without a notification nothing has to wait.
    tell({ parked: 1, unhealthy: 1 });
    pass(0);
    expect(said()).toEqual(['app: not healthy']);
  });

  test('lead to the newest message of their kind', async () => {
    const { tell, pass, noted, navigation } = stand(['parked']);
    tell({});
    tell({ parked: 1 });
    pass(0);
    noted()[0]?.action?.run();
    await Promise.resolve();
    await Promise.resolve();
    expect(navigation.param('f')).toBe('state:parked');
    expect(navigation.param('m')).toBe('newest of state:parked');
  });

  test('come at most every ten seconds, with everything since the last one', () => {
    const { tell, pass, said } = stand(['parked', 'waiting', 'unhealthy']);
    tell({});
    tell({ parked: 1 });
    pass(0);
    tell({ parked: 2, waiting: 1 });
    pass(9_999);
    expect(said()).toEqual(['1 parked']);
    tell({ parked: 4, waiting: 1, unhealthy: 1 });
    pass(1);
    expect(said()[0]).toBe('3 parked · 1 waiting for your answer · app: not healthy');
  });

  test('do not come when a number falls', () => {
    const { tell, pass, said } = stand(['held']);
    tell({ held: 5 });
    tell({ held: 2 });
    pass(60_000);
    expect(said()).toEqual([]);
  });

  test.each([
    [{ allowed: true, looking: false }, 1],
    [{ allowed: false, looking: false }, 0],
    [{ allowed: true, looking: true }, 0],
  ])('appear outside the window as allowed: %j', (look, times) => {
    const { tell, pass, outside } = stand(['parked'], look);
    tell({});
    tell({ parked: 1 });
    pass(0);
    expect(outside).toHaveLength(times);
  });

  test('do not come after the end', () => {
    const { tell, pass, said, stop } = stand(['parked']);
    tell({});
    tell({ parked: 1 });
    stop();
    pass(60_000);
    expect(said()).toEqual([]);
  });
});
