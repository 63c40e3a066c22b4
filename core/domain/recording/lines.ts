/** The lines of a recording: one for each message with its deliveries, then one for each of its attempts. */
import type { Attempt } from '../../contract/message.ts';
import type { RecordedRule, RecordedSubscription } from '../../contract/recording.ts';
import type { Codec, Wire } from '../codec.ts';
import type { RecordedDelivery, RecordedMessage } from './recorded.ts';
import type { Call, SharedCalls } from './shared-calls.ts';

/**
 * Version of the format. It is raised when an older program could not read the lines. 2: entries of a batch
 * name their call.
 */
export const RECORDING_VERSION = 2;

/** Members that JSON leaves out. */
const NO_CALL = { request: undefined, response: undefined } as const;

/** Bytes of a message. Those that are no text are base64 under another name. */
export interface LineWire {
  readonly wire?: string;
  readonly wireBase64?: string;
}

export interface DeliveryLine extends LineWire {
  readonly delivery: Omit<RecordedDelivery['delivery'], 'changedWire'>;
  readonly transitions: RecordedDelivery['transitions'];
}

export interface MessageLine extends LineWire {
  readonly kind: 'message';
  readonly row: RecordedMessage['message']['row'];
  readonly metadata: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly releasedFrom?: readonly string[];
  readonly deliveries: readonly DeliveryLine[];
}

export interface AttemptLine {
  readonly kind: 'attempt';
  readonly deliveryId: string;
  /**
   * The attempt. Without a call it has the call of the last attempt before it with the same id that has one,
   * another entry of its batch.
   */
  readonly attempt: Attempt | (Omit<Attempt, keyof Call> & { readonly request: undefined });
}

/** An attempt of a file with its call, wherever the file has the call. */
export interface WholeAttempt {
  readonly deliveryId: string;
  readonly attempt: Attempt;
}

export interface HeaderLine {
  readonly kind: 'recording';
  readonly version: number;
  readonly product: string;
  readonly exportedAt: string;
  readonly count: number;
  readonly isMasked: boolean;
  readonly filter?: string;
}

/** A line after the first. */
export type BodyLine =
  | MessageLine
  | AttemptLine
  | { readonly kind: 'subscription'; readonly subscription: RecordedSubscription }
  | { readonly kind: 'rule'; readonly rule: RecordedRule }
  | { readonly kind: 'end'; readonly messages: number };

/**
 * The lines of one message.
 * @param calls calls of earlier lines
 */
export function linesOf(
  recorded: RecordedMessage,
  calls: SharedCalls,
  codec: Codec,
): readonly (MessageLine | AttemptLine)[] {
  const { message, deliveries } = recorded;
  const { row, wire, metadata, givenContentType, releasedFrom } = message;
  const first: MessageLine = {
    kind: 'message',
    row: { ...row, deliveries: [] },
    ...lineWire(wire, codec),
    metadata,
    contentType: givenContentType,
    ...(releasedFrom === undefined ? {} : { releasedFrom }),
    deliveries: deliveries.map(({ delivery: { changedWire, ...delivery }, transitions }) => ({
      delivery,
      transitions,
      ...(changedWire === undefined ? {} : lineWire(changedWire, codec)),
    })),
  };
  const attempts = deliveries.flatMap(({ delivery, attempts: made }) =>
    made.map((attempt): AttemptLine => ({
      kind: 'attempt',
      deliveryId: delivery.deliveryId,
      attempt: calls.knows(attempt) ? { ...attempt, ...NO_CALL } : attempt,
    })),
  );
  return [first, ...attempts];
}

/**
 * Completes the attempt of a line. Undefined: its call is not known.
 * @param calls calls of earlier lines
 */
export function wholeOf({ deliveryId, attempt }: AttemptLine, calls: SharedCalls): WholeAttempt | undefined {
  if (hasCall(attempt)) {
    if (attempt.bulk !== undefined) calls.keep(attempt);
    return { deliveryId, attempt };
  }
  const call = calls.of(attempt.attemptId);
  return call === undefined ? undefined : { deliveryId, attempt: { ...attempt, ...call } };
}

/** The message of its lines. Undefined: its bytes are neither text nor base64. */
export function recordedOf(
  line: MessageLine,
  attempts: readonly WholeAttempt[],
  codec: Codec,
): RecordedMessage | undefined {
  const wire = wireOf(line, codec);
  if (wire === undefined) return undefined;
  const { row, metadata, contentType, releasedFrom } = line;
  // A file may have thousands of deliveries and of attempts, so each attempt is looked at once.
  const attemptsOf = new Map<string, Attempt[]>();
  for (const { deliveryId, attempt } of attempts) {
    const others = attemptsOf.get(deliveryId);
    if (others === undefined) attemptsOf.set(deliveryId, [attempt]);
    else others.push(attempt);
  }
  return {
    message: {
      row,
      wire,
      metadata,
      givenContentType: contentType,
      ...(releasedFrom === undefined ? {} : { releasedFrom }),
    },
    deliveries: line.deliveries.map(({ delivery, transitions, ...changed }) => {
      const changedWire = wireOf(changed, codec);
      return {
        delivery: changedWire === undefined ? delivery : { ...delivery, changedWire },
        transitions,
        attempts: attemptsOf.get(delivery.deliveryId) ?? [],
      };
    }),
  };
}

function hasCall(attempt: AttemptLine['attempt']): attempt is Attempt {
  return attempt.request !== undefined;
}

function lineWire(wire: Wire, codec: Codec): LineWire {
  if (typeof wire === 'string') return { wire };
  return { wireBase64: codec.toBase64(wire) };
}

function wireOf({ wire, wireBase64 }: LineWire, codec: Codec): Wire | undefined {
  if (wireBase64 !== undefined) return codec.fromBase64(wireBase64);
  return wire;
}
