/** Finds the value of a JSON pointer in a JSON text. */
import { endOfValue, findPart, skipSpace } from '../../core/contract/json-scan.ts';

/** Line and column, from 1, of the value at `pointer`; the beginning of the text if it is not found. */
export function positionOfPointer(
  text: string,
  pointer: string,
): { readonly line: number; readonly column: number } {
  const { at } = follow(text, stepsOf(pointer));
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The value at `pointer` as written; undefined: it is not found. */
export function textOfPointer(text: string, pointer: string): string | undefined {
  const { at, isFound } = follow(text, stepsOf(pointer));
  return isFound ? text.slice(at, endOfValue(text, at)) : undefined;
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Follows the steps as far as they exist. */
function follow(text: string, steps: readonly string[]): { readonly at: number; readonly isFound: boolean } {
  let at = skipSpace(text, 0);
  for (const step of steps) {
    const next = findPart(text, at, ({ name }) => name === step);
    if (next === undefined) return { at, isFound: false };
    at = next.start;
  }
  return { at, isFound: true };
}
