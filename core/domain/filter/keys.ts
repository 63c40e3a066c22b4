/**
 * The keys of the filter language: what each compares, the values that it takes, and its meaning in one line
 * for the completion.
 */
import { CAUSES, DELIVERY_STATES, RULE_IDS } from '../../contract/delivery.ts';
import { ORIGINS } from '../../contract/words.ts';
import type { TermKey } from './ast.ts';

/**
 * How a value is read. `text`: exact or with `*`. `word`: one of a fixed list, or with `*`. `data`: JSON
 * values under a path. `meta`: text, or numbers in a comparison by size.
 */
type ValueKind = 'text' | 'word' | 'number' | 'status' | 'size' | 'duration' | 'moment' | 'data' | 'meta';

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

export const IS_WORDS = ['unread', 'pinned', 'raw', 'bulk', 'replay', 'tapped'] as const;

const STATUS_WORDS = ['2xx', '3xx', '4xx', '5xx', '200', '404', '500', 'ok', 'unavailable', 'unimplemented'];

/** Keys of messages. */
export const MESSAGE_LANGUAGE: Language = {
  topic: { reads: 'text', meaning: 'exact topic name', expects: 'a value' },
  state: {
    reads: 'word',
    meaning: 'state of a delivery',
    expects: 'a state',
    words: [...DELIVERY_STATES, 'waiting', 'none', 'unseen'],
    moreWords: ['refused'],
  },
  type: { reads: 'text', meaning: 'event type', expects: 'a value' },
  app: { reads: 'text', meaning: 'app that sent it or gets it', expects: 'a value' },
  pubsub: { reads: 'text', meaning: 'exact pub/sub component name', expects: 'a value' },
  route: { reads: 'text', meaning: 'path of a delivery', expects: 'a value' },
  source: { reads: 'text', meaning: 'event source, or an origin', expects: 'a value', words: ORIGINS },
  id: { reads: 'text', meaning: 'event id, or start of a message or delivery id', expects: 'a value' },
  attempts: {
    reads: 'number',
    meaning: 'attempts of a delivery',
    expects: 'a number',
    words: ['0', '>=1', '>=2', '>=3'],
  },
  status: {
    reads: 'status',
    meaning: 'HTTP status or gRPC code of any attempt',
    expects: 'a number',
    words: STATUS_WORDS,
  },
  protocol: {
    reads: 'word',
    meaning: 'protocol of its publish or of an answer',
    expects: 'a protocol',
    words: ['http', 'grpc'],
  },
  size: {
    reads: 'size',
    meaning: 'size of the message',
    expects: 'a size',
    words: ['>1kb', '>10kb', '>100kb', '>1mb'],
  },
  age: {
    reads: 'duration',
    meaning: 'time since it was accepted',
    expects: 'a duration',
    words: ['<1m', '<5m', '<1h', '<1d'],
  },
  time: {
    reads: 'moment',
    meaning: 'when it was accepted, such as >=2026-01-31T14:30:00Z',
    expects: 'a time such as 2026-01-31T14:30:00Z',
  },
  changed: {
    reads: 'moment',
    meaning: 'when it was accepted or a delivery changed its state',
    expects: 'a time such as 2026-01-31T14:30:00Z',
  },
  data: { reads: 'data', meaning: 'value in the payload', expects: 'a value', words: ['*'] },
  meta: { reads: 'meta', meaning: 'publish metadata', expects: 'a value', words: ['*'] },
  rule: {
    reads: 'text',
    meaning: 'rule of any transition, also an earlier one',
    expects: 'a value',
    words: RULE_IDS,
  },
  lastrule: {
    reads: 'text',
    meaning: 'rule that explains the state now',
    expects: 'a value',
    words: RULE_IDS,
  },
  cause: { reads: 'word', meaning: 'who caused a transition', expects: 'a cause', words: CAUSES },
  is: {
    reads: 'word',
    meaning: IS_WORDS.join(', '),
    expects: `one of ${IS_WORDS.join(', ')}`,
    words: IS_WORDS,
  },
  origin: { reads: 'word', meaning: 'how it came in', expects: 'an origin', words: ORIGINS },
  batch: { reads: 'text', meaning: 'id of a bulk publish', expects: 'a value' },
  replayof: { reads: 'text', meaning: 'id of the message it repeats', expects: 'a value' },
  trace: { reads: 'text', meaning: 'trace id', expects: 'a value' },
  subject: { reads: 'text', meaning: 'event subject', expects: 'a value' },
  error: { reads: 'text', meaning: 'why an attempt got no answer', expects: 'a value', words: ['*'] },
  answeredby: {
    reads: 'text',
    meaning: 'id or name of the mock answer that answered an attempt',
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
