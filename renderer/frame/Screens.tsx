/** The view of each screen; all but the list are loaded at first use. */
import type { ComponentType, ReactElement } from 'react';
import { later } from '../components/later.tsx';
import { Loading } from '../components/States.tsx';
import { fill } from '../copy/fill.ts';
import { VIEWS_COMMON } from '../copy/common.ts';
import { NAV } from '../copy/frame.ts';
import type { ScreenId } from '../copy/names.ts';
import { MessagesView } from '../views/messages/MessagesView.tsx';

/** A view in a file of its own. */
function view(id: ScreenId, load: () => Promise<ComponentType>): ComponentType {
  return later(load, <Loading text={fill(VIEWS_COMMON.loading, { screen: NAV[id] })} />);
}

const VIEWS: Readonly<Record<ScreenId, ComponentType>> = {
  messages: MessagesView,
  topics: view('topics', async () => (await import('../views/topics/TopicsView.tsx')).TopicsView),
  publish: view('publish', async () => (await import('../views/publish/PublishView.tsx')).PublishView),
  mock: view('mock', async () => (await import('../views/mock-app/MockAppView.tsx')).MockAppView),
  holds: view('holds', async () => (await import('../views/holds/HoldsView.tsx')).HoldsView),
  'event-router': view(
    'event-router',
    async () => (await import('../views/event-router/EventRouterView.tsx')).EventRouterView,
  ),
  components: view(
    'components',
    async () => (await import('../views/components/ComponentsView.tsx')).ComponentsView,
  ),
  apps: view('apps', async () => (await import('../views/apps/AppsView.tsx')).AppsView),
  health: view('health', async () => (await import('../views/health/HealthView.tsx')).HealthView),
  recordings: view('recordings', async () => (await import('./RecordingScreen.tsx')).RecordingScreen),
  logs: view('logs', async () => (await import('../views/logs/LogsView.tsx')).LogsView),
  settings: view('settings', async () => (await import('../views/settings/SettingsView.tsx')).SettingsView),
};

/** The view of a screen. */
export function Screens({ id }: { readonly id: ScreenId }): ReactElement {
  const View = VIEWS[id];
  return <View />;
}
