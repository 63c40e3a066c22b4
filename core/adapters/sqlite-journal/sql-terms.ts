/** Terms of the filter language over columns: what a message, its deliveries, attempts and transitions say. */
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import { STAGES } from '../../contract/words.ts';
import type { FilterValue, TermKey, TermNode } from '../../domain/filter/ast.ts';
import { inCapitals, isStar, lowered, textTest } from '../../domain/filter/evaluate.ts';
import { IS_WORDS } from '../../contract/filter-keys.ts';
import { hashedNumber } from '../../domain/message-number.ts';
import {
  AGREES,
  EVENT_PART,
  EVERY_EVENT_PART,
  HAS_DELIVERY,
  IS_REPLAYED,
  IS_TAPPED,
  MAYBE_ELSEWHERE,
} from './schema.ts';
import { ANY, exactly, globOf, NONE, numberTest, onlyWhere, or } from './clause.ts';
import type { Clause, Compiling } from './clause.ts';
import { columnText } from './columns.ts';
import { answerTextClause, dataClause, metaClause } from './sql-payload.ts';

/** Columns of `message` that hold one text, or none. */
const TEXT_COLUMNS: Readonly<Partial<Record<TermKey, readonly string[]>>> = {
  topic: ['m.topic'],
  pubsub: ['m.pubsub'],
  type: ['m.event_type'],
  source: ['m.origin', 'm.event_source'],
  origin: ['m.origin'],
  batch: ['m.batch'],
  replayof: ['m.replay_of'],
  trace: ['m.trace'],
  subject: ['m.subject'],
};

/** Only attempts of a mock app say it, and only some are asked for: it has no column of its own. */
const ANSWERED_BY: readonly string[] = [
  "(record ->> '$.answeredBy.ruleId')",
  "(record ->> '$.answeredBy.name')",
];

/** Content type of a message, which has no column of its own. */
const CONTENT_TYPE = "(c.row ->> '$.contentType')";

/** Status word of an attempt, in capitals. */
const WORD = "upper(record ->> '$.word')";

/** Rule of the last transition of a delivery. */
const LAST_RULE = "(record ->> '$.rule')";
/** The state in front, for a delivery that is in it for this reason. */
const STATE_AND_RULE = `(state || '/' || ${LAST_RULE})`;

/** Milliseconds of the last attempt of a delivery; NULL: it has ended none. */
const LAST_DURATION = "(record ->> '$.lastDurationMs')";

/** SQLite ends a text from JSON at NUL, and has no half surrogates: only these are written with this escape. */
const hasEscape = (json: string): string => String.raw`(instr(${json}, '\u') > 0)`;

const IS_COLUMNS: Readonly<Record<(typeof IS_WORDS)[number], string>> = {
  unread: 'm.unread = 1',
  pinned: 'm.pinned = 1',
  raw: 'm.raw = 1',
  bulk: "(m.batch IS NOT NULL OR m.origin = 'bulk')",
  replay: "(m.replay_of IS NOT NULL OR m.origin = 'replay')",
  tapped: IS_TAPPED,
  replayed: IS_REPLAYED,
};

const STATE_WORDS: readonly string[] = [...new Set<string>([...DELIVERY_STATES, ...STAGES])];

/** A delivery that waits for its subscription is queued, and few are: the rest of its record has no column. */
const WAITS = "state = 'queued' AND (record -> '$.waitsFor') IS NOT NULL";

/** `msg_` or `dlv_` and ten digits of the time: as many have them as came within a quarter of a second. */
const LONG_START = 14;

/** A term with any comparison but `!=`. */
export function termClause(term: TermNode, compiling: Compiling): Clause {
  const columns = TEXT_COLUMNS[term.key];
  if (columns !== undefined) return or(columns.map((column) => textColumn(column, term.values, compiling)));
  switch (term.key) {
    case 'app':
      return or([textColumn('m.app', term.values, compiling), among('delivery', ['app'], term, compiling)]);
    case 'route':
      return among('delivery', ['route'], term, compiling);
    case 'rule':
      return among('transition', ['rule'], term, compiling);
    case 'lastrule':
      return among('delivery', [LAST_RULE, STATE_AND_RULE], term, compiling);
    case 'cause':
      return among('transition', ['cause'], term, compiling);
    case 'error':
      return among(
        'attempt',
        ['error_code', 'error'],
        { ...term, values: term.values.map(lowered) },
        compiling,
      );
    case 'contenttype':
      return withoutEscape(textColumn(CONTENT_TYPE, term.values, compiling), 'c.row');
    case 'answeredby':
      return answeredByClause(term, compiling);
    case 'state':
      return stateClause(term.values, compiling);
    case 'is':
      return isClause(term.values);
    case 'id':
      return idClause(term.values, compiling);
    case 'attempts':
      return attemptsClause(term, compiling);
    case 'took':
      return compared(term, (test) => compiling.has('delivery', test(LAST_DURATION)), compiling);
    case 'status':
      return compared(term, (test) => compiling.has('attempt', statusTest(term.op, test)), compiling);
    case 'answer':
      return answerClause(term, compiling);
    case 'protocol':
      return protocolClause(term.values, compiling);
    case 'size':
      return compared(term, (test) => test('m.size'), compiling);
    case 'age': {
      const now = compiling.params.bind(compiling.nowMs);
      return compared(term, (test) => `ifnull(${test(`(${now} - m.at)`)}, 0)`, compiling);
    }
    case 'time':
      return compared(term, (test) => `ifnull(${test('m.at')}, 0)`, compiling);
    case 'changed':
      return changedClause(term, compiling);
    case 'data':
      return onlyWhere(`m.agrees & ${AGREES.data}`, dataClause(term, compiling));
    case 'meta':
      return metaClause(term, compiling);
    default:
      // Keys of other languages, which no message has.
      return NONE;
  }
}

