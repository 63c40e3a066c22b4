/** `recordings.*`: taking history out, and looking at what was taken out. */
import type {
  ExportParams,
  RecordedRule,
  RecordedSubscription,
  ToTestParams,
  ToTestResult,
} from '../../contract/recording.ts';
import { sizeLimit } from '../../contract/size-text.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { fileBase } from '../../domain/names.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hideSecrets } from '../../domain/recording/hide-secrets.ts';
import { profileOfRecorded } from '../../domain/recording/profile-of.ts';
import { maskPathOf } from '../../domain/recording/mask.ts';
import type { MaskPath } from '../../domain/recording/mask.ts';
import { maskSetup } from '../../domain/recording/mask-setup.ts';
import type { RecordedMessage } from '../../domain/recording/recorded.ts';
import { exportWriter } from '../../domain/recording/writers.ts';
import type { ExportFacts } from '../../domain/recording/writers.ts';
import type { RECORDINGS } from '../../contract/methods/recordings.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { MethodsOf } from '../caller.ts';
import type { Journal } from '../../ports/journal.ts';
import { choose, oneByOne } from '../recordings/chosen-messages.ts';
import { compareRecordings } from '../recordings/compare-run.ts';
import { ExportRun } from '../recordings/export-run.ts';
import { replayRecorded } from '../recordings/replay-run.ts';
import { publishRequest } from './messages.ts';
import type { MethodDependencies } from './dependencies.ts';

export function recordingMethods(deps: MethodDependencies): MethodsOf<typeof RECORDINGS> {
  const { openRecordings, jobs } = deps;
  const runs = new Map<string, ExportRun>();
  return {
    'recordings.export': async (params, { signal }) => {
      endUnread(runs);
      const run = await startExport(params, deps, signal);
      // Ended exports are forgotten when a new one begins, so that they do not pile up.
      for (const [jobId, { job }] of runs) if (!job.isRunning && job !== run.started.job) runs.delete(jobId);
      runs.set(run.started.job.jobId, run.started);
      return run.answer;
    },
    'recordings.read': ({ jobId, part }) => {
      const { kind } = jobs.get(jobId);
      const run = runs.get(jobId);
      if (run !== undefined) {
        // The recording that was read last comes last.
        runs.delete(jobId);
        runs.set(jobId, run);
        return run.read(part);
      }
      const reason = `The export ${jobId} can no longer be read (${kind}).`;
      throw new Refusal('NOT_FOUND', { reason }, { field: 'jobId', expected: 'jobId of an export' });
    },
    'recordings.import': (params) => openRecordings.import(params),
    'recordings.list': () => ({ items: openRecordings.list() }),
    'recordings.close': async ({ recordingId }) => {
      await openRecordings.close(recordingId);
      return null;
    },
    'recordings.replay': async ({ ratePerSecond, ...params }, { signal }) => {
      const { clock, codec, runtime } = deps;
      const journal = openRecordings.journal(params.recordingId);
      const { count, groups } = await choose(params, { journal, clock }, signal);
      const job = jobs.begin({ kind: 'recordings.replay', count, recordingId: params.recordingId });
      void replayRecorded(job, {
        messages: oneByOne({ groups }),
        publish: (publish) => runtime.publishByHand.one(publishRequest(publish, codec)),
        appIds: runtime.topology.apps().map(({ appId }) => appId),
        withoutCopies: params.messageIds === undefined,
        ratePerSecond,
        codec,
        clock,
      });
      return { jobId: job.jobId, count };
    },
    'recordings.compare': (params, { signal }) => {
      const { before, after, ...rest } = params;
      if (before === after) throw sameTwice(before);
      const journalOf = (recordingId: string | undefined): Journal =>
        recordingId === undefined ? deps.runtime.journal : openRecordings.journal(recordingId);
      return compareRecordings(rest, {
        before: journalOf(before),
        after: journalOf(after),
        codec: deps.codec,
        clock: deps.clock,
        signal,
      });
    },
    'recordings.toTest': (params, { signal }) => toTest(params, deps, signal),
  };
}

