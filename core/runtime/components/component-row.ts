/** A loaded component, and its row for the console. */
import type { ComponentRow } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { TopicScopes } from '../../domain/access.ts';
import type { Built, ComponentSpec } from '../../ports/component-source.ts';
import type { LostConnection } from '../../ports/pubsub.ts';
import { iso } from '../time/time.ts';

export interface Loaded {
  readonly spec: ComponentSpec;
  built: Built | undefined;
  state: ComponentRow['state'];
  reason: string | undefined;
  scopes: TopicScopes;
  failedStarts: number;
  /** Time of the next automatic start, ms since 1970; undefined: none. */
  nextStartMs: number | undefined;
}

/**
 * @param subscriptions number of subscriptions that use it
 * @param lost lost connection, its reason without secrets
 */
export function rowOf(one: Loaded, subscriptions: number, lost: LostConnection | undefined): ComponentRow {
  return {
    name: one.spec.name,
    type: one.spec.type,
    ...withoutUndefined({ insteadOf: one.spec.insteadOf }),
    version: one.spec.version,
    kind: kindOf(one),
    state: one.state,
    ...withoutUndefined({ reason: one.reason }),
    ...(one.state === 'failed' && one.spec.awaitsSecrets === true ? { awaitsSecrets: true } : {}),
    ...(one.failedStarts === 0 ? {} : { failedStarts: one.failedStarts }),
    ...(one.nextStartMs === undefined ? {} : { nextStartAt: iso(one.nextStartMs) }),
    ...lostMember(lost),
    ...withoutUndefined({ file: one.spec.file, line: one.spec.line, document: one.spec.document }),
    scopes: one.spec.scopes,
    ...withoutUndefined({ scopesLine: one.spec.scopesLine, limitedBy: one.spec.limitedBy }),
    ignoreErrors: one.spec.ignoreErrors,
    capabilities: capabilitiesOf(one),
    metadata: one.spec.shown,
    problems: one.spec.problems,
    subscriptions,
  };
}

function lostMember(lost: LostConnection | undefined): Pick<ComponentRow, 'lost'> {
  if (lost === undefined) return {};
  const { sinceMs, reason, tries, nextTryMs } = lost;
  const next = nextTryMs === undefined ? {} : { nextTryAt: iso(nextTryMs) };
  return { lost: { since: iso(sinceMs), reason, tries, ...next } };
}

function kindOf(one: Loaded): ComponentRow['kind'] {
  if (one.built !== undefined) return one.built.kind;
  const [category] = one.spec.type.toLowerCase().split('.');
  if (category === 'pubsub') return 'pubsub';
  if (category === 'bindings') return 'binding';
  return category === 'secretstores' ? 'secretstore' : 'other';
}

function capabilitiesOf(one: Loaded): readonly string[] {
  if (one.built?.kind === 'pubsub') return one.built.pubsub.capabilities;
  if (one.built?.kind !== 'binding') return [];
  return [
    ...(one.built.binding.hasInput ? ['INPUT_BINDING'] : []),
    ...(one.built.binding.operations.length > 0 ? ['OUTPUT_BINDING'] : []),
  ];
}
