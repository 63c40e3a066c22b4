/** Bodies of messages in memory, and what each counts for in the memory budget of bodies. */
import type { Wire } from '../../domain/codec.ts';

/** A body, in memory or only in the journal. */
export interface CountedBody {
  /** undefined: not in memory, the journal has it. */
  readonly wire: Wire | undefined;
  /** Bytes that the body counts for in the memory budget of bodies that the journal has too; 0: not counted. */
  readonly countedBytes: number;
  /** Sets `countedBytes`. */
  count(bytes: number): void;
  /** Frees the bytes: the journal has them. */
  dropWire(): void;
}

/** Body that a person gave a delivery. */
export class ChangedBody implements CountedBody {
  wire: Wire | undefined;
  /** Whether the journal has it. */
  isKept: boolean;
  /** Body as it is sent. */
  readonly bytes: number;
  /** How often a person gave one. */
  readonly edits: number;
  countedBytes = 0;

  constructor(wire: Wire, isKept: boolean, bytes: number, edits: number) {
    this.wire = wire;
    this.isKept = isKept;
    this.bytes = bytes;
    this.edits = edits;
  }

  count(bytes: number): void {
    this.countedBytes = bytes;
  }

  dropWire(): void {
    this.wire = undefined;
  }

  noteKept(): void {
    this.isKept = true;
  }
}
