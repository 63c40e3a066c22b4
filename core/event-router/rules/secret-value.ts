/** A value that never prints: code that needs it has to call a method for it. */

const MASK = '***';

/** Holds a secret. Its text, JSON and inspection are `***`. */
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

  /** Hook by which Node prints objects, under its well-known name. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }
}
