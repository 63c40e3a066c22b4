/**
 * Values that must not appear in a log line, a reason or an export: tokens, and the secrets of components.
 */

const MASK = '***';
/** Stands where a long text was cut. */
const CUT = '…';
/**
 * Shortest value that is searched in texts. A shorter one looks like ordinary text; it is masked only as the
 * value of a setting.
 */
const MIN_LENGTH = 6;
/** User and password, which may have an `@`, or a token, in an address. The scheme is looked for backwards from its end, which takes linear time. */
const IN_ADDRESS = /(?<=[a-z][a-z\d+.-]*:\/\/)[^\s/,]+@/gi;

export class SecretValues {
  #values: readonly string[] = [];

  constructor(values: readonly string[] = []) {
    this.add(values);
  }

  /** Adds values. Known ones stay, because a later log line may concern a component that is gone. */
  add(values: readonly string[]): void {
    const long = values.flatMap(writtenForms).filter((value) => value.length >= MIN_LENGTH);
    // The longest come first, so that a secret that contains another one is removed whole.
    this.#values = [...new Set([...this.#values, ...long])].toSorted((a, b) => b.length - a.length);
  }

  /** All values, the longest first. */
  get all(): readonly string[] {
    return this.#values;
  }

  /** The text without these values, nor the beginning of one that was cut in it: many texts are cut where they are made. */
  mask(text: string): string {
    const masked = this.#values.reduce((left, secret) => left.replaceAll(secret, MASK), text);
    return masked.includes(CUT) ? this.#values.reduce(withoutBeginnings, masked) : masked;
  }
}

/** The text without what a cut left of a secret, if that is as long as what is searched at all. */
function withoutBeginnings(text: string, secret: string): string {
  const start = secret.slice(0, MIN_LENGTH);
  let shown = '';
  let from = 0;
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    let end = at + start.length;
    while (end < text.length && text[end] === secret[end - at]) end += 1;
    if (at < from || text[end] !== CUT) continue;
    shown += text.slice(from, at) + MASK;
    from = end;
  }
  return shown + text.slice(from);
}

/** A value as texts hold it: whole, without the spaces around it, as most settings are read, and each of these as in JSON. */
function writtenForms(value: string): readonly string[] {
  return [value, value.trim()].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
}

/** An address without the part before `@`. */
export function maskAddress(text: string): string {
  return text.replaceAll(IN_ADDRESS, `${MASK}@`);
}

/** User, password or token in the addresses of a text: the whole part before `@`, and its parts. */
export function secretsInAddress(text: string): readonly string[] {
  return [...text.matchAll(IN_ADDRESS)].flatMap(([whole]) => {
    const before = whole.slice(0, -1);
    const password = before.slice(before.indexOf(':') + 1);
    return [password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A text that is not percent-encoded is used as it is.
    return text;
  }
}
