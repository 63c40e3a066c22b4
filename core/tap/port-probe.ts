/** Checks again and again whether something listens at an address. */
import { connect } from 'node:net';
import { errorText } from '../contract/error-text.ts';
import type { Cancel, Clock } from '../ports/clock.ts';
import type { Target } from './relay.ts';

const MAX_MS = 1_000;

export interface PortProbeOptions {
  readonly target: Target;
  readonly everyMs: number;
  readonly clock: Clock;
  /**
   * Called at the first check and after each change.
   * @param reason why there is no answer
   */
  readonly onChange: (answers: boolean, reason: string) => Promise<void>;
}

export class PortProbe {
  readonly #options: PortProbeOptions;
  #answers: boolean | undefined;
  #isOver = false;
  #next: Cancel | undefined;
  #look: Promise<void> = Promise.resolve();

  constructor(options: PortProbeOptions) {
    this.#options = options;
  }

  /**
   * Notes what another connection has found at the address, and has reported. Without this, a program that was away between two checks
   * alone would go on being reported as away.
   */
  noted(answers: boolean): void {
    this.#answers = answers;
  }

  start(): void {
    this.#look = this.#once();
  }

  /** Resolves when the running look, or the last one, has ended. */
  looked(): Promise<void> {
    return this.#look;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#next?.();
    await this.#look;
  }

  async #once(): Promise<void> {
    const { target, clock, everyMs, onChange } = this.#options;
    const reason = await whyNobody(target);
    if (this.#isOver) return;
    const answers = reason === undefined;
    if (answers !== this.#answers) {
      this.#answers = answers;
      await onChange(answers, reason ?? '');
    }
    if (this.#isOver) return;
    this.#next = clock.at(clock.now() + everyMs, () => {
      this.#look = this.#once();
    });
  }
}

/** Why nothing answers at the address; undefined: it accepts a connection. */
function whyNobody(target: Target): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(target);
    const end = (reason: string | undefined): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(MAX_MS, () => end('no connection within a second'));
    socket.once('connect', () => end(undefined));
    socket.once('error', (error) => end(errorText(error)));
  });
}
