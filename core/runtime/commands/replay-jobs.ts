/** Replays of many messages. Each is a job that runs in order of acceptance, at a rate, until it is done or cancelled. */
import type { ReplayJob, ReplayManyParams } from '../../contract/jobs.ts';
import type { MessageRow } from '../../contract/message.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import { numbersOf } from './undoable-removal.ts';
import type { UndoableRemoval } from './undoable-removal.ts';
import type { Replay } from './replay.ts';
import type { SharedServices } from '../common-services.ts';
import { iso, msOf } from '../time/time.ts';
import { Waits } from '../time/waits.ts';

const SLICE = 500;
/** Maximum number of running jobs. */
const MAX_RUNNING = 4;
/** Number of ended jobs that are kept. */
const KEPT_JOBS = 20;
const KEPT_FAILURES = 1000;
/** Maximum pause of the original spacing. */
const MAX_GAP_MS = 10_000;
/** Number of messages after which a job without a rate lets other work run. */
const YIELD_EVERY = 50;
/** Bytes of a message that count as a step in the turns of the event loop: about 4 MB are replayed in one. */
const STEP_BYTES = 8 * 1024;

type JobFailure = ReplayJob['failed'][number];

interface RunningJob {
  job: ReplayJob;
  /** Array of `job.failed`, writable. */
  readonly failed: JobFailure[];
  readonly params: ReplayManyParams;
  readonly numbers: readonly number[];
  readonly waits: Waits;
}

export class ReplayJobs {
  readonly #shared: SharedServices;
  readonly #replay: Replay;
  readonly #removals: UndoableRemoval;
  readonly #jobs = new Map<string, RunningJob>();
  readonly #ends = new Set<Promise<void>>();
  #last = 0;

  constructor(shared: SharedServices, replay: Replay, removals: UndoableRemoval) {
    this.#shared = shared;
    this.#replay = replay;
    this.#removals = removals;
  }

