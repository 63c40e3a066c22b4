/** The answer to a publish. */
import type { ReactElement } from 'react';
import { clause } from '../../../core/contract/error-text.ts';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { asText } from '../../format/curl.ts';
import { count, duration } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import { useFate, type Fate } from './fate.ts';
import css from './SingleForm.module.css';
import type { PublishAnswerState } from '../../state/publish-run.ts';

function sentenceOf(status: number | undefined, failure: RpcFailure | undefined): string {
  if (failure === undefined) return PUBLISH.accepted;
  if (status === 403) return PUBLISH.forbidden;
  if (failure.code === 'ERR_PUBSUB_EMPTY' || failure.code === 'ERR_TOPIC_EMPTY') return PUBLISH.noName;
  if (status === 500) return fill(PUBLISH.deliveryFailed, { body: clause(failure.message) });
  return failure.message;
}

const TONES: Readonly<Record<Fate['tone'], string | undefined>> = {
  good: css.good,
  open: css.open,
  warning: css.warning,
};

export interface PublishAnswerProps {
  readonly answer: PublishAnswerState | undefined;
  readonly warning: string | undefined;
}

/** The last answer, or the number of each. */
export function PublishAnswer({ answer, warning }: PublishAnswerProps): ReactElement {
  const { acting } = useConsole();
  const fate = useFate(answer?.messageId);
  const sent = answer === undefined ? 0 : Object.values(answer.counts).reduce((sum, n) => sum + n, 0);
  const body = answer?.failure?.data['body'];
  return (
    <div className={css.answer}>
      <div className={css.line}>
        <div role="status" className={css.line}>
          {warning !== undefined && <span className={css.warning}>{warning}</span>}
          {answer !== undefined && (
            <>
              <span className={answer.failure === undefined ? TONES[fate?.tone ?? 'open'] : css.bad}>
                {fate?.text ?? sentenceOf(answer.status, answer.failure)}
              </span>
              <span className={css.muted}>
                {sent > 1
                  ? Object.entries(answer.counts)
                      .map(([status, n]) => fill(PUBLISH.results, { n: count(n), status }))
                      .join(', ')
                  : fill(PUBLISH.answered, {
                      status: answer.status ?? answer.failure?.code,
                      t: duration(answer.tookMs),
                    })}
              </span>
            </>
          )}
        </div>
        {answer?.messageId !== undefined && (
          <Button onClick={() => acting.show(answer.messageId ?? '')}>{PUBLISH.show}</Button>
        )}
      </div>
      {body !== undefined && (
        <pre className={css.body} aria-label={PUBLISH.answerRaw} tabIndex={0}>
          {asText(body)}
        </pre>
      )}
    </div>
  );
}
