/** Publishes messages of a recording here, one after the other, as new messages of the live history. */
import type { PublishParams } from '../../contract/publish.ts';
import { errorText } from '../../contract/error-text.ts';
import type { Codec } from '../../domain/codec.ts';
import { publishOf } from '../../domain/recording/test-cases.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MessageDetailSource } from '../../ports/journal.ts';
import type { Job } from '../jobs.ts';

export interface ReplayDependencies {
  readonly messages: AsyncIterable<MessageDetailSource>;
  /** Throws Refusal where it is refused. */
  readonly publish: (params: PublishParams) => Promise<unknown>;
  /** Apps there are here; the first one takes what came in by another. */
  readonly appIds: readonly string[];
  /** True: a dead-letter copy is skipped if the copied message is published again too. */
  readonly withoutCopies: boolean;
  /** Messages per second; undefined: as fast as they are taken. */
  readonly ratePerSecond: number | undefined;
  readonly codec: Codec;
  readonly clock: Clock;
}

/** Never rejects: what fails is in the job. */
export async function replayRecorded(job: Job, deps: ReplayDependencies): Promise<void> {
  const { messages, publish, appIds, withoutCopies, ratePerSecond, codec, clock } = deps;
  /** Messages that are published again: by this job, or as a copy by a delivery of such a message. */
  const again = new Set<string>();
  const everyMs = ratePerSecond === undefined ? 0 : 1000 / ratePerSecond;
  let nextMs = clock.now();
  try {
    for await (const source of messages) {
      const { messageId, deadLetterOf } = source.row;
      // The delivery of the message that is copied makes the copy again, if the app still answers so.
      if (withoutCopies && deadLetterOf !== undefined && again.has(deadLetterOf.messageId)) {
        again.add(messageId);
        job.count -= 1;
        continue;
      }
      if (everyMs > 0) await until(nextMs, clock, job.signal);
      if (job.signal.aborted) return;
      nextMs += everyMs;
      const { appId, ...params } = publishOf(source, codec);
      const known = appId !== undefined && appIds.includes(appId) ? { appId } : {};
      try {
        await publish({ ...params, ...known });
        again.add(messageId);
        job.done += 1;
      } catch (error) {
        job.failed(messageId, errorText(error));
      }
    }
    job.end();
  } catch (error) {
    job.end(errorText(error));
  }
}

function until(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.at(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
