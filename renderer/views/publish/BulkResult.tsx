/** The answer to a bulk publish. */
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { BULK, PUBLISH } from '../../copy/publish.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { count } from '../../format/quantity.ts';
import css from './BulkForm.module.css';
import type { BulkAnswer } from './use-bulk-publish.ts';

export interface BulkResultProps {
  readonly answer: BulkAnswer | undefined;
  readonly onRetry: (ids: ReadonlySet<string>) => void;
  readonly onKeep: (ids: ReadonlySet<string>) => void;
}

/** A sentence, the failed entries, and advice. */
export function BulkResult({ answer, onRetry, onKeep }: BulkResultProps): ReactElement {
  const failed = new Set(answer?.failed.keys());
  const [showsRaw, setShowsRaw] = useState(false);
  return (
    <>
      <div className={css.said}>
        <p role="status" className={answer?.failure === undefined && failed.size === 0 ? css.good : css.bad}>
          {answer === undefined ? '' : sentenceOf(answer)}
        </p>
        {failed.size > 0 && (
          <>
            <Button onClick={() => onRetry(failed)}>{fill(BULK.retryFailed, { n: failed.size })}</Button>
            <Button onClick={() => onKeep(failed)}>{BULK.keepFailed}</Button>
          </>
        )}
        {answer?.batchId !== undefined && (
          <Link href={`/messages?f=${addressPart(`batch:${answer.batchId}`)}`}>{BULK.showMessages}</Link>
        )}
        {answer?.raw !== undefined && (
          <Button kind="quiet" aria-pressed={showsRaw} onClick={() => setShowsRaw(!showsRaw)}>
            {BULK.raw}
          </Button>
        )}
      </div>
      {showsRaw && answer?.raw !== undefined && (
        <pre className={css.raw} aria-label={BULK.rawLabel} tabIndex={0}>
          {answer.raw}
        </pre>
      )}
    </>
  );
}

function sentenceOf({ failure, failed, sent }: BulkAnswer): string {
  if (failure?.code === 'ERR_PUBSUB_NOT_FOUND') return BULK.noSuchPubsub;
  if (failure?.code === 'ERR_PUBSUB_FORBIDDEN') return PUBLISH.forbidden;
  if (failure !== undefined) return failure.message;
  if (failed.size === 0) return fill(BULK.allOf, { n: count(sent) });
  return fill(BULK.answerFailed, {
    status: 500,
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    failed: count(failed.size),
    n: count(sent),
  });
}
