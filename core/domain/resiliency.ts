/**
 * Reads Resiliency documents: retry and timeout per component, with the named defaults behind them. Behaviour
 * 5.3.
 */
import { mayUse } from '../contract/component-scopes.ts';
import type { Problem } from '../contract/subscription.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { parseDuration } from './duration.ts';
import { isObject } from './json.ts';
import { BadMember, Members, found, readElement } from './members.ts';
import type { DeclaredRetry } from './retry.ts';
import { NOT_READ, unknownMembers } from './unknown-members.ts';
import type { KnownMembers } from './unknown-members.ts';

export interface ResiliencyDocument {
  readonly document: unknown;
  readonly file: string;
  /** Number of the document in its file, from 1. */
  readonly index?: number;
  readonly line?: number;
  /** Position of a field's value, from 1; with `name` that of the field's name. */
  readonly locate?: (field: string, what?: 'name') => { readonly line: number };
}

/** Position of a retry policy in the files. */
export interface PolicyPosition {
  readonly file: string;
  readonly line?: number;
}

/** Policy of one component and direction. */
export interface ComponentPolicy {
  readonly retry?: DeclaredRetry;
  readonly timeoutMs?: number;
}

export type Direction = 'inbound' | 'outbound';
export type ComponentKind = 'pubsub' | 'binding';

export interface Resiliency {
  /** Policies by component name and direction. */
  readonly targets: ReadonlyMap<string, Readonly<Partial<Record<Direction, ComponentPolicy>>>>;
  readonly retries: ReadonlyMap<string, DeclaredRetry>;
  readonly timeouts: ReadonlyMap<string, number>;
  /** Position of each of `retries`. */
  readonly positions: ReadonlyMap<DeclaredRetry, PolicyPosition>;
  /** Names of the documents that apply to the app. */
  readonly names: readonly string[];
  readonly problems: readonly Problem[];
}

const KNOWN: KnownMembers = {
  '': ['apiVersion', 'kind', 'metadata', 'spec', 'scopes'],
  spec: ['policies', 'targets'],
  'spec.policies': ['timeouts', 'retries', 'circuitBreakers'],
  'spec.policies.retries.*': ['policy', 'duration', 'maxInterval', 'maxRetries', 'matching'],
  'spec.policies.retries.*.matching': ['httpStatusCodes', 'gRPCStatusCodes'],
  'spec.targets': ['components', 'apps', 'actors'],
  'spec.targets.components.*': ['inbound', 'outbound'],
  'spec.targets.components.*.inbound': ['timeout', 'retry', 'circuitBreaker'],
  'spec.targets.components.*.outbound': ['timeout', 'retry', 'circuitBreaker'],
};

/** Time after which an exponential policy makes no further attempt, whatever its number of retries. */
const MAX_ELAPSED_MS = 15 * 60_000;

type Targets = Map<string, Partial<Record<Direction, ComponentPolicy>>>;

/** The app for which documents are read. */
interface ReadFor {
  readonly appId: string;
  readonly namespace?: string;
}

/** Content of the documents that were read so far. */
interface ReadSoFar {
  readonly targets: Targets;
  readonly retries: Map<string, DeclaredRetry>;
  readonly timeouts: Map<string, number>;
  readonly positions: Map<DeclaredRetry, PolicyPosition>;
  readonly names: string[];
  readonly problems: Problem[];
}

/** Reads one document, of which a wrong part does not affect the others. */
interface Reading extends Pick<ReadSoFar, 'targets' | 'retries' | 'timeouts'> {
  /** Runs `read`; undefined: it found a mistake, which is noted with its position. */
  readonly attempt: <T>(read: () => T) => T | undefined;
  readonly warn: (field: string, message: string, code?: string) => void;
}

/**
 * Reads all documents. A bad policy or target becomes a problem and is left out, the rest is kept. A later
 * name replaces an earlier one.
 */
export function readResiliency(documents: readonly ResiliencyDocument[], readFor: ReadFor): Resiliency {
  const all: ReadSoFar = {
    targets: new Map(),
    retries: new Map(),
    timeouts: new Map(),
    positions: new Map(),
    names: [],
    problems: [],
  };
  for (const one of documents) {
    const reading = readingOf(one, all);
    reading.attempt(() => readDocument(one, readFor, reading, all));
  }
  return all;
}

