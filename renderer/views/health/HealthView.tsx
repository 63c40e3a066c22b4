/** The Health screen: both probes with the parts that decide, the apps, and the counters. */
import type { ReactElement } from 'react';
import { TabBar } from '../../components/TabBar.tsx';
import { HEALTH } from '../../copy/health.ts';
import { useConsole, useParam } from '../../state/context.ts';
import page from '../page.module.css';
import { HealthTab } from './HealthTab.tsx';
import { MetricsTab } from './MetricsTab.tsx';

/** Two tabs. */
export function HealthView(): ReactElement {
  const { navigation } = useConsole();
  const tab = useParam('t') === 'metrics' ? 'metrics' : 'health';
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{HEALTH.title}</h1>
      </div>
      <TabBar
        label={HEALTH.tabs}
        value={tab}
        onChange={(t) => navigation.change({ t: t === 'health' ? undefined : t })}
        tabs={[
          { id: 'health', title: HEALTH.health, panel: () => <HealthTab /> },
          { id: 'metrics', title: HEALTH.metrics, panel: () => <MetricsTab /> },
        ]}
      />
    </div>
  );
}
