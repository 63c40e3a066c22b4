/** Discovery that a person asks for. */
import type { AppDiscovery, Problem, SubscriptionRow } from '../../contract/subscription.ts';
import type { Discovery } from '../apps/discovery.ts';
import type { Topology } from '../queries/topology.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';

export interface RediscoveryDependencies {
  readonly discovery: Discovery;
  readonly topology: Topology;
  readonly apps: Apps;
  /** All problems of an app, as `apps.list` has them. */
  readonly problemsOf: (app: App) => readonly Problem[];
  readonly appOf: (appId: string | undefined) => App;
}

export class Rediscovery {
  readonly #deps: RediscoveryDependencies;

  constructor(deps: RediscoveryDependencies) {
    this.#deps = deps;
  }

  /**
   * Asks the app, or every app, for its subscriptions again; resolves with them, with how each app answered, and with the number of those
   * that cannot be used. Throws Refusal NOT_FOUND.
   */
  async ask(appId?: string): Promise<{
    readonly subscriptions: readonly SubscriptionRow[];
    readonly problems: readonly Problem[];
    readonly discovery: readonly AppDiscovery[];
    readonly unused?: number;
  }> {
    const { discovery, topology, apps, appOf, problemsOf } = this.#deps;
    const asked = appId === undefined ? apps.all : [appOf(appId)];
    await Promise.all(asked.map((app) => discovery.askAnew(app)));
    const unused = asked.reduce((sum, { discovery: { unused: n = 0 } }) => sum + n, 0);
    return {
      subscriptions: asked.flatMap((app) => topology.subscriptions(app.appId)),
      problems: asked.flatMap(problemsOf),
      discovery: asked.map((app) => ({ appId: app.appId, ...app.discovery })),
      ...(unused === 0 ? {} : { unused }),
    };
  }
}