  /**
   * Counts the messages, and starts the job unless it is a dry run. Throws Refusal INVALID_PARAMS, FILTER_SYNTAX, TOO_LARGE (four jobs
   * run).
   */
  async start(params: ReplayManyParams): Promise<{ jobId: string; count: number }> {
    const { messageIds, filter, upTo, dryRun, ratePerSecond, originalSpacing } = params;
    if (ratePerSecond !== undefined && originalSpacing === true) {
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: 'ratePerSecond and originalSpacing cannot both be given' },
        { field: 'originalSpacing', expected: 'one of ratePerSecond and originalSpacing' },
      );
    }
    const found = await numbersOf(this.#shared, withoutUndefined({ messageIds, filter, upTo }));
    const numbers = await this.#replayable(found, params);
    const running = [...this.#jobs.values()].filter(({ job }) => job.running).length;
    if (dryRun !== true && running >= MAX_RUNNING) {
      const reason = `At most ${MAX_RUNNING} jobs run at a time.`;
      throw new Refusal('TOO_LARGE', { reason }, { expected: `at most ${MAX_RUNNING} jobs` });
    }
    this.#last += 1;
    const now = iso(this.#shared.clock.now());
    const failed: JobFailure[] = [];
    const job: ReplayJob = {
      jobId: `job_${this.#last}_${this.#shared.ids.hex(4)}`,
      kind: 'messages.replayMany',
      startedAt: now,
      count: numbers.length,
      done: 0,
      failed,
      failures: 0,
      running: dryRun !== true,
      ...(dryRun === true ? { endedAt: now } : {}),
    };
    const made = { job, failed, params, numbers, waits: new Waits(this.#shared.clock) };
    this.#keep(made);
    if (dryRun !== true) {
      const end: Promise<void> = this.#run(made).finally(() => this.#ends.delete(end));
      this.#ends.add(end);
    }
    return { jobId: job.jobId, count: numbers.length };
  }

  has(jobId: string): boolean {
    return this.#jobs.has(jobId);
  }

  /** Throws Refusal NOT_FOUND. */
  get(jobId: string): ReplayJob {
    return this.#of(jobId).job;
  }

  /** Newest first. */
  list(): readonly ReplayJob[] {
    return [...this.#jobs.values()].map(({ job }) => job).toReversed();
  }

  /** Cancels a job after its current message. Throws Refusal NOT_FOUND. */
  cancel(jobId: string): ReplayJob {
    const running = this.#of(jobId);
    if (running.job.running) {
      running.job = { ...running.job, cancelled: true };
      running.waits.end();
    }
    return running.job;
  }

  /** Cancels all jobs and waits for their end, when the program ends. */
  async close(): Promise<void> {
    for (const { job } of this.#jobs.values()) this.cancel(job.jobId);
    await Promise.all(this.#ends);
  }

  #of(jobId: string): RunningJob {
    const found = this.#jobs.get(jobId);
    if (found !== undefined) return found;
    throw new Refusal('NOT_FOUND', { reason: `There is no job ${jobId}.` }, { field: 'jobId' });
  }

  #keep(made: RunningJob): void {
    this.#jobs.set(made.job.jobId, made);
    const ended = [...this.#jobs.values()].filter(({ job }) => !job.running);
    for (const { job } of ended.slice(0, Math.max(0, ended.length - KEPT_JOBS))) this.#jobs.delete(job.jobId);
  }

  /** Leaves out what is processed, if that is wanted, and messages without a delivery if deliveries are to be repeated. */
  async #replayable(numbers: readonly number[], params: ReplayManyParams): Promise<readonly number[]> {
    if (params.skipProcessed !== true && params.to !== 'deliveries') return numbers;
    const left: number[] = [];
    for await (const rows of this.#slices(numbers)) {
      for (const row of rows) if (!isLeftOut(row, params)) left.push(row.number);
    }
    return left;
  }

  /** Rows of the messages that still exist, a slice at a time. */
  async *#slices(numbers: readonly number[]): AsyncGenerator<readonly MessageRow[]> {
    for (let from = 0; from < numbers.length; from += SLICE) {
      const rows = await this.#shared.journal.rows(numbers.slice(from, from + SLICE));
      yield rows.filter((row) => row !== undefined);
    }
  }

  async #run(running: RunningJob): Promise<void> {
    const { params } = running;
    const replayed: number[] = [];
    try {
      await this.#replayAll(running, replayed);
    } catch (error) {
      // The journal could not be read: replayed messages stay, the others are not begun.
      const reason = errorText(error);
      this.#shared.log.write('error', 'replay', `A replay of many messages ended early: ${reason}`);
      this.#fail(running, { messageId: '', reason });
    }
    const removal = params.removeAfter === true ? this.#removals.hide(replayed) : undefined;
    running.job = {
      ...running.job,
      running: false,
      endedAt: iso(this.#shared.clock.now()),
      ...(removal === undefined ? {} : removal),
    };
    this.#keep(running);
  }

  async #replayAll(running: RunningJob, replayed: number[]): Promise<void> {
    const { clock } = this.#shared;
    const { ratePerSecond, originalSpacing } = running.params;
    let dueMs = clock.now();
    let lastAtMs: number | undefined;
    let begun = 0;
    for await (const rows of this.#slices(running.numbers)) {
      for (const row of rows) {
        if (isCancelled(running)) return;
        const atMs = msOf(row.at);
        if (begun > 0 && ratePerSecond !== undefined) dueMs += 1000 / ratePerSecond;
        if (originalSpacing === true && lastAtMs !== undefined)
          dueMs += Math.min(MAX_GAP_MS, Math.max(0, atMs - lastAtMs));
        lastAtMs = atMs;
        const left = dueMs - clock.now();
        if (left >= 1 || begun % YIELD_EVERY === YIELD_EVERY - 1) {
          await running.waits.wait(Math.max(0, left));
          if (isCancelled(running)) return;
        }
        begun += 1;
        await this.#one(running, row, replayed);
      }
    }
  }

  async #one(running: RunningJob, read: MessageRow, replayed: number[]): Promise<void> {
    const { messageId } = read;
    const { to, skipProcessed, newEventId } = running.params;
    try {
      const row = skipProcessed === true ? await this.#asItIsNow(read) : read;
      if (isLeftOut(row, running.params)) {
        running.job = { ...running.job, count: running.job.count - 1 };
        return;
      }
      const targets = to === 'deliveries' ? deliveriesOf(row, skipProcessed === true) : [undefined];
      for (const [index, target] of targets.entries()) {
        const changes = newEventId === true ? { attributes: { id: this.#shared.ids.uuid() } } : undefined;
        await this.#shared.turns.room(1 + Math.floor(row.sizeBytes / STEP_BYTES));
        // A job ends after its current message, and this one has not begun.
        if (index === 0 && isCancelled(running)) return;
        await this.#replay.replay(messageId, changes, target);
      }
      running.job = { ...running.job, done: running.job.done + 1 };
      replayed.push(row.number);
    } catch (error) {
      if (!(error instanceof Refusal)) {
        this.#shared.log.write('error', 'replay', `Replaying ${messageId} failed: ${String(error)}`);
      }
      this.#fail(running, { messageId, reason: errorText(error) });
    }
  }

  /** The row again, because its message may have been processed since it was read. */
  async #asItIsNow(read: MessageRow): Promise<MessageRow> {
    const [row] = await this.#shared.journal.rows([read.number]);
    return row ?? read;
  }

  #fail(running: RunningJob, failure: JobFailure): void {
    if (running.failed.length < KEPT_FAILURES) running.failed.push(failure);
    running.job = { ...running.job, failures: running.job.failures + 1 };
  }
}

function isCancelled({ job }: RunningJob): boolean {
  return job.cancelled === true;
}

/** Whether a message is not replayed: it is processed already, or has no delivery that could be repeated. */
function isLeftOut(row: MessageRow, { skipProcessed, to }: ReplayManyParams): boolean {
  return (skipProcessed === true && isProcessed(row)) || (to === 'deliveries' && row.deliveries.length === 0);
}

function isProcessed({ deliveries }: MessageRow): boolean {
  return deliveries.length > 0 && deliveries.every(({ state }) => state === 'processed');
}

function deliveriesOf({ deliveries }: MessageRow, skipProcessed: boolean): readonly string[] {
  return deliveries
    .filter(({ state }) => !(skipProcessed && state === 'processed'))
    .map(({ deliveryId }) => deliveryId);
}
