/** The steps of an input side for display: when each began and ended, its result, and when it is repeated. */
import { INPUT_STEPS } from '../../contract/event-router/words.ts';
import type { InputState, InputStep, StepReport } from '../../contract/event-router/components.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import type { Clock } from '../../ports/clock.ts';

export class Steps {
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #reports = new Map<InputStep, StepReport>(
    INPUT_STEPS.map((step) => [step, { step, result: 'pending', attempts: 0 }]),
  );
  #state: InputState = 'configured';

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get state(): InputState {
    return this.#state;
  }

  list(): readonly StepReport[] {
    return [...this.#reports.values()];
  }

  /** Begins a step. Later steps have to run again. */
  begin(step: InputStep): void {
    const before = this.#of(step);
    for (const later of INPUT_STEPS.slice(INPUT_STEPS.indexOf(step) + 1)) {
      const { attempts } = this.#of(later);
      this.#reports.set(later, { step: later, result: 'pending', attempts });
    }
    const startedAt = this.#iso(this.#clock.now());
    const { attempts, code, message } = before;
    // The reason of the last failure stays visible until the result of this try is known.
    const last = before.result === 'retrying' || before.result === 'failed';
    this.#set(
      step,
      {
        step,
        result: 'running',
        attempts: attempts + 1,
        startedAt,
        ...(last && code !== undefined ? { code } : {}),
        ...(last && message !== undefined ? { message } : {}),
      },
      step,
    );
  }

  done(step: InputStep, message?: string): void {
    this.#set(step, { ...this.#ended(step, 'done'), ...withoutUndefined({ message }) }, step);
  }

  skipped(step: InputStep, message: string): void {
    this.#set(step, { step, result: 'skipped', attempts: this.#of(step).attempts, message }, undefined);
  }

  /**
   * Notes a failure.
   * @param againMs time of the next try, ms since 1970; undefined: none is planned
   */
  failed(step: InputStep, error: unknown, againMs: number | undefined): void {
    const message = errorText(error);
    const report: StepReport = {
      ...this.#ended(step, againMs === undefined ? 'failed' : 'retrying'),
      message,
      ...(error instanceof RouterTrouble ? { code: error.code } : {}),
      ...(againMs === undefined ? {} : { nextAttemptAt: this.#iso(againMs) }),
    };
    this.#set(step, report, againMs === undefined ? 'failed' : step);
  }

  /** Sets a state that is no step. */
  to(state: InputState): void {
    this.#state = state;
    this.#changed();
  }

  #ended(step: InputStep, result: StepReport['result']): StepReport {
    const { attempts, startedAt } = this.#of(step);
    const now = this.#clock.now();
    return {
      step,
      result,
      attempts,
      ...(startedAt === undefined ? {} : { startedAt, durationMs: Math.max(0, now - Date.parse(startedAt)) }),
      endedAt: this.#iso(now),
    };
  }

  #set(step: InputStep, report: StepReport, state: InputState | undefined): void {
    this.#reports.set(step, report);
    if (state !== undefined) this.#state = state;
    this.#changed();
  }

  #of(step: InputStep): StepReport {
    return this.#reports.get(step) ?? { step, result: 'pending', attempts: 0 };
  }

  #iso(ms: number): string {
    return new Date(ms).toISOString();
  }
}
