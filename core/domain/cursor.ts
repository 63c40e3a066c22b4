/** Cursors of pages whose items have numbers. */
import { Refusal } from './refusal.ts';

/** Higher than the number of any item. */
const HIGHEST = 999_999_999_999_999;

/** The number a cursor stands for: pages go on after it. Throws Refusal INVALID_PARAMS for a text that no page gave. */
export function numberOfCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  const reason = `cursor must be the nextCursor of a page, got ${cursor.slice(0, 40)}`;
  throw new Refusal('INVALID_PARAMS', { reason }, { field: 'cursor' });
}

/** The cursor after which the items follow this number. */
export function cursorAt(number: number): string {
  return String(Math.min(number, HIGHEST));
}
