/** Text of an app's answer: its whole body, or its beginning for whoever sent a binding's event. */
import { startOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';

/** Most characters of an app's answer that the sender of a binding's event gets. */
const LONGEST_TOLD = 2000;

/** Beginning of the app's answer, for the sender of a binding's event. Undefined: the app accepted the event. */
export function answerText(answer: ReceivedAnswer, codec: Codec): string | undefined {
  if (answer.kind === 'none') return answer.message;
  const isTaken =
    answer.protocol === 'grpc' ? answer.status === 0 : answer.status >= 200 && answer.status < 300;
  if (isTaken) return undefined;
  const text = bodyText(answer, codec);
  return text && startOf(text, LONGEST_TOLD);
}

/** Text of an answer's body; undefined: the body was larger than an answer may be. */
export function bodyText(
  { body }: Extract<ReceivedAnswer, { kind: 'response' }>,
  codec: Codec,
): string | undefined {
  return body === undefined ? undefined : codec.toText(body);
}
