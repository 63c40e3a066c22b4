/** Requests that the embedded router refused, each with its reason. */
import type { ReactElement } from 'react';
import type { RouterRefusal } from '../../../core/contract/event-router/local-router-status.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { FAULTS, REFUSED } from './copy/local-router.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import css from './EventRouter.module.css';
import { Panel } from './Panel.tsx';

/** A table, newest first. */
export function RefusedPanel({ refusals }: { readonly refusals: readonly RouterRefusal[] }): ReactElement {
  const { columns } = REFUSED;
  return (
    <Panel title={REFUSED.title}>
      {refusals.length === 0 ? (
        <p className={css.muted}>{REFUSED.none}</p>
      ) : (
        <>
          <p className={css.muted}>{REFUSED.hint}</p>
          <DataTable
            dense
            label={REFUSED.title}
            columns={[
              columns.time,
              columns.at,
              columns.request,
              columns.status,
              columns.code,
              columns.reason,
            ]}
            whole={[0, 1]}
            rows={refusals.map((one, index) => ({
              id: `${one.time} ${index}`,
              isBad: true,
              cells: [
                <time key="time" dateTime={one.time} title={utcTime(one.time)}>
                  {clockTime(one.time)}
                </time>,
                FAULTS.targets[one.at],
                <bdi key="request" className={css.value}>
                  {one.method === undefined ? REFUSED.unread : `${one.method} ${one.path ?? ''}`}
                </bdi>,
                one.status ?? REFUSED.closed,
                <code key="code">{one.code}</code>,
                <bdi key="reason">{one.reason}</bdi>,
              ],
            }))}
          />
        </>
      )}
    </Panel>
  );
}
