/** The side from the real sidecar to a gRPC app: reads discovery, reports deliveries, which may be held, and lists all other calls. */
import { APP_METHODS, grpcCode } from '../../contract/grpc.ts';
import { discoveryElements } from '../../domain/grpc-discovery.ts';
import type { ListTopicSubscriptionsResponse } from '../../grpc-protocol/messages.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import { isBatchMethod } from '../../grpc-protocol/replies.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { Moment, ObservedCall } from '../../ports/tap.ts';
import type { AppSideDependencies } from '../app-side.ts';
import { noAnswer } from '../answers.ts';
import type { NoReply } from '../exchange.ts';
import { ownReply, receivedReply, replyBytes, statusOf } from './answers.ts';
import { deadlineOf } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import { changedMessage, readCall, seenOf } from './deliveries.ts';
import type { ReadCall } from './deliveries.ts';
import { framed } from './frames.ts';
import { metadataOf } from './headers.ts';
import { unreadBody } from '../pass-through.ts';
import { passThroughCall } from './pass-through.ts';
import type { Call, GrpcSide, SeenReply, CallDecision, StreamHead } from './side.ts';

const { listTopicSubscriptions, onTopicEvent } = APP_METHODS;

export interface GrpcAppSideDependencies extends Omit<AppSideDependencies, 'decode' | 'onRefused'> {
  readonly protocol: Protocol;
}

/** A delivery that the runtime knows. */
interface ReportedDelivery {
  readonly read: ReadCall;
  readonly call: ObservedCall;
}

/** Facts about a call after it was read. */
interface RequestState {
  reported: ReportedDelivery | undefined;
}

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
    return this.#delivery(
      head,
      passThroughCall(
        to,
        head,
        unreadBody('Its message cannot be read as an event, or its topic is too long.'),
      ),
    );
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
      return this.#dependencies.protocol.listTopicSubscriptionsResponse.decode(bytes);
    } catch {
      // Bytes that cannot be decoded pass anyway: the sidecar reports what is wrong with them.
      return undefined;
    }
  }

  #delivery(head: StreamHead, other: Call): Call {
    const { observer, protocol, reports } = this.#dependencies;
    const { delivery: stopsRequest, response: stopsResponse } = observer.stopsOf(this.#dependencies.appId);
    const isBatch = isBatchMethod(head.path);
    const state: RequestState = { reported: undefined };
    const deadline = deadlineOf(head.headers, reports.moment());
    const keep = { stopsRequest, stopsResponse, readsRequest: true, readsResponse: true } as const;
    return {
      ...other,
      ...keep,
      requested: (body) => {
        void other.requested(body);
        const at = reports.moment();
        reports.defer(
          () => (state.reported = body && this.#report(head, body, { at, mayStop: stopsRequest, deadline })),
          body?.length,
        );
        if (!stopsRequest) return undefined;
        // The runtime must know the delivery before it can decide about it.
        reports.flush();
        return state.reported && this.#whenItMayGo(state.reported);
      },
      responded: (reply) => {
        const at = reports.moment();
        if (stopsResponse) {
          reports.flush();
          return this.#answered(state, other, { head, reply, at })?.then(
            (instead) => instead && ownReply(instead, isBatch, protocol),
          );
        }
        reports.defer(() => void this.#answered(state, other, { head, reply, at }));
        return undefined;
      },
      lost: (why) => {
        const at = reports.moment();
        reports.defer(() => {
          const call = state.reported?.call;
          if (call === undefined) other.lost(why);
          else if (why.by === 'after' || (stopsRequest && why.by === 'before'))
            call.lost(whyLost(why, deadline, at));
          else void call.answered(noReply(why, deadline, at), at);
        });
      },
    };
  }

  #answered(
    { reported }: RequestState,
    other: Call,
    { head, reply, at }: { readonly head: StreamHead; readonly reply: SeenReply; readonly at: Moment },
  ): Promise<ReceivedAnswer | undefined> | undefined {
    if (reported === undefined) {
      void other.responded(reply);
      return undefined;
    }
    if (isUnknownBatch(head, reply)) {
      reported.call.lost('The app does not know this method: the sidecar tries the older one.');
      return undefined;
    }
    return reported.call.answered(
      receivedReply(reply, isBatchMethod(head.path), this.#dependencies.protocol),
      at,
    );
  }

  /** Reports a delivery to the runtime; undefined: the message cannot be read as an event, or its topic is too long. */
  #report(
    head: StreamHead,
    body: Buffer,
    {
      at,
      mayStop,
      deadline,
    }: { readonly at: Moment; readonly mayStop: boolean; readonly deadline: Deadline | undefined },
  ): ReportedDelivery | undefined {
    const { observer, appUrl, onDelivery } = this.#dependencies;
    const read = readCall(head, body, this.#dependencies);
    if (read === undefined || read.events.length === 0) return undefined;
    const { path, headers } = head;
    const request = {
      method: path,
      url: appUrl + path,
      headers: metadataOf(headers),
      body: read.text,
    };
    onDelivery();
    const call = observer.delivering({
      ...seenOf(read, this.#dependencies),
      at,
      request,
      mayStop,
      ...(deadline === undefined ? {} : { givesUpMs: deadline.atMs }),
    });
    return { read, call };
  }

  async #whenItMayGo({ read, call }: ReportedDelivery): Promise<CallDecision> {
    const { protocol, codec } = this.#dependencies;
    const passage = await call.passage;
    switch (passage.kind) {
      case 'pass':
        return { kind: 'pass' };
      case 'changed':
        return { kind: 'send', body: framed(changedMessage(read, passage.wires, { protocol, codec })) };
      case 'answered': {
        const reply = ownReply(passage.answer, read.message.kind === 'batch', protocol);
        return reply === undefined ? { kind: 'cut' } : { kind: 'answer', reply };
      }
    }
  }
}

/** Reason why the sidecar gave up a delivery while the tap held the delivery or its answer. */
function whyLost({ by }: NoReply, deadline: Deadline | undefined, now: Moment): string {
  const held = by === 'after' ? ' while the answer was held' : '';
  return deadline?.hasPassed(now) === true
    ? `The sidecar gave up${held}: it waits ${deadline.waited} for a call.`
    : `The sidecar ended the call${held}.`;
}

function noReply(why: NoReply, deadline: Deadline | undefined, now: Moment): ReceivedAnswer {
  if (why.by !== 'client' || deadline?.hasPassed(now) !== true) return noAnswer(why);
  const message = `the sidecar gave up before the app answered: it waits ${deadline.waited} for a call`;
  return { kind: 'none', code: 'timeout', message };
}

/** True: the app lacks the stable batch method. The sidecar then repeats the call with the older method. */
function isUnknownBatch({ path }: StreamHead, reply: SeenReply): boolean {
  return path === APP_METHODS.onBulkTopicEvent && statusOf(reply).code === grpcCode('UNIMPLEMENTED');
}
