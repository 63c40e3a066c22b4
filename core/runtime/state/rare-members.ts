/**
 * Members of a delivery that few deliveries have. All deliveries without any of them share one object: a hundred thousand may wait, and
 * each member takes eight bytes.
 */
import type { Attempt } from '../../contract/message.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { Cancel } from '../../ports/clock.ts';
import type { ChangedBody } from './live-body.ts';

export interface HeldAnswer {
  readonly answer: ReceivedAnswer;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly note: string | undefined;
}

/** Empty list that messages and deliveries share: replaced, never changed. */
export const NOTHING: readonly never[] = [];

class Members {
  expiresAtMs: number | undefined = undefined;
  heldBy: string | undefined = undefined;
  heldBeforeDrop: string | undefined = undefined;
  heldAt: 'delivery' | 'response' | undefined = undefined;
  deadLetter: { readonly topic: string; readonly messageId: string } | undefined = undefined;
  releasedFrom: readonly string[] = NOTHING;
  changed: Readonly<ChangedBody> | undefined = undefined;
  bindingErrorText: string | undefined = undefined;
  waitsForSubscription: boolean = false;
  silent: boolean = false;
  givesUpMs: number | undefined = undefined;
  heldAnswer: HeldAnswer | undefined = undefined;
  ttlTimer: Cancel | undefined = undefined;
}

/** Never changed. */
const PLAIN = new Members();

export class RareMembers {
  #rare = PLAIN;

  get expiresAtMs(): number | undefined {
    return this.#rare.expiresAtMs;
  }

  set expiresAtMs(expiresAtMs: number | undefined) {
    if (expiresAtMs !== this.#rare.expiresAtMs) this.#own.expiresAtMs = expiresAtMs;
  }

  get heldBy(): string | undefined {
    return this.#rare.heldBy;
  }

  set heldBy(heldBy: string | undefined) {
    if (heldBy !== this.#rare.heldBy) this.#own.heldBy = heldBy;
  }

  /** The hold that held it when a person dropped it: undoing the drop gives the delivery back to that hold. */
  get heldBeforeDrop(): string | undefined {
    return this.#rare.heldBeforeDrop;
  }

  set heldBeforeDrop(holdId: string | undefined) {
    if (holdId !== this.#rare.heldBeforeDrop) this.#own.heldBeforeDrop = holdId;
  }

  get heldAt(): 'delivery' | 'response' | undefined {
    return this.#rare.heldAt;
  }

  set heldAt(heldAt: 'delivery' | 'response' | undefined) {
    if (heldAt !== this.#rare.heldAt) this.#own.heldAt = heldAt;
  }

  get deadLetter(): { readonly topic: string; readonly messageId: string } | undefined {
    return this.#rare.deadLetter;
  }

  set deadLetter(deadLetter: { readonly topic: string; readonly messageId: string } | undefined) {
    if (deadLetter !== this.#rare.deadLetter) this.#own.deadLetter = deadLetter;
  }

  get releasedFrom(): readonly string[] {
    return this.#rare.releasedFrom;
  }

  set releasedFrom(releasedFrom: readonly string[]) {
    if (releasedFrom !== this.#rare.releasedFrom) this.#own.releasedFrom = releasedFrom;
  }

  get changed(): Readonly<ChangedBody> | undefined {
    return this.#rare.changed;
  }

  set changed(changed: Readonly<ChangedBody> | undefined) {
    if (changed !== this.#rare.changed) this.#own.changed = changed;
  }

  /** Answer of the app that did not accept a binding's event, or why there was none. */
  get bindingErrorText(): string | undefined {
    return this.#rare.bindingErrorText;
  }

  set bindingErrorText(bindingErrorText: string | undefined) {
    if (bindingErrorText !== this.#rare.bindingErrorText) this.#own.bindingErrorText = bindingErrorText;
  }

  /** True while it waits for the app to subscribe again; its row says so. */
  get waitsForSubscription(): boolean {
    return this.#rare.waitsForSubscription;
  }

  set waitsForSubscription(waitsForSubscription: boolean) {
    if (waitsForSubscription !== this.#rare.waitsForSubscription)
      this.#own.waitsForSubscription = waitsForSubscription;
  }

  /** Observed by a tap and not seen again for long: it counts as finished, though another sidecar may still have it. */
  get silent(): boolean {
    return this.#rare.silent;
  }

  set silent(silent: boolean) {
    if (silent !== this.#rare.silent) this.#own.silent = silent;
  }

  /** Deadline of the call that the sidecar behind a tap makes now; undefined: unknown, or this sidecar makes the delivery. */
  get givesUpMs(): number | undefined {
    return this.#rare.givesUpMs;
  }

  set givesUpMs(givesUpMs: number | undefined) {
    if (givesUpMs !== this.#rare.givesUpMs) this.#own.givesUpMs = givesUpMs;
  }

  /** The answer that a hold at `response` holds. */
  get heldAnswer(): HeldAnswer | undefined {
    return this.#rare.heldAnswer;
  }

  set heldAnswer(heldAnswer: HeldAnswer | undefined) {
    if (heldAnswer !== this.#rare.heldAnswer) this.#own.heldAnswer = heldAnswer;
  }

  /** Timer of the TTL; cancelled when it can no longer pass. */
  get ttlTimer(): Cancel | undefined {
    return this.#rare.ttlTimer;
  }

  set ttlTimer(ttlTimer: Cancel | undefined) {
    if (ttlTimer !== this.#rare.ttlTimer) this.#own.ttlTimer = ttlTimer;
  }

  /** The members of this delivery alone, which may be changed. */
  get #own(): Members {
    if (this.#rare === PLAIN) this.#rare = new Members();
    return this.#rare;
  }
}
