/** Content of a dialog whose message is loading, or could not be read. */
import type { ReactElement } from 'react';
import { clause } from '../../../core/contract/error-text.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { Failed, Loading } from '../../components/States.tsx';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';

export interface MessageLoadingProps {
  /** Why the message could not be read; undefined: it is loading. */
  readonly failure: RpcFailure | undefined;
}

export function MessageLoading({ failure }: MessageLoadingProps): ReactElement {
  if (failure === undefined) return <Loading text={DETAIL.loading} />;
  return <Failed text={fill(DETAIL.failed, { message: clause(failure.message) })} />;
}
