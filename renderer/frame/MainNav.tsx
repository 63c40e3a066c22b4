/** The navigation: a rail of screens with the number of waiting items on each. */
import {
  AppWindow,
  ChevronsLeftRight,
  CassetteTape,
  Component,
  FlaskConical,
  HeartPulse,
  Pause,
  Rows3,
  ScrollText,
  Send,
  Settings,
  Split,
  type LucideIcon,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { Hint } from '../components/Hint.tsx';
import { FRAME, NAV, NAV_BADGES } from '../copy/frame.ts';
import { fill } from '../copy/fill.ts';
import { SCREENS, screenOf, type ScreenId } from '../copy/names.ts';
import { COMPONENTS } from '../copy/topics.ts';
import { routeProblems } from '../format/apps.ts';
import { problemsOf } from '../format/component.ts';
import { count } from '../format/quantity.ts';
import { useConsole, useResource } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import css from './MainNav.module.css';

const ICONS: Readonly<Record<ScreenId, LucideIcon>> = {
  messages: Rows3,
  topics: Split,
  publish: Send,
  mock: FlaskConical,
  holds: Pause,
  'event-router': ChevronsLeftRight,
  components: Component,
  apps: AppWindow,
  health: HeartPulse,
  recordings: CassetteTape,
  logs: ScrollText,
  settings: Settings,
};

/** Links to all screens, each as the person left it; the present one is marked, and its link leads to its beginning. */
export function MainNav(): ReactElement {
  const { navigation } = useConsole();
  const here = useSelected(navigation.store, ({ path }) => screenOf(path).id);
  const isAtBeginning = useSelected(navigation.store, ({ search }) => search === '');
  const badges = useBadges();
  return (
    <nav aria-label={FRAME.nav} className={css.nav}>
      <ul className={css.list}>
        {SCREENS.map(({ id, path, title, keys }) => {
          const Icon = ICONS[id];
          const badge = badges[id];
          return (
            <li key={id}>
              <Hint text={here === id && !isAtBeginning ? againText(id) : title} keys={[keys]} side="right">
                <Link
                  href={navigation.placeOf(path)}
                  className={css.item}
                  aria-current={here === id ? 'page' : undefined}
                  aria-label={badge === undefined ? title : `${title}, ${badge.name}`}
                >
                  <Icon aria-hidden size={16} className={css.icon} />
                  {/* The space keeps title and number apart for who says what the link shows. */}
                  <span className={css.title}>{title}</span>{' '}
                  {badge !== undefined && <span className={css.badge}>{badge.text}</span>}
                </Link>
              </Hint>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Says that the link of the present screen leads to its beginning. */
function againText(id: ScreenId): string {
  return id === 'messages' ? FRAME.messagesAgain : fill(FRAME.screenAgain, { screen: NAV[id] });
}

interface Badge {
  readonly text: string;
  /** Accessible name: "3 held" */
  readonly name: string;
}

function amount(n: number, name: string): Badge | undefined {
  const text = n > 999 ? '999+' : count(n);
  return n > 0 ? { text, name: fill(name, { n: text }) } : undefined;
}

/**
 * Number of processes that failed and of problems with routes. A banner about a route that a person has closed does not come back, and
 * this stays.
 */
export function appsBadge(failed: number, routes: number): Badge | undefined {
  const parts = [amount(failed, NAV_BADGES.apps), amount(routes, NAV_BADGES.routes)];
  const names = parts.flatMap((part) => part?.name ?? []);
  // What the badge shows is part of its name.
  return amount(failed + routes, `${names.length > 1 ? '{n}: ' : ''}${names.join(', ')}`);
}

function useBadges(): Readonly<Partial<Record<ScreenId, Badge | undefined>>> {
  const console = useConsole();
  const runtime = useSelected(console.connection, (state) => state.runtime);
  const { value: unread } = useResource(console.messages.unread);
  const { value: errorLines } = useResource(console.logs.errors);
  const viewedAt = useSelected(console.logs.store, (state) => state.viewedAt);
  const errors = errorLines?.items.filter(({ at }) => at > viewedAt).length ?? 0;
  const { value: components } = useResource(console.topology.components);
  const { value: processes } = useResource(console.processes.list);
  const { value: apps } = useResource(console.topology.apps);
  const failed = processes?.items.filter(({ state }) => state === 'failed').length ?? 0;
  const ill = (runtime?.health ?? []).filter(({ healthy }) => !healthy);
  const onlyWaits = ill.every(({ waitsForApp }) => waitsForApp === true);
  return {
    messages: amount(unread?.total ?? 0, NAV_BADGES.messages),
    mock: amount(runtime?.waiting ?? 0, NAV_BADGES.mock),
    holds: amount(runtime?.holds ?? 0, NAV_BADGES.holds),
    components: amount(problemsOf(components), COMPONENTS.problemsOfAll),
    apps: appsBadge(failed, routeProblems(apps?.items ?? [])),
    health:
      ill.length === 0
        ? undefined
        : { text: '!', name: onlyWaits ? NAV_BADGES.healthWaits : NAV_BADGES.health },
    logs: amount(errors, NAV_BADGES.logs),
  };
}
