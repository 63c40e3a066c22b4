/** Helpers for attempts: waits for their end, notes the settings of a delivery, and gives the answer for a binding's sender. */
import { startOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import { settingsOf } from '../state/app.ts';
import type { Lane } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';

/** Most characters of an app's answer that the sender of a binding's event gets. */
const LONGEST_TOLD = 2000;

/** Callbacks for the end of one attempt: nearly always none. */
interface Waiting {
  readonly go: (() => void)[];
}

/** Attempts that are not over, by delivery. */
export class AttemptsUnderWay {
  readonly #attempts = new Map<LiveDelivery, Waiting>();

  /** @returns to be called when the attempt has had its effect */
  begin(batch: readonly LiveDelivery[]): () => void {
    const waiting: Waiting = { go: [] };
    for (const d of batch) this.#attempts.set(d, waiting);
    return () => {
      for (const d of batch) if (this.#attempts.get(d) === waiting) this.#attempts.delete(d);
      for (const go of waiting.go) go();
    };
  }

  over(d: LiveDelivery): Promise<void> {
    const waiting = this.#attempts.get(d);
    return waiting === undefined ? Promise.resolve() : new Promise((go) => void waiting.go.push(go));
  }
}

/** A delivery of an older history is made from now on as its subscription says at its first attempt since. */
export function noteSettings(d: LiveDelivery, lane: Lane): void {
  const { subscription } = d;
  if (subscription.settings !== undefined || subscription.source === 'binding') return;
  const settings = settingsOf(d, lane);
  if (settings !== undefined) d.subscription = { ...subscription, settings };
}

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
