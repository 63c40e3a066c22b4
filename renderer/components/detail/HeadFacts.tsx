/** Facts of the open message in a labelled grid, the same ones on every tab and in every state. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { Fragment, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { foremost } from '../../../core/contract/attention.ts';
import type { Delivery, DeliveryRow, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { IconButton } from '../Button.tsx';
import { Chip } from '../Chip.tsx';
import { Choice } from '../Choice.tsx';
import { Ticking, useNow } from '../clock.ts';
import { DETAIL, FACTS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { WHY } from '../../copy/why.ts';
import { clockSeconds, clockTime, utcTime } from '../../format/clock-time.ts';
import { duration, elapsed } from '../../format/quantity.ts';
import { attemptsBeforeRound, attemptsLeft, lastAllowed } from '../../format/calls.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { ALL_DELIVERIES } from '../../keys/subjects.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { TAPS } from '../../copy/taps.ts';
import { isLineCut, useCut } from '../use-cut.ts';
import css from './DetailHead.module.css';

const OPEN = new Set(['held', 'queued', 'waiting', 'retrying', 'attempting']);

/** One fact of a message. */
interface Fact {
  readonly title: string;
  readonly value: ReactNode;
  /** The whole text, for a value that may be cut; "": the value is whole, or changes with time. */
  readonly whole: string;
  /** Value without a limit of its length, if it differs from `whole`. */
  readonly inFull?: ReactNode;
  /** True: a value that is cut can be opened in its place. */
  readonly opens?: true;
}

/** Input of the facts; the row of the list has everything but the number of attempts left. */
interface FactsOf {
  readonly row: Pick<MessageRow, 'at' | 'eventId' | 'messageId' | 'traceId' | 'expiresAt' | 'stage' | 'tap'>;
  /** App and route. */
  readonly to: string;
  readonly attempts: string;
  readonly state: string | undefined;
  readonly nextAttemptAt: string | undefined;
}

function toOfRow({ appId, route = '', lastAnswer }: DeliveryRow): To {
  return { appId, route, grpc: lastAnswer?.protocol === 'grpc' ? 'attempted' : undefined };
}

/** The facts made of the list's row, while the message loads. */
export function RowFacts({ row }: { readonly row: MessageRow }): ReactElement {
  const delivery = foremost(row.deliveries);
  const state = delivery?.state ?? row.stage;
  const facts = factsOf({
    row,
    to: delivery === undefined ? '' : toText(toOfRow(delivery), state),
    attempts: delivery === undefined || delivery.attempts === 0 ? '' : String(delivery.attempts),
    state,
    nextAttemptAt: delivery?.nextAttemptAt,
  });
  return <Grid facts={facts} />;
}

export interface HeadFactsProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

/** The facts of one delivery; where there are several, the app is the choice between them. */
export function HeadFacts({ message, delivery }: HeadFactsProps): ReactElement {
  const several = message.deliveries.length > 1;
  const facts = headFacts(message, delivery).map((fact) =>
    several && fact.title === FACTS.app
      ? {
          title: fact.title,
          whole: fact.whole,
          value: <DeliveryChoice message={message} delivery={delivery} />,
        }
      : fact,
  );
  return <Grid facts={facts} />;
}

/** The facts of a delivery. */
export function headFacts(message: MessageDetail, delivery: Delivery | undefined): readonly Fact[] {
  return factsOf({
    row: message,
    to: delivery === undefined ? '' : toOf(delivery),
    attempts: delivery === undefined ? '' : attemptsText(delivery, message.tap !== undefined),
    state: delivery?.state ?? message.stage,
    nextAttemptAt: delivery?.nextAttemptAt,
  });
}

interface To {
  readonly appId: string;
  readonly route: string;
  /** Whether it goes to a stream that the app opened; the list's row does not tell. */
  readonly isStream?: boolean;
  /** Whether the app is called over gRPC, which has no POST; `attempted`: it was, so that a route may have no path. */
  readonly grpc?: 'attempted' | 'expected' | undefined;
}

