/**
 * Reads subscriptions from the app's discovery answer and from declarative documents, with precise
 * complaints. A bad one does not affect the others.
 */
import { mayUse } from '../contract/component-scopes.ts';
import type { Protocol } from '../contract/grpc.ts';
import type { Profile } from '../contract/profile.ts';
import { UNUSABLE_SUBSCRIPTION } from '../contract/discovery-text.ts';
import type { DeliverySettings, Problem, Subscription } from '../contract/subscription.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { isObject } from './json.ts';
import { rowText, tooLongName } from './name-length.ts';
import { RuleAllowance } from './rule-allowance.ts';
import { Members, found, readElement, describeHints } from './members.ts';
import type { MemberHint } from './members.ts';
import { readSubscription } from './subscription-reader.ts';
import type { SubscriptionForm } from './subscription-reader.ts';
import { NOT_READ, unknownMembers } from './unknown-members.ts';
import type { KnownMembers } from './unknown-members.ts';

export interface Subscriptions {
  readonly subscriptions: readonly Subscription[];
  readonly problems: readonly Problem[];
}

export interface DiscoveredSubscriptions extends Subscriptions {
  /** Number of elements that cannot be used, each with a problem UNUSABLE_SUBSCRIPTION; absent: none. */
  readonly unused?: number;
}

export interface DiscoveryOptions {
  readonly appId: string;
  readonly profile: Profile;
  /** Protocol that the app speaks; absent: http. */
  readonly protocol?: Protocol;
}

/** Position of a declarative document; `document` and `line` from 1. */
export interface DocumentPosition {
  readonly file: string;
  readonly document?: number;
  readonly line?: number;
}

export interface DeclarativeOptions extends DiscoveryOptions {
  /** The sidecar's own namespace. A document of another one does not apply to it. */
  readonly namespace?: string;
  /** Budget that all documents of the app share; absent: this document has one of its own. */
  readonly rules?: RuleAllowance;
}

/** Most subscriptions of one discovery answer: taking 40,000 of them took 2 s, in which nothing else ran. */
const MAX_SUBSCRIPTIONS = 5000;
/** Most problems of one discovery answer that are reported: each becomes a line of the log. */
const MAX_PROBLEMS = 100;

/** Members of a declarative document around its `spec`. */
const DOCUMENT_MEMBERS: KnownMembers = { '': ['apiVersion', 'kind', 'metadata', 'spec', 'scopes'] };

/** Members of one subscription, in either form. */
const SPEC_MEMBERS: KnownMembers = {
  '': ['pubsubname', 'topic', 'route', 'routes', 'metadata', 'deadLetterTopic', 'bulkSubscribe'],
  routes: ['rules', 'default'],
  'routes.rules[]': ['match', 'path'],
  bulkSubscribe: ['enabled', 'maxMessagesCount', 'maxAwaitDurationMs'],
};

/**
 * The sentence about an answer that is no list: what the app answered comes first, because that tells who has answered.
 * @param what "an object", "an HTML page"
 */
export function notAList(what: string): string {
  return `The app answered with ${what}, where an array of subscriptions is expected.`;
}

/**
 * Reads the subscriptions of a discovery answer (parsed JSON). Every element is read separately: a bad one
 * becomes a problem, the others stay. Of two subscriptions to one component and topic the last one counts,
 * with a warning. Interface: "Subscription"; behaviour 4.2.
 */
export function readDiscovery(body: unknown, options: DiscoveryOptions): DiscoveredSubscriptions {
  if (body === null) return { subscriptions: [], problems: [] };
  if (!Array.isArray(body)) {
    const message = notAList(found(body));
    return { subscriptions: [], problems: [{ message, severity: 'error' }] };
  }
  const byTopic = new Map<string, Subscription>();
  const problems: Problem[] = [];
  let unused = Math.max(0, body.length - MAX_SUBSCRIPTIONS);
  const rules = new RuleAllowance();
  for (const [index, element] of (body as readonly unknown[]).slice(0, MAX_SUBSCRIPTIONS).entries()) {
    const label = `Subscription ${index + 1}${labelOf(element)}: `;
    const form = options.protocol === 'grpc' ? 'grpc' : 'any';
    // Warnings beyond those that are reported are only counted.
    const withHints = problems.length < 2 * MAX_PROBLEMS;
    const refused = { code: UNUSABLE_SUBSCRIPTION, ...withoutUndefined({ topic: topicOf(element) }) };
    const one = { form, rules, source: 'programmatic', label, position: {}, refused, withHints } as const;
    const read = readOne(element, { ...options, ...one });
    if (read.subscriptions.length > 0) problems.push(...read.problems);
    else {
      unused += 1;
      problems.push(...asOneReason(read.problems, label));
    }
    for (const subscription of read.subscriptions) {
      const key = keyOf(subscription);
      if (byTopic.has(key)) {
        problems.push({
          message: `${label}declared twice for ${nameOf(subscription)}; the last one counts.`,
          severity: 'warning',
        });
      }
      byTopic.set(key, subscription);
    }
  }
  return {
    subscriptions: [...byTopic.values()],
    problems: [...tooMany(body.length), ...fewProblems(problems)],
    ...(unused === 0 ? {} : { unused }),
  };
}

