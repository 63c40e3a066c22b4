/** Encodes an answer with large members as JSON in slices, because encoding it at once would block publishes meanwhile. */
import { isObject } from '../domain/json.ts';
import { yieldToOthers } from './stream/yield-to-others.ts';

/** Number of characters after which other work may run. */
const SLICE = 64 * 1024;
/** Number of list items written at once. */
const ITEMS = 100;
/** Number of levels whose members are written one by one: the message, its envelope, and the data in it. */
const LEVELS = 3;

/** JSON text of a value, equal to that of `JSON.stringify`, made while other work runs. */
export function encodeMembers(value: Readonly<Record<string, unknown>>): Promise<string> {
  return new Encoding().object(value, LEVELS);
}

class Encoding {
  /** JSON of large members, by value, so that a value that occurs twice is encoded once. */
  readonly #made = new Map<unknown, string>();
  /** Number of characters written since other work could run. */
  #written = 0;

  async object(value: Readonly<Record<string, unknown>>, levels: number): Promise<string> {
    const members: string[] = [];
    for (const [name, member] of Object.entries(value)) {
      const text = this.#made.get(member) ?? (await this.#text(member, levels));
      if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${members.join(',')}}`;
  }

  async #text(member: unknown, levels: number): Promise<string | undefined> {
    const text = await this.#parts(member, levels);
    if (text !== undefined && text.length > SLICE) this.#made.set(member, text);
    return text;
  }

  async #parts(member: unknown, levels: number): Promise<string | undefined> {
    if (Array.isArray(member) && member.length > ITEMS) return this.#list(member);
    if (levels > 1 && isObject(member)) return this.object(member, levels - 1);
    return this.#whole(member);
  }

  async #list(items: readonly unknown[]): Promise<string> {
    const parts: string[] = [];
    for (let at = 0; at < items.length; at += ITEMS) {
      const part = await this.#whole(items.slice(at, at + ITEMS));
      if (part !== undefined) parts.push(part.slice(1, -1));
    }
    return `[${parts.join(',')}]`;
  }

  async #whole(value: unknown): Promise<string | undefined> {
    const text: string | undefined = JSON.stringify(value);
    this.#written += text?.length ?? 0;
    if (this.#written > SLICE) {
      this.#written = 0;
      await yieldToOthers();
    }
    return text;
  }
}
