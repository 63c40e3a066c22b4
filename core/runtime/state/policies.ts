/** Which policy holds for a topic: the topic's own, then the component's, then the general one. */
import type { ComponentPolicy } from '../../domain/resiliency.ts';
import type { DeclaredRetry } from '../../domain/retry.ts';
import type { Shared } from '../common.ts';

export class Policies {
  readonly #shared: Pick<Shared, 'settings'>;
  /** From Resiliency documents, by app, then by component name; "" = for every component without one of its own. */
  readonly #apps = new Map<string, ReadonlyMap<string, ComponentPolicy>>();

  constructor(shared: Pick<Shared, 'settings'>) {
    this.#shared = shared;
  }

  setComponents(appId: string, policies: ReadonlyMap<string, ComponentPolicy>): void {
    this.#apps.set(appId, policies);
  }

  retryFor(appId: string, pubsubname: string, topic: string): DeclaredRetry {
    const { current } = this.#shared.settings;
    const general = current['delivery.retry'];
    const component = this.#of(appId, pubsubname)?.retry;
    const own = current['delivery.retryByTopic'][`${pubsubname}/${topic}`];
    if (component === undefined && own === undefined) return general;
    return { ...general, ...component, ...own };
  }

  /** Whether a Resiliency document says how often deliveries from the component are tried. */
  declaresRetry(appId: string, pubsubname: string): boolean {
    return this.#of(appId, pubsubname)?.retry !== undefined;
  }

  /** Milliseconds for one call; 0 = none. */
  timeoutFor(appId: string, pubsubname: string): number {
    return (
      this.#of(appId, pubsubname)?.timeoutMs ?? this.#shared.settings.current['delivery.attemptTimeoutMs']
    );
  }

  #of(appId: string, pubsubname: string): ComponentPolicy | undefined {
    const components = this.#apps.get(appId);
    return components?.get(pubsubname) ?? components?.get('');
  }
}
