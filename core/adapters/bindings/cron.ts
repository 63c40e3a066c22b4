/** `bindings.cron`: an input binding that brings an empty event at a fixed interval. */
import { parseDuration } from '../../domain/duration.ts';
import type { Binding, BindingListener } from '../../ports/binding.ts';
import { SettingMistake } from '../../ports/component-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

export interface CronOptions {
  /** `@every` with a duration, for example `@every 5s` or `@every 1m30s`. */
  readonly schedule: string;
  readonly clock: Clock;
  readonly log: Log;
}

type TakeEvent = Parameters<NonNullable<Binding['listen']>>[0];

const EVERY = /^@every\s+(\S+)$/;
const MIN_MS = 100;
const MAX_MS = 366 * 24 * 3_600_000;

/** Interval in milliseconds; undefined: the schedule is not of the form `@every <duration>` or out of range. */
export function intervalOf(schedule: string): number | undefined {
  const duration = EVERY.exec(schedule.trim())?.[1];
  if (duration === undefined) return undefined;
  const ms = parseDuration(duration);
  return ms !== undefined && ms >= MIN_MS && ms <= MAX_MS ? Math.round(ms) : undefined;
}

/** An event is left out while the one before it is still with the app. */
export function createCronBinding(options: CronOptions): Binding {
  return new CronBinding(options);
}

class CronBinding implements Binding {
  readonly operations = [];
  readonly hasInput = true;
  readonly #options: CronOptions;
  readonly #listeners = new Set<BindingListener>();

  constructor(options: CronOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#interval();
  }

  async invoke(): Promise<undefined> {
    throw new Error('bindings.cron has no operations: it only sends events to the app');
  }

  async listen(take: TakeEvent): Promise<BindingListener> {
    const intervalMs = this.#interval();
    const ticker = new Ticker(this.#options, intervalMs, take);
    const listener: BindingListener = {
      close: async () => {
        this.#listeners.delete(listener);
        await ticker.stop();
      },
    };
    this.#listeners.add(listener);
    ticker.arm();
    return listener;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#listeners].map(async (listener) => listener.close()));
  }

  #interval(): number {
    return readSchedule(this.#options.schedule);
  }
}

/** Interval in milliseconds. Throws SettingMistake. */
export function readSchedule(schedule: string): number {
  const ms = intervalOf(schedule);
  if (ms !== undefined) return ms;
  if (schedule === '')
    throw new SettingMistake('metadata schedule is missing; expected for example "@every 5s"');
  throw new SettingMistake(
    `metadata schedule "${schedule}" is not understood; expected "@every" and a duration of 100ms to 366 days, for example "@every 5s"`,
  );
}

class Ticker {
  readonly #options: CronOptions;
  readonly #intervalMs: number;
  readonly #take: TakeEvent;
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;

  constructor(options: CronOptions, intervalMs: number, take: TakeEvent) {
    this.#options = options;
    this.#intervalMs = intervalMs;
    this.#take = take;
  }

  arm(): void {
    const { clock } = this.#options;
    this.#cancel = clock.at(clock.now() + this.#intervalMs, () => {
      this.arm();
      this.#tick();
    });
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    await this.#running;
  }

  #tick(): void {
    const { clock, log } = this.#options;
    if (this.#running !== undefined) {
      log.write(
        'warn',
        'bindings.cron',
        'The app is still busy with the last event. The timer skips this one.',
      );
      return;
    }
    const readTimeUTC = new Date(clock.now()).toISOString();
    this.#running = this.#take({ data: '', metadata: { readTimeUTC, timeZone: 'UTC' } }).then(
      ({ accepted, status, error }) => {
        this.#running = undefined;
        if (!accepted)
          log.write(
            'warn',
            'bindings.cron',
            `The app did not accept the event: ${error ?? status ?? 'it did not answer'}`,
          );
      },
      (error: unknown) => {
        this.#running = undefined;
        log.write('error', 'bindings.cron', `The event failed inside Sidelight: ${String(error)}`);
      },
    );
  }
}
