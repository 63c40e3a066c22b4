/** Reads the JSON of a large request in parts, so that others have their turns in between. */
import { isObject, tryParse } from '../domain/json.ts';
import type { BodyPart } from './body-scan.ts';

/** Bytes from which on a request is read in turns. */
export const LARGE_REQUEST_BYTES = 64 * 1024;

/** How a body is read in turns. */
export interface ReadInTurns {
  readonly body: Buffer;
  /** Elements that are read apart, in their order. */
  readonly parts: readonly BodyPart[];
  /** A text that is nowhere in the body. */
  readonly marker: string;
  /** Resolves when the next piece may be read; undefined: now. */
  readonly room: () => Promise<void> | undefined;
  /** Whether nobody waits for the value any more, so that the rest is not read. */
  readonly hasGone: () => boolean;
}

/** The value of the body; undefined: it is no JSON, or nobody waits for it. */
export async function readInTurns(reading: ReadInTurns): Promise<unknown> {
  const { body, parts, marker, room, hasGone } = reading;
  await room();
  if (hasGone()) return undefined;
  if (parts.length === 0) return tryParse(body.toString('utf8'))?.value;
  const rest = tryParse(restOf(reading))?.value;
  if (!isObject(rest)) return undefined;
  const read = new Map<unknown, readonly unknown[]>();
  for (const [index, { start, end }] of parts.entries()) {
    await room();
    if (hasGone()) return undefined;
    const part = tryParse(`[${body.toString('utf8', start, end)}]`)?.value;
    // Blanks alone are no element: the comma after them is a mistake.
    if (!Array.isArray(part) || part.length === 0) return undefined;
    read.set(`${marker}${index}`, part as readonly unknown[]);
  }
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      Array.isArray(value) ? withParts(value, read) : value,
    ]),
  );
}

/** The text of the body with a marker in the place of each part. */
function restOf({ body, parts, marker }: ReadInTurns): string {
  const texts: string[] = [];
  let from = 0;
  for (const [index, { start, end }] of parts.entries()) {
    texts.push(body.toString('utf8', from, start), JSON.stringify(`${marker}${index}`));
    from = end;
  }
  return texts.join('') + body.toString('utf8', from);
}

/** The elements of a list with those of each part in the place of its marker. */
function withParts(list: readonly unknown[], read: ReadonlyMap<unknown, readonly unknown[]>): unknown[] {
  return list.flatMap((element) => read.get(element) ?? [element]);
}
