/** The payload of a message that came without it. */
import { useEffect, useState } from 'react';
import type { Delivery, MessageDetail } from '../../core/contract/message.ts';
import { useConsole, useOpenings } from '../state/context.ts';
import type { LongPayload } from '../format/long-payload.ts';
import { contentKey, editedKey } from '../state/payloads.ts';
import { asFailure } from '../state/resource.ts';

export type PayloadReading =
  | { readonly state: 'known'; readonly payload: LongPayload }
  | { readonly state: 'reading'; readonly share: number; readonly stop: () => void }
  | { readonly state: 'stopped'; readonly again: () => void }
  | { readonly state: 'failed'; readonly message: string; readonly again: () => void };

type Step =
  | { readonly of: string; readonly payload: LongPayload }
  | { readonly of: string; readonly share: number }
  | { readonly of: string; readonly stopped: true }
  | { readonly of: string; readonly message: string };

/**
 * Reads the payload while the component is mounted; one that was read lately is there at once.
 * @param delivery whose edited payload it is; absent: the payload as it was published
 */
export function useLongPayload(message: MessageDetail, delivery?: Delivery): PayloadReading {
  const { payloads, recordingId } = useConsole();
  const openings = useOpenings();
  const [step, setStep] = useState<Step>();
  const [turn, setTurn] = useState(0);
  const [running, setRunning] = useState<AbortController>();
  const key = delivery === undefined ? contentKey(message) : editedKey(delivery);
  const known = payloads.known({ message, delivery, recordingId });
  const isKnown = known !== undefined;

  useEffect(() => {
    if (isKnown) return undefined;
    const own = new AbortController();
    let isCurrent = true;
    const put = (next: Step): void => {
      if (isCurrent) setStep(next);
    };
    setRunning(own);
    payloads
      .read(
        { message, delivery, recordingId },
        { signal: own.signal, onShare: (share) => put({ of: key, share }) },
      )
      .then(
        (payload) => put({ of: key, payload }),
        (reason: unknown) =>
          put(
            own.signal.aborted ? { of: key, stopped: true } : { of: key, message: asFailure(reason).message },
          ),
      );
    return () => {
      isCurrent = false;
      own.abort();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the key changes whenever the payload may have changed
  }, [payloads, key, recordingId, isKnown, turn, openings]);

  const again = (): void => {
    setStep(undefined);
    setTurn((last) => last + 1);
  };
  const own = step?.of === key ? step : undefined;
  if (known !== undefined) return { state: 'known', payload: known };
  if (own === undefined) return { state: 'reading', share: 0, stop: () => running?.abort() };
  if ('payload' in own) return { state: 'known', payload: own.payload };
  if ('share' in own) return { state: 'reading', share: own.share, stop: () => running?.abort() };
  return 'stopped' in own ? { state: 'stopped', again } : { state: 'failed', message: own.message, again };
}