function readingOf({ file, index, line }: ResiliencyDocument, all: ReadSoFar): Reading {
  const where = {
    file,
    ...withoutUndefined({ document: index, line }),
  };
  return {
    ...all,
    attempt: (read) => {
      const result = readElement(read, where, 'Resiliency: ');
      if ('value' in result) return result.value;
      all.problems.push(result.problem);
      return undefined;
    },
    warn: (field, message, code) => {
      const said = { field, message: `Resiliency: ${message}`, severity: 'warning' as const };
      all.problems.push({ ...where, ...withoutUndefined({ code }), ...said });
    },
  };
}

function readDocument(
  { document, file, line, locate }: ResiliencyDocument,
  { appId, namespace: own = '' }: ReadFor,
  reading: Reading,
  all: ReadSoFar,
): void {
  if (!isObject(document))
    throw new BadMember('', `the document must be an object, found ${found(document)}.`);
  for (const { field, message } of unknownMembers(document, KNOWN, { caseMatters: true }))
    reading.warn(field, message, NOT_READ);
  const members = new Members(document, '', false, []);
  const scopes = members.texts('scopes');
  const metadata = members.object('metadata');
  const namespace = metadata?.text('namespace') ?? '';
  if (!mayUse({ scopes }, appId)) return;
  if (namespace !== '' && own !== '' && namespace !== own) return;
  all.names.push(metadata?.text('name') ?? '');
  const spec = members.object('spec');
  readPolicies(spec?.object('policies'), reading, (name, policy) => {
    const at = locate?.(`spec.policies.retries.${name}`, 'name').line ?? line;
    all.positions.set(policy, { file, ...withoutUndefined({ line: at }) });
  });
  readTargets(spec?.object('targets'), reading);
}

/**
 * Policy for one component and direction: its own target, else the default policies by name, the most
 * specific first.
 */
export function resiliencyFor(
  of: Resiliency,
  component: string,
  kind: ComponentKind,
  direction: Direction,
): ComponentPolicy {
  const own = of.targets.get(component);
  if (own !== undefined) return own[direction] ?? {};
  const side = direction === 'inbound' ? 'Inbound' : 'Outbound';
  const prefixes = [
    kind === 'pubsub' ? `PubsubComponent${side}` : `BindingComponent${side}`,
    `Component${side}`,
    'Component',
    '',
  ];
  const byName = <T>(from: ReadonlyMap<string, T>, what: string): T | undefined => {
    for (const prefix of prefixes) {
      const policy = from.get(`Default${prefix}${what}Policy`);
      if (policy !== undefined) return policy;
    }
    return undefined;
  };
  const retry = byName(of.retries, 'Retry');
  const timeoutMs = byName(of.timeouts, 'Timeout');
  return { ...withoutUndefined({ retry, timeoutMs }) };
}

/** Policies of the pub/sub side by component name; "" = for every component without a target of its own. */
export function pubsubPolicies(of: Resiliency, direction: Direction): ReadonlyMap<string, ComponentPolicy> {
  const policies = new Map<string, ComponentPolicy>([['', resiliencyFor(of, '', 'pubsub', direction)]]);
  for (const name of of.targets.keys()) policies.set(name, resiliencyFor(of, name, 'pubsub', direction));
  return policies;
}

/**
 * Reads the retry policies of a document.
 * @param note receives each policy with its name
 */
function readPolicies(
  policies: Members | undefined,
  reading: Reading,
  note: (name: string, policy: DeclaredRetry) => void,
): void {
  const timeouts = policies?.object('timeouts');
  for (const name of timeouts?.names() ?? []) {
    const ms = reading.attempt(() => duration(timeouts, name));
    if (ms !== undefined) reading.timeouts.set(name, ms);
  }
  const retries = policies?.object('retries');
  for (const name of retries?.names() ?? []) {
    const policy = reading.attempt(() => retryPolicy(retries?.object(name)));
    if (policy === undefined) continue;
    reading.retries.set(name, policy);
    note(name, policy);
  }
  if (policies?.get('circuitBreakers') !== undefined) {
    reading.warn('spec.policies.circuitBreakers', 'circuit breakers have no effect here.');
  }
}

