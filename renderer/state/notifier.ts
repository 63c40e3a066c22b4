/** Notifies a person of events they chose: as a toast, and outside the window if that is allowed. */
import type { RuntimeChanged } from '../../core/contract/console.ts';
import { afterTimeout } from '../client/after-timeout.ts';
import { fill } from '../copy/fill.ts';
import { NOTIFICATIONS } from '../copy/notifications.ts';
import type { ConnectionStore } from './connection.ts';
import type { Navigation } from './navigation.ts';
import type { Toasts } from './toasts.ts';
import type { UiStore } from './ui.ts';

export const NOTIFY_KINDS = ['parked', 'dead-lettered', 'waiting', 'held', 'unhealthy'] as const;
export type NotifyKind = (typeof NOTIFY_KINDS)[number];

/** Notifications outside the window; absent: there are none. */
export interface Outside {
  readonly isAllowed: () => boolean;
  readonly isLooking: () => boolean;
  show(text: string, onClick: () => void): void;
}

export interface NotifierDependencies {
  readonly connection: ConnectionStore;
  readonly ui: UiStore;
  readonly toasts: Toasts;
  readonly navigation: Navigation;
  readonly outside?: Outside;
  /** Id of the newest message that matches; undefined: there is none any more, or the host is away. */
  readonly newest?: (filter: string) => Promise<string | undefined>;
  readonly now?: () => number;
  readonly after?: (delayMs: number, run: () => void) => () => void;
}

const GAP_MS = 10_000;

/** Kinds of which the host reports a number. */
const COUNTED = ['parked', 'dead-lettered', 'waiting', 'held'] as const satisfies readonly NotifyKind[];
type CountedKind = (typeof COUNTED)[number];

/** Ids of apps whose sidecar is not healthy. */
function sickNow({ health }: RuntimeChanged): ReadonlySet<string> {
  return new Set(health.flatMap(({ appId, healthy }) => (healthy ? [] : appId)));
}

function amountsOf(runtime: RuntimeChanged): Readonly<Record<CountedKind, number>> {
  return {
    parked: runtime.counts.parked,
    'dead-lettered': runtime.counts['dead-lettered'],
    waiting: runtime.waiting,
    held: runtime.holds,
  };
}

const SCREENS: Readonly<Record<NotifyKind, readonly [string, { readonly f?: string }]>> = {
  parked: ['/messages', { f: 'state:parked' }],
  'dead-lettered': ['/messages', { f: 'state:dead-lettered' }],
  waiting: ['/mock', {}],
  held: ['/holds', {}],
  unhealthy: ['/health', {}],
};

/** Watches the counts of the host. Returns the function that ends it. */
export function startNotifier(deps: NotifierDependencies): () => void {
  const { connection, ui, toasts, navigation, outside } = deps;
  const now = deps.now ?? Date.now;
  const after = deps.after ?? afterTimeout;
  const grown = new Map<NotifyKind, number>();
  /** Apps that became unhealthy since the last notification, and still are. */
  const sickened = new Set<string>();
  let sick: ReadonlySet<string> = new Set();
  let known: Readonly<Record<CountedKind, number>> | undefined;
  let lastAt = -Infinity;
  let cancel: (() => void) | undefined;

  function flush(): void {
    cancel = undefined;
    const { notify, notifyOutside } = ui.getState();
    const came = NOTIFY_KINDS.filter((kind) => (grown.get(kind) ?? 0) > 0);
    if (came.length === 0) return;
    lastAt = now();
    const wanted = notificationOf(came.filter((kind) => notify.includes(kind)));
    const rest = notificationOf(came.filter((kind) => !notify.includes(kind)));
    grown.clear();
    sickened.clear();
    // Events that the user did not choose are still listed by the bell.
    if (rest !== undefined)
      toasts.note(rest.text, { title: NOTIFICATIONS.show, isLink: true, run: rest.show });
    if (wanted === undefined) return;
    const { text, show } = wanted;
    toasts.news(text, { title: NOTIFICATIONS.show, isLink: true, run: show });
    if (notifyOutside && outside?.isAllowed() === true && !outside.isLooking()) outside.show(text, show);
  }

  function notificationOf(
    kinds: readonly NotifyKind[],
  ): { readonly text: string; readonly show: () => void } | undefined {
    const [first] = kinds;
    if (first === undefined) return undefined;
    const text = kinds.map((kind) => fill(NOTIFICATIONS.said[kind], wordsFor(kind))).join(' · ');
    return { text, show: () => void show(first) };
  }

  /** Opens the place of the event; of messages the newest one. */
  async function show(kind: NotifyKind): Promise<void> {
    const [path, params] = SCREENS[kind];
    navigation.go(path, params);
    const { f: filter } = params;
    if (filter === undefined) return;
    const newest = await deps.newest?.(filter);
    if (newest !== undefined && navigation.param('f') === filter)
      navigation.change({ m: newest }, { replace: true });
  }

  function wordsFor(kind: NotifyKind): Readonly<Record<string, string | number>> {
    return { n: grown.get(kind) ?? 0, apps: [...sickened].join(', ') };
  }

  const stop = connection.subscribe(({ runtime }, before) => {
    if (runtime === undefined || runtime === before.runtime) return;
    const amounts = amountsOf(runtime);
    // The state at the start is no news.
    if (known !== undefined) {
      for (const kind of COUNTED) {
        const more = amounts[kind] - known[kind];
        if (more > 0) grown.set(kind, (grown.get(kind) ?? 0) + more);
      }
      const sickHere = sickNow(runtime);
      for (const appId of sickHere) if (!sick.has(appId)) sickened.add(appId);
      // An app that has recovered by the time of the notification is none to tell of.
      for (const appId of sickened) if (!sickHere.has(appId)) sickened.delete(appId);
      if (sickened.size > 0) grown.set('unhealthy', sickened.size);
      else grown.delete('unhealthy');
    }
    known = amounts;
    sick = sickNow(runtime);
    if (grown.size > 0) cancel ??= after(Math.max(0, lastAt + GAP_MS - now()), flush);
  });
  return () => {
    stop();
    cancel?.();
  };
}

/** The notifications of the browser or the desktop. */
export function browserOutside(): Outside | undefined {
  if (typeof Notification === 'undefined') return undefined;
  return {
    isAllowed: () => Notification.permission === 'granted',
    isLooking: () => document.visibilityState === 'visible' && document.hasFocus(),
    show(text, onClick) {
      const shown = new Notification(document.title, { body: text });
      shown.addEventListener('click', () => {
        window.focus();
        onClick();
      });
    },
  };
}
