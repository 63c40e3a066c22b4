/** Subscriptions and policies of the files for each app, and every mistake in them with its position. */
import type { Profile } from '../../contract/profile.ts';
import type { Problem, Subscription } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { isObject } from '../../domain/json.ts';
import { pubsubPolicies, readResiliency } from '../../domain/resiliency.ts';
import type { ComponentPolicy, PolicyPosition } from '../../domain/resiliency.ts';
import type { DeclaredRetry } from '../../domain/retry.ts';
import { RuleAllowance } from '../../domain/rule-allowance.ts';
import { readDeclarative } from '../../domain/subscription.ts';
import { NOT_READ, OTHER_KIND } from '../../domain/unknown-members.ts';
import type { ComponentSource, Resources } from '../../ports/component-source.ts';

export interface Declared {
  readonly subscriptions: readonly Subscription[];
  readonly policies: ReadonlyMap<string, ComponentPolicy>;
  /** Policies for publishes, by component. */
  readonly outbound: ReadonlyMap<string, ComponentPolicy>;
  /** Positions of the retry policies in the files. */
  readonly retryPositions: ReadonlyMap<DeclaredRetry, PolicyPosition>;
  /** Names of the Resiliency documents that apply to the app. */
  readonly resiliencies: readonly string[];
  readonly subscriptionProblems: readonly Problem[];
  readonly resiliencyProblems: readonly Problem[];
}

/** Subscriptions and policies of the files for one app; problems are at the line and column of their member where the source knows it. */
export function declaredFor(
  appId: string,
  resources: Pick<Resources, 'subscriptions' | 'resiliency'>,
  facts: { readonly profile: Profile; readonly namespace?: string },
): Declared {
  const options = { ...facts, appId, rules: new RuleAllowance() };
  const isOf = ({ apps }: Located): boolean => apps === undefined || apps.includes(appId);
  const policies = resources.resiliency.filter(isOf);
  const all = resources.subscriptions.filter(isOf).map((one) => {
    const where = { file: one.file, document: one.index, line: one.line };
    const { subscriptions, problems } = readDeclarative(one.document, where, options);
    return { one, subscriptions, problems: located(problems, [one]) };
  });
  const read = facts.profile.differences.subscriptionNameIsIdentity ? lastOfName(all) : all;
  const resiliency = readResiliency(policies, options);
  return {
    subscriptions: read.flatMap((one) => one.subscriptions),
    policies: pubsubPolicies(resiliency, 'inbound'),
    outbound: pubsubPolicies(resiliency, 'outbound'),
    retryPositions: resiliency.positions,
    resiliencies: resiliency.names,
    subscriptionProblems: read.flatMap((one) => one.problems),
    resiliencyProblems: located(resiliency.problems, policies),
  };
}

interface ReadDocument {
  readonly one: Resources['subscriptions'][number];
  readonly subscriptions: readonly Subscription[];
  readonly problems: readonly Problem[];
}

/** Keeps the last of several documents with the same name, or without a name; the others get a problem that names it. */
function lastOfName(all: readonly ReadDocument[]): readonly ReadDocument[] {
  const last = new Map<string, ReadDocument>();
  for (const read of all) if (read.subscriptions.length > 0) last.set(nameOf(read), read);
  return all.map((read) => {
    const by = last.get(nameOf(read));
    if (read.subscriptions.length === 0 || by === undefined || by === read) return read;
    const name = nameOf(read);
    const called =
      name === '' ? 'Subscriptions without metadata.name are one' : `Subscription ${name} is there twice`;
    const message = `${called}: replaced by ${by.one.file} (document ${by.one.index ?? 1}).`;
    const { file, index, line } = read.one;
    const where = {
      file,
      ...withoutUndefined({ document: index, line }),
    };
    const problem: Problem = { ...where, field: 'metadata.name', message, severity: 'warning' };
    return {
      one: read.one,
      subscriptions: [],
      problems: [...read.problems, ...located([problem], [read.one])],
    };
  });
}

function nameOf({ one: { document } }: ReadDocument): string {
  const metadata = isObject(document) ? document['metadata'] : undefined;
  const name = isObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/** Removes repeated problems: the same mistake may be found once per app. */
export function onlyOnce(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems) {
    const { file, document, line, column, message } = problem;
    const key = JSON.stringify([file, document, line, column, message]);
    if (!seen.has(key)) seen.set(key, problem);
  }
  return [...seen.values()];
}

/** Level of a problem in the log. */
export function levelOf({ severity, code }: Problem): 'info' | 'warn' | 'error' {
  if (code === OTHER_KIND) return 'info';
  return severity === 'warning' ? 'warn' : 'error';
}

/** A problem whose file has its whole path, by which a person at a terminal finds it. */
export function withPath(problem: Problem, pathOf: ComponentSource['pathOf']): Problem {
  const { file } = problem;
  return file === undefined || pathOf === undefined ? problem : { ...problem, file: pathOf(file) };
}

/** Text of a problem for a log line: `subs.yaml:7:3 (document 2): message`, as far as its position is known. */
export function describeProblem({ file, line, column, document, message }: Problem): string {
  if (file === undefined) return message;
  const at = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${at}${document === undefined ? '' : ` (document ${document})`}: ${message}`;
}

type Located = Resources['subscriptions'][number] | Resources['resiliency'][number];

function located(problems: readonly Problem[], documents: readonly Located[]): readonly Problem[] {
  return problems.map((problem) => {
    const { file, document, field } = problem;
    const found = documents.find((one) => one.file === file && one.index === document);
    if (field === undefined || found === undefined) return problem;
    return { ...problem, ...found.locate?.(field, problem.code === NOT_READ ? 'name' : undefined) };
  });
}
