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
import type { App } from '../state/app.ts';

const EVERY_MS = 10_000;

type Code = NonNullable<Attempt['error']>['code'];

/** Attempts of one app at one address since it answered last. */
interface Silence {
  readonly app: App;
  readonly url: string;
  /** What the attempts failed with: each kind is a warning once. */
  readonly codes: Set<Code | undefined>;
  /** Number of attempts since the last warning. */
  more: number;
  /** When the first and the last of these attempts failed. */
  since: number;
  last: number;
  cancel: Cancel | undefined;
}

export class UnansweredLines {
  readonly #shared: Pick<SharedServices, 'log' | 'timers' | 'clock'>;
  readonly #silences = new Map<string, Silence>();

  constructor(shared: Pick<SharedServices, 'log' | 'timers' | 'clock'>) {
    this.#shared = shared;
  }

  /** Notes an attempt without an answer. @returns the level of its line */
  unanswered(app: App, code: Code | undefined): 'warn' | 'debug' {
    const silence = this.#silenceOf(app);
    if (!silence.codes.has(code)) {
      silence.codes.add(code);
      return 'warn';
    }
    const { timers, clock } = this.#shared;
    silence.more += 1;
    silence.last = clock.now();
    if (silence.cancel === undefined) {
      silence.since = silence.last;
      silence.cancel = timers.at(silence.since + EVERY_MS, () => this.#summarise(silence));
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
    this.#summarise(silence);
  }

  /** At another address, and after an app was removed, another program may be there: its silence is a new one. */
  #silenceOf(app: App): Silence {
    const { url } = app.channel;
    const known = this.#silences.get(app.appId);
    if (known?.app === app && known.url === url) return known;
    if (known !== undefined) this.#summarise(known);
    const silence = {
      app,
      url,
      codes: new Set<Code | undefined>(),
      more: 0,
      since: 0,
      last: 0,
      cancel: undefined,
    };
    this.#silences.set(app.appId, silence);
    return silence;
  }

  #summarise(silence: Silence): void {
    silence.cancel?.();
    silence.cancel = undefined;
    const { appId, isRemoved } = silence.app;
    if (isRemoved || silence.more === 0) return;
    const attempts = counted(silence.more, 'more attempt', 'more attempts');
    // From the first to the last of them, in whole seconds; an answer may have come long after the last one.
    const seconds = Math.round((silence.last - silence.since) / 1000);
    const time = seconds === 0 ? '' : ` in ${duration(seconds * 1000)}`;
    this.#shared.log.write(
      'warn',
      'delivery',
      `${theAppFirst(appId)} did not answer ${attempts}${time}. Logs in the console, and --log-level debug, show each one.`,
      { appId },
    );
    silence.more = 0;
  }
}
