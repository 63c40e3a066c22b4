/** Problems of the subscriptions that the mock app serves, for the fields of their form. */
import type { Problem } from '../../core/contract/subscription.ts';

/** Whether a field of the form shows a problem with this member. */
const IN_FORM = /^(?:pubsubname|topic|routes|deadLetterTopic|routes\.rules\[\d+\]\.(?:match|path))$/;

/** A problem begins with the number of its subscription in the list. */
const NUMBERED = /^Subscription (\d+)(?: \(.*?\))?: /s;

/** Finds the texts for the fields of subscription `n`, counted from 1; undefined: nothing is wrong with that member. */
export function fieldProblems(
  problems: readonly Problem[],
  n: number,
): (member: string) => string | undefined {
  return (member) =>
    problems.find(({ field, message }) => field === member && NUMBERED.exec(message)?.[1] === String(n))
      ?.message;
}

/** The problems that no field shows, for a list of so many subscriptions. */
export function otherProblems(problems: readonly Problem[], subscriptions: number): readonly Problem[] {
  return problems.filter(({ field = '', message }) => {
    const n = Number(NUMBERED.exec(message)?.[1]);
    return !(n <= subscriptions && IN_FORM.test(field));
  });
}
