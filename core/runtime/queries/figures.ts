/** Counters for the console: deliveries by state, rates, topics, and the numbers of its frame. */
import type { Counts, MetricsReport, RuntimeChanged } from '../../contract/console.ts';
import { heldCount } from './held-queue.ts';
import type { SharedServices } from '../common-services.ts';
import type { Apps } from '../state/apps.ts';
import { healthOf } from './health.ts';
import type { Health } from './health.ts';
import type { Topology } from './topology.ts';
import { iso } from '../time/time.ts';

/** Number of messages and bytes in the journal. */
export interface KeptNow {
  readonly kept: number;
  readonly keptBytes: number;
}

export interface FigureDependencies {
  readonly apps: Apps;
  readonly health: Health;
  readonly topology: Topology;
  /** Calls that wait for a person's answer. */
  readonly waiting: () => number;
}

export class Figures {
  readonly #shared: SharedServices;
  readonly #deps: FigureDependencies;

  constructor(shared: SharedServices, deps: FigureDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /** Deliveries by state. */
  counts(): Counts {
    return this.#shared.metrics.counts();
  }

  /** The numbers of the console's frame. */
  status({ kept, keptBytes }: KeptNow): RuntimeChanged {
    const { metrics, settings } = this.#shared;
    const { apps, health, waiting } = this.#deps;
    const counts = metrics.counts();
    const { atPublish, answers, forApp, queuedForApp } = heldCount(this.#shared);
    return {
      rates: metrics.rates(),
      counts,
      kept,
      keptBytes,
      limit: settings.current['storage.maxMessages'],
      health: apps.all.map((app) => {
        const report = health.report(app);
        return {
          appId: app.appId,
          ...healthOf(report),
          outbound: report.outbound.healthy,
          channel: app.reached,
        };
      }),
      holds: counts.held + atPublish + answers,
      waiting: waiting(),
      ...(forApp === 0 ? {} : { forApp }),
      ...(queuedForApp === 0 ? {} : { queuedForApp }),
      ...(metrics.unpublished === 0 ? {} : { unpublished: metrics.unpublished }),
      ...(metrics.droppedEarly === 0 ? {} : { droppedEarly: metrics.droppedEarly }),
    };
  }

  /** Counters and rates, also by topic; with a range the history of that many last seconds, at most an hour. */
  metrics(rangeSeconds?: number): MetricsReport {
    const { metrics, clock } = this.#shared;
    return {
      at: iso(clock.now()),
      published: metrics.published,
      attempts: metrics.attempts,
      rates: metrics.rates(),
      counts: metrics.counts(),
      topics: this.#deps.topology.topics(),
      ...(rangeSeconds === undefined ? {} : { history: metrics.history(rangeSeconds) }),
    };
  }
}
