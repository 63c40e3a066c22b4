/** Long-running jobs: their progress, their failures, and a way to cancel them. */
import type { JobReport } from '../contract/recording.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { Refusal } from '../domain/refusal.ts';
import type { IdSource } from '../ports/ids.ts';

const MAX_RUNNING = 20;
/** Number of jobs above which ended ones are forgotten. */
const MAX_ENDED = 100;
const MAX_FAILED = 1000;

export interface JobStart {
  /** Method that starts it. */
  readonly kind: string;
  readonly count: number;
  readonly recordingId?: string | undefined;
}

export class Job {
  readonly jobId: string;
  readonly kind: string;
  done = 0;
  count: number;
  /** Recording of the job's messages; undefined: they are in the live history. */
  readonly #recordingId: string | undefined;
  #failures = 0;
  readonly #failed: { messageId: string; reason: string }[] = [];
  readonly #abort = new AbortController();
  #isRunning = true;
  #error: string | undefined;

  constructor(jobId: string, { kind, count, recordingId }: JobStart) {
    this.jobId = jobId;
    this.kind = kind;
    this.count = count;
    this.#recordingId = recordingId;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Aborted when a client cancels the job. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  failed(messageId: string, reason: string): void {
    this.#failures += 1;
    if (this.#failed.length < MAX_FAILED) this.#failed.push({ messageId, reason });
  }

  /** @param error why it ended early */
  end(error?: string): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#error = error;
  }

  /** Cancels the job, unless it has ended. */
  cancel(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#abort.abort(new Error('The job was cancelled.'));
  }

  report(): JobReport {
    return {
      jobId: this.jobId,
      kind: this.kind,
      done: this.done,
      count: this.count,
      failed: [...this.#failed],
      running: this.#isRunning,
      ...(this.#abort.signal.aborted ? { cancelled: true } : {}),
      ...withoutUndefined({ error: this.#error, recordingId: this.#recordingId }),
      ...(this.#failures > MAX_FAILED ? { failures: this.#failures } : {}),
    };
  }
}

export class Jobs {
  readonly #ids: Pick<IdSource, 'hex'>;
  readonly #jobs = new Map<string, Job>();

  constructor(ids: Pick<IdSource, 'hex'>) {
    this.#ids = ids;
  }

  /** Throws Refusal TOO_LARGE when too many are running. */
  begin(start: JobStart): Job {
    const running = [...this.#jobs.values()].filter(({ isRunning }) => isRunning);
    if (running.length >= MAX_RUNNING) {
      const reason = `At most ${MAX_RUNNING} jobs run at a time.`;
      throw new Refusal('TOO_LARGE', { reason }, { expected: `at most ${MAX_RUNNING} running jobs` });
    }
    const job = new Job(`job_${this.#ids.hex(6)}`, start);
    this.#jobs.set(job.jobId, job);
    for (const [jobId, { isRunning }] of this.#jobs) {
      if (this.#jobs.size <= MAX_ENDED) break;
      if (!isRunning) this.#jobs.delete(jobId);
    }
    return job;
  }

  /** Throws Refusal NOT_FOUND. */
  get(jobId: string): Job {
    const job = this.#jobs.get(jobId);
    if (job !== undefined) return job;
    const reason = `There is no job ${jobId}.`;
    throw new Refusal('NOT_FOUND', { reason }, { field: 'jobId', expected: 'id of a job' });
  }

  /** Newest first. */
  list(): readonly JobReport[] {
    return [...this.#jobs.values()].map((job) => job.report()).toReversed();
  }

  cancelAll(): void {
    for (const job of this.#jobs.values()) job.cancel();
  }
}
