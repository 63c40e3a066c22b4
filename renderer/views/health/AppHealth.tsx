/** Health of one app's sidecar: both probes with the parts that decide, and the switch that makes them fail. */
import { TriangleAlert } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { HealthReport } from '../../../core/contract/console.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button } from '../../components/Button.tsx';
import { Checkbox } from '../../components/Fields.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HEALTH } from '../../copy/health.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import page from '../page.module.css';
import { AppProbeCard } from './AppProbeCard.tsx';
import { Changes } from './Changes.tsx';
import css from './Health.module.css';
import { ProbeCard } from './ProbeCard.tsx';

export interface AppHealthProps {
  readonly app: AppRow;
  /** True if several apps are shown, so that each has its name. */
  readonly isNamed: boolean;
}

/** Two cards and a switch. */
export function AppHealth({ app, isNamed }: AppHealthProps): ReactElement {
  const { health } = useConsole();
  const report = health.of(app.appId);
  const { status, value, failure } = useResource(report);
  return (
    <section className={page.stack} aria-label={isNamed ? app.appId : HEALTH.health}>
      <div className={css.appHead}>
        <h2>{isNamed ? <bdi>{app.appId}</bdi> : HEALTH.probes}</h2>
        {value !== undefined && <Simulation report={value} isNamed={isNamed} />}
      </div>
      {status === 'failed' && (
        <Failed
          text={fill(HEALTH.failed, { message: whyNotRead(failure) })}
          again={() => void report.refresh()}
        />
      )}
      {value === undefined && status !== 'failed' && <Loading text={HEALTH.loading} rows={3} />}
      {value !== undefined && (
        <>
          <div className={css.probes}>
            <ProbeCard app={app} isNamed={isNamed} name="healthz" probe={value.healthz} />
            <ProbeCard app={app} isNamed={isNamed} name="outbound" probe={value.outbound} />
            {app.appHealth !== undefined && <AppProbeCard appId={app.appId} probe={app.appHealth} />}
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
  // The requested value is shown until the answer arrives.
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
      <Checkbox
        isSwitch
        label={isNamed ? fill(HEALTH.simulateOf, { app: appId }) : HEALTH.simulate}
        checked={isOn}
        off={away}
        onChange={(on) => void simulate(on)}
      />
      <div role="status">
        {simulated !== null && (
          <div className={css.simulated}>
            <TriangleAlert aria-hidden size={16} />
            <p>{simulated ? HEALTH.simulatedHealthy : HEALTH.simulated}</p>
            <Button
              off={away}
              onClick={(event) => {
                // The button disappears with the banner, so the switch with the same effect gets the focus.
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
