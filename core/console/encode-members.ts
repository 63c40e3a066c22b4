/** JSON of an answer whose members may have megabytes each, made in slices: while one text of all is made, no publish is answered. */
import { isObject } from '../domain/json.ts';
import { breathe } from './stream/pause.ts';

/** Characters of a member after which everything else may run. */
const LARGE = 64 * 1024;
/** Members of the value, and of those: a message has its data in its envelope too. */
const LEVELS = 2;

/** The same text that `JSON.stringify` makes. */
export function encodeMembers(value: Readonly<Record<string, unknown>>): Promise<string> {
  return new Encoding().object(value, LEVELS);
}

class Encoding {
  /** Texts of large members by their values: what stands there twice is written once. */
  readonly #made = new Map<unknown, string>();

  async object(value: Readonly<Record<string, unknown>>, levels: number): Promise<string> {
    const members: string[] = [];
    for (const [name, member] of Object.entries(value)) {
      const text = this.#made.get(member) ?? (await this.#text(member, levels));
      if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
    }
    return `{${members.join(',')}}`;
  }

  async #text(member: unknown, levels: number): Promise<string | undefined> {
    if (levels > 1 && isObject(member)) return this.object(member, levels - 1);
    const text: string | undefined = JSON.stringify(member);
    if (text !== undefined && text.length > LARGE) {
      this.#made.set(member, text);
      await breathe();
    }
    return text;
  }
}
