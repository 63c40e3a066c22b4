/**
 * Log lines about attempts that an app does not answer. An app that is away fails each attempt of each message, so only the first is a
 * warning: the others are at level debug, and a warning counts them from time to time.
 */
import { theAppFirst } from '../../contract/app-text.ts';
import { counted } from '../../contract/count-text.ts';
import { duration } from '../../contract/duration-text.ts';
import type { Attempt } from '../../contract/message.ts';
import type { Cancel } from '../../ports/clock.ts';
import type { SharedServices } from '../common-services.ts';

const EVERY_MS = 10_000;

type Code = NonNullable<Attempt['error']>['code'];

/** Attempts of one app since it answered last. */
interface Silence {
  /** What the attempts failed with: each kind is a warning once. */
  readonly codes: Set<Code | undefined>;
  /** Number of attempts since the last warning. */
  more: number;
  since: number;
  cancel: Cancel | undefined;
}

export class UnansweredLines {
  readonly #shared: Pick<SharedServices, 'log' | 'timers' | 'clock'>;
  readonly #silences = new Map<string, Silence>();

  constructor(shared: Pick<SharedServices, 'log' | 'timers' | 'clock'>) {
    this.#shared = shared;
  }

  /** Notes an attempt without an answer. @returns the level of its line */
  unanswered(appId: string, code: Code | undefined): 'warn' | 'debug' {
    const silence = this.#silences.get(appId) ?? { codes: new Set(), more: 0, since: 0, cancel: undefined };
    this.#silences.set(appId, silence);
    if (!silence.codes.has(code)) {
      silence.codes.add(code);
      return 'warn';
    }
    silence.more += 1;
    if (silence.cancel === undefined) {
      const { timers, clock } = this.#shared;
      silence.since = clock.now();
      silence.cancel = timers.at(silence.since + EVERY_MS, () => this.#summarise(appId, silence));
    }
    return 'debug';
  }

  /** Notes that an app has answered: its next attempt without an answer is news again. */
  answered(appId: string): void {
    // Each answer passes here.
    if (this.#silences.size === 0) return;
    const silence = this.#silences.get(appId);
    if (silence === undefined) return;
    this.#silences.delete(appId);
    this.#summarise(appId, silence);
  }

  #summarise(appId: string, silence: Silence): void {
    silence.cancel?.();
    silence.cancel = undefined;
    if (silence.more === 0) return;
    const { log, clock } = this.#shared;
    const within = duration(clock.now() - silence.since);
    const attempts = counted(silence.more, 'more attempt', 'more attempts');
    log.write(
      'warn',
      'delivery',
      `${theAppFirst(appId)} did not answer ${attempts} within ${within}. The log has each one at level debug.`,
      { appId },
    );
    silence.more = 0;
  }
}
