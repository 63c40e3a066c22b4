/** The whole message that a dialog is about. */
import { useEffect, useState } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import { payloadOf } from '../../components/detail/DataTab.tsx';
import { LONG_TEXT } from '../../components/use-text-facts.ts';
import { asFailure } from '../../state/resource.ts';
import { layOut } from './edit-message.ts';

export interface AskedMessage {
  readonly message: MessageDetail | undefined;
  /** The message's data as a person edits and compares it; absent where nobody asked for it. */
  readonly data?: string;
  readonly failure: RpcFailure | undefined;
}

/**
 * Asks for the message once.
 * @param lays wants its data laid out, a long one in a worker
 * @param recordingId where it is, when it is not of the live history
 */
export function useMessage(messageId: string, lays = false, recordingId?: string): AskedMessage {
  const { call } = useConsole();
  const openings = useOpenings();
  const [asked, setAsked] = useState<AskedMessage>({ message: undefined, failure: undefined });
  // What is there stays while it is being edited; what failed is asked for again.
  const round = asked.failure === undefined ? 0 : openings;
  useEffect(() => {
    let isCurrent = true;
    const where = recordingId === undefined ? {} : { recordingId };
    const asking = call('messages.get', { messageId, ...where }).then(
      async (message): Promise<AskedMessage> =>
        lays ? { message, data: await dataOf(message), failure: undefined } : { message, failure: undefined },
    );
    asking.then(
      (answer) => isCurrent && setAsked(answer),
      (reason: unknown) => isCurrent && setAsked({ message: undefined, failure: asFailure(reason) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, messageId, lays, recordingId, round]);
  return asked;
}

async function dataOf(message: MessageDetail): Promise<string> {
  const { text } = payloadOf(message);
  if (text.length <= LONG_TEXT) return layOut(text);
  try {
    const { readLongText } = await import('../../client/read-text.ts');
    return (await readLongText({ text, kind: 'json', lays: true }, {})).laidOut ?? text;
  } catch {
    // No worker could be had, or it took too long: the text stands as it was sent.
    return text;
  }
}
