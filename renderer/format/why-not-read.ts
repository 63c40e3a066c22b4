/** Why something could not be read, as a part of a sentence such as "Topics could not be loaded: …". */
import { clause } from '../../core/contract/error-text.ts';
import { FRAME } from '../copy/frame.ts';

/** What was or was not sent is of no use to somebody who only looks, so a lost connection is named alone. */
export function whyNotRead(
  failure: { readonly code?: string | undefined; readonly message: string } | undefined,
): string {
  if (failure === undefined) return '';
  const { code, message } = failure;
  return code === 'CONNECTION_LOST' ? FRAME.notConnected : clause(message);
}
