/** Shapes of what a listening client receives: events, log lines, and the start of a stream. */
import { deliveryRow, messageRow, ruleId, transition } from './message.ts';
import { counts } from './reports.ts';
import { list, Literal, members, Num, oneOf, Optional, Text, Union } from './schema.ts';
import type { Static } from './schema.ts';

export const logEntry = members({
  at: Text(),
  level: oneOf(['debug', 'info', 'warn', 'error']),
  part: Text(),
  text: Text(),
  messageId: Optional(Text()),
  deliveryId: Optional(Text()),
  attemptId: Optional(Text()),
  rule: Optional(ruleId),
  /** App whose process wrote the line; `stream` says to which output. */
  appId: Optional(Text()),
  stream: Optional(oneOf(['stdout', 'stderr'])),
});
export type LogEntry = Static<typeof logEntry>;

const sequence = Num();

export const consoleEvent = Union([
  members({ sequence, type: Literal('message.added'), row: messageRow }),
  members({
    sequence,
    type: Literal('delivery.changed'),
    messageId: Text(),
    deliveryId: Text(),
    transition,
    attempts: Num(),
    nextAttemptAt: Optional(Text()),
    /** The delivery's part of the row after the change, so that a list needs no further data. */
    delivery: deliveryRow,
    /** `number` of the message, by which views find its position. */
    number: Optional(Num()),
  }),
  members({ sequence, type: Literal('topology.changed'), appId: Text() }),
  members({ sequence, type: Literal('hold.changed'), holdId: Text() }),
  members({ sequence, type: Literal('log.added'), entry: logEntry }),
  members({ sequence, type: Literal('process.changed'), appId: Text() }),
  /** Recent output of a process. `skipped` further lines are in `processes.logs` alone. */
  members({
    sequence,
    type: Literal('process.output'),
    appId: Text(),
    entries: list(logEntry),
    skipped: Num(),
  }),
  members({ sequence, type: Literal('messages.pruned'), beforeSequence: Num(), count: Num() }),
]);
export type ConsoleEvent = Static<typeof consoleEvent>;

const snapshot = members({ rows: list(messageRow), counts, oldestKept: Num() });
export type Snapshot = Static<typeof snapshot>;

/** Exactly one of `missed` and `snapshot` is given. */
export const streamStart = members({
  epoch: Text(),
  sequence: Num(),
  missed: Optional(list(consoleEvent)),
  snapshot: Optional(snapshot),
});
export type StreamStart = Static<typeof streamStart>;
