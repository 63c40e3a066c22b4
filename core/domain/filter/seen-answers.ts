/**
 * The filter for words of answers that is meant by one that looks for them elsewhere: as free text, or as the reason of an attempt without
 * an answer.
 */
import { answerText } from './answer-text.ts';
import type { FilterNode, FilterValue } from './ast.ts';
import { compileText } from './evaluate.ts';
import { parseFilter } from './parse.ts';
import { printFilter } from './print.ts';

/**
 * @param answers bodies of recent answers, in lower case
 * @returns undefined: no part of the filter stands in one of them
 */
export function withAnswers(filter: string, answers: readonly string[]): string | undefined {
  if (answers.length === 0) return undefined;
  const parsed = parseFilter(filter);
  if (!parsed.ok || parsed.filter.isEmpty) return undefined;
  const { root } = parsed.filter;
  const meant = phraseIn(root, answers) ?? partsIn(root, answers);
  return meant === root ? undefined : printFilter({ isEmpty: false, root: meant });
}

/** Words that stand beside one another in an answer as they do in the filter; undefined: it has something else. */
function phraseIn(root: FilterNode, answers: readonly string[]): FilterNode | undefined {
  if (root.kind !== 'and') return undefined;
  const words = root.nodes.flatMap((node) =>
    node.kind === 'text' && node.value.kind === 'string' ? [node.value.value] : [],
  );
  if (words.length < root.nodes.length) return undefined;
  return answerNode([{ kind: 'string', value: words.join(' ') }], answers);
}

/** The filter with a term for answers in place of each part that stands in one of them. */
function partsIn(node: FilterNode, answers: readonly string[]): FilterNode {
  switch (node.kind) {
    case 'text':
      return answerNode([node.value], answers) ?? node;
    case 'term':
      return node.key === 'error' && node.op === '=' ? (answerNode(node.values, answers) ?? node) : node;
    case 'and':
    case 'or': {
      const nodes = node.nodes.map((each) => partsIn(each, answers));
      return nodes.some((each, at) => each !== node.nodes[at]) ? { kind: node.kind, nodes } : node;
    }
    case 'not':
      // What is left out was found where it was looked for, or is meant to be anywhere.
      return node;
  }
}

/** A term for answers with these values; undefined: no answer has one of them. */
function answerNode(values: readonly FilterValue[], answers: readonly string[]): FilterNode | undefined {
  const texts = values.flatMap((value) => answerText(value) ?? []);
  if (texts.length < values.length) return undefined;
  const isIn = texts.map(compileText).some((says) => answers.some((answer) => says(answer)));
  return isIn ? { kind: 'term', key: 'answer', op: '=', values: texts } : undefined;
}
