/** The holds: their list, which one catches a message at a point, and how often each did. Stored in the journal. */
import type { Hold, HoldChange, HoldParams, HoldPoint } from '../../contract/hold.ts';
import { HOLD_POINTS } from '../../contract/words.ts';
import { errorText } from '../../contract/error-text.ts';
import type { LastAnswer } from '../../contract/message.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import type { DeliveryFacts, FilterSubject } from '../../domain/filter/subject.ts';
import { LIVE_STEPS, MAX_LIVE_SEARCHES } from '../../domain/filter/live-bounds.ts';
import { catchingHold, changeHold, compileHold, holdTitle } from '../../domain/hold.ts';
import { mistakeIn } from '../../domain/filter/meant.ts';
import type { Caught, CompiledHold } from '../../domain/hold.ts';
import { Refusal } from '../../domain/refusal.ts';
import { Steps } from '../../domain/steps.ts';
import { rowOf } from './live.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';
import { isHold, RemovedHolds } from './removed-holds.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import type { SharedServices } from '../common-services.ts';
import { iso } from '../time/time.ts';

const KEPT = 'holds';
/** Maximum number of holds: each message is compared with all of them, and all are written after one has caught a message. */
const MAX_HOLDS = 500;

export class Holds {
  readonly #shared: SharedServices;
  readonly #removed: RemovedHolds;
  #holds: CompiledHold[] = [];
  #isCounting = false;
  /** True if holds have caught messages since their list was last written to the journal. */
  #hasNewHits = false;
  readonly #points: Record<HoldPoint, CompiledHold[]> = { publish: [], delivery: [], response: [] };

  constructor(shared: SharedServices) {
    this.#shared = shared;
    this.#removed = new RemovedHolds(shared);
  }

  async load(): Promise<void> {
    const kept = await this.#shared.journal.kept(KEPT);
    for (const hold of Array.isArray(kept) ? (kept as readonly unknown[]) : []) this.#read(hold);
    this.#sort();
    await this.#removed.load((holdId) => this.find(holdId) !== undefined);
  }

