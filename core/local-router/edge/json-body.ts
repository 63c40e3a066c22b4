/** Reads the JSON body of a request: UTF-8, one value, with limited nesting. */
import { firstValue } from '../../domain/json.ts';
import { WireError } from '../rules/wire-error.ts';

const DEEPEST = 64;

/**
 * Parses a body.
 * @throws WireError 400 with `code`
 */
export function readJson(bytes: Uint8Array, code: string): unknown {
  const text = textOf(bytes, code);
  // The reader refuses nesting that would exhaust the stack.
  const parsed = firstValue(text);
  if (parsed === undefined || parsed.trailing) throw new WireError(400, code, 'The body is not JSON.');
  if (nestsDeeper(parsed.value, DEEPEST)) {
    throw new WireError(400, code, `The body is nested deeper than ${DEEPEST} levels.`);
  }
  return parsed.value;
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => nestsDeeper(member, levels - 1));
}

/**
 * Decodes a text.
 * @throws WireError 400 if the bytes are not UTF-8
 */
function textOf(bytes: Uint8Array, code: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new WireError(400, code, `The body is not UTF-8 (${String(error)}).`);
  }
}
