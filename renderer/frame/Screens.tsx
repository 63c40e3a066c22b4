/** The view of each screen; all but the list are loaded at first use. */
import { lazy, Suspense, type ComponentType, type ReactElement } from 'react';
import { Loading } from '../components/States.tsx';
import { fill } from '../copy/fill.ts';
import { VIEWS_COMMON } from '../copy/common.ts';
import { NAV } from '../copy/frame.ts';
import type { ScreenId } from '../copy/names.ts';
import { MessagesView } from '../views/messages/MessagesView.tsx';

/** A view in a chunk of its own. */
function later<M>(load: () => Promise<M>, pick: (module: M) => ComponentType): ComponentType {
  return lazy(async () => ({ default: pick(await load()) }));
}

const VIEWS: Readonly<Record<ScreenId, ComponentType>> = {
  messages: MessagesView,
  topics: later(
    () => import('../views/topics/TopicsView.tsx'),
    (module) => module.TopicsView,
  ),
  publish: later(
    () => import('../views/publish/PublishView.tsx'),
    (module) => module.PublishView,
  ),
  mock: later(
    () => import('../views/mock-app/MockAppView.tsx'),
    (module) => module.MockAppView,
  ),
  holds: later(
    () => import('../views/holds/HoldsView.tsx'),
    (module) => module.HoldsView,
  ),
  'event-router': later(
    () => import('../views/event-router/EventRouterView.tsx'),
    (module) => module.EventRouterView,
  ),
  components: later(
    () => import('../views/components/ComponentsView.tsx'),
    (module) => module.ComponentsView,
  ),
  apps: later(
    () => import('../views/apps/AppsView.tsx'),
    (module) => module.AppsView,
  ),
  health: later(
    () => import('../views/health/HealthView.tsx'),
    (module) => module.HealthView,
  ),
  recordings: later(
    () => import('./RecordingScreen.tsx'),
    (module) => module.RecordingScreen,
  ),
  logs: later(
    () => import('../views/logs/LogsView.tsx'),
    (module) => module.LogsView,
  ),
  settings: later(
    () => import('../views/settings/SettingsView.tsx'),
    (module) => module.SettingsView,
  ),
};

/** The view of a screen. */
export function Screens({ id }: { readonly id: ScreenId }): ReactElement {
  const View = VIEWS[id];
  return (
    <Suspense fallback={<Loading text={fill(VIEWS_COMMON.loading, { screen: NAV[id] })} />}>
      <View />
    </Suspense>
  );
}
