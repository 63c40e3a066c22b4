/** Where the runtime is told what a tap saw pass between an app and a sidecar that is not ours, and asked whether it may go on. */
import type { Protocol } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import type { Attempt } from '../contract/message.ts';
import type { Subscription } from '../contract/subscription.ts';
import type { Wire } from '../domain/codec.ts';
import type { GivenEntry } from '../domain/bulk-publish.ts';
import type { ReceivedAnswer } from './app-channel.ts';

/** Who published, as the edge has it. */
export interface SeenCaller {
  /** Address and port. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** When something passed: it may be told a little later. */
export interface Moment {
  readonly ms: number;
  /** From the monotonic clock. */
  readonly mono: number;
}

/** A publish whose request has passed whole. */
export interface SeenPublish {
  /** The tapped app. */
  readonly appId: string;
  /** Absent: now. */
  readonly at?: Moment;
  /** Names and rules of the real sidecar. */
  readonly profile: Profile;
  readonly protocol: Protocol;
  readonly pubsubname: string;
  readonly topic: string;
  /** A bulk publish gives the array of entries as bytes, or the entries themselves (gRPC). */
  readonly body: Uint8Array | readonly GivenEntry[];
  readonly isBulk: boolean;
  readonly contentType?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly caller: SeenCaller;
  /** The message that this one repeats: it was published again from here. */
  readonly replayOf?: string;
}

export interface ObservedPublish {
  /** In the order of the entries; [] where nothing is recorded. */
  readonly messageIds: readonly string[];
  /** @param refused why the sidecar did not take it; undefined: it did */
  answered(refused: string | undefined): void;
}

/** One event of a delivery; of a batch one entry. */
export interface SeenEvent {
  /** "" outside a batch. */
  readonly entryId: string;
  readonly wire: Wire;
}

/** A delivery whose request has passed whole, or waits for `passage`. */
export interface SeenDelivery {
  readonly appId: string;
  /** Absent: now. */
  readonly at?: Moment;
  /** Names and rules of the real sidecar. */
  readonly profile: Profile;
  readonly protocol: Protocol;
  readonly subscription: Subscription;
  /** Topic of the events, where the subscription's is a pattern. */
  readonly topic?: string;
  readonly route: {
    readonly path: string;
    readonly rule?: { readonly match: string; readonly index: number };
  };
  readonly events: readonly SeenEvent[];
  readonly isBulk: boolean;
  readonly request: Omit<Attempt['request'], 'body'> & { readonly body: Wire };
  /** False: the request has passed already, and nothing can stop it. */
  readonly mayStop: boolean;
  /** When the sidecar gives the call up, by the wall clock; absent: it does not say. */
  readonly givesUpMs?: number;
}

/** `pass`: as it came. `changed`: with other events, by entry id. `answered`: the app is not asked, this is the answer. */
export type Passage =
  | { readonly kind: 'pass' }
  | { readonly kind: 'changed'; readonly wires: ReadonlyMap<string, Wire> }
  | { readonly kind: 'answered'; readonly answer: ReceivedAnswer };

export interface ObservedCall {
  /** When and how the request goes on. Never rejects. */
  readonly passage: Promise<Passage>;
  /**
   * The answer, or why there was none.
   * @param at absent: now
   * @returns what is sent on in its place, once no hold keeps it back; undefined, or a promise of it: as it came
   */
  answered(answer: ReceivedAnswer, at?: Moment): Promise<ReceivedAnswer | undefined> | undefined;
  /** The sidecar cut the call before the app had it, or while its answer was held. */
  lost(reason: string): void;
}

/** A message that is published again, through the real sidecar. */
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
  /** The route. */
  readonly path: string;
  readonly pubsubname: string;
  readonly topic: string;
  readonly events: readonly {
    /** Only in a batch. */
    readonly entryId?: string;
    readonly id?: string;
    readonly type?: string;
    /** The CloudEvent; absent: it is none. */
    readonly event?: Readonly<Record<string, unknown>>;
  }[];
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a rule says to a delivery. */
export interface RuledAnswer {
  readonly by: { readonly ruleId: string; readonly name?: string };
  /** Comes after the rule's delay; of a rule that never answers, never. */
  readonly answer: Promise<ReceivedAnswer>;
  /** The sidecar waits no longer. */
  gone(): void;
}

/** Rules that may answer in the place of a tapped app. */
export interface TapRules {
  /** False: nothing needs to be asked. */
  readonly any: boolean;
  /** Undefined: no rule concerns it, and the app is asked. */
  answerTo(call: RuledCall): RuledAnswer | undefined;
}

/** What a tap that is open offers to the runtime. */
export interface ConnectedTap {
  readonly send: TapSender;
  readonly rules: TapRules;
}

/** Publishes through the sidecar behind a tap. Rejects with the reason when that refuses; gives the id of the new message. */
export type TapSender = (publish: TapPublish) => Promise<string>;

/** What may stop deliveries now: where nothing does, bytes go on as they come. */
export interface Stops {
  readonly delivery: boolean;
  readonly response: boolean;
}

export interface TapObserver {
  stopsOf(appId: string): Stops;
  published(seen: SeenPublish): ObservedPublish;
  delivering(seen: SeenDelivery): ObservedCall;
  /** Publishes and deliveries that were not recorded, since the start. */
  readonly missed: number;
  /** Why the last of them was not; "" = none. */
  readonly missedWhy: string;
  /** From now on messages of this tap are replayed through its sidecar, and its rules hold; undefined: no longer. */
  connect(appId: string, tap: ConnectedTap | undefined): void;
  /** Deliveries to a tapped app that have not ended. */
  unfinished(appId: string): number;
}
