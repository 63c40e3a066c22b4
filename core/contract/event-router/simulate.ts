/** Shapes of `eventRouter.simulate`, which plays a delivery through the router's schedule. */
import { status } from '../bounds.ts';
import { ROUTER_OUTCOMES } from './words.ts';
import { Bool, Integer, list, Literal, members, Num, oneOf, Optional, Text, Union } from '../schema.ts';
import type { Static } from '../schema.ts';

/** An HTTP status, or the failure that took its place. */
export const simulatedAnswer = Union([
  status,
  Literal('timeout'),
  Literal('refused'),
  Literal('no-name'),
  Literal('tls'),
]);
export type SimulatedAnswer = Static<typeof simulatedAnswer>;

/**
 * Parameters of a simulation; nothing is sent. Defaults: 30 attempts, 1,440 minutes, the router's time scale,
 * answers of 503.
 */
export const simulateParams = members({
  maxDeliveryAttempts: Optional(Integer({ minimum: 1, maximum: 30 })),
  eventTimeToLiveInMinutes: Optional(Num({ minimum: 1, maximum: 1440 })),
  timeScale: Optional(Num({ exclusiveMinimum: 0, maximum: 10 })),
  /** Whether the waits include probation. */
  probation: Optional(Bool()),
  /** Answers of the endpoint to the first, second … attempt; the last one repeats. */
  answers: Optional(list(simulatedAnswer, { maxItems: 30 })),
});
export type SimulateParams = Static<typeof simulateParams>;

/** Times in ms after the publish. */
export const simulatedAttempt = members({
  number: Num(),
  atMs: Num(),
  answer: simulatedAnswer,
  outcome: Optional(oneOf(ROUTER_OUTCOMES)),
  rule: Text(),
  /** Wait before the next attempt. */
  waitMs: Optional(Num()),
});
export type SimulatedAttempt = Static<typeof simulatedAttempt>;

export const simulateResult = members({
  attempts: list(simulatedAttempt),
  /** Time at which the time to live ends. */
  expiresMs: Num(),
  end: members({
    state: oneOf(['processed', 'parked', 'expired']),
    rule: Text(),
    atMs: Num(),
  }),
});
export type SimulateResult = Static<typeof simulateResult>;
