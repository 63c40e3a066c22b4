/** A value that never prints: whoever needs it has to ask for it by name. */

const MASK = '***';

/** Text, JSON and inspection of it are `***`. */
export class SecretValue {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  /** The hook by which Node prints objects, under its well-known name. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }
}
