/** Collects hints about the reference sidecar, each once with every use in which it was found. */
import type { ReferenceHint } from '../../core/contract/reference-hint.ts';
import type { SubscriptionRow } from '../../core/contract/subscription.ts';
import { theApp } from '../../core/contract/app-text.ts';
import { fill } from '../copy/fill.ts';
import { ON_REFERENCE } from '../copy/topics.ts';

export interface HintUse {
  /** Name of the subscription or the component. */
  readonly where: string;
  readonly found: string;
}

export interface FoundHint {
  readonly hint: ReferenceHint;
  readonly uses: readonly HintUse[];
}

/** Hints in order: those that fail, then those that differ, each in the order of discovery. */
export function foundHints(rows: readonly SubscriptionRow[]): readonly FoundHint[] {
  const byId = new Map<string, { readonly hint: ReferenceHint; readonly uses: Map<string, HintUse> }>();
  for (const row of rows) {
    for (const hint of row.onReference ?? []) {
      const known = byId.get(hint.id) ?? { hint, uses: new Map<string, HintUse>() };
      byId.set(hint.id, known);
      const use = { where: whereOf(row, hint), found: hint.found };
      // A component is named once, however many subscriptions use it.
      known.uses.set(`${use.where}\n${use.found}`, use);
    }
  }
  const all = [...byId.values()].map(({ hint, uses }) => ({
    hint,
    uses: [...uses.values()],
  }));
  return [
    ...all.filter(({ hint }) => hint.effect === 'fails'),
    ...all.filter(({ hint }) => hint.effect === 'differs'),
  ];
}

function whereOf({ appId, pubsubname, topic }: SubscriptionRow, { component }: ReferenceHint): string {
  if (component !== undefined) return fill(ON_REFERENCE.component, { component });
  return fill(ON_REFERENCE.subscription, { topic, pubsub: pubsubname, app: theApp(appId) });
}
