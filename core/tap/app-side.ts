/** The side from the real sidecar to the app: reads discovery, reports deliveries, which may be held, and lists all other calls. */
import { PROFILES } from '../contract/profile.ts';
import type { Profile } from '../contract/profile.ts';
import { listValueIn } from '../domain/answer.ts';
import { after } from '../domain/maybe-promise.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { ReceivedAnswer } from '../ports/app-channel.ts';
import type { Wire } from '../domain/codec.ts';
import type { Moment, ObservedCall, SeenEvent, Stops } from '../ports/tap.ts';
import type { DeferredReports } from './deferred-reports.ts';
import { answerBytes, cutAnswer, noAnswer, receivedAnswer } from './answers.ts';
import type { Exchange, RequestDecision, Side } from './exchange.ts';
import { headerRecord, headForLength, requestWithBody } from './head.ts';
import type { RequestHead, ResponseHead } from './head.ts';
import type { OtherCalls } from './other-calls.ts';
import { passThrough, unreadBody } from './pass-through.ts';
import type { TapDependencies } from './dependencies.ts';
import { readDelivery, unwrapped, withEvent, withEvents } from './known-requests.ts';
import type { ReadDelivery } from './known-requests.ts';
import type { Routes } from './routes.ts';
import { pathOf } from '../http/path.ts';

export interface AppSideDependencies extends Pick<TapDependencies, 'observer' | 'codec' | 'decode'> {
  readonly profile: () => Profile;
  readonly appId: string;
  /** Address of the app, without a slash at its end. */
  readonly appUrl: string;
  readonly routes: Routes;
  readonly others: OtherCalls;
  readonly reports: DeferredReports;
  readonly onDelivery: () => void;
  readonly onDiscovery: () => void;
  readonly onRefused: (reason: string) => void;
}

/** Discovery paths of all profiles, because the tap may not know yet which one the real sidecar has. */
const DISCOVERY_PATHS: ReadonlySet<string> = new Set(
  Object.values(PROFILES).map(({ discoveryPath }) => discoveryPath),
);

const NOTHING_STOPS: Stops = { delivery: false, response: false };

type Wires = ReadonlyMap<string, Wire>;

/** A delivery that the runtime knows. */
interface ReportedDelivery {
  readonly call: ObservedCall;
  /** Its body with other events, by entry id. */
  readonly bodyWith: (wires: Wires) => Buffer;
}

/** Facts about a request after it was read. */
interface RequestState {
  reported: ReportedDelivery | undefined;
  /** The tap does not hold the request, or no longer: it goes to the app, and its attempt has begun. */
  hasGoneOn: boolean;
}

export class AppSide implements Side {
  readonly #dependencies: AppSideDependencies;

  constructor(dependencies: AppSideDependencies) {
    this.#dependencies = dependencies;
  }

  begin(head: RequestHead, _from: string, mayStop: boolean): Exchange {
    const { routes, reports, others } = this.#dependencies;
    const { method, target } = head;
    const to = { to: 'app', reports, others } as const;
    if (method === 'GET' && DISCOVERY_PATHS.has(pathOf(target)))
      return this.#discovery(passThrough(to, head));
    if (method !== 'POST' || !routes.has(target)) return passThrough(to, head);
    const other = passThrough(to, head, unreadBody('Its body cannot be read as an event.'));
    return this.#delivery(head, other, mayStop ? this.#stops() : NOTHING_STOPS);
  }

  letsPass(): boolean {
    const { delivery, response } = this.#stops();
    return !delivery && !response;
  }

