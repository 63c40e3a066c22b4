/**
 * Reads one subscription, from the app's discovery answer or a declarative document, into the form used for
 * routing. Behaviour 4.2.
 */
import type { Profile } from '../contract/profile.ts';
import type { BulkSubscribe, Subscription } from '../contract/subscription.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { BadMember } from './members.ts';
import type { Members } from './members.ts';
import { compileMatch } from './match.ts';
import { readRawPayload } from './metadata.ts';
import type { RuleAllowance } from './rule-allowance.ts';

const BULK_DEFAULTS: BulkSubscribe = { maxMessagesCount: 100, maxAwaitDurationMs: 1000 };

/**
 * Form of a subscription. `any`: discovery accepts both forms. `v1`: `route`. `v2`: `routes`. `grpc`:
 * discovery over gRPC, in which a path may be any text and the empty one stands for no route.
 */
export type SubscriptionForm = 'any' | 'v1' | 'v2' | 'grpc';

export interface ReadContext {
  readonly appId: string;
  readonly profile: Profile;
  readonly form: SubscriptionForm;
  readonly source: Subscription['source'];
  readonly file?: string;
  readonly document?: number;
  /** Budget for compiling the match rules of the app. */
  readonly rules: RuleAllowance;
  /** Receives warnings for a person about a subscription that is good enough to use. */
  readonly warn: (message: string, field?: string) => void;
}

/**
 * Reads one subscription. Throws BadMember if it cannot be used; undefined: it has no route at all (discovery
 * only).
 */
export function readSubscription(members: Members, context: ReadContext): Subscription | undefined {
  const pubsubname = required(members, 'pubsubname');
  const topic = required(members, 'topic');
  const routes = readRoutes(members, context);
  const metadata = members.record('metadata');
  const rawPayload = readRaw(metadata, context);
  const bulk = readBulk(members.object('bulkSubscribe'), context.profile);
  const deadLetterTopic = members.text('deadLetterTopic') || undefined;
  if (deadLetterTopic === topic)
    context.warn('deadLetterTopic is the topic itself: what fails comes back', 'deadLetterTopic');
  if (routes === undefined) return undefined;
  return {
    appId: context.appId,
    pubsubname,
    topic,
    source: context.source,
    ...withoutUndefined({ file: context.file, document: context.document }),
    ...routes,
    metadata,
    rawPayload,
    ...withoutUndefined({ bulk, deadLetterTopic }),
  };
}

/** A route path, which always begins with a slash. */
function routePath(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** The path of a route; a gRPC app gets it back as it gave it. */
function pathOf(path: string, { form }: ReadContext): string {
  return form === 'grpc' ? path : routePath(path);
}

function required(members: Members, name: string): string {
  const value = members.text(name);
  if (value === undefined || value === '') throw members.bad(name, 'a name', value);
  return value;
}

type Routes = Pick<Subscription, 'rules' | 'defaultPath'>;

function readRoutes(members: Members, context: ReadContext): Routes | undefined {
  if (context.form === 'v1') {
    if (members.get('routes') !== undefined) {
      context.warn(
        'routes belongs to v2alpha1; this document is read as v1alpha1, so only route counts',
        'routes',
      );
    }
    const given = members.text('route') ?? '';
    const route = given === '' ? context.profile.differences.missingRoute : routePath(given);
    if (route !== undefined) return { rules: [], defaultPath: route };
    context.warn('it has no route: every message is "no match"', 'route');
    return { rules: [] };
  }
  if (context.form === 'v2' && members.get('route') !== undefined) {
    context.warn('route belongs to v1alpha1; in v2alpha1 it is routes.default', 'route');
  }
  const route = context.form === 'any' ? members.text('route') : undefined;
  const routes = members.object('routes');
  const rules = (routes?.objects('rules') ?? []).map((rule) => {
    const match = rule.text('match') ?? '';
    const refused = context.rules.take(match);
    if (refused !== undefined)
      throw new BadMember(rule.field('match'), `${rule.field('match')} is not compiled: ${refused}`);
    const compiled = compileMatch(match);
    if (!compiled.ok) {
      const { message, position } = compiled.complaint;
      const where = position === undefined ? '' : ` at position ${position}`;
      throw new BadMember(
        rule.field('match'),
        `${rule.field('match')} is not a valid condition: ${message}${where} in ${match}`,
      );
    }
    return { match, path: pathOf(rule.text('path') ?? '', context) };
  });
  const fallback = routes?.text('default') || route || undefined;
  if (fallback !== undefined) return { rules, defaultPath: pathOf(fallback, context) };
  if (rules.length > 0) return { rules };
  if (context.form === 'grpc') return { rules, defaultPath: '' };
  if (context.form === 'any') return undefined;
  context.warn('it has no rules and no default route: every message is "no match"', 'routes');
  return { rules };
}

/** Reads `rawPayload`. Some clients quote it twice, which is accepted with a warning. */
function readRaw(metadata: Readonly<Record<string, string>>, context: ReadContext): boolean | undefined {
  const value = metadata['rawPayload'];
  const unquoted = value === undefined ? undefined : /^"(.*)"$/.exec(value)?.[1];
  const raw = readRawPayload(unquoted ?? value);
  if (raw === undefined) {
    context.warn(
      `metadata.rawPayload must be "true" or "false", found ${value}: nothing can be delivered`,
      'metadata.rawPayload',
    );
  } else if (unquoted !== undefined) {
    context.warn(`metadata.rawPayload is quoted twice (${value}); taken as ${raw}`, 'metadata.rawPayload');
  }
  return raw;
}

/** Reads the settings of bulk delivery; zero and negative numbers mean the default. */
function readBulk(bulk: Members | undefined, profile: Profile): BulkSubscribe | undefined {
  if (bulk === undefined) return undefined;
  const enabled = bulk.flag('enabled') ?? profile.bulkEnabledByDefault;
  const orDefault = (name: keyof BulkSubscribe): number => {
    const value = bulk.integer(name) ?? 0;
    return value > 0 ? value : BULK_DEFAULTS[name];
  };
  const limits = {
    maxMessagesCount: orDefault('maxMessagesCount'),
    maxAwaitDurationMs: orDefault('maxAwaitDurationMs'),
  };
  return enabled ? limits : undefined;
}