/** Problems of an element that is not used. Its misspelt members are mostly why, so the problem that refuses it names them too. */
function asOneReason(problems: readonly Problem[], label: string): readonly Problem[] {
  const misspelt = problems.filter(({ code }) => code === NOT_READ);
  return problems
    .filter((problem) => !misspelt.includes(problem))
    .map((problem) => {
      if (problem.code !== UNUSABLE_SUBSCRIPTION) return problem;
      const hints = misspelt.map(({ message }) => message.slice(label.length));
      return { ...problem, message: [problem.message, ...hints].join(' ') };
    });
}

/** The problem of an answer whose last subscriptions were not taken. */
function tooMany(count: number): readonly Problem[] {
  if (count <= MAX_SUBSCRIPTIONS) return [];
  const [most, first, last] = [MAX_SUBSCRIPTIONS, MAX_SUBSCRIPTIONS + 1, count].map((n) =>
    n.toLocaleString('en-US'),
  );
  const which = first === last ? `Subscription ${last} was` : `Subscriptions ${first} to ${last} were`;
  const message = `${which} ignored: an answer has at most ${most} subscriptions.`;
  return [{ code: UNUSABLE_SUBSCRIPTION, message, severity: 'error' }];
}

/** Whether nothing is delivered for a subscription because of it. */
function isGrave({ severity, code }: Problem): boolean {
  return severity === 'error' || code === UNUSABLE_SUBSCRIPTION;
}

/** The first problems, grave ones before others, and how many there are beside them. */
function fewProblems(problems: readonly Problem[]): readonly Problem[] {
  const more = problems.length - MAX_PROBLEMS;
  if (more <= 0) return problems;
  const errors = problems.filter(isGrave);
  const others = problems.filter((problem) => !isGrave(problem));
  const severity = errors.length > MAX_PROBLEMS ? 'error' : 'warning';
  const rest =
    more === 1 ? '1 more problem, which is' : `${more.toLocaleString('en-US')} more problems, which are`;
  const message = `The answer has ${rest} not listed.`;
  return [...[...errors, ...others].slice(0, MAX_PROBLEMS), { message, severity }];
}

/**
 * Reads the subscription of one declarative document, in either version; none if `scopes` or the namespace
 * exclude this app. Any version but v2alpha1 is read as v1alpha1. Behaviour 4.3.
 */
export function readDeclarative(
  document: unknown,
  where: DocumentPosition,
  options: DeclarativeOptions,
): Subscriptions {
  const position = { file: where.file, ...positionOf(where) };
  if (!isObject(document)) {
    return {
      subscriptions: [],
      problems: [
        {
          ...position,
          message: `A subscription must be an object, found ${found(document)}.`,
          severity: 'error',
        },
      ],
    };
  }
  const unknown = unknownMembers(document, DOCUMENT_MEMBERS).map(({ field, message }): Problem => ({
    ...position,
    field,
    message: `Subscription: ${message}`,
    severity: 'warning',
  }));
  const hints: MemberHint[] = [];
  const members = new Members(document, '', options.profile.anyCaseNames, hints);
  const outer = readElement(
    () => {
      const metadata = members.object('metadata');
      const spec = members.get('spec');
      if (!isObject(spec)) throw members.bad('spec', 'an object', spec);
      return {
        version: members.text('apiVersion') ?? '',
        name: metadata?.text('name') ?? '',
        namespace: metadata?.text('namespace') ?? '',
        scopes: members.texts('scopes'),
        spec,
      };
    },
    position,
    'Subscription: ',
  );
  if ('problem' in outer) return { subscriptions: [], problems: [outer.problem, ...unknown] };
  const { version, name, namespace, scopes, spec } = outer.value;
  if (!mayUse({ scopes }, options.appId)) return { subscriptions: [], problems: unknown };
  if (
    options.profile.differences.namespaceOfSubscriptions &&
    namespace !== '' &&
    options.namespace !== undefined &&
    options.namespace !== '' &&
    namespace !== options.namespace
  ) {
    return { subscriptions: [], problems: unknown };
  }
  const form = version.endsWith('/v2alpha1') ? 'v2' : 'v1';
  const label = name === '' ? 'Subscription: ' : `Subscription ${name}: `;
  const { rules = new RuleAllowance() } = options;
  const read = readOne(spec, { ...options, rules, form, source: 'declarative', label, position, at: 'spec' });
  return { ...read, problems: [...read.problems, ...unknown] };
}

/**
 * The settings that a delivery copies from its subscription.
 * @param protocol how its app is called; absent: HTTP
 */
export function deliverySettings(
  { bulk, rawPayload, deadLetterTopic }: Subscription,
  protocol?: Protocol,
): DeliverySettings {
  return {
    ...(protocol === 'grpc' ? { protocol } : {}),
    ...withoutUndefined({ bulk }),
    ...(rawPayload === true ? { rawPayload } : {}),
    ...withoutUndefined({ deadLetterTopic }),
  };
}

