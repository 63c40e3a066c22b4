/** Runs the steps of a scenario one after another on one instance. */
import { counted } from '../contract/count-text.ts';
import type { Scenario, Step, StepOf } from '../contract/scenario.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { parseDuration } from '../domain/duration.ts';
import type { Clock } from '../ports/clock.ts';
import { answerFor, drop, hold, mock, publish, publishBulk, release, retry } from './acts.ts';
import { expectMessages, neverMessage, settled, wordsOf } from './expect.ts';
import { ExpectationFailed } from './expectation-failed.ts';
import type { Rpc } from './rpc.ts';

/** The instance of a scenario, with the acts on it from outside. */
export interface Stage {
  /** The present connection; a restart makes a new one. */
  readonly rpc: Rpc;
  readonly clock: Clock;
  /** Aborted when an app failed at its start, so that what is expected of it can no longer come. */
  readonly appFailed?: AbortSignal;
  /** Publishes over gRPC. Rejects with ExpectationFailed when the sidecar refuses it. */
  publishGrpc(request: StepOf<'publishGrpc'>['publishGrpc']): Promise<void>;
  restart(how: StepOf<'restart'>['restart']): Promise<void>;
}

export interface StepResult {
  readonly title: string;
  /** Result of the step. `skipped`: an earlier step failed. */
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Events found instead, as lines. */
  readonly story?: readonly string[];
}

/** Longest wait of a step without a limit of its own. */
const WITHIN_MS = 5_000;
/** Time for which `never` watches by default; below that of `settle`. */
const NEVER_MS = 500;
const SETTLE_MS = 10_000;

/**
 * Runs the steps; those after a failed one are skipped. Rejects with InstanceGone if the instance ended by
 * itself.
 */
export async function runSteps(
  stage: Stage,
  { steps }: Pick<Scenario, 'steps'>,
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  let hasFailed = false;
  for (const step of steps) {
    const title = titleOf(step);
    const story: readonly string[] | undefined = hasFailed ? undefined : await storyOfFailure(stage, step);
    if (story !== undefined) results.push({ title, status: 'failed', story });
    else results.push({ title, status: hasFailed ? 'skipped' : 'passed' });
    hasFailed ||= story !== undefined;
  }
  return results;
}

async function storyOfFailure(stage: Stage, step: Step): Promise<readonly string[] | undefined> {
  try {
    await run(stage, step);
    return undefined;
  } catch (error) {
    if (error instanceof ExpectationFailed) return error.story;
    throw error;
  }
}

async function run(stage: Stage, step: Step): Promise<void> {
  if ('publish' in step) return void (await publish(stage.rpc, step.publish));
  if ('publishBulk' in step) return void (await publishBulk(stage.rpc, step.publishBulk));
  if ('publishGrpc' in step) return stage.publishGrpc(step.publishGrpc);
  if ('expect' in step) return runExpect(stage, step);
  if ('never' in step) return neverMessage(stage, step.never, msOf(step.for, NEVER_MS));
  if ('hold' in step) return hold(stage.rpc, step.hold);
  if ('mock' in step) return mock(stage.rpc, step.mock);
  if ('settle' in step) return settled(stage, msOf(step.settle ?? undefined, SETTLE_MS));
  if ('restart' in step) return stage.restart(step.restart);
  return runAct(stage, step, msOf(step.within, WITHIN_MS));
}

async function runExpect(stage: Stage, step: StepOf<'expect'>): Promise<void> {
  const { expect: filter, state, attempts, deliveries, count = 1, within } = step;
  const { rpc, clock, appFailed: signal } = stage;
  await expectMessages(
    { rpc, clock, ...withoutUndefined({ signal }) },
    {
      filter,
      state,
      attempts,
      deliveries,
      count,
      withinMs: msOf(within, WITHIN_MS),
    },
  );
}

type Act = StepOf<'release'> | StepOf<'edit'> | StepOf<'retry'> | StepOf<'drop'> | StepOf<'answer'>;

function runAct(stage: Stage, step: Act, withinMs: number): Promise<void> {
  if ('release' in step) {
    const { answer } = step;
    return release(stage, step.release, withinMs, answer === undefined ? {} : { answer });
  }
  if ('edit' in step) return release(stage, step.edit, withinMs, { changes: step.changes });
  if ('retry' in step) return retry(stage, step.retry, withinMs);
  if ('drop' in step) return drop(stage, step.drop, withinMs);
  return answerFor(stage, step.answer, withinMs, step.with);
}

/**
 * Milliseconds of a duration.
 * @param text checked by the file's reader
 */
function msOf(text: string | undefined, orElse: number): number {
  return text === undefined ? orElse : (parseDuration(text) ?? orElse);
}

/** Title of a step in a few words, equal in every run. */
function titleOf(step: Step): string {
  if ('publish' in step) return `publish to ${step.publish.topic}`;
  if ('publishBulk' in step)
    return `publish ${counted(step.publishBulk.entries.length, 'entry', 'entries')} to ${step.publishBulk.topic}`;
  if ('publishGrpc' in step) return `publish over gRPC to ${step.publishGrpc.topic}`;
  if ('expect' in step) return `expect ${wordsOf({ ...step, count: step.count ?? 1 })}: ${step.expect}`;
  if ('never' in step) return `never ${step.never}`;
  if ('mock' in step) return `mock ${step.mock.appId ?? 'app'}`;
  if ('hold' in step) return `hold ${step.hold.filter}`;
  if ('settle' in step) return 'settle';
  if ('restart' in step) return `restart ${step.restart}`;
  if ('release' in step) return `release ${step.release}`;
  if ('edit' in step) return `edit ${step.edit}`;
  if ('retry' in step) return `retry ${step.retry}`;
  if ('drop' in step) return `drop ${step.drop}`;
  return `answer ${step.answer}`;
}
