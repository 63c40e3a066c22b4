/** The tables of the journal's file, and the steps that bring the file of an older version up to date. */
import type { DatabaseSync } from 'node:sqlite';

import { UNPUBLISHED } from '../../contract/attention.ts';
import { JournalError } from '../../ports/journal.ts';
import { inTransaction } from './sqlite.ts';

/** One step: from the version that is its index to the next one. Its statements and the new version are one transaction. */
export type Step = (db: DatabaseSync) => void;

/** `standing` of a message: it may be pruned, it is kept because it is pinned, something of it is open. */
export const STANDING = { removable: 0, pinned: 1, open: 2 } as const;

/** A delivery `d` that a tap observed and has not seen again for long: few retry, so only their records are read. */
export const IS_SILENT = "(d.state = 'retrying' AND (d.record ->> '$.silent') IS NOT NULL)";

/** A message `m` with at least one delivery. */
export const HAS_DELIVERY = 'EXISTS (SELECT 1 FROM delivery x WHERE x.number = m.number)';

/** A message that was refused or expired before any delivery. */
export const IS_UNPUBLISHED = `stage IN (${UNPUBLISHED.map((stage) => `'${stage}'`).join(', ')})`;

/** A message that a person dropped before any delivery. */
export const IS_DROPPED_EARLY = "stage = 'dropped'";

/** A message `m` that a tap showed. */
export const IS_TAPPED =
  "EXISTS (SELECT 1 FROM content t WHERE t.number = m.number AND (t.row ->> '$.tap') IS NOT NULL)";

/** A message `m` that no app got, and that was replayed since. */
export const IS_REPLAYED =
  "EXISTS (SELECT 1 FROM content t WHERE t.number = m.number AND (t.row ->> '$.replayedAs') IS NOT NULL)";

/**
 * Other consumers that may have received a message `m` without a delivery here: the tap that observed it, or the groups that a broker
 * delivers it to.
 */
const OTHERS =
  "(SELECT coalesce(t.row ->> '$.tap', t.row ->> '$.expectedBy') FROM content t WHERE t.number = m.number)";

/** A message `m` that others may have got without a delivery here. */
export const MAYBE_ELSEWHERE = `(${OTHERS} IS NOT NULL)`;

/** These consumers for a message `m` without stage and delivery; null for any other: only rows of the former are read. */
export const UNSEEN_BY = `CASE WHEN m.stage IS NULL AND NOT ${HAS_DELIVERY}
  THEN ${OTHERS} END`;

/**
 * Bits of `message.agrees`: SQL reads the envelope's JSON values, or its text, as the evaluator in the program does. Neither is set where a
 * person edited a delivery, because the evaluator then reads other bytes than those of the message.
 */
export const AGREES = { data: 1, text: 2 } as const;

/**
 * Which part of the history a message belongs to: 4,096 messages. Ids of events are random, so an index over all of them has a page
 * to change for each message, which made one cost a quarter more at 300,000 kept. Entries of one part lie side by side.
 */
export const EVENT_PART = 'number >> 12';

/** Every part, for a look at each of them: 245 for a million messages. */
export const EVERY_EVENT_PART = `WITH RECURSIVE part (n) AS (
  SELECT (SELECT min(number) FROM message) >> 12
  UNION ALL SELECT n + 1 FROM part WHERE n < (SELECT max(number) FROM message) >> 12
) SELECT n FROM part`;

/**
 * `message` holds what filters compare, `content` what was given: listing and counting never read a body.
 * Numbers of messages are the program's; `nth` counts the deliveries of a message, `n` what one delivery has made so far.
 */
const FIRST = `
CREATE TABLE totals (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  messages INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  last_number INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  clean INTEGER NOT NULL
) STRICT;
INSERT INTO totals VALUES (1, 0, 0, 0, 0, 1);

CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT) STRICT;

CREATE TABLE message (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  at INTEGER,
  pubsub TEXT NOT NULL,
  topic TEXT NOT NULL,
  app TEXT NOT NULL,
  origin TEXT NOT NULL,
  size INTEGER NOT NULL,
  raw INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  unread INTEGER NOT NULL,
  event_id TEXT,
  event_type TEXT,
  event_source TEXT,
  subject TEXT,
  trace TEXT,
  batch TEXT,
  replay_of TEXT,
  stage TEXT,
  waiting INTEGER NOT NULL,
  published INTEGER NOT NULL,
  standing INTEGER NOT NULL,
  agrees INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX message_id ON message (id);
CREATE INDEX message_topic ON message (topic, number);
CREATE INDEX message_standing ON message (standing, number);
CREATE INDEX message_stage ON message (stage, number) WHERE stage IS NOT NULL;

CREATE TABLE content (
  number INTEGER PRIMARY KEY,
  sum INTEGER NOT NULL,
  row TEXT NOT NULL,
  given TEXT NOT NULL,
  metadata TEXT,
  released TEXT,
  wire ANY NOT NULL
) STRICT;

CREATE TABLE delivery (
  number INTEGER NOT NULL,
  nth INTEGER NOT NULL,
  id TEXT NOT NULL,
  state TEXT NOT NULL,
  app TEXT NOT NULL,
  route TEXT,
  attempts INTEGER NOT NULL,
  made_attempts INTEGER NOT NULL,
  made_transitions INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  own INTEGER NOT NULL,
  record TEXT NOT NULL,
  changed ANY,
  PRIMARY KEY (number, nth)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX delivery_id ON delivery (id);
CREATE INDEX delivery_state ON delivery (state, number);

CREATE TABLE attempt (
  place INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  nth INTEGER NOT NULL,
  n INTEGER NOT NULL,
  status INTEGER,
  error_code TEXT,
  error TEXT,
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX attempt_of ON attempt (number, nth, n, status, error_code);

CREATE TABLE transition (
  number INTEGER NOT NULL,
  nth INTEGER NOT NULL,
  n INTEGER NOT NULL,
  was TEXT,
  state TEXT NOT NULL,
  at TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  cause TEXT NOT NULL,
  rule TEXT NOT NULL,
  note TEXT,
  PRIMARY KEY (number, nth, n)
) STRICT, WITHOUT ROWID;
`;

