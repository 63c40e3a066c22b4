/** The filter language on log lines: `level`, `part`, `app`, and free text. */
import type { LogEntry } from '../../contract/console.ts';
import type { Filter, FilterNode, ParsedFilter, TermNode } from './ast.ts';
import { compileText, textTest } from './evaluate.ts';
import { parseIn } from './parse.ts';

/** Reads a filter of log lines: keys `level`, `part` and `app`, and free text. Never throws. */
export function parseLogFilter(text: string): ParsedFilter {
  return parseIn('log', text);
}

/**
 * Whether a log line passes a filter of `parseLogFilter`. Free text is searched in the text, the ids and the
 * rule; a key of messages never matches.
 */
export function matchesLog(filter: Filter, entry: LogEntry): boolean {
  return passes(filter.root, entry);
}

function passes(node: FilterNode, entry: LogEntry): boolean {
  switch (node.kind) {
    case 'and':
      return node.nodes.every((each) => passes(each, entry));
    case 'or':
      return node.nodes.some((each) => passes(each, entry));
    case 'not':
      return !passes(node.node, entry);
    case 'text':
      return compileText(node.value)(searchableText(entry));
    case 'term':
      return passesTerm(node, entry);
  }
}

function passesTerm({ key, op, values }: TermNode, entry: LogEntry): boolean {
  if (key !== 'level' && key !== 'part' && key !== 'app') return false;
  const of = key === 'app' ? (entry.appId ?? '') : entry[key];
  const equal = values.some((value) => textTest(value)(of));
  return op === '!=' ? !equal : equal;
}

function searchableText({ part, text, messageId, deliveryId, attemptId, rule, appId }: LogEntry): string {
  return [text, part, messageId, deliveryId, attemptId, rule, appId]
    .filter((each) => each !== undefined)
    .join('\n')
    .toLowerCase();
}
