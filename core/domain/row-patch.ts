/** How a patch changes the row of a message. */
import type { MessageRow } from '../contract/message.ts';

/** Members of a row, or the value that removes a member: undefined in memory, null in a journal. */
export type RowPatchOf<Nothing extends null | undefined> = {
  readonly [K in keyof MessageRow]?: MessageRow[K] | Nothing;
};

/**
 * The row with the patch in it.
 * @param nothing the value that removes a member
 */
export function rowWithPatch<Nothing extends null | undefined>(
  row: MessageRow,
  patch: RowPatchOf<Nothing>,
  nothing: Nothing,
): MessageRow {
  const all = { ...row, ...patch };
  const members: readonly unknown[] = Object.values(patch);
  // Each member is the row's own or that of a patch whose members have the row's types.
  if (!members.includes(nothing)) return all as MessageRow;
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== nothing),
  ) as unknown as MessageRow;
}