/** "shop → POST /orders" */
function toText({ appId, route, isStream, grpc }: To, state: string | undefined): string {
  const facts = { app: appId, route };
  if (isStream === true) return fill(DETAIL.toStream, facts);
  if (route !== '') return fill(grpc === undefined ? DETAIL.to : DETAIL.toGrpc, facts);
  if (grpc === 'attempted') return fill(DETAIL.toGrpcOnly, facts);
  return fill(state === 'queued' ? DETAIL.toUnknown : DETAIL.toNowhere, facts);
}

/** App and route of a delivery: "shop → POST /orders" */
function toOf({ appId, route, subscription, state, attempts }: Delivery): string {
  const wasGrpc = attempts.at(-1)?.protocol === 'grpc';
  const grpc = wasGrpc ? 'attempted' : subscription.settings?.protocol === 'grpc' ? 'expected' : undefined;
  return toText({ appId, route: route.path, isStream: subscription.source === 'streaming', grpc }, state);
}

/** Where one more delivery goes: app and route, or the app alone where no route is known. */
export function targetOf(delivery: Delivery): string {
  const { appId, route, subscription, attempts } = delivery;
  const isWithoutPath = subscription.source === 'streaming' || attempts.at(-1)?.protocol === 'grpc';
  return route.path === '' && !isWithoutPath ? appId : toOf(delivery);
}

function DeliveryChoice({ message, delivery }: HeadFactsProps): ReactElement {
  const { navigation } = useConsole();
  const isAll = useParam('d') === ALL_DELIVERIES;
  const total = message.deliveries.length;
  return (
    <Choice
      label={DETAIL.delivery}
      value={isAll ? ALL_DELIVERIES : (delivery?.deliveryId ?? '')}
      onChange={(d) => navigation.change({ d }, { replace: true })}
      options={[
        ...message.deliveries.map((each, index) => ({
          value: each.deliveryId,
          title: fill(DETAIL.deliveryOf, { to: toOf(each), n: index + 1, total }),
          note: <Chip kind={each.state} />,
        })),
        { value: ALL_DELIVERIES, title: fill(DETAIL.allDeliveries, { total }) },
      ]}
    />
  );
}

/**
 * Attempts in words: "1 (max 5) · 4 left", after a person's retry "6: 5 before the retry, 1 of 5 since" or "6: 5 before the retry; 4 of 5
 * left since". The number left is shown if Sidelight may make another one.
 */
function attemptsText(delivery: Delivery, isObserved: boolean): string {
  const { attempts, state } = delivery;
  const made = attempts.length;
  if (made === 0) return '';
  const last = lastAllowed(delivery);
  const left = attemptsLeft(delivery);
  const goesOn = (state === 'retrying' || state === 'attempting') && !isObserved;
  // A policy that was changed meanwhile may allow fewer attempts than were made.
  const isWithin = last >= made;
  const before = attemptsBeforeRound(delivery, Infinity);
  if (isWithin && before > 0) {
    const facts = {
      n: made,
      max: last - before,
      before,
      since: (attempts.at(-1)?.number ?? 0) - before,
      left,
    };
    return fill(goesOn ? FACTS.leftSince : FACTS.attemptsSince, facts);
  }
  const text = isWithin ? fill(FACTS.attemptsOf, { n: made, max: last }) : String(made);
  if (!goesOn) return text;
  const rest = left === undefined ? WHY.noLimit : left === 0 ? WHY.lastOne : fill(WHY.left, { n: left });
  return `${text} · ${rest}`;
}

function factsOf({ row, to, attempts, state, nextAttemptAt }: FactsOf): readonly Fact[] {
  const id = row.eventId ?? row.messageId;
  const trace = row.traceId ?? '';
  const published = <Published at={row.at} />;
  const next = { at: nextAttemptAt, state, row };
  return [
    {
      title: FACTS.published,
      value: published,
      whole: utcTime(row.at),
      inFull: (
        <>
          {published} · {utcTime(row.at)}
        </>
      ),
    },
    { title: FACTS.app, value: to, whole: to, opens: true },
    { title: nextTitle(next), value: <Next {...next} />, whole: wholeNext(next), inFull: <Next {...next} /> },
    // In the second line, as the app: a button in the first one would be too near to the links of the reason.
    { title: FACTS.attempts, value: attempts, whole: attempts, opens: true },
    { title: FACTS.id, value: visibleShort(id), whole: id },
    { title: FACTS.trace, value: trace, whole: trace },
  ];
}