/** Maximum number of exports that are not read to their end: half of the jobs that may run. */
const MAX_UNREAD = 10;

/** Cancels the oldest unread exports to make room: a client that has left would otherwise keep its place for ever. */
function endUnread(runs: ReadonlyMap<string, ExportRun>): void {
  const unread = [...runs.values()].filter(({ job }) => job.isRunning);
  for (const { job } of unread.slice(0, Math.max(0, unread.length - MAX_UNREAD + 1))) job.cancel();
}

function sameTwice(recordingId: string | undefined): Refusal {
  const reason =
    recordingId === undefined
      ? 'before or after must be an open recording, got neither'
      : `before and after must be two different ones, got ${recordingId} twice`;
  return new Refusal(
    'INVALID_PARAMS',
    { reason },
    { field: recordingId === undefined ? 'before' : 'after', expected: 'two different ones' },
  );
}

async function startExport(
  params: ExportParams,
  deps: MethodDependencies,
  signal: AbortSignal,
): Promise<{
  started: ExportRun;
  answer: { jobId: string; count: number; name: string; contentType: string };
}> {
  const { openRecordings, jobs, clock, codec, facts, runtime, recordingTexts } = deps;
  await runtime.tapsCaughtUp();
  const { recordingId, format = 'recording', maskHeaders = true, columns, filter } = params;
  const paths = (params.maskPaths ?? []).map(pathOf);
  const from = recordingId === undefined ? undefined : openRecordings.recording(recordingId);
  const journal = recordingId === undefined ? runtime.journal : openRecordings.journal(recordingId);
  const { count, groups } = await choose(params, { journal, clock }, signal);
  if (count === 0) throw nothingToExport(params);
  const exportedAt = new Date(clock.now()).toISOString();
  const setup = from ?? liveSetup(deps);
  const secrets = maskHeaders ? (facts.secrets ?? []) : [];
  const hiding = hideSecrets(secrets, codec);
  const exportFacts: ExportFacts = {
    product: facts.version,
    exportedAt,
    count,
    filter: filter === '' ? undefined : hiding.setup(filter),
    isMasked: maskHeaders || paths.length > 0 || from?.isMasked === true,
    subscriptions: hiding.setup(maskHeaders ? maskSetup(setup.subscriptions) : setup.subscriptions),
    rules: hiding.setup(maskHeaders ? maskSetup(setup.rules) : setup.rules),
    columns,
  };
  const { ending, contentType } = exportWriter(format, exportFacts, codec);
  const job = jobs.begin({ kind: 'recordings.export', count });
  const texts = recordingTexts.open({
    format,
    facts: exportFacts,
    masking: { headers: maskHeaders, paths },
    secrets,
  });
  const started = new ExportRun({ job, groups, texts });
  const stamp = exportedAt.slice(0, 19).replaceAll(':', '-');
  const name = `${from === undefined ? 'sidelight' : baseOf(from.name)}-${stamp}.${ending}`;
  return { started, answer: { jobId: job.jobId, count, name, contentType } };
}

/** An empty file would look like a history that is lost. */
function nothingToExport({ filter = '', upTo, recordingId }: ExportParams): Refusal {
  const refusal = (why: string, field?: string): Refusal =>
    new Refusal(
      'NOT_FOUND',
      { reason: `There is nothing to export: ${why}.` },
      field === undefined ? {} : { field },
    );
  if (upTo !== undefined) {
    const matches = filter === '' ? 'is there' : 'matches the filter';
    return refusal(`no message up to number ${upTo} ${matches}`, 'upTo');
  }
  if (filter !== '') return refusal('no message matches the filter', 'filter');
  return recordingId === undefined
    ? refusal('no message is kept')
    : refusal('the recording has no messages', 'recordingId');
}

