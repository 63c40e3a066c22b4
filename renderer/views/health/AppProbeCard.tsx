/** How an app answers the probe of the setting `app.health`. */
import { Check, CircleCheck, Minus, TriangleAlert, X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { AppProbe } from '../../../core/contract/subscription.ts';
import { theApp } from '../../../core/contract/app-text.ts';
import { fill } from '../../copy/fill.ts';
import { HEALTH } from '../../copy/health.ts';
import { lastProbe } from '../../format/apps.ts';
import { clockSeconds, utcTime } from '../../format/clock-time.ts';
import page from '../page.module.css';
import css from './Health.module.css';

export interface AppProbeCardProps {
  readonly appId: string;
  readonly probe: AppProbe;
}

/** A card beside those of the sidecar's own probes. */
export function AppProbeCard({ appId, probe }: AppProbeCardProps): ReactElement {
  const { path, healthy, failures, threshold, at } = probe;
  const Icon = healthy ? CircleCheck : TriangleAlert;
  const Mark = at === undefined ? Minus : failures === 0 ? Check : X;
  return (
    <section
      aria-label={fill(HEALTH.appProbeOf, { app: theApp(appId) })}
      className={css.probe}
      data-healthy={healthy || undefined}
    >
      <h3 className={css.path}>{fill(HEALTH.appProbe, { app: appId, path })}</h3>
      <p className={css.verdict}>
        <Icon aria-hidden size={16} />
        {healthy ? HEALTH.healthy : HEALTH.notHealthyWaits}
      </p>
      <p className={css.part} data-bad={failures > 0 ? '' : undefined}>
        <Mark aria-hidden size={14} className={css.mark} />
        {lastProbe(probe)}
      </p>
      <p className={page.muted}>{fill(HEALTH.afterFailures, { n: threshold })}</p>
      {at !== undefined && (
        <span className={page.muted} title={utcTime(at)}>
          {fill(HEALTH.probedAt, { time: clockSeconds(at) })}
        </span>
      )}
    </section>
  );
}
