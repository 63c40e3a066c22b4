/** Everything the mock app was asked, newest first. */
import type { ReactElement } from 'react';
import type { MockRequest } from '../../../core/contract/mock-app.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/States.tsx';
import { REQUESTS } from '../../copy/mock-app.ts';
import { clockTime, duration } from '../../format/quantity.ts';
import css from './MockApp.module.css';

const SHOWN = 200;

/** A table of the last requests. */
export function RequestsTab({ requests }: { readonly requests: readonly MockRequest[] }): ReactElement {
  if (requests.length === 0) return <Empty title={REQUESTS.none} />;
  const newest = requests.slice(-SHOWN).toReversed();
  return (
    <div className={css.tab}>
      <DataTable
        dense
        label={REQUESTS.table}
        numeric={[7]}
        whole={[0, 1]}
        columns={[
          REQUESTS.at,
          REQUESTS.kind,
          REQUESTS.method,
          REQUESTS.path,
          REQUESTS.topic,
          REQUESTS.event,
          REQUESTS.status,
          REQUESTS.took,
          REQUESTS.by,
        ]}
        rows={newest.map((request, index) => ({
          id: `${request.at} ${requests.length - index}`,
          cells: [
            <code key="at">{clockTime(request.at)}</code>,
            REQUESTS.kinds[request.kind],
            request.method,
            <code key="path">{request.path}</code>,
            request.topic ?? '',
            <code key="event">{request.eventId ?? ''}</code>,
            request.status ?? '',
            request.durationMs === undefined ? '' : duration(request.durationMs),
            request.answeredBy?.name ?? request.note ?? '',
          ],
        }))}
      />
    </div>
  );
}