/** Maximum number of messages of one test, so that it stays fast and easy to read. */
const MAX_CASES = 50;
/** The file goes to the browser in one answer. */
const MAX_CASE_BYTES = 4 * 1024 * 1024;

async function toTest(
  params: ToTestParams,
  deps: MethodDependencies,
  signal: AbortSignal,
): Promise<ToTestResult> {
  const { openRecordings, clock, codec, facts, runtime, recordingTexts, taps } = deps;
  await runtime.tapsCaughtUp();
  const { recordingId, target = 'scenario', name = 'Recorded messages', expect: states = {} } = params;
  const from = recordingId === undefined ? undefined : openRecordings.recording(recordingId);
  const journal = recordingId === undefined ? runtime.journal : openRecordings.journal(recordingId);
  const { count, groups } = await choose(params, { journal, clock }, signal);
  if (count > MAX_CASES) throw tooMuchForTest(`${MAX_CASES} messages`, `${count} were given`);
  const chosen: RecordedMessage[] = [];
  let bytes = 0;
  for await (const source of oneByOne({ groups })) {
    bytes += source.row.sizeBytes;
    if (bytes > MAX_CASE_BYTES)
      throw tooMuchForTest(`${sizeLimit(MAX_CASE_BYTES)} of data`, 'these messages have more');
    chosen.push(source);
  }
  const setup = from ?? liveSetup(deps);
  const secrets = facts.secrets ?? [];
  const subscriptions = hideSecrets(secrets, codec).setup(maskSetup(setup.subscriptions));
  const ofTap = (appId: string) => taps.list().find((tap) => tap.appId === appId)?.profile;
  const profile = profileOfRecorded(chosen, { ours: facts.profile, ofTap });
  return recordingTexts.test(chosen, {
    facts: { target, name, profile, product: facts.version, subscriptions, states },
    secrets,
  });
}

function tooMuchForTest(most: string, given: string): Refusal {
  const reason = `A test can have at most ${most}; ${given}.`;
  return new Refusal('TOO_LARGE', { reason }, { expected: `at most ${most}` });
}

function pathOf(text: string, index: number): MaskPath {
  const path = maskPathOf(text);
  if (path !== undefined) return path;
  const expected = 'a path such as card.number, items[0].price, items.*.price';
  const reason = `maskPaths[${index}] must be ${expected}, got ${JSON.stringify(text).slice(0, 60)}`;
  throw new Refusal('INVALID_PARAMS', { reason }, { field: `maskPaths[${index}]`, expected });
}

/** Subscriptions of every app, tapped ones too, and the rules of those that have some. */
function liveSetup({ runtime, mockApp, taps }: MethodDependencies): {
  readonly subscriptions: readonly RecordedSubscription[];
  readonly rules: readonly RecordedRule[];
} {
  const apps = runtime.topology.apps();
  return {
    subscriptions: [...runtime.topology.subscriptions(), ...taps.subscriptions()].map(wireForm),
    rules: [...apps.filter(({ mock }) => mock), ...taps.list()].flatMap(({ appId }) =>
      (mockApp(appId)?.state().rules ?? []).map(({ hits: _hits, lastAt: _lastAt, ...rule }) => ({
        appId,
        ...rule,
      })),
    ),
  };
}

function wireForm(row: Omit<Subscription, 'rawPayload'>): RecordedSubscription {
  const { appId, pubsubname, topic, rules, defaultPath, metadata, bulk, deadLetterTopic } = row;
  return {
    appId,
    pubsubname,
    topic,
    routes: { rules, ...withoutUndefined({ default: defaultPath }) },
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(bulk === undefined ? {} : { bulkSubscribe: { enabled: true, ...bulk } }),
    ...withoutUndefined({ deadLetterTopic }),
  };
}

/** The name of a file without its extension. */
function baseOf(name: string): string {
  return fileBase(name.replace(/\.sidelight\.jsonl$|\.[^.]*$/, ''), 'recording');
}
