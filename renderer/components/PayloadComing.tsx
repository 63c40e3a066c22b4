/** Stands in the place of a payload that is being read: how far, that it was cancelled, or why it failed. */
import type { ReactElement } from 'react';
import { clause } from '../../core/contract/error-text.ts';
import { fill } from '../copy/fill.ts';
import { VIEWER } from '../copy/viewer.ts';
import { size } from '../format/quantity.ts';
import { Button } from './Button.tsx';
import css from './PayloadComing.module.css';
import { Progress } from './Progress.tsx';
import { Failed } from './States.tsx';
import type { PayloadReading } from './use-long-payload.ts';

export interface PayloadComingProps {
  readonly reading: PayloadReading;
  /** Undefined: it is an edited payload, whose size is not known before it is read. */
  readonly bytes?: number | undefined;
}

export function PayloadComing({ reading, bytes }: PayloadComingProps): ReactElement | null {
  if (reading.state === 'known') return null;
  if (reading.state === 'failed') {
    return <Failed text={fill(VIEWER.notRead, { message: clause(reading.message) })} again={reading.again} />;
  }
  return (
    <div className={css.coming} aria-busy={reading.state === 'reading'}>
      {reading.state === 'reading' ? (
        <Progress
          text={bytes === undefined ? VIEWER.readingEdited : fill(VIEWER.reading, { size: size(bytes) })}
          share={reading.share}
          onStop={reading.stop}
        />
      ) : (
        <>
          {VIEWER.readingStopped}{' '}
          <Button onClick={reading.again}>
            {bytes === undefined ? VIEWER.readEdited : fill(VIEWER.read, { size: size(bytes) })}
          </Button>
        </>
      )}
    </div>
  );
}
