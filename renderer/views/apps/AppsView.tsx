/** The Apps screen: each app with its process, addresses, subscriptions and last lines. */
import type { ReactElement } from 'react';
import { Empty, Loaded } from '../../components/States.tsx';
import { APPS } from '../../copy/apps.ts';
import { instanceKey } from '../../format/apps.ts';
import { useConsole, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import { AppCard } from './AppCard.tsx';
import css from './Apps.module.css';
import { TappedCard } from './TappedCard.tsx';

/** One card for each app, in the order of their sidecars. */
export function AppsView(): ReactElement {
  const { topology, processes } = useConsole();
  const { status, value, failure } = useResource(topology.apps);
  const { value: running } = useResource(processes.list);
  const { value: subscriptions } = useResource(topology.subscriptions);
  const { value: taps } = useResource(topology.taps);
  const tapped = taps?.items ?? [];
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{APPS.title}</h1>
        {running?.items.length === 0 && tapped.length === 0 && (
          <p className={page.muted}>{APPS.noProcesses}</p>
        )}
      </div>
      <div className={page.body}>
        <Loaded
          value={value}
          failure={status === 'failed' ? failure : undefined}
          loading={APPS.loading}
          failed={APPS.failed}
          rows={6}
          again={() => void topology.apps.refresh()}
        >
          {({ items }) =>
            items.length === 0 && tapped.length === 0 ? (
              <Empty title={APPS.none} />
            ) : (
              <div className={css.cards}>
                {items.map((app) => (
                  <AppCard
                    key={instanceKey(app)}
                    app={app}
                    process={running?.items.find(({ appId }) => appId === app.appId)}
                    subscriptions={subscriptions?.items.filter(({ appId }) => appId === app.appId) ?? []}
                  />
                ))}
                {tapped.map((tap) => (
                  <TappedCard key={tap.appId} tap={tap} />
                ))}
              </div>
            )
          }
        </Loaded>
      </div>
    </div>
  );
}
