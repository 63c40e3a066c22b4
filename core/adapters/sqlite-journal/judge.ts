/** Evaluates the filter in the program, for messages that SQL could not judge with certainty. */
import type { Filter } from '../../domain/filter/ast.ts';
import { compileFilter } from '../../domain/filter/evaluate.ts';
import type { CompiledFilter } from '../../domain/filter/evaluate.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import type { DeliveryFacts, StoredFacts } from '../../domain/filter/subject.ts';
import { editedWire } from '../../domain/preview.ts';
import { bufferCodec } from '../buffer-codec.ts';
import type { Statements } from './prepared.ts';
import { SqliteReader } from './reader.ts';
import type { Whole } from './reader.ts';

/** Bodies of this many messages are in memory at a time. */
const AT_ONCE = 50;

export class Judge {
  readonly #reader: SqliteReader;
  readonly #passes: CompiledFilter;
  readonly #nowMs: number;

  constructor(statements: Statements, filter: Filter, nowMs: number) {
    this.#reader = new SqliteReader(statements);
    this.#passes = compileFilter(filter);
    this.#nowMs = nowMs;
  }

  /**
   * Numbers that match, in the order they came.
   * @param candidates numbers; what SQL is not sure of is below 0
   */
  matching(candidates: readonly number[]): number[] {
    const doubtful = candidates.filter((number) => number < 0).map((number) => -number);
    const passed = new Set<number>();
    for (let at = 0; at < doubtful.length; at += AT_ONCE) {
      for (const whole of this.#reader.wholes(doubtful.slice(at, at + AT_ONCE))) {
        if (this.#passes(subjectOf(whole), this.#nowMs)) passed.add(whole.row.number);
      }
    }
    return candidates.map(Math.abs).filter((number, at) => candidates[at] === number || passed.has(number));
  }
}

function subjectOf({ message, row, deliveries }: Whole): ReturnType<typeof buildSubject> {
  const facts: StoredFacts = {
    row,
    metadata: message.metadata,
    wire: message.wire,
    edited: editedWire(deliveries.map(({ delivery }) => delivery)),
  };
  const histories: readonly DeliveryFacts[] = deliveries;
  return buildSubject(facts, histories, bufferCodec);
}
