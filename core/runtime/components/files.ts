/** The result of each file of the resources folder: which documents are used, and why another one is not. */
import { forNobodyText } from '../../contract/component-scopes.ts';
import type { ComponentRow, Problem, ResourceDocument, ResourceFile } from '../../contract/subscription.ts';
import type { Subscription, SubscriptionRow } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { isObject } from '../../domain/json.ts';
import type { Resources } from '../../ports/component-source.ts';

export interface FilesDependencies {
  readonly resources: Pick<Resources, 'subscriptions' | 'resiliency'>;
  readonly components: readonly ComponentRow[];
  readonly subscriptions: readonly SubscriptionRow[];
  /** Positions of the declarative subscriptions that some app uses, whether or not the app was asked for its own. */
  readonly declared: readonly Pick<Subscription, 'file' | 'document'>[];
  /** The running apps. */
  readonly appIds: readonly string[];
  /** Problems that belong to no component. */
  readonly problems: readonly Problem[];
}

/** Files by name, documents in order. A file without a readable document is listed for its problems. */
export function filesOf(deps: FilesDependencies): readonly ResourceFile[] {
  const byFile = new Map<string, { documents: ResourceDocument[]; problems: Problem[] }>();
  const of = (file: string): { documents: ResourceDocument[]; problems: Problem[] } => {
    const known = byFile.get(file) ?? { documents: [], problems: [] };
    byFile.set(file, known);
    return known;
  };
  for (const row of deps.components) {
    const { file } = row;
    if (file === undefined) continue;
    const found = of(file);
    addOnce(found.documents, componentDocument(row, deps.appIds));
    for (const problem of row.problems) {
      const text = JSON.stringify({ file, ...problem });
      if (!found.problems.some((known) => JSON.stringify(known) === text))
        found.problems.push({ file, ...problem });
    }
  }
  for (const problem of deps.problems)
    if (problem.file !== undefined) of(problem.file).problems.push(problem);
  for (const one of deps.resources.subscriptions)
    of(one.file).documents.push(subscriptionDocument(one, deps));
  for (const one of deps.resources.resiliency) {
    of(one.file).documents.push(named(one, 'Resiliency', errorIn(one, deps.problems)));
  }
  return [...byFile]
    .map(([file, { documents, problems }]) => ({
      file,
      documents: documents.toSorted((a, b) => a.document - b.document || a.name.localeCompare(b.name)),
      problems,
    }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** A component whose values differ from app to app is one document; it is used when every app can use it. */
function addOnce(documents: ResourceDocument[], one: ResourceDocument): void {
  const at = documents.findIndex((known) => known.document === one.document && known.name === one.name);
  if (at === -1) documents.push(one);
  else if (!one.used) documents[at] = one;
}

function componentDocument(row: ComponentRow, appIds: readonly string[]): ResourceDocument {
  const forNobody = row.state === 'ready' ? forNobodyText(row, appIds) : undefined;
  const reason = row.state === 'ready' ? forNobody : (row.reason ?? 'The component is not initialised yet.');
  return {
    kind: 'Component',
    name: row.name,
    document: row.document ?? 1,
    line: row.line ?? 1,
    used: reason === undefined,
    ...withoutUndefined({ reason }),
    ...(forNobody === undefined ? {} : leftOutBy(row.scopes, row.scopesLine)),
  };
}

function leftOutBy(scopes: readonly string[], line: number | undefined): Pick<ResourceDocument, 'leftOut'> {
  return scopes.length === 0 ? {} : { leftOut: { scopes: [...scopes], ...withoutUndefined({ line }) } };
}

interface Found {
  readonly document: unknown;
  readonly file: string;
  readonly index: number;
  readonly line: number;
  readonly locate?: Resources['subscriptions'][number]['locate'];
}

function subscriptionDocument(one: Found, deps: FilesDependencies): ResourceDocument {
  const broken = errorIn(one, deps.problems);
  if (broken !== undefined) return named(one, 'Subscription', broken);
  const spec = isObject(one.document) ? one.document['spec'] : undefined;
  const topic = isObject(spec) ? spec['topic'] : undefined;
  const pubsubname = isObject(spec) ? spec['pubsubname'] : undefined;
  const rows = deps.subscriptions.filter(
    (row) =>
      row.file === one.file &&
      (row.document === undefined || row.document === one.index) &&
      row.topic === topic &&
      row.pubsubname === pubsubname,
  );
  if (rows.some((row) => row.state === 'active')) return named(one, 'Subscription', undefined);
  const [row] = rows;
  if (row !== undefined) {
    const isAwaited = row.state === 'inert' && isUnready(deps.components, pubsubname);
    const found = named(one, 'Subscription', row.reason ?? `It is ${row.state}.`);
    return isAwaited ? { ...found, awaitsComponent: true } : found;
  }
  const isTaken = deps.declared.some(
    ({ file, document }) => file === one.file && (document === undefined || document === one.index),
  );
  if (isTaken) return named(one, 'Subscription', whyAbsent(deps, pubsubname, topic));
  const scopes = scopesOf(one.document);
  return {
    ...named(one, 'Subscription', forNobodyText({ scopes }, []) ?? ''),
    ...leftOutBy(scopes, one.locate?.('scopes', 'name').line),
  };
}

/** Whether there is a component of that name, and it is not ready. */
function isUnready(components: readonly ComponentRow[], name: unknown): boolean {
  return components.some((row) => row.name === name && row.state !== 'ready');
}

/** Why no app has a subscription of a document that it may use. */
function whyAbsent(deps: FilesDependencies, pubsubname: unknown, topic: unknown): string {
  const isOwn = deps.subscriptions.some((row) => row.topic === topic && row.pubsubname === pubsubname);
  return isOwn
    ? 'Another subscription to the same topic counts: the one of the app itself, or an earlier document.'
    : 'The subscription is used as soon as the app has been asked for its own subscriptions.';
}

/** The apps that a document names. */
function scopesOf(document: unknown): readonly string[] {
  const scopes = isObject(document) ? document['scopes'] : undefined;
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
}

/** The component and topic of a subscription's document. */
function targetOf({ document }: Found): Pick<ResourceDocument, 'of'> {
  const spec = isObject(document) ? document['spec'] : undefined;
  if (!isObject(spec)) return {};
  const { pubsubname, topic } = spec;
  return typeof pubsubname === 'string' && typeof topic === 'string' ? { of: { pubsubname, topic } } : {};
}

function named(one: Found, kind: ResourceDocument['kind'], reason: string | undefined): ResourceDocument {
  const metadata = isObject(one.document) ? one.document['metadata'] : undefined;
  const name = isObject(metadata) ? metadata['name'] : undefined;
  return {
    kind,
    name: typeof name === 'string' ? name : '',
    document: one.index,
    line: one.line,
    used: reason === undefined,
    ...(kind === 'Subscription' ? targetOf(one) : {}),
    ...withoutUndefined({ reason }),
  };
}

/** First error of a document; warnings are ignored. */
function errorIn(one: Found, problems: readonly Problem[]): string | undefined {
  return problems.find(
    (problem) =>
      problem.file === one.file &&
      problem.severity !== 'warning' &&
      (problem.document === undefined || problem.document === one.index),
  )?.message;
}
