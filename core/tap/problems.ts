/** Problems of one tap: shown for as long as each lasts, and logged when it begins and when it ends. */
import { theAppFirst, thisApp } from '../contract/app-text.ts';
import { addressOf } from './dependencies.ts';
import type { TapDependencies, TapOptions } from './dependencies.ts';

/** Who the tap connects to. */
type Side = 'app' | 'sidecar' | 'grpc';
/** Kinds of problems of a tap, each at most once at a time. */
type Kind = Side | 'listen' | 'unserved' | 'direct';

export class Problems {
  readonly #options: TapOptions;
  readonly #dependencies: Pick<TapDependencies, 'log' | 'changed'>;
  readonly #texts = new Map<Kind, string>();
  /** Sides that have not answered since the tap was opened, while they may still be starting. */
  readonly #awaited = new Set<Side>(['app', 'sidecar', 'grpc']);
  /** Reasons of refused requests that were logged. */
  readonly #logged = new Set<string>();

  constructor(options: TapOptions, dependencies: Pick<TapDependencies, 'log' | 'changed'>) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  get texts(): string[] {
    return [...this.#texts.values()];
  }

  has(kind: Kind): boolean {
    return this.#texts.has(kind);
  }

  /**
   * Notes whether a side answers. That nothing answers yet is no warning while the command that starts it has just begun.
   * @param text the problem, which there may be also where it answers
   * @param end as in `set`
   */
  reached(side: Side, answers: boolean, text: string | undefined, end?: string): void {
    if (answers) this.#awaited.delete(side);
    this.set(side, text, end);
  }

  /** Logs which sides have not answered since the tap was opened: from now on that is a warning. */
  endStart(): void {
    for (const side of this.#awaited) {
      const text = this.#texts.get(side);
      if (text !== undefined) this.#dependencies.log.write('warn', 'tap', text);
    }
    this.#awaited.clear();
  }

  /**
   * @param text undefined: there is no problem of this kind any more
   * @param end sentence for the log if the problem ends, where the usual one would say too much
   */
  set(kind: Kind, text: string | undefined, end = this.#textOfEnd(kind)): void {
    if (this.#texts.get(kind) === text) return;
    const { log, changed } = this.#dependencies;
    if (text === undefined) {
      this.#texts.delete(kind);
      log.write('info', 'tap', end);
    } else {
      this.#texts.set(kind, text);
      if (!this.#isAwaited(kind)) log.write('warn', 'tap', text);
    }
    changed();
  }

  /** Logs, once for each reason, that a request was refused. */
  refused(reason: string): void {
    if (this.#logged.has(reason)) return;
    this.#logged.add(reason);
    this.#dependencies.log.write('warn', 'tap', `A request was refused with 501. ${reason}`);
  }

  #isAwaited(kind: Kind): boolean {
    return kind !== 'listen' && kind !== 'unserved' && kind !== 'direct' && this.#awaited.has(kind);
  }

  #textOfEnd(kind: Kind): string {
    const { app, sidecar, appId } = this.#options;
    switch (kind) {
      case 'app':
        return `${theAppFirst(appId)} at ${addressOf(app, app.protocol)} answers.`;
      case 'sidecar':
        return `The sidecar at ${addressOf(sidecar)} answers.`;
      case 'grpc':
        return 'The gRPC API of the sidecar answers.';
      case 'listen':
        return 'The tap listens again.';
      case 'direct':
        return `The sidecar at ${addressOf(sidecar)} calls ${thisApp(appId)} through the tap.`;
      case 'unserved':
        return `The sidecar at ${addressOf(sidecar)} lists every subscription of ${thisApp(appId)}.`;
    }
  }
}
