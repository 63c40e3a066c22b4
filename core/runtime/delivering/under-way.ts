/** Beside an attempt: who waits until it is over, which settings it counts under, what the sender of a binding's event is told. */
import { startOf } from '../../domain/codec.ts';
import type { Codec } from '../../domain/codec.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import { settingsOf } from '../state/app.ts';
import type { Lane } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';

/** Characters of an answer. */
const LONGEST_TOLD = 2000;

/** Attempts that are not over, by delivery. */
export class UnderWay {
  readonly #attempts = new Map<LiveDelivery, Promise<void>>();

  /** @returns to be called when the attempt has had its effect */
  begin(batch: readonly LiveDelivery[]): () => void {
    let end: () => void = () => undefined;
    const over = new Promise<void>((go) => (end = go));
    for (const d of batch) this.#attempts.set(d, over);
    return () => {
      for (const d of batch) if (this.#attempts.get(d) === over) this.#attempts.delete(d);
      end();
    };
  }

  over(d: LiveDelivery): Promise<void> {
    return this.#attempts.get(d) ?? Promise.resolve();
  }
}

/** A delivery of an older history is made from now on as its subscription says at its first attempt since. */
export function noteSettings(d: LiveDelivery, lane: Lane): void {
  const { subscription } = d;
  if (subscription.settings !== undefined || subscription.source === 'binding') return;
  const settings = settingsOf(d, lane);
  if (settings !== undefined) d.subscription = { ...subscription, settings };
}

/** What the sender of a binding's event is told; the beginning is enough. Undefined: the app accepted it. */
export function answerText(answer: ReceivedAnswer, codec: Codec): string | undefined {
  if (answer.kind === 'none') return answer.message;
  const isTaken =
    answer.protocol === 'grpc' ? answer.status === 0 : answer.status >= 200 && answer.status < 300;
  if (isTaken) return undefined;
  const text = bodyText(answer, codec);
  return text && startOf(text, LONGEST_TOLD);
}

/** Undefined: it was larger than an answer may be. */
export function bodyText(
  { body }: Extract<ReceivedAnswer, { kind: 'response' }>,
  codec: Codec,
): string | undefined {
  return body === undefined ? undefined : codec.toText(body);
}