  /** Reads one saved hold. A hold that this version cannot read is left out; its messages stay held. */
  #read(hold: unknown): void {
    const result = isHold(hold) ? compileHold(hold) : undefined;
    if (result?.ok === true) {
      this.#holds.push(result.compiled);
      return;
    }
    const reason = result === undefined ? 'it is not a hold' : result.error.message;
    const name = isHold(hold) ? holdTitle(hold) : '';
    this.#shared.log.write(
      'warn',
      'holds',
      `Sidelight left out the saved hold ${JSON.stringify(name)}: ${reason}`,
    );
  }

  list(): readonly Hold[] {
    return this.#holds.map(({ hold }) => hold);
  }

  get(holdId: string): Hold {
    const found = this.find(holdId);
    if (found === undefined)
      throw new Refusal('NOT_FOUND', { reason: `There is no hold ${holdId}.` }, { field: 'holdId' });
    return found;
  }

  find(holdId: string): Hold | undefined {
    return this.#holds.find(({ hold }) => hold.holdId === holdId)?.hold;
  }

  add(params: HoldParams): Promise<Hold> {
    const hold: Hold = {
      ...params,
      holdId: this.#shared.ids.next('hold'),
      enabled: params.enabled ?? true,
      hits: 0,
    };
    this.#insert(hold, this.#holds.length);
    return this.#changed(hold);
  }

  /** Throws Refusal INVALID_PARAMS if there are too many holds, FILTER_SYNTAX. */
  #insert(hold: Hold, index: number): void {
    const added = compiled(hold);
    if (this.#holds.length >= MAX_HOLDS) {
      const reason = `There are ${this.#holds.length} holds already. Remove one first.`;
      throw new Refusal('INVALID_PARAMS', { reason }, { expected: `at most ${MAX_HOLDS} holds` });
    }
    this.#needRoom(added);
    this.#holds.splice(index, 0, added);
  }

  update(holdId: string, change: HoldChange): Promise<Hold> {
    const hold = changeHold(this.get(holdId), change);
    if (change.filter !== undefined) this.#needRoom(compiled(hold));
    this.#replace(hold);
    return this.#changed(hold);
  }

  remove(holdId: string): Promise<Hold> {
    const hold = this.get(holdId);
    const index = this.#holds.findIndex((other) => other.hold.holdId === holdId);
    this.#holds = this.#holds.filter((other) => other.hold.holdId !== holdId);
    // Written before the list without the hold: after a crash in between, the hold is there.
    const remembered = this.#removed.remember(hold, index);
    return this.#changed(hold, remembered);
  }

  /**
   * Brings a removed hold back as it was, at its place among the others. What it caught has kept its id, so what is still held is its own
   * again. Throws Refusal NOT_FOUND, INVALID_PARAMS if there are too many holds, FILTER_SYNTAX if their filters search too much.
   */
  restore(holdId: string): Promise<Hold> {
    const removed = this.#removed.find(holdId);
    if (removed === undefined) {
      const reason = `There is no removed hold ${holdId}. It was restored already, or removed too long ago.`;
      throw new Refusal('NOT_FOUND', { reason }, { field: 'holdId' });
    }
    this.#insert(removed.hold, removed.index);
    const restored = this.#changed(removed.hold);
    // Written after the list with the hold: after a crash in between, the hold is there.
    const forgotten = this.#removed.forget(holdId);
    return forgotten.then(() => restored);
  }

  /** Throws Refusal FILTER_SYNTAX if all holds together would search each message too often. */
  #needRoom({ hold, searches }: CompiledHold): void {
    if (searches === 0) return;
    const others = this.#holds.filter((other) => other.hold.holdId !== hold.holdId);
    const used = others.reduce((sum, other) => sum + other.searches, 0);
    if (used + searches <= MAX_LIVE_SEARCHES) return;
    const expected = `at most ${MAX_LIVE_SEARCHES} words and values with * in the filters of all holds together`;
    const reason = `This hold needs ${searches} and the others have ${used}: there may be ${expected}.`;
    throw new Refusal('FILTER_SYNTAX', { reason }, { field: 'filter', expected });
  }

  /** True if there is a hold at this point: a test without cost. */
  any(at: HoldPoint): boolean {
    return this.#points[at].length > 0;
  }

  /** True if a hold at this point needs the payload and it is not in memory: the caller has to read it first. */
  mustRead(at: HoldPoint, message: LiveMessage): boolean {
    return message.wire === undefined && this.#points[at].some(({ readsWire }) => readsWire);
  }

  /**
   * The hold that catches the message before it is published.
   * @param releasedFrom holds that have released it
   * @param wire the message's body, if it had to be read
   */
  atPublish(
    message: LiveMessage,
    releasedFrom: readonly string[] = message.releasedFrom,
    wire?: Wire,
  ): Caught | undefined {
    return this.#catch('publish', message, { wire, releasedFrom });
  }

  /**
   * The hold that catches a delivery before its next attempt.
   * @param wire the message's body, if it had to be read
   */
  atDelivery(d: LiveDelivery, wire?: Wire): Caught | undefined {
    const releasedFrom = [...d.releasedFrom, ...d.message.releasedFrom];
    return this.#catch('delivery', d.message, { wire, releasedFrom });
  }

  /** Payload for `atResponse`; undefined at once if no hold needs it. An unreadable payload must not stop an answer that has arrived. */
  payloadAtResponse(d: LiveDelivery): Promise<Wire | undefined> | undefined {
    return this.mustRead('response', d.message) ? this.#payload(d) : undefined;
  }

  async #payload({ message, deliveryId }: LiveDelivery): Promise<Wire | undefined> {
    try {
      return await this.#shared.live.wire(message);
    } catch (error) {
      const reason = errorText(error);
      const { messageId } = message;
      this.#shared.log.write('error', 'holds', `No hold could check the payload: ${reason}`, {
        messageId,
        deliveryId,
      });
      return undefined;
    }
  }

  /** The hold that holds an answer. `status` is the one just received, `wire` the message's body, if it had to be read. */
  atResponse(d: LiveDelivery, status: number | undefined, wire?: Wire): Caught | undefined {
    const facts: DeliveryFacts = {
      attempts: status === undefined ? [] : [{ response: { status } }],
      transitions: [],
    };
    const { releasedFrom } = d.message;
    return this.#catch('response', d.message, { facts, wire, releasedFrom });
  }

  #catch(
    at: HoldPoint,
    message: LiveMessage,
    { releasedFrom, ...more }: SubjectFacts & { readonly releasedFrom: readonly string[] },
  ): Caught | undefined {
    const holds = this.#points[at];
    if (holds.length === 0) return undefined;
    const { clock, codec, log } = this.#shared;
    const subject = subjectOf(message, codec, { ...more, steps: new Steps(LIVE_STEPS) });
    const found = catchingHold(holds, at, subject, clock.now(), new Set(releasedFrom));
    if (found === undefined) return undefined;
    const { messageId } = message;
    if (found.undecided !== undefined) log.write('warn', 'holds', found.undecided, { messageId });
    const hold: Hold = { ...found.hold, hits: found.hold.hits + 1 };
    this.#replace(hold);
    this.#sort();
    this.#shared.events.add({ type: 'hold.changed', holdId: hold.holdId });
    this.#hasNewHits = true;
    if (!this.#isCounting) void this.#keepHits();
    return { ...found, hold };
  }

  /** Writes the counts. No caller waits for it, so catches during a write go with the next one. */
  async #keepHits(): Promise<void> {
    this.#isCounting = true;
    while (this.#hasNewHits) {
      this.#hasNewHits = false;
      await this.#shared.writer.keep(KEPT, this.list());
    }
    this.#isCounting = false;
  }

  #replace(hold: Hold): void {
    this.#holds = this.#holds.map((other) => (other.hold.holdId === hold.holdId ? compiled(hold) : other));
  }

  /** @param before a write that was begun before this one */
  async #changed(hold: Hold, before?: Promise<void>): Promise<Hold> {
    this.#sort();
    this.#shared.events.add({ type: 'hold.changed', holdId: hold.holdId });
    const { writer } = this.#shared;
    await Promise.all([before, writer.keep(KEPT, this.list())]);
    return hold;
  }

  #sort(): void {
    for (const at of HOLD_POINTS) {
      this.#points[at] = this.#holds.filter(({ hold }) => hold.at === at && hold.enabled);
    }
  }
}

