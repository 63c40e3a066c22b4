/** Hints about what works here and fails, or works in another way, on the reference sidecar. */

export const REFERENCE_HINT_IDS = [
  'rule-extension-function',
  'rule-refused',
  'rule-unquoted-word',
  'rule-not-compared',
  'raw-payload-quoted',
  'batch-drop-split',
  'trace-not-text',
  'dead-letter-at-once',
  'expired-dead-letter',
  'redis-redelivery',
  'redis-redeliver-interval',
  'redis-batch-size',
] as const;
export type ReferenceHintId = (typeof REFERENCE_HINT_IDS)[number];

/** One hint about one subscription. All texts are sentences or short phrases for a person. */
export interface ReferenceHint {
  readonly id: ReferenceHintId;
  /** `fails`: what works here does not work there. `differs`: it works there, in another way. */
  readonly effect: 'fails' | 'differs';
  readonly title: string;
  /** The rule, setting or member that the hint is about, with its value. */
  readonly found: string;
  /** What the reference does. */
  readonly reference: string;
  /** What Sidelight does. */
  readonly here: string;
  /** Page and heading of the documentation. */
  readonly documented: string;
  /** Index of the rule in the subscription's `rules`, from 0. */
  readonly rule?: number;
  /** Name of the component, when the hint is about a setting of it. */
  readonly component?: string;
}
