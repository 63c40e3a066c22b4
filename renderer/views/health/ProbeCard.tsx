/** One probe of a sidecar: its answer, the parts that decide, and the raw answer to a call by the user. */
import { Check, CircleCheck, Minus, TriangleAlert, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { HealthChange, HealthProbe, ProbeAnswer } from '../../../core/contract/reports.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import { Button } from '../../components/Button.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HEALTH } from '../../copy/health.ts';
import { statusLine } from '../../copy/http-status.ts';
import { bodyOfText } from '../../format/body.ts';
import { shellQuote } from '../../../core/contract/shell-quote.ts';
import { clockSeconds, utcTime } from '../../format/clock-time.ts';
import { duration } from '../../format/quantity.ts';
import { DataViewer } from '../../components/DataViewer.tsx';
import { HeaderList } from '../../components/HeaderList.tsx';
import { useAway, useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import page from '../page.module.css';
import css from './Health.module.css';

export interface ProbeCardProps {
  readonly app: AppRow;
  /** True if several apps are shown, so that each has its name. */
  readonly isNamed: boolean;
  readonly name: HealthChange['probe'];
  readonly probe: HealthProbe;
}

/** The card. */
export function ProbeCard({ app, isNamed, name, probe }: ProbeCardProps): ReactElement {
  const { acting, call, health } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [calling, setCalling] = useState(false);
  const [answer, setAnswer] = useState<ProbeAnswer | string>();
  const path = HEALTH[name];
  const Icon = probe.healthy ? CircleCheck : TriangleAlert;

  async function callNow(): Promise<void> {
    setCalling(true);
    try {
      setAnswer(await call('health.call', { appId: app.appId, probe: name }));
      // The card is loaded again, so that it is not older than the answer below it.
      await health.of(app.appId).refresh();
    } catch (reason) {
      setAnswer(asFailure(reason).message);
    }
    setCalling(false);
  }

  return (
    <section
      aria-label={isNamed ? fill(HEALTH.probeOf, { path, app: app.appId }) : path}
      className={css.probe}
      data-healthy={probe.healthy || undefined}
    >
      <h3 className={css.path}>{fill(HEALTH.get, { path })}</h3>
      <p className={css.verdict}>
        <Icon aria-hidden size={16} />
        {fill(HEALTH.verdict, {
          word: probe.healthy ? HEALTH.healthy : HEALTH.notHealthy,
          status: probe.status,
        })}
      </p>
      <ul className={css.parts}>
        {probe.parts.map((part) => (
          <Part key={part.name} part={part} />
        ))}
      </ul>
      <div className={page.bar}>
        <span className={page.muted} title={utcTime(probe.since)}>
          {fill(HEALTH.since, { time: clockSeconds(probe.since) })}
        </span>
        <Button off={away} pending={calling} onClick={() => void callNow()}>
          {HEALTH.callNow}
        </Button>
        <Button onClick={() => void acting.copy(`curl -gi ${shellQuote(`${app.sidecar}${path}`)}`)}>
          {HEALTH.copyCurl}
        </Button>
      </div>
      <p role="status" className={css.called}>
        {answer === undefined ? '' : typeof answer === 'string' ? answer : calledText(answer)}
      </p>
      {typeof answer === 'object' && <RawAnswer answer={answer} label={fill(HEALTH.answerOf, { path })} />}
    </section>
  );
}

function calledText({ at, status, tookMs }: ProbeAnswer): string {
  return fill(HEALTH.called, { time: clockSeconds(at), status: statusLine(status), t: duration(tookMs) });
}

/** Headers and body, unchanged. */
function RawAnswer({
  answer,
  label,
}: {
  readonly answer: ProbeAnswer;
  readonly label: string;
}): ReactElement {
  const { headers, body } = answer;
  return (
    <section aria-label={label} className={css.answer}>
      <HeaderList headers={headers} />
      <DataViewer
        key={answer.at}
        inline
        body={bodyOfText(body)}
        contentType={headers['content-type'] ?? ''}
        label={HEALTH.answerBody}
      />
    </section>
  );
}

function Part({ part }: { readonly part: HealthProbe['parts'][number] }): ReactElement {
  const { name, ok, detail, counts } = part;
  const verdict = ok ? HEALTH.partOk : HEALTH.partBad;
  const Mark = !counts ? Minus : ok ? Check : X;
  const text = counts
    ? detail === ''
      ? verdict
      : detail
    : name === HEALTH.servers
      ? fill(HEALTH.notCountedBut, { detail })
      : HEALTH.notCounted;
  return (
    <li data-bad={counts && !ok ? '' : undefined} className={css.part}>
      <Mark aria-hidden size={14} className={css.mark} />
      <span>
        {fill(HEALTH.part, { name, detail: text })}
        {counts && <span className="visually-hidden"> ({verdict})</span>}
      </span>
    </li>
  );
}
