/**
 * Bounds of the answers of a mock app, of its rules, and of faults, without the schemas, which the page and a
 * start do not load.
 */

/** Most rules of one mock app, and of a set of them. */
export const MAX_RULES = 500;
/** Most calls that a rule answers. */
export const MAX_RULE_TIMES = 1_000_000;
/** Status of an answer. Below 200 it would only announce an answer, for which the client goes on waiting. */
export const ANSWER_STATUS = { minimum: 200, maximum: 599 } as const;
/** Longest wait before an answer: ten minutes. */
export const MAX_ANSWER_DELAY_MS = 600_000;

/** Whether an answer may have the status. */
export function isAnswerStatus(status: unknown): status is number {
  const { minimum, maximum } = ANSWER_STATUS;
  return typeof status === 'number' && Number.isInteger(status) && status >= minimum && status <= maximum;
}
