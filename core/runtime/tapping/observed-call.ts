/** One call with events that passes a tap: its deliveries, and the effect of holds and answers on all of them. */
import type { Attempt } from '../../contract/message.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import { tooLongName } from '../../domain/name-length.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { Moment, Passage, SeenDelivery, SeenEvent, SeenRequest } from '../../ports/tap.ts';
import { withoutSecret } from '../delivering/call.ts';
import type { Attempts } from '../delivering/attempts.ts';
import type { SharedServices } from '../common-services.ts';
import { recordRequest, waitedSince } from '../state/attempt-record.ts';
import type { StartedAttempt } from '../state/attempt-record.ts';
import type { LiveDelivery } from '../state/live.ts';
import { PassingEvent } from './identity.ts';

export const PASS: Passage = { kind: 'pass' };

/** Source of an answer that the app did not give. */
export type AnsweredBy = Parameters<Attempts['received']>[2];

/** An answer to a call. */
export interface GivenAnswer {
  readonly answer: ReceivedAnswer;
  readonly by?: AnsweredBy;
  /** Absent: now. */
  readonly at?: Moment | undefined;
}

/** A delivery of a running call. */
export interface Part {
  readonly event: SeenEvent;
  readonly passing: PassingEvent;
  d: LiveDelivery | undefined;
  attemptId: string | undefined;
}

/** The attempt that the call is for each of its deliveries. */
interface Started {
  readonly attemptId: string;
  readonly atMs: number;
  readonly atMono: number;
  /** The call with all its entries. */
  readonly request: StartedAttempt['request'];
}

/** A running call. */
export interface RunningCall {
  readonly seen: SeenDelivery;
  /** Replaced where the app gets other events. */
  started: Started;
  readonly parts: readonly Part[];
}

/** A call that begins. */
export function callOf(seen: SeenDelivery, { clock, ids, codec }: SharedServices): RunningCall {
  const { request, at } = seen;
  const started: Started = {
    attemptId: ids.next('attempt'),
    atMs: at?.ms ?? clock.now(),
    atMono: at?.mono ?? clock.monotonic(),
    request: recordOf(seen, request, codec),
  };
  return { seen, started, parts: partsOf(seen, codec) };
}

function recordOf({ profile }: SeenDelivery, request: SeenRequest, codec: Codec): Attempt['request'] {
  const headers = withoutSecret(request.headers, profile.tokenHeader);
  return recordRequest({ ...request, headers }, codec);
}

/** Records that the app gets other events than its sidecar sent: an attempt shows what the app gets. */
export function recordChanged(call: RunningCall, wires: ReadonlyMap<string, Wire>, codec: Codec): void {
  const { seen, parts } = call;
  call.started = { ...call.started, request: recordOf(seen, seen.requestWith(wires), codec) };
  for (const part of parts)
    if (part.d?.attemptId === call.started.attemptId)
      part.d.beginCall(startedOf(call, part, part.d), undefined);
}

function partsOf(seen: SeenDelivery, codec: Codec): readonly Part[] {
  const address = { pubsubname: seen.subscription.pubsubname, topic: topicOf(seen) };
  const isRaw = seen.subscription.rawPayload === true;
  return seen.events.map((event): Part => {
    const passing = new PassingEvent(address, event, isRaw, codec);
    return { event, passing, d: undefined, attemptId: undefined };
  });
}

/** The attempt of one delivery of a call. */
export function startedOf(
  { seen, started }: Pick<RunningCall, 'seen' | 'started'>,
  part: Part,
  d: LiveDelivery,
): StartedAttempt {
  return {
    attemptId: started.attemptId,
    tap: seen.appId,
    number: d.attemptCount,
    startedMs: started.atMs,
    startedMono: started.atMono,
    protocol: seen.protocol,
    request: started.request,
    ...waitedSince(d.lastEndMs, started.atMs),
    ...bulkOf(seen, part),
  };
}

export function bulkOf({ isBulk, events }: SeenDelivery, { event }: Part): Pick<Attempt, 'bulk'> {
  return isBulk ? { bulk: { entryId: event.entryId, batchSize: events.length } } : {};
}

/** Characters that some broker uses for wildcards. */
const WILDCARD = /[*#+>]/;

/** Topic of the message. With a pattern it is the one that its events name, if it is short enough for a row. */
export function topicOf({ subscription, topic = subscription.topic }: SeenDelivery): string {
  const isNamed = WILDCARD.test(subscription.topic) && tooLongName('a topic', topic) === undefined;
  return isNamed ? topic : subscription.topic;
}

/** Joins the decisions about the entries of a call into one, because the call passes as a whole. */
export function together(parts: readonly Part[], all: readonly Passage[]): Passage {
  const answered = all.find((one) => one.kind === 'answered');
  if (answered !== undefined) return answered;
  const wires = new Map(
    parts.flatMap(({ event, d }, i) => {
      const one = all[i];
      const wire = one?.kind === 'changed' && d !== undefined ? one.wires.get(d.deliveryId) : undefined;
      return wire === undefined ? [] : [[event.entryId, wire] as const];
    }),
  );
  return wires.size === 0 ? PASS : { kind: 'changed', wires };
}
