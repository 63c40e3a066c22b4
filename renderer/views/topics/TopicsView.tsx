/** The Topics screen: the targets of publishes, and their receivers. */
import type { ReactElement } from 'react';
import { TabBar } from '../../components/TabBar.tsx';
import { GRAPH } from '../../copy/graph.ts';
import { TOPICS } from '../../copy/topics.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import { GraphTab } from './GraphTab.tsx';
import { SubscriptionsTab } from './SubscriptionsTab.tsx';
import { TopicsTab } from './TopicsTab.tsx';

/** Three tabs. */
export function TopicsView(): ReactElement {
  const { navigation, topology } = useConsole();
  const asked = useParam('t');
  const tab = asked === 'subscriptions' || asked === 'graph' ? asked : 'topics';
  const { value: topics } = useResource(topology.topics);
  const { value: subscriptions } = useResource(topology.subscriptions);
  const { value: taps } = useResource(topology.taps);
  const observed = (taps?.items ?? []).reduce((sum, tap) => sum + tap.subscriptions.length, 0);
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{TOPICS.title}</h1>
      </div>
      <TabBar
        label={TOPICS.tabs}
        value={tab}
        onChange={(t) => navigation.change({ t: t === 'topics' ? undefined : t, n: undefined, v: undefined })}
        tabs={[
          {
            id: 'topics',
            title: TOPICS.topics,
            amount: topics?.items.length,
            panel: () => <TopicsTab />,
          },
          {
            id: 'subscriptions',
            title: TOPICS.subscriptions,
            amount: subscriptions && subscriptions.items.length + observed,
            panel: () => <SubscriptionsTab />,
          },
          { id: 'graph', title: GRAPH.title, panel: () => <GraphTab /> },
        ]}
      />
    </div>
  );
}
