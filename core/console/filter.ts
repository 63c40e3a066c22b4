/** Reads a filter for a method; a mistake is a refusal that says where. */
import type { Filter } from '../domain/filter/ast.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import { Refusal } from '../domain/refusal.ts';

/** Throws Refusal FILTER_SYNTAX with position, length, found, expected and, where one is near, a suggestion. */
export function readFilter(text: string): Filter {
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.filter;
  const { message, expected, ...place } = parsed.error;
  throw new Refusal('FILTER_SYNTAX', { reason: message }, { field: 'filter', expected, data: place });
}