/** Codes of gRPC are below zero, and a comparison by size is about HTTP alone. */
function statusTest(op: TermNode['op'], test: (expression: string) => string): string {
  return op === '=' ? test('status') : `(status >= 0 AND ${test('status')})`;
}

/** A code, a status word in any letter case, or words of the answer. A star alone is any answer. */
function answerClause({ values }: TermNode, compiling: Compiling): Clause {
  const codes = values.map((value) => {
    const test = numberTest('=', value, compiling.params);
    return test === undefined ? NONE : exactly(test('status'));
  });
  const any = values.some(isStar) ? exactly('status IS NOT NULL') : NONE;
  const words = withoutEscape(textColumn(WORD, values.map(inCapitals), compiling));
  const texts = values.map((value) => answerTextClause(value, compiling));
  const { over, under } = or([...codes, any, words, ...texts]);
  return {
    over: over === '0' ? '0' : compiling.has('attempt', over),
    under: under === '0' ? '0' : compiling.has('attempt', under),
  };
}

/** SQL conditions for `protocol:`: a message matches by its origin or by any of its answers. */
const PROTOCOLS = {
  http: { origins: "'http', 'bulk'", status: 'status >= 0' },
  grpc: { origins: "'grpc', 'grpc-bulk'", status: 'status < 0' },
} as const;

function protocolClause(values: readonly FilterValue[], { has }: Compiling): Clause {
  const tests = values.map(textTest);
  const chosen = (['http', 'grpc'] as const).filter((word) => tests.some((test) => test(word)));
  return or(
    chosen.flatMap((word) => [
      exactly(`m.origin IN (${PROTOCOLS[word].origins})`),
      exactly(has('attempt', PROTOCOLS[word].status)),
    ]),
  );
}

/** Time of a transition in milliseconds since 1970. */
const CHANGED_MS = "CAST(round(unixepoch(at, 'subsec') * 1000) AS INTEGER)";

/** A message changed when it was accepted, and with each transition of its deliveries. */
function changedClause(term: TermNode, compiling: Compiling): Clause {
  return or([
    compared(term, (test) => `ifnull(${test('m.at')}, 0)`, compiling),
    compared(term, (test) => compiling.has('transition', `ifnull(${test(CHANGED_MS)}, 0)`), compiling),
  ]);
}

/** Any of the values in a column that may be NULL. */
function textColumn(column: string, values: readonly FilterValue[], { params }: Compiling): Clause {
  const texts = values.flatMap((value) => (value.kind === 'string' ? [columnText(value.value)] : []));
  const clauses: Clause[] = [];
  if (texts.length > 0)
    clauses.push(exactly(`ifnull(${column} IN (${texts.map((text) => params.bind(text)).join(', ')}), 0)`));
  for (const value of values) {
    if (value.kind !== 'pattern') continue;
    const glob = globOf(value.value);
    if (glob === undefined) return ANY;
    clauses.push(exactly(`ifnull(${column} GLOB ${params.bind(glob)}, 0)`));
  }
  return or(clauses);
}

/** Any of the values in one of the columns of a table that belongs to the message. */
function among(
  table: 'delivery' | 'attempt' | 'transition',
  columns: readonly string[],
  { values }: Pick<TermNode, 'values'>,
  compiling: Compiling,
): Clause {
  const { over, under } = or(columns.map((column) => textColumn(column, values, compiling)));
  return {
    over: over === '0' ? '0' : compiling.has(table, over),
    under: under === '0' ? '0' : compiling.has(table, under),
  };
}

function answeredByClause({ values }: TermNode, compiling: Compiling): Clause {
  const { over, under } = withoutEscape(
    or(ANSWERED_BY.map((column) => textColumn(column, values, compiling))),
  );
  return {
    over: over === '0' ? '0' : compiling.has('attempt', over),
    under: under === '0' ? '0' : compiling.has('attempt', under),
  };
}

