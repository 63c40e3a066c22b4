/** An error of the journal as one thread sends it to another one. */
import { errorText } from '../../contract/error-text.ts';
import { JournalError } from '../../ports/journal.ts';
import type { Failure } from './requests.ts';
import { journalError } from './sqlite.ts';

/** Why something failed, as it can be sent. */
export function failureOf(error: unknown, where: string): Failure {
  const { code, message, cause } = journalError(error, where);
  if (cause === undefined) return { code, message };
  // Only the stack tells where a bug is. That of trouble with the disk is always the same.
  const isBug = code === 'bug' && cause instanceof Error;
  return { code, message, cause: isBug ? (cause.stack ?? cause.message) : errorText(cause) };
}

export function errorOf({ code, message, cause }: Failure): JournalError {
  return new JournalError(code, message, cause === undefined ? undefined : { cause });
}
