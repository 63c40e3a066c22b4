/** Looks through a body of JSON while it arrives: how many values it has, and in which parts it can be read. */

/** Bytes from which on elements of a list are read apart from the rest of the body. */
const PART_BYTES = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_LIST = 0x5d;
const OPENING_OBJECT = 0x7b;
const CLOSING_OBJECT = 0x7d;
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Whole elements of a list that is a member of the body: from the first byte of the first one to the end of the last one. */
export interface BodyPart {
  readonly start: number;
  readonly end: number;
}

/** What may be in a piece that is read at once. */
export interface PieceSize {
  readonly bytes: number;
  /** Values, lists and objects, and the names of members. */
  readonly values: number;
  /** Names of members: a new one takes longer to read than any other value. */
  readonly names: number;
}

const NOTHING: PieceSize = { bytes: 0, values: 0, names: 0 };

const LARGER = (a: PieceSize, b: PieceSize): PieceSize => ({
  bytes: Math.max(a.bytes, b.bytes),
  values: Math.max(a.values, b.values),
  names: Math.max(a.names, b.names),
});

const without = (all: PieceSize, part: PieceSize): PieceSize => ({
  bytes: Math.max(0, all.bytes - part.bytes),
  values: all.values - part.values,
  names: all.names - part.names,
});

/** Bytes of memory that each of these becomes, without its characters: lists of small lists become most. A fraction beside other values takes 24. */
const MEMORY = { opening: 64, name: 64, text: 32, element: 24 } as const;

/** The scan of one body. A text is one value, whatever is in it, and so is what does not begin like an object or a list. */
export class BodyScan {
  /** Elements that are read apart, in their order. Only members of the body itself that are lists have such elements, as a batch has entries. */
  readonly parts: BodyPart[] = [];
  /** Number of values so far. */
  values = 1;
  /** Number of names of members so far. */
  names = 0;
  /** Bytes of memory that its values become once they are read, without their characters. */
  memory = 0;
  #size = 0;
  #begins: 'unknown' | 'object' | 'list' | 'other' = 'unknown';
  #depth = 0;
  #isInText = false;
  /** Backslashes at the end of what has come, if that is in a text. */
  #backslashes = 0;
  /** What is before the elements that may become a part; undefined: the scan is in no list of elements. */
  #begun: PieceSize | undefined;
  /** What is in the parts so far. */
  #inParts = NOTHING;
  #largestPart = NOTHING;

  /** The largest of the pieces in which the body is read, as far as it has come. */
  get largest(): PieceSize {
    const all = this.#upTo(this.#size);
    const begun = this.#begun === undefined ? NOTHING : without(all, this.#begun);
    const rest = without(without(all, this.#inParts), begun);
    return LARGER(LARGER(begun, rest), this.#largestPart);
  }

  /** Looks through the next bytes of the body. */
  add(chunk: Uint8Array): void {
    let at = this.#begins === 'unknown' ? this.#begin(chunk) : 0;
    if (this.#begins === 'object' || this.#begins === 'list') {
      if (this.#isInText) at = this.#passText(chunk, 0) + 1;
      for (; at < chunk.length; at += 1) at = this.#step(chunk, at);
    }
    this.#size += chunk.length;
  }

  /** Index of the first byte that is no white space. */
  #begin(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length && SPACES.has(chunk[at] ?? 0)) at += 1;
    if (at === chunk.length) return at;
    const kinds = { [OPENING_OBJECT]: 'object', [OPENING_LIST]: 'list' } as const;
    this.#begins = kinds[(chunk[at] ?? 0) as keyof typeof kinds] ?? 'other';
    return at;
  }

  /** Takes one byte, or a text; returns the index of its last byte. */
  #step(chunk: Uint8Array, at: number): number {
    switch (chunk[at]) {
      case QUOTE:
        this.memory += MEMORY.text;
        this.#backslashes = 0;
        return this.#passText(chunk, at + 1);
      case COMMA:
        this.values += 1;
        this.memory += MEMORY.element;
        if (this.#depth === 2) this.#endElement(this.#size + at);
        return at;
      case COLON:
        this.values += 1;
        this.names += 1;
        this.memory += MEMORY.name;
        return at;
      case OPENING_LIST:
      case OPENING_OBJECT:
        this.values += 1;
        this.memory += MEMORY.opening;
        this.#depth += 1;
        if (this.#depth === 2 && this.#begins === 'object' && chunk[at] === OPENING_LIST)
          this.#begun = this.#upTo(this.#size + at + 1);
        return at;
      case CLOSING_LIST:
      case CLOSING_OBJECT:
        if (this.#depth === 2) this.#endElement(this.#size + at);
        if (this.#depth === 2) this.#begun = undefined;
        this.#depth -= 1;
        return at;
      default:
        return at;
    }
  }

  /** Notes that an element ends before this place: with those before it, it becomes a part if they are large together. */
  #endElement(end: number): void {
    const begun = this.#begun;
    if (begun === undefined || end - begun.bytes < PART_BYTES) return;
    const { bytes, values, names } = without(this.#upTo(end), begun);
    this.parts.push({ start: begun.bytes, end });
    this.#inParts = {
      bytes: this.#inParts.bytes + bytes,
      values: this.#inParts.values + values,
      names: this.#inParts.names + names,
    };
    this.#largestPart = LARGER(this.#largestPart, { bytes, values, names });
    this.#begun = this.#upTo(end + 1);
  }

  /** What has come up to a place, with the values that the scan knows now. */
  #upTo(bytes: number): PieceSize {
    return { bytes, values: this.values, names: this.names };
  }

  /** Index of the quote that ends a text; the length of the bytes if it goes on behind them. */
  #passText(chunk: Uint8Array, from: number): number {
    for (let at = chunk.indexOf(QUOTE, from); at !== -1; at = chunk.indexOf(QUOTE, at + 1)) {
      if (this.#backslashesBefore(chunk, at, from) % 2 === 1) continue;
      this.#isInText = false;
      return at;
    }
    this.#backslashes = this.#backslashesBefore(chunk, chunk.length, from);
    this.#isInText = true;
    return chunk.length;
  }

  /** Number of backslashes right before a place of a text, also those at the end of the bytes before these. */
  #backslashesBefore(chunk: Uint8Array, at: number, from: number): number {
    let first = at;
    while (first > from && chunk[first - 1] === BACKSLASH) first -= 1;
    return at - first + (first === from ? this.#backslashes : 0);
  }
}
