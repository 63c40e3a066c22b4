/** Acts of a person as steps. Each waits until there is something to act on. */
import type { Params } from '../contract/console.ts';
import type { Answer } from '../contract/mock-app.ts';
import type { StepOf } from '../contract/scenario.ts';
import { durationText } from '../domain/duration.ts';
import { seenInstead, describeInstead } from './nearest.ts';
import { ExpectationFailed } from './expectation-failed.ts';
import { RpcRefused } from './rpc.ts';
import type { Rpc } from './rpc.ts';
import { untilFound } from './until.ts';
import type { Watching } from './until.ts';

/** Component for a publish that names none. */
export const PUBSUB = 'pubsub';

/** Publishes a message. Rejects with ExpectationFailed when the publish is refused. */
export async function publish(rpc: Rpc, request: StepOf<'publish'>['publish']): Promise<string> {
  const { messageId } = await orNotSo(() =>
    rpc.call('messages.publish', { ...request, pubsubname: request.pubsubname ?? PUBSUB }),
  );
  return messageId;
}

/**
 * Publishes several messages; entries without an id are numbered from 1. Rejects with ExpectationFailed when one of them
 * fails.
 */
export async function publishBulk(
  rpc: Rpc,
  request: StepOf<'publishBulk'>['publishBulk'],
): Promise<readonly string[]> {
  const entries = request.entries.map((entry, index) => ({
    ...entry,
    entryId: entry.entryId ?? String(index + 1),
    contentType: entry.contentType ?? 'application/json',
  }));
  const { messageIds, failedEntries } = await orNotSo(() =>
    rpc.call('messages.publishBulk', { ...request, entries, pubsubname: request.pubsubname ?? PUBSUB }),
  );
  if (failedEntries.length === 0) return messageIds;
  throw new ExpectationFailed(failedEntries.map(({ entryId, error }) => `entry ${entryId} failed: ${error}`));
}

/** Adds a hold, at `delivery` if the step names no point. */
export async function hold(rpc: Rpc, params: StepOf<'hold'>['hold']): Promise<void> {
  await orNotSo(() => rpc.call('holds.add', { ...params, at: params.at ?? 'delivery' }));
}

/** Sets rules and subscriptions of a mock app. Rejects with ExpectationFailed when it refuses one. */
export async function mock(rpc: Rpc, { appId, rules, subscriptions }: StepOf<'mock'>['mock']): Promise<void> {
  const of = appId === undefined ? {} : { appId };
  await orNotSo(async () => {
    if (subscriptions !== undefined) await rpc.call('mockApp.setSubscriptions', { ...of, subscriptions });
    if (rules !== undefined) await rpc.call('mockApp.setRules', { ...of, rules });
  });
}

type Changes = Pick<Params<'deliveries.release'>, 'changes' | 'answer'>;

/** Releases held messages and answers that match, changed or not. */
export async function release(at: Watching, filter: string, withinMs: number, how: Changes): Promise<void> {
  await untilChanged(at, filter, withinMs, 'was held', (rpc) =>
    rpc.call('deliveries.release', { filter, ...how }),
  );
}

export async function retry(at: Watching, filter: string, withinMs: number): Promise<void> {
  await untilChanged(at, filter, withinMs, 'could be retried', (rpc) =>
    rpc.call('deliveries.retry', { filter }),
  );
}

export async function drop(at: Watching, filter: string, withinMs: number): Promise<void> {
  await untilChanged(at, filter, withinMs, 'could be dropped', (rpc) =>
    rpc.call('deliveries.drop', { filter }),
  );
}

/** Answers the calls of matching messages that wait for a person under an `ask` rule. */
export async function answerFor(
  at: Watching,
  filter: string,
  withinMs: number,
  answer: Answer,
): Promise<void> {
  await untilChanged(at, filter, withinMs, 'waited for an answer', async (rpc) => {
    const [{ items: waiting }, { items: matching }] = await Promise.all([
      rpc.call('mockApp.waiting', {}),
      rpc.call('messages.list', { filter, limit: 500 }),
    ]);
    const wanted = new Set(matching.map(({ messageId }) => messageId));
    let changed = 0;
    for (const { messageId, deliveryId } of waiting) {
      if (!wanted.has(messageId)) continue;
      changed += (await rpc.call('deliveries.answer', { deliveryId, answer })).changed;
    }
    return { changed };
  });
}

/** Repeats an act after each change of the matching messages, until it changed something. */
async function untilChanged(
  at: Watching,
  filter: string,
  withinMs: number,
  what: string,
  act: (rpc: Rpc) => Promise<{ readonly changed: number }>,
): Promise<void> {
  const isDone = await untilFound(at, filter, withinMs, async () => {
    const { changed } = await orNotSo(() => act(at.rpc));
    return changed > 0 ? true : undefined;
  });
  if (isDone === true) return;
  const instead = describeInstead(await seenInstead(at.rpc, filter, 0));
  throw new ExpectationFailed([`nothing that matches ${what} within ${durationText(withinMs)}`, ...instead]);
}

/** Turns a refusal of the instance into a failed step with its text. */
async function orNotSo<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RpcRefused) throw new ExpectationFailed([error.message]);
    throw error;
  }
}
