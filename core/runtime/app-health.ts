/** App health checks: probes the app and lets calls start or not (reference 5.5; setting `app.health`). */
import type { App } from './app.ts';
import type { Shared } from './shared.ts';
import { Waits } from './waits.ts';

/** Without checks there is nothing to do; a change of the setting ends the wait. */
const IDLE_MS = 60_000;

export class AppHealth {
  readonly #shared: Shared;
  readonly #waits: Waits;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#waits = new Waits(shared.clock);
  }

  /** Probes for the life of the runtime, as often as the setting says. Never rejects. */
  async follow(app: App): Promise<void> {
    let failures = 0;
    while (!this.#waits.ended) {
      const settings = this.#shared.settings.current['app.health'];
      if (!settings.enabled) {
        this.#set(app, undefined);
        failures = 0;
        await this.#waits.wait(IDLE_MS);
        continue;
      }
      // Unhealthy until the first success.
      if (app.appHealthy === undefined) this.#set(app, false);
      const answer = await app.channel.get(settings.path, {}, settings.timeoutMs);
      if (answer.kind === 'response' && answer.status >= 200 && answer.status < 300) {
        failures = 0;
        this.#set(app, true);
      } else {
        failures += 1;
        if (failures >= settings.threshold) this.#set(app, false);
      }
      await this.#waits.wait(settings.intervalMs);
    }
  }

  /** The setting has changed. */
  wake(): void {
    this.#waits.wake();
  }

  stop(): void {
    this.#waits.end();
  }

  #set(app: App, healthy: boolean | undefined): void {
    if (app.appHealthy === healthy || this.#waits.ended) return;
    const before = app.appHealthy;
    app.appHealthy = healthy;
    if (healthy === false && before === true) {
      this.#shared.log.write('warn', 'health', `App ${app.appId} is not healthy: deliveries wait.`);
    }
    if (healthy === true) this.#shared.log.write('info', 'health', `App ${app.appId} is healthy.`);
    this.#shared.recorder.add({ type: 'topology.changed', appId: app.appId });
    if (healthy !== false) app.pumpAll();
  }
}
