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
import { unreadBody } from '../passing.ts';
import { passingCall } from './passing.ts';
import type { Call, GrpcSide, SeenReply, StreamGoing, StreamHead } from './side.ts';

const { listTopicSubscriptions, onTopicEvent } = APP_METHODS;

export interface GrpcAppSideDependencies extends Omit<AppSideDependencies, 'decode' | 'onRefused'> {
  readonly protocol: Protocol;
}

/** A delivery that the runtime knows. */
interface Told {
  readonly read: ReadCall;
  readonly call: ObservedCall;
}

/** What the tap knows about a call once it has read it. */
interface Known {
  told: Told | undefined;
}

export class GrpcAppSide implements GrpcSide {
  readonly #parts: GrpcAppSideDependencies;

  constructor(parts: GrpcAppSideDependencies) {
    this.#parts = parts;
  }

  begin(head: StreamHead): Call {
    const { reports, others } = this.#parts;
    const to = { to: 'app', reports, others } as const;
    const { path } = head;
    if (path === listTopicSubscriptions) return this.#discovery(passingCall(to, head));
    if (path !== onTopicEvent && !isBatchMethod(path)) return passingCall(to, head);
    return this.#delivery(
      head,
      passingCall(to, head, unreadBody('Its message cannot be read as an event, or its topic is too long.')),
    );
  }

  reached(): void {
    // The port for the sidecar follows the app by itself.
  }

  comesBack(): void {
    // The side of the sidecar that is part of the ring tells it.
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
    const { routes, onDiscovery } = this.#parts;
    const { code } = statusOf(reply);
    if (code === grpcCode('UNIMPLEMENTED')) routes.discovered([], 'grpc');
    const read = code === 0 ? replyBytes(reply) : undefined;
    const listed = read !== undefined && 'bytes' in read ? this.#listed(read.bytes) : undefined;
    if (listed !== undefined) routes.discovered(discoveryElements(listed), 'grpc');
    onDiscovery();
  }

  #listed(bytes: Buffer): ListTopicSubscriptionsResponse | undefined {
    try {
      return this.#parts.protocol.listTopicSubscriptionsResponse.decode(bytes);
    } catch {
      // Bytes that cannot be decoded pass all the same: the sidecar reports what is wrong with them.
      return undefined;
    }
  }

  #delivery(head: StreamHead, other: Call): Call {
    const { observer, protocol, reports } = this.#parts;
    const { delivery: stopsRequest, response: stopsResponse } = observer.stopsOf(this.#parts.appId);
    const isBatch = isBatchMethod(head.path);
    const known: Known = { told: undefined };
    const deadline = deadlineOf(head.headers, reports.moment());
    const keep = { stopsRequest, stopsResponse, readsRequest: true, readsResponse: true } as const;
    return {
      ...other,
      ...keep,
      requested: (body) => {
        void other.requested(body);
        const at = reports.moment();
        reports.defer(
          () => (known.told = body && this.#tell(head, body, { at, mayStop: stopsRequest, deadline })),
          body?.length,
        );
        if (!stopsRequest) return undefined;
        // The runtime must know the delivery before it can decide about it.
        reports.flush();
        return known.told && this.#whenItMayGo(known.told);
      },
      responded: (reply) => {
        const at = reports.moment();
        if (stopsResponse) {
          reports.flush();
          return this.#answered(known, other, { head, reply, at })?.then(
            (instead) => instead && ownReply(instead, isBatch, protocol),
          );
        }
        reports.defer(() => void this.#answered(known, other, { head, reply, at }));
        return undefined;
      },
      lost: (why) => {
        const at = reports.moment();
        reports.defer(() => {
          const call = known.told?.call;
          if (call === undefined) other.lost(why);
          else if (why.by === 'after' || (stopsRequest && why.by === 'before'))
            call.lost(whyLost(why, deadline, at));
          else void call.answered(noReply(why, deadline, at), at);
        });
      },
    };
  }

  #answered(
    { told }: Known,
    other: Call,
    { head, reply, at }: { readonly head: StreamHead; readonly reply: SeenReply; readonly at: Moment },
  ): Promise<ReceivedAnswer | undefined> | undefined {
    if (told === undefined) {
      void other.responded(reply);
      return undefined;
    }
    if (isUnknownBatch(head, reply)) {
      told.call.lost('The app does not know this method: the sidecar tries the older one.');
      return undefined;
    }
    return told.call.answered(receivedReply(reply, isBatchMethod(head.path), this.#parts.protocol), at);
  }

  /** Reports a delivery to the runtime; undefined: the message cannot be read as an event, or its topic is too long. */
  #tell(
    head: StreamHead,
    body: Buffer,
    {
      at,
      mayStop,
      deadline,
    }: { readonly at: Moment; readonly mayStop: boolean; readonly deadline: Deadline | undefined },
  ): Told | undefined {
    const { observer, appUrl, onDelivery } = this.#parts;
    const read = readCall(head, body, this.#parts);
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
      ...seenOf(read, this.#parts),
      at,
      request,
      mayStop,
      ...(deadline === undefined ? {} : { givesUpMs: deadline.atMs }),
    });
    return { read, call };
  }

  async #whenItMayGo({ read, call }: Told): Promise<StreamGoing> {
    const { protocol, codec } = this.#parts;
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
