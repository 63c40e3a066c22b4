/** Interface through which a tap reports the traffic between an app and a foreign sidecar, and asks whether it may pass. */
import type { Protocol } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import type { Attempt } from '../contract/message.ts';
import type { Subscription } from '../contract/subscription.ts';
import type { Wire } from '../domain/codec.ts';
import type { GivenEntry } from '../domain/bulk-publish.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { ReceivedAnswer } from './app-channel.ts';

/** Publisher as the edge knows it. */
export interface SeenCaller {
  /** Address and port. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Time of an observation, which may be reported a little later. */
export interface Moment {
  readonly ms: number;
  /** Time by the monotonic clock. */
  readonly mono: number;
}

/** A publish whose request has passed completely. */
export interface SeenPublish {
  /** Id of the tapped app. */
  readonly appId: string;
  /** Time of the request; absent: now. */
  readonly at?: Moment;
  /** Profile of the real sidecar. */
  readonly profile: Profile;
  readonly protocol: Protocol;
  readonly pubsubname: string;
  readonly topic: string;
  /**
   * Body of the publish. A bulk publish has the array of entries as bytes, or the entries themselves (gRPC).
   */
  readonly body: Uint8Array | readonly GivenEntry[];
  readonly isBulk: boolean;
  readonly contentType?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly caller: SeenCaller;
  /** Original of this message, which was published again from here. */
  readonly replayOf?: string;
}

/** How a publish ended at the sidecar. */
export type PublishEnd =
  | { readonly kind: 'accepted' }
  /** The sidecar answered that it does not take it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The sidecar never had the whole request. */
  | { readonly kind: 'unreached'; readonly reason: string }
  /** The sidecar had the request and gave no answer: it may have taken it. */
  | { readonly kind: 'unanswered'; readonly reason: string };

export interface ObservedPublish {
  /** Ids of the messages, in the order of the entries; [] = nothing is recorded. */
  readonly messageIds: readonly string[];
  ended(how: PublishEnd): void;
}

/** One event of a delivery; in a batch one entry. */
export interface SeenEvent {
  /** Id of the entry; "" outside a batch. */
  readonly entryId: string;
  readonly wire: Wire;
  /** The wire as a JSON object, if it was read before. */
  readonly event?: Readonly<Record<string, unknown>>;
}

/** Request of a delivery as the app gets it. */
export type SeenRequest = Omit<Attempt['request'], 'body'> & { readonly body: Wire };

/** A delivery whose request has passed completely, or waits for `passage`. */
export interface SeenDelivery {
  readonly appId: string;
  /** Time of the request; absent: now. */
  readonly at?: Moment;
  /** Profile of the real sidecar. */
  readonly profile: Profile;
  readonly protocol: Protocol;
  readonly subscription: Subscription;
  /** Topic of the events, if the subscription's is a pattern. */
  readonly topic?: string;
  readonly route: {
    readonly path: string;
    readonly rule?: { readonly match: string; readonly index: number };
  };
  readonly events: readonly SeenEvent[];
  readonly isBulk: boolean;
  readonly request: SeenRequest;
  /** The request with other events, by entry id, which the app gets in place of the sidecar's own. */
  readonly requestWith: (wires: ReadonlyMap<string, Wire>) => SeenRequest;
  /** False: the request has passed already and cannot be stopped. */
  readonly mayStop: boolean;
  /** When the sidecar gives up the call, by the wall clock; absent: it does not say. */
  readonly givesUpMs?: number;
}

/**
 * Decision about a request. `pass`: unchanged. `changed`: with other events, by entry id. `answered`: the app is not called, and this is
 * the answer.
 */
export type Passage =
  | { readonly kind: 'pass' }
  | { readonly kind: 'changed'; readonly wires: ReadonlyMap<string, Wire> }
  | { readonly kind: 'answered'; readonly answer: ReceivedAnswer };

export interface ObservedCall {
  /** Resolves when the request may go on. Never rejects. */
  readonly passage: Promise<Passage>;
  /**
   * Reports the answer, or why there was none.
   * @param at absent: now
   * @returns the answer to send on instead, once no hold keeps it back; undefined, or a promise of it: send the app's
   */
  answered(answer: ReceivedAnswer, at?: Moment): Promise<ReceivedAnswer | undefined> | undefined;
  /**
   * Reports that the sidecar cut the call before the app had it, or while its answer was held.
   * @param at absent: now
   */
  lost(reason: string, at?: Moment): void;
}

/** A message to publish again through the real sidecar. */
export interface TapPublish {
  readonly pubsubname: string;
  readonly topic: string;
  readonly body: Wire;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly replayOf: string;
}

/** A delivery as rules see it. */
export interface RuledCall {
  readonly kind: 'delivery' | 'bulk';
  readonly protocol: Protocol;
  /** Path of the route. */
  readonly path: string;
  readonly pubsubname: string;
  readonly topic: string;
  readonly events: readonly {
    /** Id of the entry; only in a batch. */
    readonly entryId?: string;
    readonly id?: string;
    readonly type?: string;
    /** The CloudEvent; absent: the body, or the entry, is none. */
    readonly event?: Readonly<Record<string, unknown>>;
    /** Content of an entry that is no CloudEvent. */
    readonly wire?: Wire;
  }[];
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A rule's answer to a delivery. */
export interface RuledAnswer {
  readonly by: { readonly ruleId: string; readonly name?: string };
  /** Resolves after the rule's delay; for a rule that never answers it stays open. */
  readonly answer: Promise<ReceivedAnswer>;
  /** Tells the rule that the sidecar waits no longer. */
  gone(): void;
}

/** Rules that may answer instead of a tapped app. */
export interface TapRules {
  /** False: there is no rule to ask. */
  readonly any: boolean;
  /** The answer of the first matching rule. Undefined: no rule matches, and the app is asked. */
  answerTo(call: RuledCall): RuledAnswer | undefined;
}

/** The functions that an open tap offers to the runtime. */
export interface ConnectedTap {
  readonly send: TapSender;
  readonly rules: TapRules;
  /** Reports everything that has passed so far, before it returns. */
  readonly report: () => void;
  /**
   * Reports what has passed so far, some of it in each turn of the event loop.
   * @param until what passed later may wait; undefined: nothing may
   * @returns undefined: all of it is reported
   */
  readonly reportInTurns: (until: Moment | undefined) => Promise<void> | undefined;
}

/**
 * Publishes through the sidecar behind a tap. Rejects with the reason if the sidecar refuses, or if the new message
 * was not recorded; resolves with its id.
 */
export type TapSender = (publish: TapPublish) => Promise<string>;

/** Kinds of traffic that may be stopped now. If nothing may, bytes pass unchanged. */
export interface Stops {
  readonly delivery: boolean;
  readonly response: boolean;
}

export interface TapObserver {
  stopsOf(appId: string): Stops;
  published(seen: SeenPublish): ObservedPublish;
  delivering(seen: SeenDelivery): ObservedCall;
  /** Number of records since the start that could not be made: of publishes, deliveries, answers. */
  readonly missed: number;
  /** Reason for the last of them; "" = none. */
  readonly missedWhy: string;
  /**
   * Connects a tap: messages of it are now replayed through its sidecar, and its rules apply. undefined:
   * disconnects it.
   */
  connect(appId: string, tap: ConnectedTap | undefined): void;
  /**
   * Records what has passed so far: reports that wait for a pause, and publishes that wait for their event. Resolves once deliveries that
   * still look for their message have it. Never rejects.
   */
  catchUp(): MaybePromise<void>;
  /** Counts a report that failed as a record that is missing. */
  reportFailed(cause: unknown): void;
  /** Number of deliveries to a tapped app that have not ended. */
  unfinished(appId: string): number;
}
