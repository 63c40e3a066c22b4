/** Health that a person simulates. */
import type { HealthReport } from '../../contract/reports.ts';
import type { SharedServices } from '../common-services.ts';
import type { Health } from '../queries/health.ts';
import type { App } from '../state/app.ts';

export class SimulatedHealth {
  readonly #shared: SharedServices;
  readonly #health: Health;
  readonly #appOf: (appId: string | undefined) => App;

  constructor(shared: SharedServices, health: Health, appOf: (appId: string | undefined) => App) {
    this.#shared = shared;
    this.#health = health;
    this.#appOf = appOf;
  }

  /**
   * Makes both probes of the app (without an id: of the first one) answer this; null: they answer the real state. Throws Refusal NOT_FOUND.
   */
  health(appId: string | undefined, healthy: boolean | null): HealthReport {
    const app = this.#appOf(appId);
    app.simulateHealth(healthy);
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
    return this.#health.report(app);
  }
}