/**
 * An attempt that sent the message's own text (`sent_wire`) does not contain it again. `tally` counts deliveries by state, and under two
 * more names messages (`message`) and those with a delivery (`delivered`), so that a start need not read each.
 */
const SECOND = `
ALTER TABLE delivery ADD COLUMN pubsub TEXT NOT NULL DEFAULT '';
ALTER TABLE delivery ADD COLUMN subscribed TEXT NOT NULL DEFAULT '';
UPDATE delivery SET pubsub = record ->> '$.subscription.pubsubname', subscribed = record ->> '$.subscription.topic';

CREATE TABLE tally (
  pubsub TEXT NOT NULL,
  topic TEXT NOT NULL,
  app TEXT NOT NULL,
  subscribed TEXT NOT NULL,
  state TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (pubsub, topic, app, subscribed, state)
) STRICT, WITHOUT ROWID;
INSERT INTO tally
  SELECT d.pubsub, m.topic, d.app, d.subscribed, d.state, count(*)
  FROM delivery d JOIN message m USING (number) GROUP BY 1, 2, 3, 4, 5;
INSERT INTO tally SELECT pubsub, topic, '', '', 'message', count(*) FROM message GROUP BY 1, 2;
INSERT INTO tally
  SELECT pubsub, topic, '', '', 'delivered', count(*) FROM message m
  WHERE EXISTS (SELECT 1 FROM delivery d WHERE d.number = m.number) GROUP BY 1, 2;
`;

/**
 * `batch` holds the request and the response of a call with several entries; their attempts name it. An event's id is looked up,
 * and the ids of deliveries are read without their records.
 */
const THIRD = `
CREATE TABLE batch (
  batch INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  request TEXT NOT NULL,
  response TEXT
) STRICT;
ALTER TABLE attempt ADD COLUMN batch INTEGER;
CREATE INDEX attempt_batch ON attempt (batch) WHERE batch IS NOT NULL;
CREATE INDEX message_event ON message (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX delivery_place ON delivery (number, id);
`;

/**
 * `folded` is the number of the last frame of the file of the newest records that the tables have, `name` ties that file to this
 * one. An older program would not look into it, so it must not open the file any more.
 */
const FOURTH = `
ALTER TABLE totals ADD COLUMN folded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE totals ADD COLUMN name TEXT NOT NULL DEFAULT '';
UPDATE totals SET name = lower(hex(randomblob(16)));
`;

/** The ids of events, part by part. Its text is that of `EVENT_PART`, or no search would use it. */
const FIFTH = `
DROP INDEX message_event;
CREATE INDEX message_event ON message (number >> 12, event_id) WHERE event_id IS NOT NULL;
`;

/** Filters read what a person edited for a delivery, so SQL leaves these messages to the evaluator. */
const SIXTH = `
UPDATE message SET agrees = 0 WHERE number IN (SELECT number FROM delivery WHERE changed IS NOT NULL);
`;

function second(db: DatabaseSync): void {
  // Some builds of the first version had it already.
  const hasSentWire = db
    .prepare('PRAGMA table_info(attempt)')
    .all()
    .some(({ name }) => name === 'sent_wire');
  if (!hasSentWire) db.exec('ALTER TABLE attempt ADD COLUMN sent_wire INTEGER NOT NULL DEFAULT 0');
  db.exec(SECOND);
}

/** Every step there ever was; never changed, only added to. */
export const STEPS: readonly Step[] = [
  (db) => db.exec(FIRST),
  second,
  (db) => db.exec(THIRD),
  (db) => db.exec(FOURTH),
  (db) => db.exec(FIFTH),
  (db) => db.exec(SIXTH),
];

export function versionOf(db: DatabaseSync): number {
  const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
  return typeof version === 'number' ? version : 0;
}

/**
 * Brings a file up to date, one transaction for each step.
 * @param beforeFirst called before an older file (not a new one) is changed, to make a copy of it
 * @param onStep called before each step of an older file, with the version that it leads to
 * @throws JournalError broken for the file of a newer version; then nothing was changed
 */
export function migrate(
  db: DatabaseSync,
  file: string,
  beforeFirst: (version: number) => void,
  steps: readonly Step[] = STEPS,
  onStep: (to: number) => void = () => undefined,
): void {
  const found = versionOf(db);
  if (found > steps.length) {
    throw new JournalError(
      'broken',
      `${file} was written by a newer version of Sidelight (its format is ${found}, this one knows ${steps.length}); ` +
        'start that version, choose another folder with --data-dir, or keep nothing with --ephemeral',
    );
  }
  if (found > 0 && found < steps.length) beforeFirst(found);
  for (const [index, step] of steps.entries()) {
    if (index < found) continue;
    if (found > 0) onStep(index + 1);
    inTransaction(db, () => {
      step(db);
      db.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}
