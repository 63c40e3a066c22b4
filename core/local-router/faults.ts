/** Faults that a person armed for the next requests of a listener. */
import type { FaultParams, FaultTarget, RouterFault } from '../contract/event-router/local-router-status.ts';
import { Refusal } from '../domain/refusal.ts';
import type { IdSource } from '../ports/ids.ts';

type WireFault = Extract<FaultParams, { readonly times: number }>;

/** Armed faults, oldest first. Each counts down and is removed at 0. */
export class Faults {
  readonly #ids: IdSource;
  readonly #changed: () => void;
  readonly #setSkew: (ms: number) => void;
  #armed: { readonly faultId: string; readonly params: FaultParams; left: number }[] = [];

  constructor(ids: IdSource, changed: () => void, setSkew: (ms: number) => void) {
    this.#ids = ids;
    this.#changed = changed;
    this.#setSkew = setSkew;
  }

  list(): readonly RouterFault[] {
    return this.#armed.map((fault) => ({ ...fault }));
  }

  arm(params: FaultParams): RouterFault {
    if ('clockSkewMinutes' in params) {
      this.#armed = this.#armed.filter((fault) => !('clockSkewMinutes' in fault.params));
      this.#setSkew(params.clockSkewMinutes * 60_000);
    }
    const fault = { faultId: this.#ids.uuid(), params, left: 'times' in params ? params.times : 1 };
    this.#armed.push(fault);
    this.#changed();
    return { ...fault };
  }

  disarm(faultId?: string): void {
    const gone = this.#armed.filter((fault) => faultId === undefined || fault.faultId === faultId);
    if (faultId !== undefined && gone.length === 0) {
      throw new Refusal('NOT_FOUND', { reason: `There is no fault ${faultId}.` });
    }
    if (gone.some(({ params }) => 'clockSkewMinutes' in params)) this.#setSkew(0);
    this.#armed = this.#armed.filter((fault) => !gone.includes(fault));
    this.#changed();
  }

  /** The fault for the request that just arrived; undefined: none. */
  take(target: FaultTarget): WireFault | undefined {
    const fault = this.#armed.find(({ params }) => params.target === target && 'times' in params);
    if (fault === undefined || !('times' in fault.params)) return undefined;
    fault.left -= 1;
    if (fault.left <= 0) this.#armed = this.#armed.filter((other) => other !== fault);
    this.#changed();
    return fault.params;
  }
}
