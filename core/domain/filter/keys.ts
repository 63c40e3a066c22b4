/**
 * The keys of the filter language: how the value of each is read, and which values are offered.
 */
import { CAUSES, DELIVERY_STATES, RULE_IDS } from '../../contract/delivery.ts';
import { FILTER_KEYS as MEANINGS, IS_WORDS } from '../../contract/filter-keys.ts';
import { STATUS_WORDS } from '../../contract/status-words.ts';
import { ORIGINS } from '../../contract/words.ts';
import type { TermKey } from './ast.ts';

/**
 * How a value is read. `text`: exact or with `*`. `word`: one of a fixed list, or with `*`. `answer`: a status,
 * or a text in any letter case, anywhere in an answer. `data`: JSON values under a path. `meta`: text, or numbers in a comparison by
 * size.
 */
type ValueKind =
  | 'text'
  | 'word'
  | 'number'
  | 'status'
  | 'answer'
  | 'size'
  | 'duration'
  | 'moment'
  | 'data'
  | 'meta';

export interface KeySpec {
  readonly reads: ValueKind;
  readonly meaning: string;
  /** Name of the value in "Expected … after". */
  readonly expects: string;
  /** Values that are always offered; if `reads` is `word`, no others are allowed. */
  readonly words?: readonly string[];
  /** Values that are allowed, but not offered. */
  readonly moreWords?: readonly string[];
}

/** Keys in the order in which they are offered. */
export type Language = Readonly<Partial<Record<TermKey, KeySpec>>>;

const STATUSES = ['2xx', '3xx', '4xx', '5xx', '200', '404', '500', 'ok', 'unavailable', 'unimplemented'];

/** Keys of messages. */
export const MESSAGE_LANGUAGE: Language = {
  topic: { reads: 'text', meaning: MEANINGS.topic, expects: 'a value' },
  state: {
    reads: 'word',
    meaning: MEANINGS.state,
    expects: 'a state',
    words: [...DELIVERY_STATES, 'waiting', 'none', 'unseen'],
    moreWords: ['refused'],
  },
  type: { reads: 'text', meaning: MEANINGS.type, expects: 'a value' },
  app: { reads: 'text', meaning: MEANINGS.app, expects: 'a value' },
  pubsub: { reads: 'text', meaning: MEANINGS.pubsub, expects: 'a value' },
  route: { reads: 'text', meaning: MEANINGS.route, expects: 'a value' },
  source: { reads: 'text', meaning: MEANINGS.source, expects: 'a value', words: ORIGINS },
  id: { reads: 'text', meaning: MEANINGS.id, expects: 'a value' },
  attempts: {
    reads: 'number',
    meaning: MEANINGS.attempts,
    expects: 'a number',
    words: ['0', '>=1', '>=2', '>=3'],
  },
  took: {
    reads: 'duration',
    meaning: MEANINGS.took,
    expects: 'a duration',
    words: ['>100ms', '>1s', '>5s'],
  },
  status: {
    reads: 'status',
    meaning: MEANINGS.status,
    expects: 'a number',
    words: STATUSES,
  },
  answer: {
    reads: 'answer',
    meaning: MEANINGS.answer,
    expects: 'a text, a status word or a code',
    words: [...STATUS_WORDS, '2xx', '4xx', '5xx', '*'],
  },
  protocol: {
    reads: 'word',
    meaning: MEANINGS.protocol,
    expects: 'a protocol',
    words: ['http', 'grpc'],
  },
  size: {
    reads: 'size',
    meaning: MEANINGS.size,
    expects: 'a size',
    words: ['>1kb', '>10kb', '>100kb', '>1mb'],
  },
  age: {
    reads: 'duration',
    meaning: MEANINGS.age,
    expects: 'a duration',
    words: ['<1m', '<5m', '<1h', '<1d'],
  },
  time: {
    reads: 'moment',
    meaning: MEANINGS.time,
    expects: 'a time such as 2026-01-31T14:30:00Z',
  },
  changed: {
    reads: 'moment',
    meaning: MEANINGS.changed,
    expects: 'a time such as 2026-01-31T14:30:00Z',
  },
  data: { reads: 'data', meaning: MEANINGS.data, expects: 'a value', words: ['*'] },
  meta: { reads: 'meta', meaning: MEANINGS.meta, expects: 'a value', words: ['*'] },
  rule: {
    reads: 'text',
    meaning: MEANINGS.rule,
    expects: 'a value',
    words: RULE_IDS,
  },
  lastrule: {
    reads: 'text',
    meaning: MEANINGS.lastrule,
    expects: 'a value',
    words: RULE_IDS,
  },
  cause: { reads: 'word', meaning: MEANINGS.cause, expects: 'a cause', words: CAUSES },
  is: {
    reads: 'word',
    meaning: MEANINGS.is,
    expects: `one of ${IS_WORDS.join(', ')}`,
    words: IS_WORDS,
  },
  origin: { reads: 'word', meaning: MEANINGS.origin, expects: 'an origin', words: ORIGINS },
  batch: { reads: 'text', meaning: MEANINGS.batch, expects: 'a value' },
  replayof: { reads: 'text', meaning: MEANINGS.replayof, expects: 'a value' },
  trace: { reads: 'text', meaning: MEANINGS.trace, expects: 'a value' },
  subject: { reads: 'text', meaning: MEANINGS.subject, expects: 'a value' },
  contenttype: { reads: 'text', meaning: MEANINGS.contenttype, expects: 'a value' },
  error: { reads: 'text', meaning: MEANINGS.error, expects: 'a value', words: ['*'] },
  answeredby: {
    reads: 'text',
    meaning: MEANINGS.answeredby,
    expects: 'a value',
    words: ['*'],
  },
};

/** Keys of log lines. */
export const LOG_LANGUAGE: Language = {
  level: {
    reads: 'word',
    meaning: 'level of a line',
    expects: 'a level',
    words: ['debug', 'info', 'warn', 'error'],
  },
  part: { reads: 'text', meaning: 'part that wrote it', expects: 'a value' },
  app: { reads: 'text', meaning: 'app whose process wrote it', expects: 'an app id' },
};
