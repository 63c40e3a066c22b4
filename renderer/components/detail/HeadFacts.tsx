/** Facts of the open message in a labelled grid, the same ones on every tab and in every state. */
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { foremost } from '../../../core/contract/attention.ts';
import type { Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { Button } from '../Button.tsx';
import { Ticking, useNow } from '../clock.ts';
import { COMPARE } from '../../copy/acts.ts';
import { DETAIL, FACTS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { WHY } from '../../copy/why.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { clockSeconds, clockTime, utcTime } from '../../format/clock-time.ts';
import { duration, elapsed } from '../../format/quantity.ts';
import { attemptsLeft } from '../../format/calls.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole } from '../../state/context.ts';
import { TAPS } from '../../copy/taps.ts';
import css from './DetailHead.module.css';

const OPEN = new Set(['held', 'queued', 'waiting', 'retrying', 'attempting']);

/** Input of the facts; the row of the list has everything but the number of attempts left. */
interface FactsOf {
  readonly row: Pick<MessageRow, 'at' | 'eventId' | 'messageId' | 'traceId' | 'expiresAt' | 'stage' | 'tap'>;
  readonly appId: string | undefined;
  readonly route: string;
  /** Whether it goes to a stream that the app opened; the list's row does not tell. */
  readonly isStream?: boolean;
  readonly attempts: string;
  readonly state: string | undefined;
  readonly nextAttemptAt: string | undefined;
}

/** The facts made of the list's row, while the message loads. */
export function RowFacts({ row }: { readonly row: MessageRow }): ReactElement {
  const delivery = foremost(row.deliveries);
  return (
    <Grid
      row={row}
      appId={delivery?.appId}
      route={delivery?.route ?? ''}
      attempts={delivery === undefined || delivery.attempts === 0 ? '' : String(delivery.attempts)}
      state={delivery?.state ?? row.stage}
      nextAttemptAt={delivery?.nextAttemptAt}
    />
  );
}

export interface HeadFactsProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

/** The facts of one delivery. */
export function HeadFacts({ message, delivery }: HeadFactsProps): ReactElement {
  return (
    <Grid
      row={message}
      appId={delivery?.appId}
      route={delivery?.route.path ?? ''}
      isStream={delivery?.subscription.source === 'streaming'}
      attempts={delivery === undefined ? '' : attemptsText(delivery, message.tap !== undefined)}
      state={delivery?.state ?? message.stage}
      nextAttemptAt={delivery?.nextAttemptAt}
    />
  );
}

/** Attempts in words: "1 of 5 · 4 left". The number left is shown if Sidelight may make another one. */
function attemptsText(delivery: Delivery, isObserved: boolean): string {
  const made = delivery.attempts.length;
  if (made === 0) return '';
  const { maxAttempts, state } = delivery;
  // A policy that was changed meanwhile may allow fewer attempts than were made.
  const text = maxAttempts >= made ? fill(FACTS.attemptsOf, { n: made, max: maxAttempts }) : String(made);
  if (state !== 'retrying' && state !== 'attempting') return text;
  if (isObserved) return text;
  const left = attemptsLeft(delivery);
  const rest = left === undefined ? WHY.noLimit : left === 0 ? WHY.lastOne : fill(WHY.left, { n: left });
  return `${text} · ${rest}`;
}

function Grid({ row, appId, route, isStream, attempts, state, nextAttemptAt }: FactsOf): ReactElement {
  const nowhere = state === 'queued' ? DETAIL.toUnknown : DETAIL.toNowhere;
  const words = isStream === true ? DETAIL.toStream : route === '' ? nowhere : DETAIL.to;
  const to = appId === undefined ? '' : fill(words, { app: appId, route });
  const id = row.eventId ?? row.messageId;
  const facts: readonly (readonly [title: string, value: ReactNode, whole: string])[] = [
    [FACTS.app, to, to],
    [FACTS.published, <Published key="at" at={row.at} />, utcTime(row.at)],
    [FACTS.attempts, attempts, attempts],
    [FACTS.next, <Next key="next" at={nextAttemptAt} state={state} row={row} />, ''],
    [FACTS.id, visibleShort(id), id],
    [FACTS.trace, row.traceId ?? '', row.traceId ?? ''],
  ];
  return (
    <dl className={css.facts}>
      {facts.map(([title, value, whole]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd title={whole === '' ? undefined : whole}>{value === '' ? FACTS.none : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Time of the publish: "13:27:32.241 (12 s ago)" */
function Published({ at }: { readonly at: string }): ReactElement {
  return (
    <>
      {clockTime(at)}{' '}
      <span aria-hidden>
        <Ticking text={(now) => fill(FACTS.ago, { t: elapsed(now - Date.parse(at)) })} />
      </span>
    </>
  );
}

interface NextProps {
  readonly at: string | undefined;
  readonly state: string | undefined;
  readonly row: Pick<MessageRow, 'expiresAt' | 'tap'>;
}

/**
 * Time of the next attempt and of the expiry, each with the time of day. The text for assistive technology
 * does not tick.
 */
function Next({ at, state, row: { expiresAt, tap } }: NextProps): ReactElement {
  const now = useNow();
  const isOpen = state !== undefined && OPEN.has(state);
  const lines = [
    ...(at === undefined || state !== 'retrying'
      ? []
      : [{ text: DETAIL.nextIn, due: DETAIL.nextNow, until: at }]),
    ...(expiresAt === undefined || !isOpen
      ? []
      : [{ text: DETAIL.expiresIn, due: DETAIL.expiresNow, until: expiresAt }]),
  ];
  if (lines.length === 0) return <>{tap !== undefined && state === 'retrying' ? TAPS.decides : FACTS.none}</>;
  return (
    <>
      {lines.map(({ text, due, until }, place) => {
        const left = Date.parse(until) - now;
        const clock = clockSeconds(until);
        const ticking = left <= 0 ? due : fill(text, { t: duration(Math.ceil(left / 1000) * 1000) });
        return (
          <Fragment key={text}>
            {place > 0 && ' · '}
            <span>
              <span aria-hidden>{ticking} </span>
              {fill(DETAIL.atTime, { time: clock })}
            </span>
          </Fragment>
        );
      })}
    </>
  );
}

/** Links to related messages, before and after; they are beside the buttons, so that they move nothing. */
export function Kin({ message, delivery }: HeadFactsProps): ReactElement | null {
  const { commands } = useConsole();
  const { replayOf, deadLetterOf } = message;
  const copy = delivery?.deadLetter;
  if (replayOf === undefined && deadLetterOf === undefined && copy === undefined) return null;
  return (
    <p className={css.kin}>
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
    </p>
  );
}

function MessageLink({
  messageId,
  text,
}: {
  readonly messageId: string;
  readonly text: string;
}): ReactElement {
  return <Link href={`/messages?m=${addressPart(messageId)}`}>{text}</Link>;
}
