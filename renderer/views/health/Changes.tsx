/** Changes of the probes' answers, with reasons. */
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import type { HealthReport } from '../../../core/contract/console.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { fill } from '../../copy/fill.ts';
import { HEALTH } from '../../copy/health.ts';
import { clockSeconds, utcTime } from '../../format/clock-time.ts';
import page from '../page.module.css';

export interface ChangesProps {
  readonly report: HealthReport;
  readonly isNamed: boolean;
}

/** The last fifty, newest first. */
export function Changes({ report, isNamed }: ChangesProps): ReactElement {
  const title = isNamed ? fill(HEALTH.changesOf, { app: report.appId }) : HEALTH.changes;
  const { changeColumns: columns } = HEALTH;
  const rows = report.changes.map(({ at, probe, healthy, reason }, index) => {
    const Icon = healthy ? CircleCheck : TriangleAlert;
    return {
      id: `${at} ${probe} ${report.changes.length - index}`,
      isBad: !healthy,
      cells: [
        <time key="at" dateTime={at} title={utcTime(at)}>
          {clockSeconds(at)}
        </time>,
        <code key="probe">{probe === 'healthz' ? HEALTH.healthz : HEALTH.outbound}</code>,
        <span key="answer" className={page.line}>
          <Icon aria-hidden size={12} /> {healthy ? HEALTH.healthy : HEALTH.notHealthy}
        </span>,
        reason,
      ],
    };
  });
  return (
    <section aria-label={title} className={page.stack}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className={page.muted}>{HEALTH.noChanges}</p>
      ) : (
        <DataTable
          dense
          label={title}
          whole={[0, 1, 2]}
          columns={[columns.at, columns.probe, columns.answer, columns.reason]}
          rows={rows}
        />
      )}
    </section>
  );
}
