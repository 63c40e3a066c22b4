/** What the files say beside components: subscriptions and policies for each app, and every mistake in them with its place. */
import type { Profile } from '../../contract/profile.ts';
import type { Problem, Subscription } from '../../contract/subscription.ts';
import { pubsubPolicies, readResiliency } from '../../domain/resiliency.ts';
import type { ComponentPolicy } from '../../domain/resiliency.ts';
import { readDeclarative } from '../../domain/subscription.ts';
import { NOT_READ } from '../../domain/unknown-members.ts';
import type { Resources } from '../../ports/component-source.ts';

export interface Declared {
  readonly subscriptions: readonly Subscription[];
  readonly policies: ReadonlyMap<string, ComponentPolicy>;
  readonly subscriptionProblems: readonly Problem[];
  readonly resiliencyProblems: readonly Problem[];
}

/** What holds for one app; problems stand at the line and column of their member where the source knows it. */
export function declaredFor(
  appId: string,
  resources: Pick<Resources, 'subscriptions' | 'resiliency'>,
  facts: { readonly profile: Profile; readonly namespace?: string },
): Declared {
  const options = { ...facts, appId };
  const isOf = ({ apps }: Located): boolean => apps === undefined || apps.includes(appId);
  const policies = resources.resiliency.filter(isOf);
  const read = resources.subscriptions.filter(isOf).map((one) => {
    const where = { file: one.file, document: one.index, line: one.line };
    const { subscriptions, problems } = readDeclarative(one.document, where, options);
    return { subscriptions, problems: placed(problems, [one]) };
  });
  const resiliency = readResiliency(policies, options);
  return {
    subscriptions: read.flatMap((one) => one.subscriptions),
    policies: pubsubPolicies(resiliency, 'inbound'),
    subscriptionProblems: read.flatMap((one) => one.problems),
    resiliencyProblems: placed(resiliency.problems, policies),
  };
}

/** One mistake may be found once per app: it is told once. */
export function onlyOnce(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems) {
    const { file, document, line, column, message } = problem;
    const key = JSON.stringify([file, document, line, column, message]);
    if (!seen.has(key)) seen.set(key, problem);
  }
  return [...seen.values()];
}

/** For a log line: `subs.yaml:7:3 (document 2): message`, as far as it is known. */
export function sayProblem({ file, line, column, document, message }: Problem): string {
  if (file === undefined) return message;
  const at = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${at}${document === undefined ? '' : ` (document ${document})`}: ${message}`;
}

type Located = Resources['subscriptions'][number] | Resources['resiliency'][number];

function placed(problems: readonly Problem[], documents: readonly Located[]): readonly Problem[] {
  return problems.map((problem) => {
    const { file, document, field } = problem;
    const found = documents.find((one) => one.file === file && one.index === document);
    if (field === undefined || found === undefined) return problem;
    return { ...problem, ...found.locate?.(field, problem.code === NOT_READ ? 'name' : undefined) };
  });
}
