/** Health of one app's sidecar: both probes with the parts that decide, and the switch that makes them fail. */
import { Check, CircleCheck, Minus, TriangleAlert, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { HealthProbe, HealthReport } from '../../../core/contract/console.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import { Button } from '../../components/Button.tsx';
import { Tick } from '../../components/Fields.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HEALTH } from '../../copy/health.ts';
import { shellQuote } from '../../format/curl.ts';
import { clockSeconds, utcTime } from '../../format/quantity.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import page from '../page.module.css';
import { AppProbeCard } from './AppProbeCard.tsx';
import { Changes } from './Changes.tsx';
import css from './Health.module.css';

export interface AppHealthProps {
  readonly app: AppRow;
  /** Several apps are shown: each says which it is. */
  readonly isNamed: boolean;
}

/** Two cards and a switch. */
export function AppHealth({ app, isNamed }: AppHealthProps): ReactElement {
  const { health } = useConsole();
  const report = health.of(app.appId);
  const { status, value, failure } = useResource(report);
  return (
    <section className={page.stack} aria-label={isNamed ? app.appId : HEALTH.health}>
      {isNamed && (
        <h2>
          <bdi>{app.appId}</bdi>
        </h2>
      )}
      {status === 'failed' && (
        <Failed
          text={fill(HEALTH.failed, { message: failure?.message.replace(/\.$/, '') })}
          again={() => void report.refresh()}
        />
      )}
      {value === undefined && status !== 'failed' && <Loading text={HEALTH.loading} rows={3} />}
      {value !== undefined && (
        <>
          <Simulation report={value} isNamed={isNamed} />
          <div className={css.probes}>
            <Probe app={app} isNamed={isNamed} path={HEALTH.healthz} probe={value.healthz} />
            <Probe app={app} isNamed={isNamed} path={HEALTH.outbound} probe={value.outbound} />
            {app.appHealth !== undefined && (
              <AppProbeCard appId={app.appId} probe={app.appHealth} heading={isNamed ? 'h3' : 'h2'} />
            )}
          </div>
          <Changes report={value} isNamed={isNamed} />
        </>
      )}
    </section>
  );
}

interface SimulationProps {
  readonly report: HealthReport;
  readonly isNamed: boolean;
}

function Simulation({ report, isNamed }: SimulationProps): ReactElement {
  const { call, health, toasts } = useConsole();
  const away = useAway(ACT_WHY.away);
  // What was asked for stands until the answer is there.
  const [asked, setAsked] = useState<boolean>();
  const { appId, simulated } = report;
  const isOn = asked ?? simulated === false;

  async function simulate(on: boolean): Promise<void> {
    setAsked(on);
    try {
      health.of(appId).accept(await call('health.simulate', { appId, healthy: on ? false : null }));
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    } finally {
      setAsked(undefined);
    }
  }

  return (
    <div className={css.simulation}>
      <Tick
        isSwitch
        label={isNamed ? fill(HEALTH.simulateOf, { app: appId }) : HEALTH.simulate}
        checked={isOn}
        onChange={(on) => {
          if (away === undefined) void simulate(on);
          else toasts.failed(away);
        }}
      />
      <div role="status">
        {simulated !== null && (
          <div className={css.simulated}>
            <TriangleAlert aria-hidden size={16} />
            <p>{simulated ? HEALTH.simulatedHealthy : HEALTH.simulated}</p>
            <Button
              off={away}
              onClick={(event) => {
                // The button goes with the banner; the focus goes to the switch that says the same.
                event.currentTarget
                  .closest('section')
                  ?.querySelector<HTMLElement>('[role="switch"]')
                  ?.focus();
                void simulate(false);
              }}
            >
              {HEALTH.stopSimulating}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

interface ProbeProps extends AppHealthProps {
  readonly path: string;
  readonly probe: HealthProbe;
}

function Probe({ app, isNamed, path, probe }: ProbeProps): ReactElement {
  const { acting, health } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [calling, setCalling] = useState(false);
  const [said, setSaid] = useState('');
  const Icon = probe.healthy ? CircleCheck : TriangleAlert;
  const Heading = isNamed ? 'h3' : 'h2';

  async function callNow(): Promise<void> {
    setCalling(true);
    const report = health.of(app.appId);
    await report.refresh();
    setCalling(false);
    const { status, value } = report.store.getState();
    const answer = path === HEALTH.healthz ? value?.healthz : value?.outbound;
    // A refusal stands above the cards.
    if (status === 'ready')
      setSaid(fill(HEALTH.called, { time: clockSeconds(new Date().toISOString()), status: answer?.status }));
  }

  return (
    <section
      aria-label={isNamed ? fill(HEALTH.probeOf, { path, app: app.appId }) : path}
      className={css.probe}
      data-healthy={probe.healthy || undefined}
    >
      <Heading className={css.path}>{fill(HEALTH.get, { path })}</Heading>
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
        <Button onClick={() => void acting.copy(`curl -i ${shellQuote(`${app.sidecar}${path}`)}`)}>
          {HEALTH.copyCurl}
        </Button>
        <span role="status" className={page.muted}>
          {said}
        </span>
      </div>
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
