/** Which of the filters that were probably meant are worth an offer. */
import type { Result } from '../../core/contract/console.ts';

type Check = Result<'filter.check'>;

/** A member of payloads, as the language writes it. */
const MEMBER = /(?<![\w.])data[.[]/;
const BY_STATUS = /^status:[^\s:]+$/;

/**
 * Whether a filter is worth an offer only if it finds something. A misspelt key is corrected in any case, but whether payloads have a member
 * that the text does not call one is not known, and a filter without a mistake is not replaced by one that finds nothing either.
 */
export function mustFind(filter: string, { error, meant = '' }: Check): boolean {
  return error === undefined || (MEMBER.test(meant) && !MEMBER.test(filter));
}

/** Whether a text without a key was probably meant as the status of an answer: an id may have the three digits by chance. */
export function isStatusText(filter: string, meant: string | undefined): boolean {
  return meant !== undefined && BY_STATUS.test(meant) && !/[:=<>]/.test(filter);
}
