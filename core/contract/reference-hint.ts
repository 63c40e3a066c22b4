/** Hints about what works here and fails, or works in another way, on the reference sidecar. */
import { members, Num, oneOf, Optional, Text } from './schema.ts';
import type { Static } from './schema.ts';
import { REFERENCE_HINT_IDS } from './words.ts';

export type { ReferenceHintId } from './words.ts';

/** One hint about one subscription. All texts are sentences or short phrases for a person. */
export const referenceHint = members({
  id: oneOf(REFERENCE_HINT_IDS),
  /** `fails`: it works here and fails on the reference. `differs`: it works there in another way. */
  effect: oneOf(['fails', 'differs']),
  title: Text(),
  /** The rule, setting or member of the hint, with its value. */
  found: Text(),
  /** Behaviour of the reference. */
  reference: Text(),
  /** Behaviour of Sidelight. */
  here: Text(),
  /** Page and heading of the documentation. */
  documented: Text(),
  /** Index of the rule in the subscription's `rules`, from 0. */
  rule: Optional(Num()),
  /** Name of the component, when the hint is about a setting of it. */
  component: Optional(Text()),
});
export type ReferenceHint = Static<typeof referenceHint>;
