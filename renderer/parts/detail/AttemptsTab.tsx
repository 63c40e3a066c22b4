/** One card per attempt, newest first and open: what was asked, what came back, and why it led where it did. */
import type { ReactElement } from 'react';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { Empty } from '../../components/States.tsx';
import { ATTEMPTS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { outcomeOf } from '../../format/cause.ts';
import { prettyJson } from '../../format/body.ts';
import { diffLines } from '../../format/diff.ts';
import { duration } from '../../format/quantity.ts';
import { tellingTransition } from '../../format/times.ts';
import { visibleShort } from '../../format/visible.ts';
import { DiffLines } from '../DiffLines.tsx';
import { AttemptCard } from './AttemptCard.tsx';
import css from './AttemptsTab.module.css';
import { CauseLine } from './CauseLine.tsx';
import { Times } from './Times.tsx';

export interface DeliveryTabProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

/** All attempts of the chosen delivery, and what ended it without one. */
export function AttemptsTab({ message, delivery }: DeliveryTabProps): ReactElement {
  if (delivery === undefined)
    return <Empty title={fill(ATTEMPTS.noDelivery, { topic: visibleShort(message.topic) })} />;
  const newestFirst = delivery.attempts.toReversed();
  const newest = newestFirst[0];
  const last = tellingTransition(delivery);
  const isFromAttempt = newest !== undefined && last === outcomeOf(delivery, newest);
  return (
    <div className={css.tab}>
      {last !== undefined && !isFromAttempt && last.to !== 'attempting' && (
        <p className={css.last}>
          <CauseLine transition={last} delivery={delivery} message={message} />
        </p>
      )}
      {delivery.changed !== undefined && (
        <details className={css.changed} open>
          <summary>{ATTEMPTS.changed}</summary>
          <DiffLines lines={diffLines(layedOut(message.wire.body), layedOut(delivery.changed.body))} />
        </details>
      )}
      <Times message={message} delivery={delivery} />
      {newest === undefined && <p className={css.none}>{ATTEMPTS.none}</p>}
      <ol className={css.list} aria-label={ATTEMPTS.list}>
        {newestFirst.map((attempt, index) => (
          <li key={attempt.attemptId}>
            <AttemptCard attempt={attempt} delivery={delivery} message={message} startsOpen={index === 0} />
            {attempt.waitedMs !== undefined && index < newestFirst.length - 1 && (
              <p className={css.wait}>{fill(ATTEMPTS.waited, { t: duration(attempt.waitedMs) })}</p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function layedOut(body: string): string {
  return prettyJson(body) ?? body;
}
