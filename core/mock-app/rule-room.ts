/**
 * Bounds what all mock apps and taps of a run keep together. Their rules and subscriptions stay in memory, and a script can add as many
 * apps as it likes.
 */
import { isObject } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';
import { RecentRoom } from './recent.ts';

/** Most characters of all apps together. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Characters that each value counts next to its own: an empty list takes as much memory as a text. */
const VALUE_CHARACTERS = 32;

export class RuleRoom {
  /** Room for what the rules remember of single messages. */
  readonly messages = new RecentRoom();
  readonly #most: number;
  /** Characters by what is kept. An app that was removed goes on to count: its rules come back with its id. */
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(most = MAX_CHARACTERS) {
    this.#most = most;
  }

  /**
   * Counts a value instead of the one that was kept under the same name. Throws Refusal TOO_LARGE if there is no room for it.
   * @param field parameter with the value
   */
  keep(name: string, value: unknown, field: string): void {
    const before = this.#counts.get(name) ?? 0;
    const now = charactersOf(value);
    const total = this.#total - before + now;
    if (total > this.#most) throw this.#full(total, field);
    this.#counts.set(name, now);
    this.#total = total;
  }

  #full(total: number, field: string): Refusal {
    const expected = `at most ${this.#most} characters of rules and subscriptions of all mock apps together`;
    const reason = `There is room for ${expected}, where each value counts ${VALUE_CHARACTERS} more than it has; with these there would be ${total}.`;
    return new Refusal('TOO_LARGE', { reason }, { field, expected });
  }
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_CHARACTERS + value.length;
  let characters = VALUE_CHARACTERS;
  if (Array.isArray(value)) for (const item of value) characters += charactersOf(item);
  else if (isObject(value))
    // A list of the members of a large object takes longer than the rest.
    for (const name in value) characters += name.length + charactersOf(value[name]);
  return characters;
}
