/** Progress of replaying many messages, with a button that stops it; failures stay until they are closed. */
import { CircleAlert, RotateCw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { JobReport } from '../../core/contract/recording.ts';
import { Button } from '../components/Button.tsx';
import { DataTable } from '../components/DataTable.tsx';
import { Overlay } from '../components/Overlay.tsx';
import { ACT_WHY } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { JOB } from '../copy/jobs.ts';
import { addressPart } from '../../core/contract/address-part.ts';
import { count } from '../format/quantity.ts';
import { useAway, useConsole } from '../state/context.ts';
import { failuresOf } from '../state/jobs.ts';
import { useSelected } from '../state/store.ts';
import css from './JobStrip.module.css';

/** One strip per job. */
export function JobStrips(): ReactElement {
  const { jobs } = useConsole();
  const shown = useSelected(jobs.store, (state) => state.jobs);
  return (
    <>
      {shown.map((job) => (
        <Strip key={job.jobId} job={job} />
      ))}
    </>
  );
}

function Strip({ job }: { readonly job: JobReport }): ReactElement {
  const { jobs } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [asks, setAsks] = useState(false);
  const failed = failuresOf(job);
  const said = job.running
    ? fill(JOB.running, { done: count(job.done), n: count(job.count) })
    : fill(JOB.result, { done: count(job.done), failed: count(failed) });
  const Icon = failed > 0 ? CircleAlert : RotateCw;
  return (
    <section aria-label={JOB.label} className={css.strip} data-strip>
      <Icon aria-hidden size={14} />
      <span
        role={job.running ? 'progressbar' : 'status'}
        {...(job.running
          ? {
              'aria-label': said,
              'aria-valuemin': 0,
              'aria-valuemax': job.count,
              'aria-valuenow': job.done + failed,
            }
          : {})}
      >
        {said}
      </span>
      {job.running && <progress aria-hidden max={job.count} value={job.done + failed} className={css.bar} />}
      {failed > 0 && job.running && <span>{fill(JOB.failures, { n: count(failed) })}</span>}
      {failed > 0 && <Button onClick={() => setAsks(true)}>{JOB.reasons}</Button>}
      {job.running ? (
        <Button off={away} onClick={() => void jobs.stop(job.jobId)}>
          {JOB.stop}
        </Button>
      ) : (
        <Button onClick={() => jobs.close(job.jobId)}>{JOB.done}</Button>
      )}
      {asks && <Reasons job={job} onClose={() => setAsks(false)} />}
    </section>
  );
}

/** Address of a message that was not replayed: in its recording, or in the live history. */
function addressOf({ recordingId }: JobReport, messageId: string): string {
  const message = addressPart(messageId);
  return recordingId === undefined
    ? `/messages?m=${message}`
    : `/recordings?r=${addressPart(recordingId)}&m=${message}`;
}

function Reasons({ job, onClose }: { readonly job: JobReport; readonly onClose: () => void }): ReactElement {
  const more = failuresOf(job) - job.failed.length;
  return (
    <Overlay title={JOB.failedTitle} wide onClose={onClose}>
      <DataTable
        dense
        label={JOB.failedTitle}
        columns={[JOB.message, JOB.reason]}
        rows={job.failed.map(({ messageId, reason }, index) => ({
          id: `${messageId} ${index}`,
          cells: [
            messageId === '' ? (
              ''
            ) : (
              <Link key="message" href={addressOf(job, messageId)} onClick={onClose}>
                <code>{messageId}</code>
              </Link>
            ),
            reason,
          ],
        }))}
      />
      {more > 0 && <p>{fill(JOB.more, { n: count(more) })}</p>}
    </Overlay>
  );
}
