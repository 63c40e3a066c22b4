/** The whole message that a dialog is about. */
import { useEffect, useState } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

export interface AskedMessage {
  readonly message: MessageDetail | undefined;
  readonly failure: RpcFailure | undefined;
}

/** Asks for the message once. */
export function useMessage(messageId: string): AskedMessage {
  const { call } = useConsole();
  const [asked, setAsked] = useState<AskedMessage>({ message: undefined, failure: undefined });
  useEffect(() => {
    let isCurrent = true;
    call('messages.get', { messageId }).then(
      (message) => isCurrent && setAsked({ message, failure: undefined }),
      (reason: unknown) => isCurrent && setAsked({ message: undefined, failure: asFailure(reason) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, messageId]);
  return asked;
}