function Grid({ facts }: { readonly facts: readonly Fact[] }): ReactElement {
  return (
    <dl className={css.facts}>
      {facts.map(({ title, value, whole, opens }) => (
        <div key={title}>
          <dt>{title}</dt>
          {opens === true && whole !== '' ? (
            // Another value begins closed.
            <Opening key={whole} title={title} text={whole} />
          ) : (
            <dd title={whole === '' ? undefined : whole}>{value === '' ? FACTS.none : value}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** A text that has a button where it is cut, which shows it whole in its place: a tooltip of the text alone would need a pointer. */
function Opening({ title, text }: { readonly title: string; readonly text: string }): ReactElement {
  const line = useRef<HTMLSpanElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isCut = useCut(line, isOpen, isLineCut);
  return (
    <dd className={css.opening} data-open={isOpen || undefined} title={text}>
      <span ref={line}>{text}</span>
      {isCut && (
        <IconButton
          icon={isOpen ? ChevronUp : ChevronDown}
          label={fill(isOpen ? FACTS.less : FACTS.whole, { title })}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      )}
    </dd>
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

interface Due {
  readonly text: string;
  /** Text once the time has come. */
  readonly due: string;
  readonly until: string;
}

/** Times that lie before a message: its next attempt, and its expiry while it is open. */
function duesOf({ at, state, row: { expiresAt } }: NextProps): readonly Due[] {
  const isOpen = state !== undefined && OPEN.has(state);
  const attempt =
    at === undefined || state !== 'retrying' ? [] : [{ text: DETAIL.nextIn, due: DETAIL.nextNow, until: at }];
  if (expiresAt === undefined || !isOpen) return attempt;
  // The expiry alone has its name as the title of the fact.
  if (attempt.length === 0) return [{ text: DETAIL.nextIn, due: DETAIL.expiryNow, until: expiresAt }];
  return [...attempt, { text: DETAIL.expiresIn, due: DETAIL.expiresNow, until: expiresAt }];
}

/** Times of two events, whose text may be cut, without what changes; "" for one. */
function wholeNext(next: NextProps): string {
  const [attempt, expiry] = duesOf(next);
  if (attempt === undefined || expiry === undefined) return '';
  const at = fill(DETAIL.atTime, { time: clockSeconds(attempt.until) });
  return `${at} · ${fill(DETAIL.expiresAt, { time: clockSeconds(expiry.until) })}`;
}

function nextTitle(next: NextProps): string {
  const isExpiry = next.state !== 'retrying' || next.at === undefined;
  return isExpiry && duesOf(next).length > 0 ? FACTS.expires : FACTS.next;
}

/**
 * Time of the next attempt and of the expiry, each with the time of day. The text for assistive technology
 * does not tick.
 */
function Next(next: NextProps): ReactElement {
  const dues = duesOf(next);
  const { readOnly } = useConsole();
  // What was planned when a recording was made is not due now.
  const isMoving = readOnly === undefined && dues.length > 0;
  const now = useNow(isMoving);
  const isDecidedThere = next.row.tap !== undefined && next.state === 'retrying';
  if (dues.length === 0) return <>{isDecidedThere ? TAPS.decides : FACTS.none}</>;
  return (
    <>
      {dues.map(({ text, due, until }, place) => {
        const left = Date.parse(until) - now;
        const ticking = left <= 0 ? due : fill(text, { t: duration(Math.ceil(left / 1000) * 1000) });
        return (
          <Fragment key={text}>
            {place > 0 && ' · '}
            <span>
              {isMoving && <span aria-hidden>{ticking} </span>}
              {fill(DETAIL.atTime, { time: clockSeconds(until) })}
            </span>
          </Fragment>
        );
      })}
    </>
  );
}
