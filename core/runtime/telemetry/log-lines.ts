/** Log lines for verdicts that the interface logs as a warning or an error. */
import { answererOf, judgedAnswer } from '../../contract/answerer.ts';
import type { Attempt } from '../../contract/message.ts';
import { noAnswer } from '../../contract/error-text.ts';
import { cutText } from '../../domain/codec.ts';
import type { Verdict } from '../../domain/verdict.ts';

/** Characters of a body that are looked at for a line of the log. */
const MAX_READ = 2000;

/**
 * Log line for a verdict with a log level.
 * @param isLast true: no further attempt is allowed, so a retry answer is not followed by a retry
 */
export function describeVerdict(verdict: Verdict, attempt: Attempt, isLast: boolean): string {
  const { bulk } = attempt;
  const { response, error } = judgedAnswer(attempt);
  const next =
    attempt.tap !== undefined
      ? 'its sidecar decides whether it tries again'
      : isLast
        ? 'no attempt is left'
        : 'to be retried';
  const code = response?.statusText ?? response?.status ?? 'nothing';
  const who = answererOf(attempt);
  switch (verdict.rule) {
    case 'single.2xx.drop':
    case 'grpc.drop':
      return `${who} asked to drop it.`;
    case 'bulk.2xx.drop':
    case 'grpc.bulk.drop':
      return `${who} asked to drop entry ${bulk?.entryId ?? ''}.`;
    case 'grpc.retry':
      return `${who} asked for a retry.`;
    case 'grpc.bulk.retry':
      return `${who} asked for a retry of entry ${bulk?.entryId ?? ''}.`;
    case 'bulk.2xx.missing':
      return `${lineOfLeftOut(verdict, attempt, who, next)} The answer to a batch is {"statuses":[{"entryId":"…","status":"SUCCESS"}]}.`;
    case 'grpc.bulk.missing':
      return lineOfLeftOut(verdict, attempt, who, next);
    case 'grpc.unimplemented':
    case 'grpc.bulk.unimplemented':
      return `${who} answered ${code}, it has no handler for this: dropped, without a copy on a dead-letter topic.`;
    case 'single.2xx.other':
    case 'bulk.2xx.other':
    case 'grpc.unknown-status':
    case 'grpc.bulk.unknown-status':
      return `"${cutText(verdict.word ?? '', 200)}" is not SUCCESS, RETRY or DROP: ${next}.`;
    case 'single.404.drop':
    case 'single.404':
    case 'bulk.404':
      return `${who} answered 404: dropped.`;
    case 'policy.no-answer':
      return `${noAnswer(error?.message ?? 'unknown')}. ${next.charAt(0).toUpperCase()}${next.slice(1)}.`;
    case 'user.cancel':
      return `A person cancelled the call: ${next}.`;
    case 'binding.refused':
      return `The app did not accept the event (${code}).`;
    default:
      return `${who} answered ${code}: ${next}.${bodyStart(response)}`;
  }
}

/** Line for an entry that the app left out, or for all of them while none is logged; they may differ in whether an attempt is left. */
function lineOfLeftOut({ leftOut }: Verdict, { bulk }: Attempt, who: string, next: string): string {
  const entry = `entry ${bulk?.entryId ?? ''}`;
  return leftOut?.isLogged === false
    ? `${who} did not answer for ${leftOut.entries} of the ${bulk?.batchSize ?? leftOut.entries} entries of a batch, among them ${entry}.`
    : `${who} did not answer for ${entry}: ${next}.`;
}

function bodyStart(response: Attempt['response']): string {
  const body = response?.body ?? '';
  if (body === '' || response?.bodyBase64 === true) return '';
  // A line has no breaks, and those of a page of HTML would be escapes that nobody can read.
  const oneLine = cutText(body.slice(0, MAX_READ).trim().replaceAll(/\s+/g, ' '), 200);
  return oneLine === '' ? '' : ` Body: ${oneLine}`;
}