/** Throws Refusal FILTER_SYNTAX for a filter that cannot be read. */
function compiled(hold: Hold): CompiledHold {
  const result = compileHold(hold);
  if (!result.ok) {
    const mistake = mistakeIn(hold.filter, result.error);
    throw new Refusal(
      'FILTER_SYNTAX',
      { reason: mistake.message },
      { field: 'filter', data: { ...mistake } },
    );
  }
  return result.compiled;
}

/** Facts that a filter sees beside the live message. */
interface SubjectFacts {
  /** The answer that was just received; absent at the other points. */
  readonly facts?: DeliveryFacts;
  /** The message's payload, if it had to be read. */
  readonly wire?: Wire | undefined;
  /** Steps that the filters may spend on the message. */
  readonly steps?: Steps;
}

function answeredAttempt(status: number, { protocol, word }: LastAnswer): DeliveryFacts['attempts'][number] {
  return { response: { status }, ...withoutUndefined({ protocol, word }) };
}

/** Filter subject of a live message. Attempts that only the journal has are represented by the delivery's last answer. */
function subjectOf(
  message: LiveMessage,
  codec: Codec,
  { facts, wire, steps }: SubjectFacts = {},
): FilterSubject {
  const known = message.deliveries.map((d): DeliveryFacts => ({
    attempts: [
      ...(d.lastAnswer?.status === undefined ? [] : [answeredAttempt(d.lastAnswer.status, d.lastAnswer)]),
      ...(d.lastAnswer?.error === undefined ? [] : [{ error: { code: d.lastAnswer.error, message: '' } }]),
    ],
    transitions: d.lastTransition === undefined ? [] : [d.lastTransition],
  }));
  return buildSubject(
    { row: rowOf(message, iso), metadata: message.metadata, wire: message.wire ?? wire ?? '' },
    facts === undefined ? known : [...known, facts],
    codec,
    steps,
  );
}
