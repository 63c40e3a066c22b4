/** App health checks: probes the app and lets calls start or not (reference 5.5; setting `app.health`). */
import type { AppProbe } from '../contract/subscription.ts';
import type { App } from './app.ts';
import type { Shared } from './shared.ts';
import { iso } from './time.ts';
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
        this.#note(app, undefined);
        failures = 0;
        await this.#waits.wait(IDLE_MS);
        continue;
      }
      // Unhealthy until the first success.
      if (app.appHealthy === undefined) this.#set(app, false);
      this.#note(app, {
        ...app.probe,
        path: settings.path,
        healthy: app.appHealthy === true,
        failures,
        threshold: settings.threshold,
      });
      const answer = await app.channel.get(settings.path, {}, settings.timeoutMs);
      if (answer.kind === 'response' && answer.status >= 200 && answer.status < 300) {
        failures = 0;
        this.#set(app, true);
      } else {
        failures += 1;
        if (failures >= settings.threshold) this.#set(app, false);
      }
      this.#note(app, {
        path: settings.path,
        healthy: app.appHealthy === true,
        failures,
        threshold: settings.threshold,
        at: iso(this.#shared.clock.now()),
        ...(answer.kind === 'response' ? { status: answer.status } : { error: answer.message }),
      });
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

  /** What people see of it; told when it says something else than before. */
  #note(app: App, probe: AppProbe | undefined): void {
    const before = app.probe;
    app.probe = probe;
    if (this.#waits.ended || isSame(before, probe)) return;
    this.#shared.recorder.add({ type: 'topology.changed', appId: app.appId });
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

/** Failures beyond the threshold, and the time, are no news. */
function isSame(a: AppProbe | undefined, b: AppProbe | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const failuresOf = ({ failures, threshold }: AppProbe): number => Math.min(failures, threshold);
  return (
    a.path === b.path &&
    a.healthy === b.healthy &&
    a.status === b.status &&
    a.error === b.error &&
    a.threshold === b.threshold &&
    failuresOf(a) === failuresOf(b)
  );
}
