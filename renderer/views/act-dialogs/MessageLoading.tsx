/** Content of a dialog whose message is loading, or could not be read. */
import type { ReactElement } from 'react';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Failed, Loading } from '../../components/States.tsx';
import { PANEL } from '../../copy/detail-panel.ts';
import { fill } from '../../copy/fill.ts';
import { PROGRESS } from '../../copy/common.ts';
import { VIEWER } from '../../copy/viewer.ts';
import { size } from '../../format/quantity.ts';
import type { AskedMessage } from './use-message.ts';

export type MessageLoadingProps = Pick<AskedMessage, 'failure' | 'reading'>;

export function MessageLoading({ failure, reading }: MessageLoadingProps): ReactElement {
  if (failure !== undefined) return <Failed text={fill(PANEL.failed, { message: whyNotRead(failure) })} />;
  if (reading === undefined) return <Loading text={PANEL.loading} />;
  const text = fill(VIEWER.reading, { size: size(reading.bytes) });
  return <Loading text={fill(PROGRESS.percent, { text, percent: Math.floor(reading.share * 100) })} />;
}
