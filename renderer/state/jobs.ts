/**
 * Replays of many messages and of recordings, which run in the host: followed while they run, and found again
 * after a lost connection or a reload.
 */
import { createStore } from 'zustand/vanilla';
import type { JobReport } from '../../core/contract/recording.ts';
import { clause } from '../../core/contract/error-text.ts';
import type { Params } from '../../core/contract/console.ts';
import type { ReplayManyParams } from '../../core/contract/jobs.ts';
import type { RpcClient } from '../client/rpc-client.ts';
import { fill } from '../copy/fill.ts';
import { DELETE, JOB } from '../copy/jobs.ts';
import { automationCall } from '../format/curl.ts';
import { count } from '../format/quantity.ts';
import type { What } from './messages-state.ts';
import { asFailure } from './resource.ts';
import type { ReadableStore } from './store.ts';
import type { ToastAction, Toasts } from './toasts.ts';

const POLL_INTERVAL_MS = 300;
/** Methods whose jobs are followed; an export reads its own progress. */
const FOLLOWED: readonly string[] = ['messages.replayMany', 'recordings.replay'];

export interface JobsState {
  /** Running jobs, and those that ended with failures until they are closed. */
  readonly jobs: readonly JobReport[];
}

export interface Jobs {
  readonly store: ReadableStore<JobsState>;
  start(params: ReplayManyParams): Promise<void>;
  /** Publishes messages of a recording as new ones. */
  replayRecording(params: Params<'recordings.replay'>): Promise<void>;
  stop(jobId: string): Promise<void>;
  close(jobId: string): void;
  /** Searches for running jobs after the connection opened. */
  find(): void;
  /**
   * Removes messages and offers undo.
   * @returns whether they are removed; a refusal is reported
   */
  remove(what: What): Promise<boolean>;
  dispose(): void;
}

export interface JobsDependencies {
  readonly call: RpcClient['call'];
  readonly toasts: Toasts;
}

interface Removing extends Pick<Jobs, 'remove'> {
  /** The toast's undo action; undefined: nothing was removed. */
  undoAction(token: string | undefined): ToastAction | undefined;
}

/** Removes messages, and restores them. */
function createRemoving({ call, toasts }: JobsDependencies): Removing {
  async function undo(token: string): Promise<void> {
    try {
      const { restored } = await call('undo', { token });
      toasts.done(fill(DELETE.restored, { n: count(restored) }));
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  }

  function undoAction(token: string | undefined): ToastAction | undefined {
    if (token === undefined) return undefined;
    return { title: DELETE.undo, run: () => void undo(token), call: automationCall('undo', { token }) };
  }

  return {
    undoAction,
    async remove(what) {
      try {
        const { removed, undoToken } = await call('messages.delete', what);
        toasts.done(fill(DELETE.done, { n: count(removed) }), undoAction(undoToken));
        return true;
      } catch (reason) {
        toasts.failed(asFailure(reason).message);
        return false;
      }
    },
  };
}

/** Reports the end of a job, with undo if it removed messages; a job that broke off has its reason. */
function announceEnd(job: JobReport, toasts: Toasts, removing: Removing): void {
  const facts = {
    done: count(job.done),
    failed: count(failuresOf(job)),
    left: count(job.count - job.done - failuresOf(job)),
  };
  if (job.error !== undefined) {
    toasts.failed(fill(JOB.broken, { ...facts, reason: clause(job.error) }));
    return;
  }
  const said = fill(job.cancelled === true ? JOB.stopped : JOB.result, facts);
  const removed = job.removed === undefined ? '' : ` · ${fill(JOB.removed, { n: count(job.removed) })}`;
  toasts.done(said + removed, removing.undoAction(job.undoToken));
}

/** Makes the store of jobs of one window. */
export function createJobs({ call, toasts }: JobsDependencies): Jobs {
  const store = createStore<JobsState>(() => ({ jobs: [] }));
  const removing = createRemoving({ call, toasts });
  let timer: ReturnType<typeof setTimeout> | undefined;

  function put(job: JobReport): void {
    store.setState(({ jobs }) => {
      const others = jobs.filter(({ jobId }) => jobId !== job.jobId);
      return { jobs: job.running || failuresOf(job) > 0 ? [...others, job] : others };
    });
  }

  async function look(): Promise<void> {
    timer = undefined;
    for (const { jobId } of store.getState().jobs.filter(({ running }) => running)) {
      try {
        const job = await call('jobs.get', { jobId });
        put(job);
        if (!job.running) announceEnd(job, toasts, removing);
      } catch (reason) {
        const { code } = asFailure(reason);
        // The job does not exist after a restart of the host; without a connection `find` searches again.
        if (code === 'NOT_FOUND') close(jobId);
        if (code === 'CONNECTION_LOST') return;
      }
    }
    lookLater();
  }

  function lookLater(): void {
    if (timer !== undefined || !store.getState().jobs.some(({ running }) => running)) return;
    timer = setTimeout(() => void look(), POLL_INTERVAL_MS);
  }

  /** Starts a job and follows it; one that has ended at the first request is reported too. */
  async function follow(begin: () => Promise<{ readonly jobId: string }>): Promise<void> {
    try {
      const { jobId } = await begin();
      put(await call('jobs.get', { jobId }).then((job) => ({ ...job, running: true })));
      await look();
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    }
  }

  function close(jobId: string): void {
    store.setState(({ jobs }) => ({ jobs: jobs.filter((job) => job.jobId !== jobId) }));
  }

  return {
    store,
    close,
    start: (params) => follow(() => call('messages.replayMany', params)),
    replayRecording: (params) => follow(() => call('recordings.replay', params)),
    async stop(jobId) {
      try {
        await call('jobs.cancel', { jobId });
        await look();
      } catch (reason) {
        toasts.failed(asFailure(reason).message);
      }
    },
    find() {
      call('jobs.list', {}).then(
        ({ items }) => {
          for (const job of items) if (FOLLOWED.includes(job.kind) && job.running) put(job);
          lookLater();
        },
        // The host is older, or there is no connection: the next opening asks again.
        () => lookLater(),
      );
    },
    remove: removing.remove,
    dispose() {
      clearTimeout(timer);
    },
  };
}

/** Number of messages of a job that were not replayed. */
export function failuresOf({ failures, failed }: JobReport): number {
  return failures ?? failed.length;
}