/** A clause about a text in JSON: SQL decides where that has no escapes. */
function withoutEscape({ over, under }: Clause, json = 'record'): Clause {
  if (over === '0') return NONE;
  return {
    over: `(${hasEscape(json)} OR ${over})`,
    under: under === '0' ? '0' : `(NOT ${hasEscape(json)} AND ${under})`,
  };
}

/** A message `m` without a stage and deliveries. */
const NOBODY = `m.stage IS NULL AND NOT ${HAS_DELIVERY}`;

function stateClause(values: readonly FilterValue[], { has }: Compiling): Clause {
  const tests = values.map(textTest);
  const passes = (word: string): boolean => tests.some((test) => test(word));
  const words = STATE_WORDS.filter(passes)
    .map((word) => `'${word}'`)
    .join(', ');
  const parts: Clause[] = [];
  if (words !== '') {
    parts.push(exactly(has('delivery', `state IN (${words})`)));
    if (STAGES.some(passes)) parts.push(exactly(`ifnull(m.stage IN (${words}), 0)`));
  }
  if (passes('waiting')) parts.push(exactly(has('delivery', WAITS)));
  if (passes('none')) parts.push(exactly(`(${NOBODY} AND NOT ${MAYBE_ELSEWHERE})`));
  if (passes('unseen')) parts.push(exactly(`(${NOBODY} AND ${MAYBE_ELSEWHERE})`));
  return or(parts);
}

function isClause(values: readonly FilterValue[]): Clause {
  const tests = values.map(textTest);
  const words = IS_WORDS.filter((word) => tests.some((test) => test(word)));
  return or(words.map((word) => exactly(IS_COLUMNS[word])));
}

/** Condition on ids: the event's id as a whole, Sidelight's own ids also by their start, and a number after `#`. */
function idClause(values: readonly FilterValue[], compiling: Compiling): Clause {
  const { params, has } = compiling;
  const starts = values.flatMap((value) => (value.kind === 'string' ? [value.value] : []));
  if (starts.length === values.length && starts.every(isSelective)) return lookedUp(starts, params);
  const startsWith = (column: string): Clause[] =>
    starts.map((start) => {
      if (start === '') return exactly('1');
      // Texts that begin with a text sort between it and the same text followed by the highest character.
      const [low, high] = [params.bind(columnText(start)), params.bind(`${columnText(start)}\u{10ffff}`)];
      return exactly(`(${column} >= ${low} AND ${column} < ${high})`);
    });
  const ours = (column: string): Clause => or([textColumn(column, values, compiling), ...startsWith(column)]);
  const delivery = ours('id');
  const numbers = starts.flatMap((start) => hashedNumber(start) ?? []);
  return or([
    ...numbers.map((number) => exactly(`(m.number = ${params.bind(number)})`)),
    textColumn('m.event_id', values, compiling),
    ours('m.id'),
    { over: has('delivery', delivery.over), under: has('delivery', delivery.under) },
  ]);
}

/** Whether the start is long enough that few of Sidelight's own ids begin with it. */
function isSelective(start: string): boolean {
  return start.length > 0 && (start.length >= LONG_START || !/^(?:m|d)/.test(start));
}

/** By the indexes over ids: the window does not matter, so few are found. */
function lookedUp(starts: readonly string[], params: Compiling['params']): Clause {
  const lists = starts.flatMap((start) => {
    const text = columnText(start);
    const [low, high] = [params.bind(text), params.bind(`${text}\u{10ffff}`)];
    const number = hashedNumber(start);
    return [
      ...(number === undefined ? [] : [`SELECT number FROM message WHERE number = ${params.bind(number)}`]),
      `SELECT number FROM message WHERE ${EVENT_PART} IN (${EVERY_EVENT_PART}) AND event_id = ${low}`,
      ...['message', 'delivery'].map(
        (table) => `SELECT number FROM ${table} WHERE id >= ${low} AND id < ${high}`,
      ),
    ];
  });
  return exactly(`(m.number IN (${lists.join(' UNION ALL ')}))`);
}

/** A message without deliveries counts as one with none attempted. */
function attemptsClause(term: TermNode, compiling: Compiling): Clause {
  const own = compared(term, (test) => compiling.has('delivery', test('attempts')), compiling);
  const none = compared(term, (test) => `(${test('0')} AND NOT ${HAS_DELIVERY})`, compiling);
  return or([own, none]);
}

/** @param build the condition for one value, from what tells whether an expression passes it */
function compared(
  { op, values }: TermNode,
  build: (test: (expression: string) => string) => string,
  { params }: Compiling,
): Clause {
  return or(
    values.map((value) => {
      const test = numberTest(op, value, params);
      return test === undefined ? NONE : exactly(build(test));
    }),
  );
}
