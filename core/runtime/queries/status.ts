/** The numbers of the console's frame. */
import type { MetricsReport, RuntimeChanged } from '../../contract/console.ts';
import { heldCount } from './held-queue.ts';
import type { Parts } from '../services.ts';
import { iso } from '../time/time.ts';

/** What the journal holds: messages, and bytes. */
export interface KeptNow {
  readonly kept: number;
  readonly keptBytes: number;
}

/** @param waiting calls that wait for a person's answer */
export function statusOf(deps: Parts, { kept, keptBytes }: KeptNow, waiting: number): RuntimeChanged {
  const { metrics, settings } = deps.shared;
  const counts = metrics.counts();
  const { atPublish, answers, forApp } = heldCount(deps.shared);
  return {
    rates: metrics.rates(),
    counts,
    kept,
    keptBytes,
    limit: settings.current['storage.maxMessages'],
    health: deps.apps.map((app) => {
      const { healthz, outbound } = deps.health.report(app);
      return { appId: app.appId, healthy: healthz.healthy, outbound: outbound.healthy, channel: app.reached };
    }),
    holds: counts.held + atPublish + answers,
    waiting,
    ...(forApp === 0 ? {} : { forApp }),
  };
}

/** Counters and rates, by topic too. */
export function metricsOf(deps: Parts, rangeSeconds?: number): MetricsReport {
  const { topology } = deps;
  const { metrics, clock } = deps.shared;
  return {
    at: iso(clock.now()),
    published: metrics.published,
    attempts: metrics.attempts,
    rates: metrics.rates(),
    counts: metrics.counts(),
    topics: topology.topics(),
    ...(rangeSeconds === undefined ? {} : { history: metrics.history(rangeSeconds) }),
  };
}
