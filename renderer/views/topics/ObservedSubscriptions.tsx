/** Subscriptions of observed apps: their own sidecars serve them, and nothing here delivers to them. */
import type { ReactElement } from 'react';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/States.tsx';
import { ObservedMark } from '../../components/ObservedMark.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { SUBSCRIPTIONS } from '../../copy/topics.ts';
import { useConsole, useResource } from '../../state/context.ts';
import page from '../page.module.css';

/** A box below the grid; nothing if no tap knows a subscription and Sidelight has apps of its own. */
export function ObservedSubscriptions({ isAlone }: { readonly isAlone: boolean }): ReactElement | null {
  const { topology } = useConsole();
  const { value } = useResource(topology.taps);
  const rows = (value?.items ?? []).flatMap(({ appId, subscriptions }) =>
    subscriptions.map((one) => ({ appId, ...one })),
  );
  if (rows.length === 0) return isAlone ? <Empty title={SUBSCRIPTIONS.noneObserved} /> : null;
  const { columns } = SUBSCRIPTIONS;
  return (
    <section aria-label={SUBSCRIPTIONS.observed} className={page.box}>
      <h2>{SUBSCRIPTIONS.observed}</h2>
      <p className={page.muted}>{SUBSCRIPTIONS.observedHint}</p>
      <DataTable
        label={SUBSCRIPTIONS.observed}
        folded={[1, 4]}
        columns={[
          columns.app,
          columns.component,
          columns.topic,
          SUBSCRIPTIONS.observedRoutes,
          columns.deadLetter,
        ]}
        rows={rows.map(({ appId, pubsubname, topic, routes, deadLetterTopic, unserved }) => ({
          id: `${appId} ${pubsubname} ${topic}`,
          cells: [
            <span key="app" className={page.line}>
              {appId} <ObservedMark tap={appId} />
            </span>,
            pubsubname,
            <span key="topic">
              <strong>
                <bdi>{topic}</bdi>
              </strong>
              {unserved === true && ` · ${SUBSCRIPTIONS.unserved}`}
            </span>,
            <code key="routes">{routes.join(', ')}</code>,
            deadLetterTopic ?? VIEWS_COMMON.dash,
          ],
        }))}
      />
    </section>
  );
}
