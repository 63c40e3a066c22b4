/** The two probes of the chosen app's sidecar. */
import { Check, CircleCheck, Minus, TriangleAlert, X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { HealthProbe } from '../../../core/contract/console.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Tick } from '../../components/Fields.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { HEALTH } from '../../copy/health.ts';
import { shellQuote } from '../../format/curl.ts';
import { clockSeconds } from '../../format/quantity.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { discoveryWords } from '../topics/SubscriptionsTab.tsx';
import css from './Health.module.css';

/** Probes, simulation, apps, and what runs here. */
export function HealthTab(): ReactElement {
  const { call, health, toasts } = useConsole();
  const { status, value, failure } = useResource(health.report);
  if (value === undefined) {
    if (status !== 'failed') return <Loading text={HEALTH.loading} />;
    return (
      <Failed
        text={fill(HEALTH.failed, { message: failure?.message.replace(/\.$/, '') })}
        again={() => void health.report.refresh()}
      />
    );
  }
  const isSimulated = value.simulated === false;

  function simulate(on: boolean): void {
    call('health.simulate', { appId: value?.appId ?? '', healthy: on ? false : null }).then(
      health.report.accept,
      (reason: unknown) => toasts.failed(asFailure(reason).message),
    );
  }

  return (
    <div className={page.body}>
      <div className={page.stack}>
        <div className={css.probes}>
          <Probe path={HEALTH.healthz} probe={value.healthz} appId={value.appId} />
          <Probe path={HEALTH.outbound} probe={value.outbound} appId={value.appId} />
        </div>
        <div className={page.bar}>
          <Tick isSwitch label={HEALTH.simulate} checked={isSimulated} onChange={simulate} />
          <span role="status" className={page.problem}>
            {isSimulated ? HEALTH.simulated : ''}
          </span>
        </div>
        <Apps />
        <About />
      </div>
    </div>
  );
}

interface ProbeProps {
  readonly path: string;
  readonly probe: HealthProbe;
  readonly appId: string;
}

function Probe({ path, probe, appId }: ProbeProps): ReactElement {
  const { acting, health, topology } = useConsole();
  const { value: apps } = useResource(topology.apps);
  const sidecar = apps?.items.find((app) => app.appId === appId)?.sidecar ?? '';
  const Icon = probe.healthy ? CircleCheck : TriangleAlert;
  return (
    <section aria-label={path} className={css.probe} data-healthy={probe.healthy || undefined}>
      <h2 className={css.path}>{fill(HEALTH.get, { path })}</h2>
      <p className={css.verdict}>
        <Icon aria-hidden size={16} />
        {probe.healthy ? HEALTH.healthy : HEALTH.notHealthy} · {probe.status}
      </p>
      <ul className={css.parts}>
        {probe.parts.map((part) => {
          const Mark = part.counts ? (part.ok ? Check : X) : Minus;
          const word = part.counts ? (part.ok ? HEALTH.partOk : HEALTH.partBad) : HEALTH.notCounted;
          return (
            <li key={part.name} data-bad={part.counts && !part.ok ? '' : undefined} className={css.part}>
              <Mark aria-hidden size={14} />
              <span>
                {part.name}: {part.detail === '' ? word : part.detail}
                <span className="visually-hidden"> ({word})</span>
              </span>
            </li>
          );
        })}
      </ul>
      <div className={page.bar}>
        <span className={page.muted}>{fill(HEALTH.since, { time: clockSeconds(probe.since) })}</span>
        <Button onClick={() => void health.report.refresh()}>{HEALTH.callNow}</Button>
        <Button onClick={() => void acting.copy(`curl -i ${shellQuote(`${sidecar}${path}`)}`)}>
          {HEALTH.copyCurl}
        </Button>
      </div>
    </section>
  );
}

function Apps(): ReactElement {
  const { topology } = useConsole();
  const { value } = useResource(topology.apps);
  const { columns } = HEALTH;
  return (
    <section className={page.stack} aria-label={HEALTH.apps}>
      <h2>{HEALTH.apps}</h2>
      <DataTable
        label={HEALTH.appTable}
        columns={[columns.app, columns.sidecar, columns.address, columns.channel, columns.discovery]}
        rows={(value?.items ?? []).map((app) => ({
          id: app.appId,
          cells: [
            <strong key="app">{app.appId}</strong>,
            <code key="sidecar">{app.sidecar}</code>,
            <code key="address">{app.app}</code>,
            HEALTH.channels[app.channel],
            discoveryWords(app.discovery),
          ],
        }))}
      />
    </section>
  );
}

function About(): ReactElement | null {
  const { connection } = useConsole();
  const system = useSelected(connection, (state) => state.system);
  if (system === undefined) return null;
  const facts = [
    [HEALTH.version, system.version],
    [HEALTH.profile, system.profile],
    [HEALTH.data, system.dataDir ?? HEALTH.notKept],
  ] as const;
  return (
    <section className={page.stack} aria-label={HEALTH.about}>
      <h2>{HEALTH.about}</h2>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
