/** Values that must never be read in a log line, a reason or an export: tokens, and the secrets of components. */

const MASK = '***';
/** A shorter one cannot be told from ordinary text; it is masked where it is alone, as a setting. */
const SHORTEST = 6;
/** User and password, or a token, in an address. */
const IN_ADDRESS = /([a-z][a-z\d+.-]*:\/\/)[^\s/@,]+@/gi;

export class SecretValues {
  #values: readonly string[] = [];

  constructor(values: readonly string[] = []) {
    this.add(values);
  }

  /** Adds values. Known ones stay: a later log line may be about a component that is gone. */
  add(values: readonly string[]): void {
    const long = values.filter((value) => value.length >= SHORTEST);
    // The longest first, so that a secret that contains another one goes as a whole.
    this.#values = [...new Set([...this.#values, ...long])].toSorted((a, b) => b.length - a.length);
  }

  /** The longest first. */
  get all(): readonly string[] {
    return this.#values;
  }

  mask(text: string): string {
    return this.#values.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
  }
}

/** An address without what comes before `@`. */
export function maskAddress(text: string): string {
  return text.replaceAll(IN_ADDRESS, `$1${MASK}@`);
}

/** What comes before `@` in the addresses of a text, and its parts. */
export function secretsInAddress(text: string): readonly string[] {
  return [...text.matchAll(IN_ADDRESS)].flatMap(([whole, scheme = '']) => {
    const before = whole.slice(scheme.length, -1);
    const password = before.slice(before.indexOf(':') + 1);
    return [password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A text that is not percent-encoded stands for itself.
    return text;
  }
}
