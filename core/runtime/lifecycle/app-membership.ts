/** Adds and removes apps at run time, as a start and a stop do for all of them. */
import { pollUntil } from '../../ports/poll-until.ts';
import { noApp } from '../state/not-found.ts';
import { App } from '../state/app.ts';
import type { AppSpec } from '../state/app.ts';
import { isEnded } from '../state/live-set.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { RuntimeServices } from '../services.ts';
import type { Lifecycle } from './lifecycle.ts';
import { cutCalls } from './recovery.ts';

/** Maximum wait for running calls to end. */
const GRACE_MS = 1_000;
const LOOK_EVERY_MS = 5;

export class AppMembership {
  readonly #deps: RuntimeServices;
  readonly #life: Lifecycle;

  constructor(deps: RuntimeServices, life: Lifecycle) {
    this.#deps = deps;
    this.#life = life;
  }

  /**
   * Loads the app's components and the unfinished deliveries of an earlier app with this id, then follows the app. No other app may have
   * its id.
   * @param listen opens its sidecar. If it fails, nothing has changed and its error is thrown.
   */
  async enter(spec: AppSpec, listen: () => Promise<void>): Promise<void> {
    const { apps, serving, shared } = this.#deps;
    const app = new App(spec, shared.profile.discoveryPath);
    apps.push(app);
    try {
      await listen();
    } catch (error) {
      apps.splice(apps.indexOf(app), 1);
      throw error;
    }
    await this.#life.reload();
    const now = shared.clock.now();
    for (const d of this.#deliveriesOf(app)) {
      serving.laneOf(app, d);
      const isDue = d.state === 'retrying' && d.dueMs !== undefined && d.dueMs <= now;
      if (d.state === 'queued' || isDue) shared.signals.tell('ready', d);
    }
    this.#life.follow(app);
    shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  /**
   * Removes an app whose sidecars are closed.
   * @returns number of its unfinished deliveries, which a later app with this id takes over
   */
  async leave(appId: string): Promise<number> {
    const app = this.#deps.app(appId);
    if (app === undefined) throw noApp(appId);
    const { apps, shared, discovery, appHealth, bindings, serving, lateApps } = this.#deps;
    app.stopping = true;
    app.gone = true;
    discovery.leave(app);
    appHealth.wake();
    await this.#untilQuiet(app);
    cutCalls(this.#deps, `App ${app.appId} was removed during the call.`, app.appId);
    await bindings.leave(app);
    app.programmatic = [];
    app.declared = [];
    await serving.align(app);
    apps.splice(apps.indexOf(app), 1);
    await lateApps.serve(app);
    // The app's deliveries leave its lanes: the next app with this id takes them over.
    const left = this.#deliveriesOf(app);
    for (const d of left) {
      d.queued = false;
      if (d.state === 'queued') shared.signals.tell('ready', d);
    }
    await this.#life.reload();
    await app.channel.close();
    shared.events.add({ type: 'topology.changed', appId: app.appId });
    return left.filter((d) => !isEnded(d)).length;
  }

  #deliveriesOf({ appId }: App): readonly LiveDelivery[] {
    return [...this.#deps.shared.live.deliveries()].filter((d) => d.appId === appId);
  }

  async #untilQuiet(app: App): Promise<void> {
    const how = { everyMs: LOOK_EVERY_MS, limitMs: GRACE_MS };
    await pollUntil(this.#deps.shared.clock, how, () => app.inFlight === 0);
  }
}