  #stops(): Stops {
    return this.#dependencies.observer.stopsOf(this.#dependencies.appId);
  }

  refused(_head: RequestHead, reason: string): void {
    this.#dependencies.onRefused(reason);
  }

  unreachable(): void {
    // The app side follows the app by itself.
  }

  #discovery(other: Exchange): Exchange {
    const { routes, decode, codec, onDiscovery } = this.#dependencies;
    return {
      ...other,
      readsResponse: true,
      responded: (head, body) => {
        void other.responded(head, body);
        void after(receivedAnswer(head, body, decode), (answer) => {
          const text =
            answer.kind === 'response' && answer.body !== undefined ? codec.toText(answer.body) : undefined;
          const listed =
            head.status === 404 ? [] : head.status === 200 ? listValueIn(text ?? '')?.value : undefined;
          if (listed !== undefined) routes.discovered(listed, 'http');
          onDiscovery();
        });
        return undefined;
      },
    };
  }

  #delivery(
    head: RequestHead,
    other: Exchange,
    { delivery: stopsRequest, response: stopsResponse }: Stops,
  ): Exchange {
    const { reports } = this.#dependencies;
    const state: RequestState = { reported: undefined, hasGoneOn: !stopsRequest };
    const keep = { stopsRequest, stopsResponse, readsRequest: true, readsResponse: true } as const;
    return {
      ...other,
      ...keep,
      requested: (body) => {
        void other.requested(body);
        const at = reports.moment();
        reports.defer(() => this.#read(state, head, body, { at, mayStop: stopsRequest }), body?.length);
        if (!stopsRequest) return undefined;
        // The runtime must know the delivery before it can decide about it.
        reports.flush();
        return this.#whenItMayGo(head, state);
      },
      responded: (answer, body) => {
        const at = reports.moment();
        if (stopsResponse) {
          reports.flush();
          const given = this.#answered(state, other, { answer, body, at });
          return given instanceof Promise
            ? given.then((instead) => instead && answerBytes(instead, answer))
            : undefined;
        }
        reports.defer(() => void this.#answered(state, other, { answer, body, at }), body?.length);
        return undefined;
      },
      lost: (why) => {
        const at = reports.moment();
        // A release may come before the report.
        const { hasGoneOn } = state;
        reports.defer(() => {
          const { reported } = state;
          const { decode } = this.#dependencies;
          if (reported === undefined) other.lost(why);
          else if (why.by === 'after' || (why.by === 'before' && !hasGoneOn))
            reported.call.lost(sentence(why.message), at);
          else if (why.begun !== undefined)
            void after(cutAnswer(why.begun, decode), (answer) => reported.call.answered(answer, at));
          else void reported.call.answered(noAnswer(why), at);
        });
      },
    };
  }

  /** Reports the request to the runtime if it is a delivery. */
  #read(
    state: RequestState,
    head: RequestHead,
    body: Buffer | undefined,
    how: { readonly at: Moment; readonly mayStop: boolean },
  ): void {
    const read = body === undefined ? undefined : readDelivery(body, this.#dependencies.codec);
    if (body === undefined || read === undefined || read.events.length === 0) return;
    state.reported = this.#report(head, body, read, how);
    if (state.reported !== undefined) this.#dependencies.onDelivery();
  }

  #answered(
    { reported }: RequestState,
    other: Exchange,
    {
      answer,
      body,
      at,
    }: { readonly answer: ResponseHead; readonly body: Buffer | undefined; readonly at: Moment },
  ): MaybePromise<ReceivedAnswer | undefined> {
    if (reported === undefined) {
      void other.responded(answer, body);
      return undefined;
    }
    const { decode } = this.#dependencies;
    return after(receivedAnswer(answer, body, decode), (received) => reported.call.answered(received, at));
  }

  /** Reports a delivery to the runtime; undefined: no subscription matches the request. */
  #report(
    head: RequestHead,
    body: Buffer,
    read: ReadDelivery,
    { at, mayStop }: { readonly at: Moment; readonly mayStop: boolean },
  ): ReportedDelivery | undefined {
    const { observer, appId, appUrl, routes, codec, profile } = this.#dependencies;
    const { target, method } = head;
    const found = routes.find(target, read);
    if (found === undefined) return undefined;
    const { subscription, route } = found;
    const isRaw = subscription.rawPayload === true && !read.isBulk;
    const bodyWith = remembered((wires) => this.#changedBody(body, read, wires, isRaw));
    const call = observer.delivering({
      appId,
      at,
      profile: profile(),
      protocol: 'http',
      subscription,
      ...(read.topic === undefined ? {} : { topic: read.topic }),
      route,
      events: read.events.map((event): SeenEvent =>
        isRaw ? { entryId: event.entryId, wire: unwrapped(event.wire, codec) } : event,
      ),
      isBulk: read.isBulk,
      request: { method, url: appUrl + target, headers: headerRecord(head), body },
      requestWith: (wires) => {
        const changed = bodyWith(wires);
        const headers = headerRecord(headForLength(head, changed.length));
        return { method, url: appUrl + target, headers, body: changed };
      },
      mayStop,
    });
    return { call, bodyWith };
  }

  async #whenItMayGo(head: RequestHead, state: RequestState): Promise<RequestDecision> {
    const { reported } = state;
    if (reported === undefined) return { kind: 'pass' };
    const { call, bodyWith } = reported;
    const passage = await call.passage;
    state.hasGoneOn = passage.kind !== 'answered';
    switch (passage.kind) {
      case 'pass':
        return { kind: 'pass' };
      case 'changed':
        return { kind: 'send', bytes: requestWithBody(head, bodyWith(passage.wires)) };
      case 'answered':
        return ownAnswer(passage.answer);
    }
  }

  #changedBody(body: Buffer, read: ReadDelivery, wires: Wires, isRaw: boolean): Buffer {
    if (read.isBulk) return withEvents(body, wires, this.#dependencies.codec);
    const wire = wires.get('');
    return wire === undefined ? body : withEvent(body, wire, isRaw, this.#dependencies.codec);
  }
}

/** Makes the body for changed events once: it is recorded first, and sent afterwards. */
function remembered(make: (wires: Wires) => Buffer): (wires: Wires) => Buffer {
  let last: { readonly wires: Wires; readonly body: Buffer } | undefined;
  return (wires) => {
    if (last?.wires !== wires) last = { wires, body: make(wires) };
    return last.body;
  };
}

function ownAnswer(answer: ReceivedAnswer): RequestDecision {
  const bytes = answerBytes(answer);
  return bytes === undefined ? { kind: 'cut' } : { kind: 'answer', bytes };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
