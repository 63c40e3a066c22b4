/** One delivery from the real sidecar to a gRPC app: reported to the runtime, which may hold it, change it or answer it. */
import { APP_METHODS, grpcCode } from '../../contract/grpc.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import { isBatchMethod } from '../../grpc-protocol/replies.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { Moment, ObservedCall } from '../../ports/tap.ts';
import type { AppSideDependencies } from '../app-side.ts';
import { noAnswer } from '../answers.ts';
import type { NoReply } from '../exchange.ts';
import { ownReply, receivedReply, statusOf } from './answers.ts';
import { deadlineOf } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import { changedMessage, changedText, readCall, seenOf } from './deliveries.ts';
import type { ReadCall } from './deliveries.ts';
import { framed } from './frames.ts';
import { metadataOf } from './headers.ts';
import type { Call, CallDecision, SeenReply, StreamHead } from './side.ts';

export interface GrpcAppSideDependencies extends Omit<AppSideDependencies, 'decode' | 'onRefused'> {
  readonly protocol: Protocol;
}

/** A delivery that the runtime knows. */
interface ReportedDelivery {
  readonly read: ReadCall;
  readonly call: ObservedCall;
}

export class ObservedDelivery implements Call {
  readonly kind = 'call';
  readonly stopsRequest: boolean;
  readonly stopsResponse: boolean;
  readonly readsRequest = true;
  readonly readsResponse = true;
  readonly #head: StreamHead;
  /** The call as one that only passes; it stays so if its message cannot be read. */
  readonly #other: Call;
  readonly #dependencies: GrpcAppSideDependencies;
  readonly #deadline: Deadline | undefined;
  /** Undefined until the message was read as an event. */
  #reported: ReportedDelivery | undefined;
  /** The tap does not hold the request, or no longer: it goes to the app, and its attempt has begun. */
  #hasGoneOn: boolean;

  constructor(head: StreamHead, other: Call, dependencies: GrpcAppSideDependencies) {
    const { observer, appId, reports } = dependencies;
    const stops = observer.stopsOf(appId);
    this.stopsRequest = stops.delivery;
    this.stopsResponse = stops.response;
    this.#hasGoneOn = !stops.delivery;
    this.#head = head;
    this.#other = other;
    this.#dependencies = dependencies;
    this.#deadline = deadlineOf(head.headers, reports.moment());
  }

  requested(body: Buffer | undefined): Promise<CallDecision> | undefined {
    const { reports } = this.#dependencies;
    void this.#other.requested(body);
    const at = reports.moment();
    reports.defer(() => (this.#reported = body && this.#report(body, at)), body?.length);
    if (!this.stopsRequest) return undefined;
    // The runtime must know the delivery before it can decide about it.
    reports.flush();
    return this.#reported && this.#whenItMayGo(this.#reported);
  }

  responded(reply: SeenReply): ReturnType<Call['responded']> {
    const { reports, protocol } = this.#dependencies;
    const at = reports.moment();
    if (this.stopsResponse) {
      reports.flush();
      const isBatch = isBatchMethod(this.#head.path);
      return this.#answered(reply, at)?.then((instead) => instead && ownReply(instead, isBatch, protocol));
    }
    reports.defer(() => void this.#answered(reply, at), reply.body?.length);
    return undefined;
  }

  lost(why: NoReply): void {
    const { reports } = this.#dependencies;
    const at = reports.moment();
    // A release may come before the report.
    const hasGoneOn = this.#hasGoneOn;
    reports.defer(() => {
      const call = this.#reported?.call;
      if (call === undefined) this.#other.lost(why);
      else if (why.by === 'after' || (why.by === 'before' && !hasGoneOn))
        call.lost(whyLost(why, this.#deadline, at), at);
      else void call.answered(noReply(why, this.#deadline, at), at);
    });
  }

  #answered(reply: SeenReply, at: Moment): Promise<ReceivedAnswer | undefined> | undefined {
    if (this.#reported === undefined) {
      void this.#other.responded(reply);
      return undefined;
    }
    const { call } = this.#reported;
    if (isUnknownBatch(this.#head, reply)) {
      call.lost('The app does not know this method: the sidecar tries the older one.', at);
      return undefined;
    }
    const isBatch = isBatchMethod(this.#head.path);
    return call.answered(receivedReply(reply, isBatch, this.#dependencies.protocol), at);
  }

  /** Reports a delivery to the runtime; undefined: the message cannot be read as an event, or its topic is too long. */
  #report(body: Buffer, at: Moment): ReportedDelivery | undefined {
    const { observer, appUrl, codec, onDelivery } = this.#dependencies;
    const read = readCall(this.#head, body, this.#dependencies);
    if (read === undefined || read.events.length === 0) return undefined;
    const { path, headers } = this.#head;
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
      requestWith: (wires) => ({ ...request, body: changedText(read, wires, codec) }),
      mayStop: this.stopsRequest,
      ...withoutUndefined({ givesUpMs: this.#deadline?.atMs }),
    });
    return { read, call };
  }

  async #whenItMayGo({ read, call }: ReportedDelivery): Promise<CallDecision> {
    const { protocol, codec } = this.#dependencies;
    const passage = await call.passage;
    this.#hasGoneOn = passage.kind !== 'answered';
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
