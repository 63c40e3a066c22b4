/** Which policy holds for a topic: the topic's own, then the component's, then the general one. */
import type { ComponentPolicy } from '../domain/resiliency.ts';
import type { RetryPolicy } from '../domain/retry.ts';
import type { Shared } from './shared.ts';

export class Policies {
  readonly #shared: Pick<Shared, 'settings'>;
  /** From Resiliency documents, by component name; "" = for every component without one of its own. */
  #components: ReadonlyMap<string, ComponentPolicy> = new Map();

  constructor(shared: Pick<Shared, 'settings'>) {
    this.#shared = shared;
  }

  setComponents(policies: ReadonlyMap<string, ComponentPolicy>): void {
    this.#components = policies;
  }

  retryFor(pubsubname: string, topic: string): RetryPolicy {
    const { current } = this.#shared.settings;
    const general = current['delivery.retry'];
    const component = this.#of(pubsubname)?.retry;
    const own = current['delivery.retryByTopic'][`${pubsubname}/${topic}`];
    if (component === undefined && own === undefined) return general;
    return { ...general, ...component, ...own };
  }

  /** Milliseconds for one call; 0 = none. */
  timeoutFor(pubsubname: string): number {
    return this.#of(pubsubname)?.timeoutMs ?? this.#shared.settings.current['delivery.attemptTimeoutMs'];
  }

  #of(pubsubname: string): ComponentPolicy | undefined {
    return this.#components.get(pubsubname) ?? this.#components.get('');
  }
}
