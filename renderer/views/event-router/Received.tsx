/** Requests that reached the webhook, with their messages. */
import type { ReactElement } from 'react';
import type { EventRouterComponent, InputReport } from '../../../core/contract/event-router/components.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { INPUT } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import { count, duration, size } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Panel } from './Panel.tsx';

/** Counts, and the last requests. */
export function Received({
  component,
  input,
}: {
  readonly component: EventRouterComponent;
  readonly input: InputReport;
}): ReactElement {
  const { acting, navigation } = useConsole();
  const { columns } = INPUT;
  const { counts, received } = input;
  return (
    <Panel
      title={fill(INPUT.received, { n: count(counts.accepted + counts.refused + counts.unauthorized) })}
      acts={
        <Button
          onClick={() => navigation.go('/messages', { f: `origin:binding pubsub:"${component.name}"` })}
        >
          {INPUT.allMessages}
        </Button>
      }
    >
      <p className={css.muted}>
        {fill(INPUT.receivedCounts, {
          accepted: count(counts.accepted),
          refused: count(counts.refused),
          unauthorized: count(counts.unauthorized),
        })}
      </p>
      {received.length === 0 ? (
        <p className={css.muted}>{INPUT.nothingReceived}</p>
      ) : (
        <DataTable
          dense
          label={INPUT.receivedTable}
          columns={[
            columns.time,
            columns.events,
            columns.status,
            columns.try,
            columns.size,
            columns.took,
            columns.reason,
            columns.message,
          ]}
          whole={[0, 1, 4, 5, 7]}
          folded={[1, 3, 4, 5]}
          rows={received.map((row, index) => {
            const { messageId } = row;
            return {
              id: `${row.at} ${index}`,
              isBad: row.status !== 200,
              cells: [
                <time key="at" dateTime={row.at} title={utcTime(row.at)}>
                  {clockTime(row.at)}
                </time>,
                <bdi key="ids" className={css.value}>
                  {row.eventIds.length === 0 ? VIEWS_COMMON.dash : row.eventIds.join(', ')}
                </bdi>,
                row.status,
                row.deliveryCount === undefined ? VIEWS_COMMON.dash : row.deliveryCount + 1,
                size(row.sizeBytes),
                duration(row.durationMs),
                row.reason ?? VIEWS_COMMON.dash,
                messageId === undefined ? (
                  VIEWS_COMMON.dash
                ) : (
                  <Button key="show" kind="quiet" onClick={() => acting.show(messageId)}>
                    {INPUT.show1}
                  </Button>
                ),
              ],
            };
          })}
        />
      )}
    </Panel>
  );
}
