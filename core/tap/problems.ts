/** Problems of one tap: shown for as long as each lasts, and logged when it begins and when it ends. */
import { theAppFirst, thisApp } from '../contract/app-text.ts';
import { addressOf } from './dependencies.ts';
import type { TapDependencies, TapOptions } from './dependencies.ts';

/** Kinds of problems of a tap, each at most once at a time. */
type Kind = 'app' | 'sidecar' | 'grpc' | 'listen' | 'unserved';

export class Problems {
  readonly #options: TapOptions;
  readonly #dependencies: Pick<TapDependencies, 'log' | 'changed'>;
  readonly #texts = new Map<Kind, string>();
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
      log.write('warn', 'tap', text);
    }
    changed();
  }

  /** Logs, once for each reason, that a request was refused. */
  refused(reason: string): void {
    if (this.#logged.has(reason)) return;
    this.#logged.add(reason);
    this.#dependencies.log.write('warn', 'tap', `A request was refused with 501. ${reason}`);
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
      case 'unserved':
        return `The sidecar at ${addressOf(sidecar)} lists every subscription of ${thisApp(appId)}.`;
    }
  }
}
