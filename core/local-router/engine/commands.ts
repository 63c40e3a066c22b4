/** Acts of a person on a delivery of the router: retry, hold, release, drop, dead-letter, park. */
import { ROUTER_ACT_FROM } from '../../contract/event-router/words.ts';
import type { RouterAct } from '../../contract/event-router/local-router.ts';
import { lifeMs } from '../rules/schedule.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Endings } from './endings.ts';
import type { Entry } from './entry.ts';
import type { Ledger } from './ledger.ts';

export interface CommandDependencies {
  readonly ledger: Ledger;
  readonly endings: Endings;
  readonly clock: Clock;
  readonly scale: () => number;
  /** Minutes that an event of this lane lives. */
  readonly ttlMinutes: (lane: string) => number;
  readonly queue: (entry: Entry) => void;
}

export class Commands {
  readonly #deps: CommandDependencies;

  constructor(deps: CommandDependencies) {
    this.#deps = deps;
  }

  /** Does an act. Throws Refusal NOT_FOUND, or TRANSITION_NOT_ALLOWED with the state. */
  act(deliveryId: string, act: RouterAct): Entry {
    const { ledger, clock } = this.#deps;
    const entry = ledger.find(deliveryId);
    if (entry === undefined)
      throw new Refusal('NOT_FOUND', { reason: `There is no delivery ${deliveryId}.` });
    if (!ROUTER_ACT_FROM[act].includes(entry.state)) {
      const reason = `A delivery that is ${entry.state} does not allow ${act}. It is possible from ${ROUTER_ACT_FROM[act].join(', ')}.`;
      throw new Refusal('TRANSITION_NOT_ALLOWED', { reason });
    }
    switch (act) {
      case 'retry':
        this.#retry(entry);
        break;
      case 'hold':
        ledger.move(entry, 'held', { cause: 'user', rule: 'user.hold' });
        break;
      case 'release':
        entry.dueMs = clock.now();
        this.#live(entry);
        ledger.move(entry, 'queued', { cause: 'user', rule: 'user.release' });
        this.#deps.queue(entry);
        break;
      case 'drop':
        ledger.move(entry, 'dropped', { cause: 'user', rule: 'user.drop' });
        break;
      case 'dead-letter':
        this.#deps.endings.deadLetter(entry, 'MovedByHand');
        break;
      case 'park':
        ledger.move(entry, 'parked', { cause: 'user', rule: 'user.hold', note: 'parked by hand' });
        break;
    }
    return entry;
  }

  /**
   * Renews the time to live of a delivery that waited for a person beyond it, because that person wants it
   * sent.
   */
  #live(entry: Entry): void {
    const now = this.#deps.clock.now();
    if (entry.expiresMs > now) return;
    entry.expiresMs = now + lifeMs(this.#deps.ttlMinutes(entry.lane), this.#deps.scale());
  }

  /**
   * Retries a delivery. The attempt counter continues; a used-up round or an expired time to live begins
   * again.
   */
  #retry(entry: Entry): void {
    if (entry.attempts - entry.roundStart >= entry.maxAttempts) entry.roundStart = entry.attempts;
    this.#live(entry);
    entry.dueMs = this.#deps.clock.now();
    delete entry.deadLetter;
    this.#deps.ledger.move(entry, 'queued', { cause: 'user', rule: 'user.retry' });
    this.#deps.queue(entry);
  }
}
