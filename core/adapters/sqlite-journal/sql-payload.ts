/** Payload, metadata and free text as SQL: exact where SQLite surely reads them as the program does, else a first choice. */
import type { FilterValue, TermNode } from '../../domain/filter/ast.ts';
import { answerText } from '../../domain/filter/answer-text.ts';
import { AGREES } from './schema.ts';
import {
  and,
  ANY,
  decided,
  exactly,
  globOf,
  likeAnywhere,
  NONE,
  numberTest,
  onlyWhere,
  or,
} from './clause.ts';
import type { Clause, Compiling } from './clause.ts';

/** Names that need no escapes in JSON, so that there is one way to write them. */
const PLAIN_NAME = /^[\u0020\u0021\u0023-\u005b\u005d-\u007e]+$/;

/** For envelopes that SQLite reads as the program does (`AGREES.data`). */
export function dataClause({ path = [], op, values }: TermNode, { params, readsJson }: Compiling): Clause {
  if (!readsJson) return ANY;
  if (path.some((step) => typeof step === 'string' && !PLAIN_NAME.test(step))) return ANY;
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`));
  const place = params.bind(`$.data${steps.join('')}`);
  const type = `json_type(c.wire, ${place})`;
  const found = `(c.wire ->> ${place})`;
  return or(values.map((value) => oneValue(value)));

  function oneValue(value: FilterValue): Clause {
    switch (value.kind) {
      case 'number':
      case 'range': {
        const test = numberTest(op, value, params);
        if (test === undefined) return NONE;
        const digits = op === '=' && value.kind === 'number' ? plainDigits(value.value) : undefined;
        return typed(
          "IN ('integer', 'real')",
          test(found),
          digits && `c.wire LIKE ${params.bind(`%${digits}%`)}`,
        );
      }
      case 'string':
        if (op === '=')
          return typed("= 'text'", `${found} = ${params.bind(value.value)}`, written(value.value));
        // SQLite orders by bytes, the program by UTF-16 units.
        return { over: `ifnull(${type} = 'text', 0)`, under: '0' };
      case 'pattern': {
        if (/^\*+$/.test(value.value)) return exactly(`(${type} IS NOT NULL)`);
        const glob = globOf(value.value);
        return glob === undefined ? ANY : typed("= 'text'", `${found} GLOB ${params.bind(glob)}`);
      }
      case 'boolean':
        return exactly(`ifnull(${type} = '${String(value.value)}', 0)`);
      case 'null':
        return exactly(`ifnull(${type} = 'null', 0)`);
    }
  }

  /** Puts the cheap parts first, because reading the payload as JSON is most of the cost of a search. */
  function typed(types: string, condition: string, first?: string): Clause {
    const parts = [...(first === undefined ? [] : [first]), condition, `${type} ${types}`];
    return exactly(decided(parts.join(' AND ')));
  }

  /** The text itself must be in a payload without escapes. */
  function written(text: string): string | undefined {
    // LIKE is the fastest check of a text; a text with wildcards of LIKE is left to the comparison itself.
    if (text === '' || !PLAIN_NAME.test(text) || /[%_]/.test(text)) return undefined;
    if (text.length > MAX_RUN) return written(text.slice(0, MAX_RUN));
    return `(NOT m.agrees & ${AGREES.text} OR c.wire LIKE ${params.bind(`%${text}%`)})`;
  }
}

/** The digits found in every way of writing this number, where SQL is trusted with numbers: `1.5` also in `1.50`. */
function plainDigits(value: number): string | undefined {
  const digits = String(value);
  return /^-?\d{1,14}(?:\.\d{1,6})?$/.test(digits) ? digits : undefined;
}

/** Leaves metadata to the evaluator, for the few messages that have this key. */
export function metaClause({ path = [] }: TermNode, { params }: Compiling): Clause {
  const name = params.bind(JSON.stringify(String(path[0] ?? '')));
  return { over: `ifnull(instr(c.metadata, ${name}) > 0, 0)`, under: '0' };
}

/** Characters that are equal in the stored and in the searched form of a payload: inside strings, and never between them. */
const PLAIN_RUNS = /[\u0020\u0021\u0023-\u002b\u002d-\u0039\u003b-\u005a\u005e-\u007a\u007c\u007e]+/g;
/** Words of which no part can come from a number, which may be written in several ways. */
const PLAIN_WORDS = /^[a-z_](?:[a-z_ -]*[a-z_])?$/;

/** Characters of a long run that the first choice looks for: the evaluator compares the rest. */
const MAX_RUN = 12;

/** Free text: the case does not matter. */
export function textClause(
  { kind, value }: Extract<FilterValue, { kind: 'string' | 'pattern' }>,
  compiling: Compiling,
): Clause {
  if (!compiling.readsText) return ANY;
  const wanted = value.toLowerCase();
  const parts = kind === 'pattern' ? wanted.split('*') : [wanted];
  const runs = parts.flatMap((part) => part.match(PLAIN_RUNS) ?? []);
  const over = and(runs.map((run) => anywhere(run.slice(0, MAX_RUN), compiling))).over;
  const isWord = kind === 'string' && PLAIN_WORDS.test(wanted);
  const under = isWord ? surely(wanted, compiling) : '0';
  return onlyWhere(`m.agrees & ${AGREES.text}`, { over, under });
}

/** Whether the stored bytes or one of the ids contain the text. */
function anywhere(run: string, { params, has }: Compiling): Clause {
  const like = likeAnywhere(run);
  if (like === undefined) return ANY;
  const wanted = params.bind(like);
  const holds = (column: string): string => `${column} LIKE ${wanted} ESCAPE '\\'`;
  const columns = ['c.wire', 'm.id', 'm.event_id', 'm.batch', 'm.replay_of'];
  return { over: decided([...columns.map(holds), has('delivery', holds('id'))].join(' OR ')), under: '0' };
}

/** In the data alone: names of the envelope's own attributes are not searched. */
function surely(word: string, { params, readsJson }: Compiling): string {
  const like = likeAnywhere(word);
  if (like === undefined || !readsJson) return '0';
  return `ifnull((c.wire -> '$.data') LIKE ${params.bind(like)} ESCAPE '\\', 0)`;
}

/** Characters that stand in a text of JSON as they are. */
const JSON_RUNS = /[\u0020\u0021\u0023-\u005b\u005d-\u007e]+/g;
const JSON_RUN = new RegExp(`^${JSON_RUNS.source}$`);
/** Letters that a letter outside ASCII also has as its lower case: the sign of kelvin, and an I with a dot. */
const KELVIN_OR_DOTTED = ['\u212a', '\u0130'] as const;
/** Attempt `x` as JSON, or the answer of the call that it shares with others of its batch. */
const ATTEMPT_TEXT =
  'CASE WHEN x.batch IS NULL THEN x.record ELSE (SELECT b.response FROM batch b WHERE b.batch = x.batch) END';

/** Words in the answer to an attempt `x`: SQL is sure of plain ones in an answer of its own, and the evaluator judges the rest. */
export function answerTextClause(value: FilterValue, { params, readsText, readsJson }: Compiling): Clause {
  const text = answerText(value);
  if (text === undefined) return NONE;
  if (!readsText) return ANY;
  const wanted = text.value.toLowerCase();
  const parts = text.kind === 'pattern' ? wanted.split('*') : [wanted];
  const runs = parts.flatMap((part) => part.match(JSON_RUNS) ?? []);
  const over = and(runs.map((run) => exactly(mayHave(run.slice(0, MAX_RUN))))).over;
  const like = text.kind === 'string' && JSON_RUN.test(wanted) ? likeAnywhere(wanted) : undefined;
  if (like === undefined || !readsJson) return { over, under: '0' };
  const says = `(x.record ->> '$.response.body') LIKE ${params.bind(like)} ESCAPE '\\'`;
  const isText = "(x.record ->> '$.response.bodyBase64') IS NULL";
  return { over, under: decided(`${over} AND x.batch IS NULL AND ${says} AND ${isText}`) };

  function mayHave(run: string): string {
    const wantedRun = params.bind(likeAnywhere(run) ?? '%');
    const others = /[ki]/.test(run)
      ? KELVIN_OR_DOTTED.map((letter) => ` OR instr(${ATTEMPT_TEXT}, '${letter}') > 0`)
      : [];
    return decided(`${ATTEMPT_TEXT} LIKE ${wantedRun} ESCAPE '\\'${others.join('')}`);
  }
}
