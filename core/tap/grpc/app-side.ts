/** The side from the real sidecar to a gRPC app: reads discovery, reports deliveries, which may be held, and lists all other calls. */
import { APP_METHODS, grpcCode } from '../../contract/grpc.ts';
import { discoveryElements } from '../../domain/grpc-discovery.ts';
import type { ListTopicSubscriptionsResponse } from '../../grpc-protocol/messages.ts';
import { decodedReply, isBatchMethod } from '../../grpc-protocol/replies.ts';
import { unreadBody } from '../pass-through.ts';
import { replyBytes, statusOf } from './answers.ts';
import { ObservedDelivery } from './observed-delivery.ts';
import type { GrpcAppSideDependencies } from './observed-delivery.ts';
import { passThroughCall } from './pass-through.ts';
import type { Call, GrpcSide, SeenReply, StreamHead } from './side.ts';

const { listTopicSubscriptions, onTopicEvent } = APP_METHODS;

export class GrpcAppSide implements GrpcSide {
  readonly #dependencies: GrpcAppSideDependencies;

  constructor(dependencies: GrpcAppSideDependencies) {
    this.#dependencies = dependencies;
  }

  begin(head: StreamHead): Call {
    const { reports, others } = this.#dependencies;
    const to = { to: 'app', reports, others } as const;
    const { path } = head;
    if (path === listTopicSubscriptions) return this.#discovery(passThroughCall(to, head));
    if (path !== onTopicEvent && !isBatchMethod(path)) return passThroughCall(to, head);
    const unread = unreadBody('Its message cannot be read as an event, or its topic is too long.');
    return new ObservedDelivery(head, passThroughCall(to, head, unread), this.#dependencies);
  }

  reached(): void {
    // The port for the sidecar follows the app by itself.
  }

  comesBack(): void {
    // The side of the sidecar that is part of the loop tells it.
  }

  #discovery(other: Call): Call {
    return {
      ...other,
      readsResponse: true,
      responded: (reply) => {
        void other.responded(reply);
        this.#discovered(reply);
        return undefined;
      },
    };
  }

  /** An app that does not know the method has no subscriptions; any other error says nothing. */
  #discovered(reply: SeenReply): void {
    const { routes, onDiscovery } = this.#dependencies;
    const { code } = statusOf(reply);
    if (code === grpcCode('UNIMPLEMENTED')) routes.discovered([], 'grpc');
    const read = code === 0 ? replyBytes(reply) : undefined;
    const listed = read !== undefined && 'bytes' in read ? this.#listed(read.bytes) : undefined;
    if (listed !== undefined) routes.discovered(discoveryElements(listed), 'grpc');
    onDiscovery();
  }

  #listed(bytes: Buffer): ListTopicSubscriptionsResponse | undefined {
    try {
      return decodedReply(this.#dependencies.protocol.listTopicSubscriptionsResponse, bytes);
    } catch {
      // Bytes that cannot be decoded pass anyway: the sidecar reports what is wrong with them.
      return undefined;
    }
  }
}
