/** Loads the message of a dialog. */
import { useEffect, useRef, useState } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import { payloadOf } from '../../components/detail/DataTab.tsx';
import { LONG_TEXT } from '../../components/use-text-facts.ts';
import { bodyOfPayload } from '../../format/long-payload.ts';
import { APART_BYTES } from '../../state/payloads.ts';
import { asFailure } from '../../state/resource.ts';
import { layOut } from './edit-message.ts';

export interface AskedMessage {
  readonly message: MessageDetail | undefined;
  /** The message's data for editing and comparing; absent if it was not requested. */
  readonly data?: string;
  readonly failure: RpcFailure | undefined;
  /** How far its long payload was read. */
  readonly reading?: { readonly bytes: number; readonly share: number } | undefined;
}

const NOT_YET: AskedMessage = { message: undefined, failure: undefined };

/**
 * Loads the message once.
 * @param lays also formats its data, in a worker if it is long
 * @param recordingId its recording, if it is not in the live history
 */
export function useMessage(messageId: string, lays = false, recordingId?: string): AskedMessage {
  const { call, payloads } = useConsole();
  const openings = useOpenings();
  const [asked, setAsked] = useState(NOT_YET);
  const [round, setRound] = useState(0);
  const hasFailed = asked.failure !== undefined;
  const failedAt = useRef<number>(undefined);
  // A loaded message stays while it is edited; a failed request is repeated once the host is there again.
  useEffect(() => {
    if (!hasFailed) failedAt.current = undefined;
    else if (failedAt.current === undefined) failedAt.current = openings;
    else if (failedAt.current !== openings) setRound((last) => last + 1);
  }, [hasFailed, openings]);
  useEffect(() => {
    let isCurrent = true;
    const where = recordingId === undefined ? {} : { recordingId };
    const stop = new AbortController();
    const textOf = async (message: MessageDetail): Promise<string> => {
      if (message.payloadApart !== true) return payloadOf(message).text;
      const onShare = (share: number): void => {
        if (isCurrent) setAsked({ ...NOT_YET, reading: { bytes: message.sizeBytes, share } });
      };
      const payload = await payloads.read({ message, recordingId }, { signal: stop.signal, onShare });
      return bodyOfPayload(payload).text;
    };
    const asking = call('messages.get', { messageId, payloadUpTo: APART_BYTES, ...where }).then(
      async (message): Promise<AskedMessage> =>
        lays
          ? { message, data: await laidOut(await textOf(message), stop.signal), failure: undefined }
          : { message, failure: undefined },
    );
    asking.then(
      (answer) => isCurrent && setAsked(answer),
      (reason: unknown) => isCurrent && setAsked({ message: undefined, failure: asFailure(reason) }),
    );
    return () => {
      isCurrent = false;
      stop.abort();
    };
  }, [call, payloads, messageId, lays, recordingId, round]);
  return asked;
}

async function laidOut(text: string, signal: AbortSignal): Promise<string> {
  if (text.length <= LONG_TEXT) return layOut(text);
  try {
    const { readLongText } = await import('../../client/read-text.ts');
    return (await readLongText({ text, kind: 'json', lays: true }, { signal })).laidOut ?? text;
  } catch {
    // The text is shown as it was sent if there is no worker, or if it took too long.
    return text;
  }
}
