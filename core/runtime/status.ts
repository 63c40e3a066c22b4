/** The numbers of the console's frame. */
import type { MetricsReport, RuntimeChanged } from '../contract/console.ts';
import { heldCount } from './held-queue.ts';
import type { Parts } from './parts.ts';
import { iso } from './time.ts';

/** @param kept messages in the journal; @param waiting calls that wait for a person's answer */
export function statusOf(parts: Parts, kept: number, waiting: number): RuntimeChanged {
  const { metrics, settings } = parts.shared;
  const counts = metrics.counts();
  const { atPublish, answers } = heldCount(parts.shared);
  return {
    rates: metrics.rates(),
    counts,
    kept,
    limit: settings.current['storage.maxMessages'],
    health: parts.apps.map((app) => {
      const { healthz, outbound } = parts.health.report(app);
      return { appId: app.appId, healthy: healthz.healthy, outbound: outbound.healthy, channel: app.reached };
    }),
    holds: counts.held + atPublish + answers,
    waiting,
  };
}

/** Counters and rates, by topic too. */
export function metricsOf(parts: Parts, rangeSeconds?: number): MetricsReport {
  const { topology } = parts;
  const { metrics, clock } = parts.shared;
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
