/** Groups that were appended to the file of the newest records and of which the writing thread has not heard yet. */
import { isEndedState } from '../../contract/delivery.ts';
import type { Group, Op } from './records.ts';

/** Groups of which the thread hears at once: their place in the file, and the new messages in them. */
export interface Told {
  readonly from: number;
  readonly to: number;
  readonly messages: number;
}

/** Where a part ends, and the new messages in it. */
interface Part {
  readonly end: number;
  readonly messages: number;
}

/** Members of a changed message that decide whether it may be removed. */
const DECIDES = /"(?:pinned|stage|waitingFor)":/;

export class Unreported {
  readonly #partBytes: number;
  /** The thread knows of everything before this place. */
  #from: number;
  #messages = 0;
  #removes = false;
  /**
   * Messages by their open deliveries, and those that were pinned or wait, by their own id: what ends before the thread hears of it is left
   * out again.
   */
  readonly #stay = new Map<string, string>();
  #parts: Part[] = [];

  /**
   * @param from place of the first group to come
   * @param partBytes that the tables take in at a time; each part gives back its place, which new groups need meanwhile
   */
  constructor(from: number, partBytes: number) {
    this.#from = from;
    this.#partBytes = partBytes;
  }

  /** Notes a group that was appended. */
  add(calls: Group, end: number): void {
    for (const ops of calls) for (const op of ops) this.#note(op);
    this.#endPart(end);
  }

  #note(op: Op): void {
    if (op[0] === 'accepted') this.#messages++;
    else if (op[0] === 'removed') this.#removes = true;
    else if (op[0] === 'changed') {
      if (DECIDES.test(op[2])) this.#stay.set(op[1], op[1]);
    } else if (op[0] === 'delivery') {
      const [, deliveryId, messageId, state] = op;
      const isSilent = op[13] === 1;
      if (isSilent || isEndedState(state)) this.#stay.delete(deliveryId);
      else this.#stay.set(deliveryId, messageId);
    }
  }

  /** Nothing before this place is to be reported any more: the file is empty, is another one, or is written from its beginning again. */
  beginAt(place: number): void {
    this.#from = place;
    this.#stay.clear();
  }

  /** Place from which on the thread knows nothing. */
  get from(): number {
    return this.#from;
  }

  get messages(): number {
    return this.#messages;
  }

  /** Whether messages were removed: only the tables know what goes with them. */
  get removes(): boolean {
    return this.#removes;
  }

  /** Number of deliveries and messages because of which a message may have to stay that the tables would let go. */
  get staying(): number {
    return this.#stay.size;
  }

  /** Ids of messages that these groups open again, pin or hold. */
  get stay(): readonly string[] {
    return [...new Set(this.#stay.values())];
  }

  /** Takes out all groups up to the end of what was appended. */
  takeAll(end: number): Told {
    this.#parts = [];
    this.#removes = false;
    this.#stay.clear();
    return this.#take({ end, messages: this.#messages });
  }

  /** Takes out the oldest part, or all groups where they make no part. */
  takePart(end: number): Told {
    const part = this.#parts.shift();
    return part === undefined ? this.takeAll(end) : this.#take(part);
  }

  #take({ end: to, messages }: Part): Told {
    const from = this.#from;
    this.#from = to;
    this.#messages -= messages;
    return { from, to, messages };
  }

  #endPart(end: number): void {
    if (end - (this.#parts.at(-1)?.end ?? this.#from) < this.#partBytes) return;
    const known = this.#parts.reduce((sum, { messages }) => sum + messages, 0);
    this.#parts.push({ end, messages: this.#messages - known });
  }
}
