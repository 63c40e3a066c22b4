/** Where the app of a first run listens: without an address of its own its mock app answers. */
import type { ReactElement } from 'react';
import { AppAddress } from '../../components/connect/AppAddress.tsx';
import { useConsole, useResource } from '../../state/context.ts';

/** Nothing while the apps are not known, and where no app has a mock app to give way. */
export function ConnectApp(): ReactElement | null {
  const { settings, topology } = useConsole();
  const { value: apps } = useResource(topology.apps);
  const { value } = useResource(settings);
  const app = apps?.items.find(({ mockUrl }) => mockUrl !== undefined);
  const addresses = value?.items.find(({ key }) => key === 'app.address');
  return app === undefined || addresses === undefined ? null : <AppAddress app={app} addresses={addresses} />;
}
