/** Names of screens by path. */
import { NAV } from './frame.ts';

export type ScreenId = keyof typeof NAV;

export interface Screen {
  readonly id: ScreenId;
  readonly path: string;
  readonly title: string;
  readonly keys: string;
}

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  { id: 'messages', path: '/messages', title: NAV.messages, keys: 'g m' },
  { id: 'topics', path: '/topics', title: NAV.topics, keys: 'g t' },
  { id: 'publish', path: '/publish', title: NAV.publish, keys: 'g p' },
  { id: 'mock', path: '/mock', title: NAV.mock, keys: 'g a' },
  { id: 'holds', path: '/holds', title: NAV.holds, keys: 'g h' },
  { id: 'event-router', path: '/event-router', title: NAV['event-router'], keys: 'g e' },
  { id: 'components', path: '/components', title: NAV.components, keys: 'g c' },
  { id: 'apps', path: '/apps', title: NAV.apps, keys: 'g o' },
  { id: 'health', path: '/health', title: NAV.health, keys: 'g s' },
  { id: 'recordings', path: '/recordings', title: NAV.recordings, keys: 'g r' },
  { id: 'logs', path: '/logs', title: NAV.logs, keys: 'g l' },
  { id: 'settings', path: '/settings', title: NAV.settings, keys: 'g ,' },
];

/** The screen of a path; unknown paths and `/` mean Messages. */
export function screenOf(path: string): Screen {
  const [, head = ''] = path.split('/');
  const found = SCREENS.find((screen) => screen.path === `/${head}`);
  return found ?? { id: 'messages', path: '/messages', title: NAV.messages, keys: 'g m' };
}
