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
    for (const name of Object.keys(value)) {
      const member = value[name];
      const made = this.#made.get(member) ?? this.#text(member, levels);
      const text = typeof made === 'object' ? await made : made;
      if (text === undefined) continue;
      members.push(`${JSON.stringify(name)}:${text}`);
      // A promise for each of hundreds of thousands of members would take longer than their texts.
      const pause = this.#wrote(typeof made === 'object' ? name.length : name.length + text.length);
      if (pause !== undefined) await pause;
    }
    return `{${members.join(',')}}`;
  }

  /** The text at once where it is short work, as that of most members is. */
  #text(member: unknown, levels: number): string | undefined | Promise<string | undefined> {
    if (Array.isArray(member) && member.length > ITEMS) return this.#kept(member, this.#list(member));
    if (levels > 1 && isObject(member)) return this.#kept(member, this.object(member, levels - 1));
    const text: string | undefined = JSON.stringify(member);
    if (text !== undefined && text.length > SLICE) this.#made.set(member, text);
    return text;
  }

  async #kept(member: unknown, making: Promise<string>): Promise<string> {
    const text = await making;
    if (text.length > SLICE) this.#made.set(member, text);
    return text;
  }

  async #list(items: readonly unknown[]): Promise<string> {
    const parts: string[] = [];
    for (let at = 0; at < items.length; at += ITEMS) {
      parts.push(JSON.stringify(items.slice(at, at + ITEMS)).slice(1, -1));
      await this.#wrote(parts.at(-1)?.length ?? 0);
    }
    return `[${parts.join(',')}]`;
  }

  /** Lets other work run if much was written; undefined: it was not. */
  #wrote(characters: number): Promise<void> | undefined {
    this.#written += characters;
    if (this.#written <= SLICE) return undefined;
    this.#written = 0;
    return yieldToOthers();
  }
}
