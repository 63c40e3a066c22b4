/** Makes the row of a delivery for lists: the same from an event, from the memory and from a journal. */
import type { Delivery, DeliveryRow } from '../contract/message.ts';
import type { Mutable } from '../contract/mutable.ts';

/** What a row shows of a delivery as it is stored. */
export type RowFacts = Pick<
  Delivery,
  'deliveryId' | 'appId' | 'state' | 'nextAttemptAt' | 'waitsFor' | 'heldAt'
> & {
  readonly [M in 'lastDurationMs' | 'span' | 'rule' | 'lastAnswer' | 'edits']?: DeliveryRow[M] | undefined;
} & {
  readonly attemptCount: number;
  readonly route: { readonly path: string };
};

/** Setting members takes a fraction of the time of a literal with a spread for each optional member. */
export function deliveryRow(facts: RowFacts): DeliveryRow {
  const { route, nextAttemptAt, lastDurationMs, span, rule, lastAnswer, waitsFor, heldAt, edits } = facts;
  const row: Mutable<DeliveryRow> = {
    deliveryId: facts.deliveryId,
    appId: facts.appId,
    state: facts.state,
    attempts: facts.attemptCount,
  };
  if (route.path !== '') row.route = route.path;
  if (nextAttemptAt !== undefined) row.nextAttemptAt = nextAttemptAt;
  if (lastDurationMs !== undefined) row.lastDurationMs = lastDurationMs;
  if (span !== undefined) row.span = span;
  if (rule !== undefined) row.rule = rule;
  if (lastAnswer !== undefined) row.lastAnswer = lastAnswer;
  if (waitsFor !== undefined) row.waitsFor = waitsFor;
  if (heldAt === 'response') row.heldAt = heldAt;
  if (edits !== undefined) row.edits = edits;
  return row;
}
