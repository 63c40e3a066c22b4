/** Where the open message stands: state, attempts, what comes next, and the messages it is kin to. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { foremost } from '../../../core/contract/attention.ts';
import type { Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { Button } from '../Button.tsx';
import { Chip } from '../Chip.tsx';
import { useNow } from '../clock.ts';
import { COMPARE } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { WHY } from '../../copy/why.ts';
import { chipOf, waitText } from '../../format/row.ts';
import { attemptsLeft } from '../../format/times.ts';
import { clockTime, duration, utcTime } from '../../format/quantity.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './DetailHead.module.css';

/** What the row of the list already knows, while the message is on its way. */
export function RowStateLine({ row }: { readonly row: MessageRow }): ReactElement {
  const delivery = foremost(row.deliveries);
  const route = delivery?.route ?? '';
  return (
    <p className={css.state}>
      <span aria-live="polite" className={css.live}>
        <Chip kind={chipOf(row).kind} app={row.waitingFor?.join(', ')} meaning={chipOf(row).meaning} />
        <span>
          {delivery === undefined || delivery.attempts === 0
            ? ''
            : fill(DETAIL.attempt, { n: delivery.attempts })}
        </span>
      </span>
      {delivery !== undefined && (
        <span className={css.mono}>
          {fill(route === '' ? DETAIL.toNowhere : DETAIL.to, { app: delivery.appId, route })}
        </span>
      )}
      <span className={css.time} title={utcTime(row.at)}>
        {clockTime(row.at)}
      </span>
    </p>
  );
}

export interface StateLineProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

/** The state of one delivery in one line. */
export function StateLine({ message, delivery }: StateLineProps): ReactElement {
  const { holds } = useConsole();
  const rules = useSelected(holds.rules.store, ({ value }) => value?.items);
  const chip = chipOf(rowOfDetail(message));
  const made = delivery?.attempts.length ?? 0;
  const holdId = delivery?.heldBy ?? message.heldBy;
  const hold = rules?.find((each) => each.holdId === holdId);
  const attempts =
    delivery === undefined || made === 0
      ? ''
      : fill(delivery.maxAttempts > 0 ? DETAIL.attemptOf : DETAIL.attempt, {
          n: made,
          max: delivery.maxAttempts,
        });
  const waits = delivery === undefined ? undefined : waitText(delivery);
  const kind = waits === undefined ? (delivery?.state ?? chip.kind) : 'waiting';
  return (
    <p className={css.state}>
      <span aria-live="polite" className={css.live}>
        <Chip kind={kind} app={message.waitingFor?.join(', ')} meaning={waits} />
        <span>{attempts}</span>
      </span>
      {waits !== undefined && <span className={css.note}>{waits}</span>}
      {delivery?.heldAt === 'response' && <span className={css.note}>{DETAIL.answerHeld}</span>}
      {delivery !== undefined && (
        <span className={css.mono}>
          {fill(delivery.route.path === '' ? DETAIL.toNowhere : DETAIL.to, {
            app: delivery.appId,
            route: delivery.route.path,
          })}
        </span>
      )}
      {delivery?.nextAttemptAt !== undefined && kind === 'retrying' && (
        <Left text={DETAIL.nextIn} until={delivery.nextAttemptAt} />
      )}
      {delivery !== undefined && (kind === 'retrying' || kind === 'attempting') && (
        <span>{leftText(delivery)}</span>
      )}
      {message.expiresAt !== undefined &&
        (kind === 'held' || kind === 'queued' || kind === 'waiting' || kind === 'retrying') && (
          <Left text={DETAIL.expiresIn} until={message.expiresAt} />
        )}
      {kind === 'held' && holdId !== undefined && (
        <span>{fill(DETAIL.heldBy, { hold: hold?.name ?? holdId })}</span>
      )}
      <span className={css.time} title={utcTime(message.at)}>
        {clockTime(message.at)}
      </span>
      <Kin message={message} delivery={delivery} />
    </p>
  );
}

function leftText(delivery: Delivery): string {
  const left = attemptsLeft(delivery);
  if (left === undefined) return WHY.noLimit;
  return left === 0 ? WHY.lastOne : fill(WHY.left, { n: left });
}

/** Links to the messages that this one came from or led to. */
function Kin({ message, delivery }: StateLineProps): ReactElement {
  const { commands } = useConsole();
  const { replayOf, deadLetterOf } = message;
  const copy = delivery?.deadLetter;
  return (
    <>
      {replayOf !== undefined && (
        <>
          <MessageLink messageId={replayOf} text={DETAIL.replayOf} />
          <Button
            kind="quiet"
            onClick={() => commands.open({ kind: 'compare', left: replayOf, right: message.messageId })}
          >
            {COMPARE.withOriginal}
          </Button>
        </>
      )}
      {deadLetterOf !== undefined && (
        <MessageLink
          messageId={deadLetterOf.messageId}
          text={fill(DETAIL.deadLetterOf, { topic: deadLetterOf.topic })}
        />
      )}
      {copy !== undefined && (
        <MessageLink messageId={copy.messageId} text={fill(DETAIL.copyOn, { topic: copy.topic })} />
      )}
    </>
  );
}

function MessageLink({
  messageId,
  text,
}: {
  readonly messageId: string;
  readonly text: string;
}): ReactElement {
  return <Link href={`/messages?m=${encodeURIComponent(messageId)}`}>{text}</Link>;
}

/** A countdown; what it says to assistive technology does not tick. */
function Left({ text, until }: { readonly text: string; readonly until: string }): ReactElement | null {
  const now = useNow();
  const left = Date.parse(until) - now;
  if (left <= 0) return null;
  return (
    <span>
      <span aria-hidden>{fill(text, { t: duration(Math.ceil(left / 1000) * 1000) })}</span>
      <span className="visually-hidden">{fill(text, { t: clockTime(until) })}</span>
    </span>
  );
}