function readTargets(targets: Members | undefined, reading: Reading): void {
  const components = targets?.object('components');
  for (const name of components?.names() ?? []) {
    const declared: Partial<Record<Direction, ComponentPolicy>> = {};
    for (const direction of ['inbound', 'outbound'] as const) {
      const target = reading.attempt(() => {
        const members = components?.object(name)?.object(direction);
        if (direction === 'outbound' && (members?.text('timeout') ?? '') !== '')
          reading.warn(
            members?.field('timeout') ?? '',
            'outbound timeouts are read but have no effect here.',
          );
        return readTarget(members, reading);
      });
      if (target !== undefined) declared[direction] = target;
    }
    reading.targets.set(name, declared);
  }
}

function readTarget(target: Members | undefined, reading: Reading): ComponentPolicy | undefined {
  if (target === undefined) return undefined;
  const named = <T>(member: string, from: ReadonlyMap<string, T>): T | undefined => {
    const name = target.text(member);
    if (name === undefined || name === '') return undefined;
    const policy = from.get(name);
    if (policy === undefined)
      throw new BadMember(
        target.field(member),
        `${target.field(member)} names ${name}, but the file has no such policy.`,
      );
    return policy;
  };
  const retry = named('retry', reading.retries);
  const timeoutMs = named('timeout', reading.timeouts);
  return { ...withoutUndefined({ retry, timeoutMs }) };
}

function duration(members: Members | undefined, name: string, fallbackMs?: number): number {
  const value = members?.text(name);
  if (value === undefined && fallbackMs !== undefined) return fallbackMs;
  const ms = value === undefined ? undefined : parseDuration(value);
  if (ms !== undefined && ms >= 0) return Math.round(ms);
  throw new BadMember(
    members?.field(name) ?? name,
    `${members?.field(name) ?? name} must be a duration such as 5s, found ${found(value)}.`,
  );
}

function retryPolicy(members: Members | undefined): DeclaredRetry | undefined {
  if (members === undefined) return undefined;
  const kind = members.text('policy') ?? 'constant';
  const maxRetries = members.integer('maxRetries') ?? -1;
  const maxAttempts = maxRetries < 0 ? 0 : maxRetries + 1;
  const statuses = readStatuses(members.object('matching'));
  const matching = statuses === undefined ? {} : { statuses };
  if (kind === 'constant') {
    const delayMs = duration(members, 'duration', 5000);
    return { maxAttempts, firstDelayMs: delayMs, factor: 1, maxDelayMs: delayMs, jitter: 0, ...matching };
  }
  if (kind !== 'exponential') throw members.bad('policy', 'constant or exponential', kind);
  const policy = {
    maxAttempts,
    firstDelayMs: 500,
    factor: 1.5,
    maxDelayMs: duration(members, 'maxInterval', 60_000),
    jitter: 0.5,
    ...matching,
  };
  const within = attemptsWithin(policy, MAX_ELAPSED_MS);
  return { ...policy, maxAttempts: maxAttempts === 0 ? within : Math.min(maxAttempts, within) };
}

const MATCHED = /^(\d{3})(?:-(\d{3}))?$/;

/** Statuses that are tried again; undefined: the document names none. Throws BadMember. */
function readStatuses(matching: Members | undefined): DeclaredRetry['statuses'] {
  const value = matching?.text('httpStatusCodes') ?? '';
  if (matching === undefined || value === '') return undefined;
  return value.split(',').flatMap((piece) => {
    if (piece === '') return [];
    const [, from = '', to = from] = MATCHED.exec(piece) ?? [];
    const range = [Number(from), Number(to)] as const;
    const isRange = from !== '' && range.every((one) => one >= 100 && one <= 599);
    if (isRange) return [range];
    throw matching.bad('httpStatusCodes', 'statuses such as 429,500-599', value);
  });
}

/** Number of attempts that begin within `elapsedMs`, with the waits at their mean. */
function attemptsWithin(policy: DeclaredRetry, elapsedMs: number): number {
  const longest = Math.max(1, policy.maxDelayMs);
  let attempts = 1;
  let waited = 0;
  for (let delay = policy.firstDelayMs; delay < longest; delay *= policy.factor) {
    if (waited + delay > elapsedMs) return attempts;
    waited += delay;
    attempts++;
  }
  // From here on all waits are equal. They may be a million, and a file may have thousands of policies.
  return attempts + Math.floor((elapsedMs - waited) / longest);
}
