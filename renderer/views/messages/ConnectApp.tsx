/** Address and state of the app in a first run; without an address its mock app answers. */
import type { ReactElement } from 'react';
import { theApp, theAppFirst } from '../../../core/contract/app-text.ts';
import {
  hasNoDiscoveryRoute,
  listMistakeText,
  OTHER_PROFILE,
  withoutSubscriptions,
} from '../../../core/contract/discovery-text.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import { AppAddress } from '../../components/connect/AppAddress.tsx';
import { fill } from '../../copy/fill.ts';
import { FIRST_RUN } from '../../copy/messages.ts';
import { isUnasked } from '../../format/discovery.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole, useResource } from '../../state/context.ts';

/** Shows the app; nothing while the apps are unknown, and if no app has a mock app that can be replaced. */
export function ConnectApp(): ReactElement | null {
  const { settings, topology } = useConsole();
  const { value: apps } = useResource(topology.apps);
  const { value } = useResource(settings);
  const app = apps?.items.find(({ mockUrl }) => mockUrl !== undefined);
  const addresses = value?.items.find(({ key }) => key === 'app.address');
  if (apps === undefined || addresses === undefined) return null;
  if (app === undefined) return <Connected apps={apps.items} />;
  return (
    <>
      <AppAddress app={app} addresses={addresses} />
      {!app.mock && <Connected apps={[app]} />}
    </>
  );
}

/** Apps with an address of their own: whether each answers, and its subscriptions. */
function Connected({ apps }: { readonly apps: readonly AppRow[] }): ReactElement | null {
  const { topology } = useConsole();
  const { value } = useResource(topology.subscriptions);
  if (value === undefined) return null;
  return (
    <ul>
      {apps.map((each) => {
        const { appId, app, discovery } = each;
        const why = whyNothing(each);
        const used = value.items.filter((one) => one.appId === appId && one.state === 'active');
        const topics = used.map(({ topic }) => topic);
        const words = {
          app: theApp(appId),
          App: theAppFirst(appId),
          address: app,
          topics: [...new Set(topics)].map(visibleShort).join(', '),
          error: discovery.error,
        };
        const isKnown = topics.length === 0 && why !== undefined;
        return <li key={appId}>{isKnown ? why : fill(connectedText(each, topics.length), words)}</li>;
      })}
    </ul>
  );
}

/** Why an app that answers subscribes to nothing; undefined: nothing is known but that. */
function whyNothing(app: AppRow): string | undefined {
  const { appId, channel, discovery } = app;
  if (channel !== 'answering' || discovery.state !== 'done') return undefined;
  if (!hasNoDiscoveryRoute(discovery)) return listMistakeText(app);
  // An app that speaks another profile declares its subscriptions there.
  const other = app.problems.find(({ code }) => code === OTHER_PROFILE);
  return other?.message ?? withoutSubscriptions(theAppFirst(appId), discovery);
}

function connectedText({ channel, discovery }: AppRow, topics: number): string {
  if (isUnasked(discovery)) return FIRST_RUN.connectedUnasked;
  if (channel !== 'answering') return FIRST_RUN.connected[channel];
  if (discovery.state === 'failed') return FIRST_RUN.connectedFailed;
  if (discovery.state !== 'done') return FIRST_RUN.connectedAsking;
  return topics === 0 ? FIRST_RUN.connectedToNothing : FIRST_RUN.connected.answering;
}
