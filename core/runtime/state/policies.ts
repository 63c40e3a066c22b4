/** Policy of a topic: its own, otherwise the component's, otherwise the general one. */
import type { RetryPolicyNow } from '../../contract/message.ts';
import type { ComponentPolicy, PolicyPosition } from '../../domain/resiliency.ts';
import type { DeclaredRetry } from '../../domain/retry.ts';
import type { SharedServices } from '../common-services.ts';
import type { Declared } from '../components/declared.ts';

export class Policies {
  readonly #shared: Pick<SharedServices, 'settings'>;
  /**
   * Policies of Resiliency documents, by app, then by component name; "" = for every component without one of
   * its own.
   */
  readonly #apps = new Map<string, ReadonlyMap<string, ComponentPolicy>>();
  /** Policies of publishes, by app. */
  readonly #outbound = new Map<string, ReadonlyMap<string, ComponentPolicy>>();

  readonly #retryPositions = new Map<string, ReadonlyMap<DeclaredRetry, PolicyPosition>>();

  constructor(shared: Pick<SharedServices, 'settings'>) {
    this.#shared = shared;
  }

  setComponents(
    appId: string,
    { policies, outbound, retryPositions }: Pick<Declared, 'policies' | 'outbound' | 'retryPositions'>,
  ): void {
    this.#apps.set(appId, policies);
    this.#outbound.set(appId, outbound);
    this.#retryPositions.set(appId, retryPositions);
  }

  /** Retry policy for publishes to the component; undefined: one attempt. */
  outboundFor(appId: string, pubsubname: string): DeclaredRetry | undefined {
    const components = this.#outbound.get(appId);
    return (components?.get(pubsubname) ?? components?.get(''))?.retry;
  }

  retryFor(appId: string, pubsubname: string, topic: string): DeclaredRetry {
    const { current } = this.#shared.settings;
    const general = current['delivery.retry'];
    const component = this.#of(appId, pubsubname)?.retry;
    const own = ofTopic(current['delivery.retryByTopic'], pubsubname, topic);
    if (component === undefined && own === undefined) return general;
    return { ...general, ...component, ...own };
  }

  /**
   * The policy of `retryFor` with its origin: the one nearest to the topic.
   * @param roundStart number of attempts before the present round
   */
  explain(appId: string, pubsubname: string, topic: string, roundStart: number): RetryPolicyNow {
    const { statuses, ...policy } = this.retryFor(appId, pubsubname, topic);
    const { maxAttempts, firstDelayMs, factor, maxDelayMs } = policy;
    const { settings } = this.#shared;
    const isOwn = settings.current['delivery.retryByTopic'][`${pubsubname}/${topic}`] !== undefined;
    const general = settings.items().find(({ key }) => key === 'delivery.retry')?.origin ?? 'default';
    const from = isOwn ? 'topic' : this.declaresRetry(appId, pubsubname) ? 'resiliency' : general;
    const declared = from === 'resiliency' ? this.#of(appId, pubsubname)?.retry : undefined;
    const position = declared && this.#retryPositions.get(appId)?.get(declared);
    return {
      maxAttempts,
      firstDelayMs,
      factor,
      maxDelayMs,
      ...(maxAttempts === 0 ? {} : { lastAttempt: roundStart + maxAttempts }),
      ...(statuses === undefined
        ? {}
        : { statuses: statuses.map(([first, last]) => ({ from: first, to: last })) }),
      from,
      ...position,
    };
  }

  /** Whether a Resiliency document sets the number of attempts for deliveries from the component. */
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

/** The topic's own policy. Most settings have none, and then no name is made: each message passes here. */
function ofTopic<T>(policies: Readonly<Record<string, T>>, pubsubname: string, topic: string): T | undefined {
  for (const _name in policies) return policies[`${pubsubname}/${topic}`];
  return undefined;
}
