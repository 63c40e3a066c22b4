/** The top bar: name, app, health, hold all, publish, search. */
import { theApp, theAppFirst } from '../../core/contract/app-text.ts';
import {
  Circle,
  Hourglass,
  Moon,
  Pause,
  Search,
  Send,
  Sun,
  SunMoon,
  TriangleAlert,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import type { ReactElement } from 'react';
import type { AppRow } from '../../core/contract/subscription.ts';
import { Button, IconButton } from '../components/Button.tsx';
import { Choice } from '../components/Choice.tsx';
import { Keys } from '../components/Keys.tsx';
import { ACT_WHY } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import {
  appStanding,
  culprits,
  hangs,
  isBad,
  kindOf,
  oncePerId,
  shortAddress,
  usingNone,
  type AppStanding,
} from '../format/apps.ts';
import { componentsAway } from '../format/component.ts';
import { COMMAND_TITLES, THEMES } from '../copy/commands.ts';
import { holdAllOf } from '../keys/frame-commands.ts';
import { commandOf } from '../keys/commands.ts';
import { useAway, useConsole, useResource } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import type { Theme } from '../state/ui.ts';
import css from './TopBar.module.css';
import { Bell } from './Bell.tsx';
import { Logo } from './Logo.tsx';

/** The row at the top of every screen. */
export function TopBar(): ReactElement {
  const console = useConsole();
  const { value: known } = useResource(console.holds.list);
  const away = useAway(ACT_WHY.away);
  const holdsAll = known !== undefined && holdAllOf(console) !== undefined;
  return (
    <header className={css.topBar}>
      <span className={css.brand}>
        <Logo />
        <span className={css.name}>{FRAME.product}</span>
      </span>
      <AppChoice />
      <Pills />
      <span className={css.space} />
      <Button
        icon={Pause}
        aria-pressed={holdsAll}
        off={away}
        aria-label={FRAME.holdAll}
        hint={FRAME.holdAll}
        className={css.holdAll}
        onClick={() => commandOf(holdsAll ? 'stopHolding' : 'holdAll')?.run(console)}
      >
        {FRAME.holdAll}
      </Button>
      <Button
        icon={Send}
        keys={['p']}
        aria-label={FRAME.publish}
        hint={COMMAND_TITLES.publish}
        className={css.publish}
        onClick={() => commandOf('publish')?.run(console)}
      >
        {FRAME.publish}
      </Button>
      <button
        type="button"
        className={css.search}
        aria-keyshortcuts="Control+K"
        onClick={() => console.commands.open({ kind: 'palette' })}
      >
        <Search aria-hidden size={14} />
        <span className={css.searchText}>{FRAME.search}</span>
        <span className={css.searchShort}>{FRAME.searchShort}</span>
        <span className={css.keys}>
          <Keys keys={['Mod+K']} />
        </span>
      </button>
      <Bell />
      <ThemeButton />
    </header>
  );
}

function AppChoice(): ReactElement {
  const console = useConsole();
  const { value } = useResource(console.topology.apps);
  const chosen = useSelected(console.ui, ({ appId }) => appId);
  const { value: taps } = useResource(console.topology.taps);
  const apps = oncePerId(value?.items ?? []);
  const tapped = taps?.items ?? [];
  const known = [...apps, ...tapped].some(({ appId }) => appId === chosen);
  return (
    <span className={css.app}>
      <span className={css.appLabel} aria-hidden>
        {FRAME.app}
      </span>
      <Choice
        label={FRAME.app}
        value={known ? chosen : ''}
        onChange={(appId) => console.ui.setState({ appId })}
        options={[
          { value: '', title: FRAME.allApps },
          ...apps.map((app) => ({
            value: app.appId,
            title: app.appId,
            note: (
              <span className={css.note}>
                {shortAddress(app.sidecar)} · {kindOf(app)}
              </span>
            ),
          })),
          ...tapped.map(({ appId, sidecarPort }) => ({
            value: appId,
            title: appId,
            note: (
              <span className={css.note}>
                :{sidecarPort} · {FRAME.observed}
              </span>
            ),
          })),
        ]}
      />
    </span>
  );
}

interface PillProps {
  /** `waits`, `away`: nothing is wrong with it, and something else is missing. */
  readonly state: 'good' | 'waits' | 'away' | 'bad' | 'unknown';
  readonly text: string;
  /** Tooltip in place of the text: the text with its cause. */
  readonly why?: string | undefined;
  readonly note: string;
  /** Path of the screen that says more. */
  readonly screen?: string;
}

const SHAPES: Readonly<Record<PillProps['state'], LucideIcon>> = {
  good: Circle,
  waits: Hourglass,
  away: Unplug,
  bad: TriangleAlert,
  unknown: Circle,
};

function Pill({ state, text, why, note, screen = '/health' }: PillProps): ReactElement {
  const { navigation } = useConsole();
  const Shape = SHAPES[state];
  return (
    <button type="button" className={css.pill} data-state={state} onClick={() => navigation.go(screen)}>
      <Shape aria-hidden size={10} className={css.shape} />
      <span className={css.pillText} title={why ?? text}>
        {text}
      </span>
      {note !== '' && (
        <code className={css.port} title={note}>
          {note}
        </code>
      )}
    </button>
  );
}

const APP_PILLS: Readonly<Record<AppStanding, Pick<PillProps, 'state' | 'text'>>> = {
  lost: { state: 'bad', text: FRAME.appNotReachable },
  silent: { state: 'bad', text: FRAME.appSilent },
  undiscovered: { state: 'bad', text: FRAME.appUndiscovered },
  unknown: { state: 'unknown', text: FRAME.appUnknown },
  asked: { state: 'waits', text: FRAME.appAsked },
  answering: { state: 'good', text: FRAME.appAnswering },
  none: { state: 'unknown', text: FRAME.appNone },
};

/**
 * The pill about the apps. One that is well by its port may answer no call all the same, or use none of its subscriptions: the Apps screen
 * says why.
 * @param usesNone undefined: the subscriptions are not known yet, so nothing is said of them
 */
export function appPill<T extends Pick<AppRow, 'appId' | 'channel' | 'discovery' | 'problems'>>(
  apps: readonly T[],
  usesNone: ((app: T) => boolean) | undefined,
): Omit<PillProps, 'note'> {
  const standing = appStanding(apps);
  const named = (words: keyof typeof FRAME.ofSeveral, sick: readonly T[]): string | undefined =>
    ofSeveral(FRAME.ofSeveral[words], sick, apps);
  if (standing === 'answering') {
    const warned = (text: string, why: string) => ({ state: 'waits', text, why, screen: '/apps' }) as const;
    const silent = apps.filter(hangs);
    if (silent.length > 0) return warned(named('hangs', silent) ?? FRAME.appHangs, FRAME.appHangsWhy);
    const unused = usesNone === undefined ? [] : apps.filter(usesNone);
    if (unused.length > 0) return warned(named('unused', unused) ?? FRAME.appUnused, FRAME.appUnusedWhy);
  }
  const { state, text } = APP_PILLS[standing];
  const why = standing === 'undiscovered' ? FRAME.appUndiscoveredWhy : undefined;
  return { state, text: (isBad(standing) ? named(standing, culprits(apps)) : undefined) ?? text, why };
}

/** Names the one app of several that a pill is about, or counts them; undefined: the pill is about the only app, or about all. */
export function ofSeveral(
  words: { readonly one: string; readonly many: string },
  sick: readonly { readonly appId: string }[],
  apps: readonly unknown[],
): string | undefined {
  const [first] = sick;
  if (first === undefined || apps.length === 1) return undefined;
  return fill(sick.length === 1 ? words.one : words.many, {
    app: theApp(first.appId),
    App: theAppFirst(first.appId),
    n: sick.length,
  });
}

/**
 * The pill about the sidecars: the worst of them decides. One that only waits for its app is well, and is no alarm beside that of the app. No
 * health check includes the servers of components, so those that are away are said here.
 * @param away number of components that have lost their server
 */
export function sidecarPill(
  apps: readonly { readonly appId: string; readonly healthy: boolean; readonly waits: boolean }[],
  away = 0,
): Omit<PillProps, 'note'> {
  const unhealthy = apps.filter(({ healthy }) => !healthy);
  const sick = unhealthy.filter(({ waits }) => !waits);
  if (sick.length > 0)
    return {
      state: 'bad',
      text: ofSeveral(FRAME.ofSeveral.sidecar, sick, apps) ?? FRAME.sidecarNotHealthy,
    };
  if (away > 0)
    return { state: 'away', text: fill(FRAME.componentsAway, { n: away }), why: FRAME.componentsAwayWhy };
  if (unhealthy.length === 0) return { state: 'good', text: FRAME.sidecarHealthy };
  const text = ofSeveral(FRAME.ofSeveral.waits, unhealthy, apps) ?? FRAME.sidecarWaits;
  return { state: 'waits', text, why: FRAME.sidecarWaitsWhy };
}

/** Health of the chosen app, or of all apps together: one unhealthy app makes the whole unhealthy. */
function Pills(): ReactElement | null {
  const console = useConsole();
  const runtime = useSelected(console.connection, (state) => state.runtime);
  const isAway = useSelected(console.connection, ({ link }) => link.status !== 'open');
  const { value } = useResource(console.topology.apps);
  const { value: subscriptions } = useResource(console.topology.subscriptions);
  const { value: components } = useResource(console.topology.components);
  const chosen = useSelected(console.ui, ({ appId }) => appId);
  const apps = (value?.items ?? []).filter(({ appId }) => chosen === '' || appId === chosen);
  const [first] = apps;
  if (first === undefined) return null;
  const live = apps.map((app) => {
    const now = runtime?.health.find(({ appId }) => appId === app.appId);
    const channel = now?.channel ?? app.channel;
    const { healthy, waitsForApp = false } = now ?? app;
    return { ...app, healthy, channel, waits: waitsForApp };
  });
  const rows = subscriptions?.items;
  const note = (address = ''): string => (apps.length === 1 && address !== '' ? shortAddress(address) : '');
  // The last known state says nothing about now while there is no connection.
  if (isAway)
    return (
      <>
        <Pill state="unknown" text={FRAME.sidecarNotKnown} note={note(first.sidecar)} />
        <Pill state="unknown" text={FRAME.appNotKnown} note={note(first.app)} />
      </>
    );
  return (
    <>
      <Pill
        {...sidecarPill(live, componentsAway(components?.items ?? [], chosen))}
        note={note(first.sidecar)}
      />
      <Pill {...appPill(live, rows && usingNone(rows))} note={note(first.app)} />
    </>
  );
}

const NEXT_THEME: Readonly<Record<Theme, { readonly theme: Theme; readonly icon: LucideIcon }>> = {
  system: { theme: 'light', icon: SunMoon },
  light: { theme: 'dark', icon: Sun },
  dark: { theme: 'system', icon: Moon },
};

function ThemeButton(): ReactElement {
  const { ui } = useConsole();
  const theme = useSelected(ui, (state) => state.theme);
  const next = NEXT_THEME[theme];
  const label = fill(COMMAND_TITLES.theme, { theme: THEMES[next.theme] });
  return <IconButton icon={next.icon} label={label} onClick={() => ui.setState({ theme: next.theme })} />;
}
