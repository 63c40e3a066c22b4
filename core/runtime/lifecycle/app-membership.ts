/** Adds and removes apps at run time, as a start and a stop do for all of them. */
import { theAppFirst } from '../../contract/app-text.ts';
import { hasEnded } from '../../domain/delivery-end.ts';
import { pollUntil } from '../../ports/poll-until.ts';
import { noApp } from '../state/not-found.ts';
import type { AppHealth } from '../apps/app-health.ts';
import type { Discovery } from '../apps/discovery.ts';
import type { LateApps } from '../apps/late-apps.ts';
import type { Serving } from '../apps/serving.ts';
import type { Bindings } from '../bindings.ts';
import type { SharedServices } from '../common-services.ts';
import { newApp } from '../state/app.ts';
import type { App, AppSpec } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { Lifecycle } from './lifecycle.ts';
import { cutCalls } from './recovery.ts';

/** Maximum wait for running calls to end. */
const GRACE_MS = 1_000;
const POLL_INTERVAL_MS = 5;

/** Parts that know an app, and take up or let go of it. */
export interface AppMembershipDependencies {
  readonly shared: SharedServices;
  readonly apps: Apps;
  readonly deliveries: Deliveries;
  readonly serving: Pick<Serving, 'align' | 'laneOf'>;
  readonly discovery: Pick<Discovery, 'leave'>;
  readonly appHealth: Pick<AppHealth, 'wake'>;
  readonly bindings: Pick<Bindings, 'leave'>;
  readonly lateApps: Pick<LateApps, 'serve'>;
}

export class AppMembership {
  readonly #deps: AppMembershipDependencies;
  readonly #life: Pick<Lifecycle, 'reload' | 'follow'>;

  constructor(deps: AppMembershipDependencies, life: Pick<Lifecycle, 'reload' | 'follow'>) {
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
    const app = newApp(spec, shared.profile.discoveryPath);
    apps.add(app);
    try {
      await listen();
    } catch (error) {
      apps.remove(app);
      throw error;
    }
    await this.#life.reload();
    const now = shared.clock.now();
    for (const d of this.#deliveriesOf(app)) {
      serving.laneOf(app, d);
      const isDue = d.state === 'retrying' && d.dueMs !== undefined && d.dueMs <= now;
      if (d.state === 'queued' || isDue) shared.signals.emit('ready', d);
    }
    this.#life.follow(app);
    shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  /**
   * Removes an app whose sidecars are closed.
   * @returns number of its unfinished deliveries, which a later app with this id takes over
   */
  async leave(appId: string): Promise<number> {
    const app = this.#deps.apps.find(appId);
    if (app === undefined) throw noApp(appId);
    const { apps, shared, discovery, appHealth, bindings, serving, lateApps } = this.#deps;
    app.remove();
    discovery.leave(app);
    appHealth.wake();
    await this.#untilQuiet(app);
    cutCalls(this.#deps, `${theAppFirst(app.appId)} was removed`, app.appId);
    await bindings.leave(app);
    app.dropSubscriptions();
    await serving.align(app);
    apps.remove(app);
    await lateApps.serve(app);
    // The app's deliveries leave its lanes: the next app with this id takes them over.
    const left = this.#deliveriesOf(app);
    for (const d of left) {
      d.leaveQueue();
      if (d.state === 'queued') shared.signals.emit('ready', d);
    }
    await this.#life.reload();
    await app.channel.close();
    shared.events.add({ type: 'topology.changed', appId: app.appId });
    return left.filter((d) => !hasEnded(d)).length;
  }

  #deliveriesOf({ appId }: App): readonly LiveDelivery[] {
    return [...this.#deps.shared.live.deliveries()].filter((d) => d.appId === appId);
  }

  async #untilQuiet(app: App): Promise<void> {
    const how = { everyMs: POLL_INTERVAL_MS, limitMs: GRACE_MS };
    await pollUntil(this.#deps.shared.clock, how, () => app.inFlight === 0);
  }
}
