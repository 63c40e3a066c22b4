/** Bodies of apps' answers as text, and the error text that the sender of a binding's event gets. */
import { startOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';

/** Maximum number of characters of an app's answer that the sender of a binding's event gets. */
const MAX_TOLD_LENGTH = 2000;

/**
 * Error text for the sender of a binding's event: the start of the app's answer, or why there was none. Undefined: the app accepted the
 * event.
 */
export function answerText(answer: ReceivedAnswer, codec: Codec): string | undefined {
  if (answer.kind === 'none') return answer.message;
  const isTaken =
    answer.protocol === 'grpc' ? answer.status === 0 : answer.status >= 200 && answer.status < 300;
  if (isTaken) return undefined;
  const text = bodyText(answer, codec);
  return text && startOf(text, MAX_TOLD_LENGTH);
}

/** Text of an answer's body; undefined: the body was larger than the limit of an answer. */
export function bodyText(
  { body }: Extract<ReceivedAnswer, { kind: 'response' }>,
  codec: Codec,
): string | undefined {
  return body === undefined ? undefined : codec.toText(body);
}
