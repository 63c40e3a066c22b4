/** Reads the value of each key of the message language from a message. */
import { withoutDelivery } from '../../contract/attention.ts';
import type { Protocol } from '../../contract/grpc.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { TermKey } from './ast.ts';
import { IS_WORDS } from '../../contract/filter-keys.ts';
import type { FilterSubject } from './subject.ts';

/** Keys that compare text; `app`, `state` and the like hold several. */
export const TEXT_FACTS: Readonly<
  Partial<Record<TermKey, (subject: FilterSubject) => readonly (string | undefined)[]>>
> = {
  topic: ({ row }) => [row.topic],
  pubsub: ({ row }) => [row.pubsubname],
  app: ({ row, deliveries }) => [row.appId, ...deliveries.map(({ appId }) => appId)],
  route: ({ deliveries }) => deliveries.map(({ route }) => route),
  state: statesOf,
  type: ({ row }) => [row.eventType],
  source: ({ row, event }) => [row.source, textOr(event?.['source'])],
  rule: ({ rules }) => rules,
  lastrule: ({ deliveries }) =>
    deliveries.flatMap(({ state, rule }) => (rule === undefined ? [] : [rule, `${state}/${rule}`])),
  cause: ({ causes }) => causes,
  protocol: ({ row, statuses }) => protocolsOf(row, statuses),
  is: ({ row }) => IS_WORDS.filter((word) => IS[word](row)),
  origin: ({ row }) => [row.source],
  batch: ({ row }) => [row.batchId],
  replayof: ({ row }) => [row.replayOf],
  trace: ({ row }) => [row.traceId],
  subject: ({ row }) => [row.subject],
  contenttype: ({ row }) => [row.contentType],
  error: ({ errors }) => errors.map((error) => error.toLowerCase()),
  answeredby: ({ answeredBy }) => answeredBy,
};

/** Keys that compare numbers: sizes in bytes, durations in ms, moments in ms since 1970. */
export const NUMBER_FACTS: Readonly<
  Partial<Record<TermKey, (subject: FilterSubject, nowMs: number) => readonly number[]>>
> = {
  attempts: ({ deliveries }) => (deliveries.length === 0 ? [0] : deliveries.map(({ attempts }) => attempts)),
  took: ({ deliveries }) => deliveries.flatMap(({ lastDurationMs }) => lastDurationMs ?? []),
  status: ({ statuses }) => statuses,
  size: ({ row }) => [row.sizeBytes],
  age: ({ row }, nowMs) => [nowMs - Date.parse(row.at)],
  time: ({ row }) => [Date.parse(row.at)],
  changed: ({ row, changedAt }) => [row.at, ...changedAt].map((at) => Date.parse(at)),
};

const IS: Readonly<Record<(typeof IS_WORDS)[number], (row: MessageRow) => boolean>> = {
  unread: (row) => row.unread === true,
  pinned: (row) => row.pinned === true,
  raw: (row) => row.raw,
  bulk: (row) => row.batchId !== undefined || row.source === 'bulk',
  replay: (row) => row.replayOf !== undefined || row.source === 'replay',
  tapped: (row) => row.tap !== undefined,
  replayed: (row) => row.replayedAs !== undefined,
};

/** Protocol of the publish, for origins that tell it. */
const PUBLISHED_OVER: Partial<Record<MessageRow['source'], Protocol>> = {
  http: 'http',
  bulk: 'http',
  grpc: 'grpc',
  'grpc-bulk': 'grpc',
};

/** Protocols of a message: that of its publish, then that of each answer. */
function protocolsOf(row: MessageRow, statuses: readonly number[]): readonly (Protocol | undefined)[] {
  return [PUBLISHED_OVER[row.source], ...statuses.map((status) => (status < 0 ? 'grpc' : 'http'))];
}

/**
 * States of the deliveries and the message's own stage. `none`: it has neither, so no subscription matched. `unseen`: it has neither, and a
 * tap showed it or a broker may have given it to others. A delivery that waits for its subscription is also `waiting`, as its chip says.
 */
function statesOf({ row, deliveries }: FilterSubject): string[] {
  const states: string[] = deliveries.map(({ state }) => state);
  if (deliveries.some(({ state, waitsFor }) => state === 'queued' && waitsFor !== undefined))
    states.push('waiting');
  if (row.stage !== undefined) states.push(row.stage);
  return states.length === 0 ? [withoutDelivery(row)] : states;
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