/**
 * Merges both kinds. The app's own declaration takes precedence over a file's, an earlier file over a later
 * one. A warning names each declaration that is not used.
 */
export function mergeSubscriptions(
  programmatic: readonly Subscription[],
  declarative: readonly Subscription[],
): Subscriptions {
  const byTopic = new Map<string, Subscription>();
  const problems: Problem[] = [];
  for (const subscription of [...programmatic, ...declarative]) {
    const known = byTopic.get(keyOf(subscription));
    if (known === undefined) {
      byTopic.set(keyOf(subscription), subscription);
      continue;
    }
    const by =
      known.source === 'programmatic'
        ? "the app's own declaration counts"
        : `the one of ${known.file ?? 'an earlier file'} counts`;
    problems.push({
      ...withoutUndefined({ file: subscription.file, document: subscription.document }),
      message: `Declared twice for ${nameOf(subscription)}: ${by}.`,
      severity: 'warning',
    });
  }
  return { subscriptions: [...byTopic.values()], problems };
}

interface OneOptions extends DiscoveryOptions {
  readonly form: SubscriptionForm;
  readonly rules: RuleAllowance;
  readonly source: Subscription['source'];
  readonly label: string;
  readonly position: Omit<Problem, 'message'>;
  /** What the problem has because of which the element cannot be used, beside its position. */
  readonly refused?: Pick<Problem, 'code' | 'topic'>;
  readonly at?: string;
  /** As in `unknownMembers`. */
  readonly withHints?: boolean;
}

function readOne(element: unknown, options: OneOptions): Subscriptions {
  const { label, position } = options;
  const refused = { ...position, ...options.refused };
  if (!isObject(element)) {
    const message = `${label}must be an object, found ${found(element)}.`;
    return { subscriptions: [], problems: [{ ...refused, message, severity: 'error' }] };
  }
  const hints: MemberHint[] = [];
  const problems: Problem[] = [];
  const warnAt = (field: string | undefined, message: string): void => {
    problems.push({
      ...position,
      ...withoutUndefined({ field }),
      message: `${label}${message}${message.endsWith('?') ? '' : '.'}`,
      severity: 'warning',
    });
  };
  // The reader names a member of the element; a problem names it from the beginning of its document.
  const warn = (message: string, field?: string): void =>
    warnAt(field === undefined || options.at === undefined ? field : `${options.at}.${field}`, message);
  for (const { field, message } of unknownMembers(element, SPEC_MEMBERS, {
    at: options.at,
    withHints: options.withHints !== false,
  })) {
    problems.push({ ...position, field, code: NOT_READ, message: `${label}${message}`, severity: 'warning' });
  }
  const members = new Members(element, options.at ?? '', options.profile.anyCaseNames, hints);
  const { file, document } = position;
  const where = {
    ...withoutUndefined({ file, document }),
  };
  const read = readElement(() => readSubscription(members, { ...options, warn, ...where }), refused, label);
  if ('problem' in read) return { subscriptions: [], problems: [read.problem, ...problems] };
  if (read.value === undefined) {
    const message = `${label}no route, no rules and no default: nothing can be delivered.`;
    const hint = hints.length === 0 ? '' : ` ${describeHints(hints)}`;
    const noRoute: Problem = { ...refused, field: 'routes', message: message + hint, severity: 'error' };
    return { subscriptions: [], problems: [noRoute, ...problems] };
  }
  const tooLong = tooLongIn(read.value);
  if (tooLong !== undefined) {
    problems.push({ ...refused, message: `${label}${tooLong}.`, severity: 'error' });
    return { subscriptions: [], problems };
  }
  for (const { field, text } of hints) warnAt(field, `a member is ignored: ${text}`);
  return { subscriptions: [read.value], problems };
}

/** Complaint about a member of a subscription that is too long for the rows of its deliveries; undefined: none. */
function tooLongIn({ topic, deadLetterTopic = '', rules, defaultPath }: Subscription): string | undefined {
  const paths = [...rules.map(({ path }) => path), defaultPath ?? ''];
  return (
    tooLongName('a topic', topic) ??
    tooLongName('a dead-letter topic', deadLetterTopic) ??
    paths.map((path) => tooLongName('a route', path)).find((wrong) => wrong !== undefined)
  );
}

/** Topic that an element names; undefined: none. */
function topicOf(element: unknown): string | undefined {
  const topic = isObject(element) ? element['topic'] : undefined;
  return typeof topic === 'string' && topic !== '' ? rowText(topic) : undefined;
}

function labelOf(element: unknown): string {
  const topic = topicOf(element);
  return topic === undefined ? '' : ` (${topic})`;
}

function positionOf(where: DocumentPosition): Omit<Problem, 'message'> {
  return {
    ...withoutUndefined({ document: where.document, line: where.line }),
  };
}

function keyOf(subscription: Subscription): string {
  return JSON.stringify([subscription.appId, subscription.pubsubname, subscription.topic]);
}

function nameOf(subscription: Subscription): string {
  return `${subscription.pubsubname}/${subscription.topic}`;
}
