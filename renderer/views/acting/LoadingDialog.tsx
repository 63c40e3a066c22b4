/** A dialog about a message that is not there yet, or could not be read. */
import type { ReactElement } from 'react';
import { clause } from '../../../core/contract/error-text.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { useConsole } from '../../state/context.ts';

export interface LoadingDialogProps {
  readonly title: string;
  /** Why the message could not be read; undefined: it is on its way. */
  readonly failure: RpcFailure | undefined;
}

export function LoadingDialog({ title, failure }: LoadingDialogProps): ReactElement {
  const { commands } = useConsole();
  return (
    <Overlay title={title} wide onClose={commands.close}>
      {failure === undefined ? (
        <Loading text={DETAIL.loading} />
      ) : (
        <Failed text={fill(DETAIL.failed, { message: clause(failure.message) })} />
      )}
    </Overlay>
  );
}
