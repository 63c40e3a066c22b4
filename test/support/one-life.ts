/** Dependencies of one run of the program; once the run is over, none of them has an effect any more. */
import type { AppCall, AppChannel, PendingAnswer } from '../../core/ports/app-channel.ts';
import type { Cancel, Clock } from '../../core/ports/clock.ts';

export class OneLife {
  isOver = false;
  readonly #timers = new Set<Cancel>();

  end(): void {
    this.isOver = true;
    for (const cancel of this.#timers) cancel();
  }

  clock(of: Clock): Clock {
    return {
      now: () => of.now(),
      monotonic: () => of.monotonic(),
      at: (dueMs, run) => {
        if (this.isOver) return () => undefined;
        const cancel = of.at(dueMs, () => {
          this.#timers.delete(cancel);
          if (!this.isOver) run();
        });
        this.#timers.add(cancel);
        return () => {
          this.#timers.delete(cancel);
          cancel();
        };
      },
    };
  }

  channel(of: AppChannel): AppChannel {
    const forever = <T>(): Promise<T> => new Promise<T>(() => undefined);
    return {
      get url(): string {
        return of.url;
      },
      ...(of.protocol === undefined ? {} : { protocol: of.protocol }),
      ...(of.instances === undefined ? {} : { instances: of.instances }),
      deliver: (call: AppCall): PendingAnswer => {
        if (this.isOver) return { answer: forever(), cancel: () => undefined };
        const pending = of.deliver(call);
        return {
          answer: pending.answer.then((answer) => (this.isOver ? forever() : answer)),
          cancel: (reason) => pending.cancel(reason),
        };
      },
      get: (path, headers, timeoutMs) => (this.isOver ? forever() : of.get(path, headers, timeoutMs)),
      probe: (timeoutMs) => (this.isOver ? forever() : of.probe(timeoutMs)),
      openBeside: async (timeoutMs) => (this.isOver ? forever() : of.openBeside?.(timeoutMs)),
      protocolOfPort: async (timeoutMs) => (this.isOver ? forever() : of.protocolOfPort?.(timeoutMs)),
      close: () => of.close(),
    };
  }
}
