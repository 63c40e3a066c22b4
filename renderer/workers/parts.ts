/**
 * Long texts on their way to a worker and back. They go in parts, each a message of its own: copying megabytes in one piece holds the page
 * for longer than a frame.
 */
import { isObject } from '../../core/contract/is-object.ts';

/** Characters of one part. */
export const PART_CHARACTERS = 512 * 1024;

/** A part of the text of one member; the object without these texts follows the last part. */
export interface TextPart {
  readonly kind: 'part';
  readonly member: string;
  readonly text: string;
}

export interface InParts {
  readonly parts: readonly TextPart[];
  /** The value without the texts that go in parts. */
  readonly rest: unknown;
}

/** Takes the long texts out of the members of an object. Any other value is its own rest. */
export function inParts(value: unknown): InParts {
  if (!isObject(value)) return { parts: [], rest: value };
  const parts: TextPart[] = [];
  const rest: Record<string, unknown> = {};
  for (const [member, content] of Object.entries(value)) {
    if (typeof content === 'string' && content.length > PART_CHARACTERS) parts.push(...cut(member, content));
    else rest[member] = content;
  }
  return parts.length === 0 ? { parts, rest: value } : { parts, rest };
}

function cut(member: string, text: string): readonly TextPart[] {
  return Array.from({ length: Math.ceil(text.length / PART_CHARACTERS) }, (_, n) => ({
    kind: 'part',
    member,
    text: text.slice(n * PART_CHARACTERS, (n + 1) * PART_CHARACTERS),
  }));
}

/** Collects parts until the rest of their object comes. */
export class PartsTaken {
  readonly #texts = new Map<string, string[]>();

  take({ member, text }: TextPart): void {
    const texts = this.#texts.get(member);
    if (texts === undefined) this.#texts.set(member, [text]);
    else texts.push(text);
  }

  /** The whole value; the next parts belong to another one. */
  whole(rest: unknown): unknown {
    if (this.#texts.size === 0 || !isObject(rest)) return rest;
    const texts = [...this.#texts].map(([member, parts]) => [member, parts.join('')] as const);
    this.#texts.clear();
    return { ...rest, ...Object.fromEntries(texts) };
  }
}

/** Whether a message of the other side is a part. */
export function isTextPart(data: unknown): data is TextPart {
  return isObject(data) && data['kind'] === 'part';
}
