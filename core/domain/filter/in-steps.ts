/** Evaluates a filter with pauses, for a message so long that its searches take longer together than others may wait. */
import type { Filter, FilterNode, TermNode } from './ast.ts';
import { answerHeadTest, answerTextTest, compileNode } from './evaluate.ts';
import type { FilterSubject } from './subject.ts';

/** Test of one message that pauses after each value that was searched for. */
export type SteppedFilter = (subject: FilterSubject, nowMs: number) => Generator<undefined, boolean>;

/** Compiles a filter to the same test as `compileFilter`, with pauses. */
export function compileInSteps(filter: Filter): SteppedFilter {
  return stepped(filter.root);
}

function stepped(node: FilterNode): SteppedFilter {
  switch (node.kind) {
    case 'and':
      return untilOneIs(node.nodes.map(stepped), false);
    case 'or':
      return untilOneIs(node.nodes.map(stepped), true);
    case 'not':
      return not(stepped(node.node));
    case 'term':
      return term(node);
    case 'text':
      return oneStep(node);
  }
}

/** Only `=` has several values, and means any of them. */
function term(node: TermNode): SteppedFilter {
  if (node.key === 'answer') return node.op === '!=' ? not(answers(node)) : answers(node);
  const each = node.values.map((value) => oneStep({ ...node, values: [value] }));
  return each.length === 1 ? oneStep(node) : untilOneIs(each, true);
}

/** A message may have been tried hundreds of times, so it pauses after each answer. */
function answers(node: TermNode): SteppedFilter {
  const byHead = answerHeadTest(node);
  const says = answerTextTest(node);
  return function* (subject) {
    if (byHead(subject)) return true;
    if (says === undefined) return false;
    for (const answer of subject.answers()) {
      if (says(answer, subject.steps)) return true;
      yield;
    }
    return false;
  };
}

function oneStep(node: FilterNode): SteppedFilter {
  const passes = compileNode(node);
  return function* (subject, nowMs) {
    const isPassed = passes(subject, nowMs);
    yield;
    return isPassed;
  };
}

/** The first result that is `end`; without one its opposite. */
function untilOneIs(tests: readonly SteppedFilter[], end: boolean): SteppedFilter {
  return function* (subject, nowMs) {
    for (const test of tests) if ((yield* test(subject, nowMs)) === end) return end;
    return !end;
  };
}

function not(test: SteppedFilter): SteppedFilter {
  return function* (subject, nowMs) {
    return !(yield* test(subject, nowMs));
  };
}
