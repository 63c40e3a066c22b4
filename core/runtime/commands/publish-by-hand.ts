/** A publish that a person or a script asks the console for, instead of a sidecar's route. */
import type { FailedEntry } from '../../contract/publish.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { PublishBulkRequest, PublishRequest } from '../api.ts';
import type { BulkPublisher } from '../publishing/bulk-publisher.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { App } from '../state/app.ts';

type ByHand<Request> = Omit<Request, 'appId' | 'source'> & { readonly appId?: string };

export interface PublishByHandDependencies {
  readonly publisher: Publisher;
  readonly bulkPublisher: BulkPublisher;
  readonly appOf: (appId: string | undefined) => App;
}

export class PublishByHand {
  readonly #deps: PublishByHandDependencies;

  constructor(deps: PublishByHandDependencies) {
    this.#deps = deps;
  }

  /** Publishes as the named app, or as the first one. Throws Refusal NOT_FOUND and the refusals of the route. */
  async one(request: ByHand<PublishRequest>): Promise<{ messageId: string }> {
    const { appId } = this.#deps.appOf(request.appId);
    return this.#deps.publisher.publish({ ...request, appId, source: 'console' });
  }

  /** The event that `one` would give the component; nothing is published. Throws the refusals of `one`, but those of a full backlog or disk. */
  preview(request: ByHand<PublishRequest>): Wrapped {
    const { appId } = this.#deps.appOf(request.appId);
    return this.#deps.publisher.preview({ ...request, appId });
  }

  /** Publishes many messages as the named app, or as the first one. Throws Refusal NOT_FOUND and the refusals of the route. */
  async bulk(
    request: ByHand<PublishBulkRequest>,
  ): Promise<{ messageIds: readonly string[]; failedEntries: readonly FailedEntry[] }> {
    const { appId } = this.#deps.appOf(request.appId);
    return this.#deps.bulkPublisher.publish({ ...request, appId, source: 'console' });
  }
}
