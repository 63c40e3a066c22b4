/** How often the app got the message, and why more than once. */
import { useEffect, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { Attempt, Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { fill } from '../../copy/fill.ts';
import { CALLS } from '../../copy/why.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import {
  callsAgain,
  callsOf,
  callsText,
  callsThen,
  judgedText,
  type CallsAgain,
} from '../../format/calls.ts';
import { count } from '../../format/quantity.ts';
import { hereText } from '../../format/since-here.ts';
import { filterValue } from '../row-menu.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import { CauseLine } from './CauseLine.tsx';
import css from './Calls.module.css';

/** Maximum number of reasons that are listed one by one, the newest. */
const TOLD = 20;
/** Number of reasons above which they are folded, because the answer to the newest attempt is below them. */
const UNFOLDED = 2;

export interface CallsProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery;
}

/** Calls of this delivery with their reasons; other subscriptions; the same event published again. */
export function Calls({ message, delivery }: CallsProps): ReactElement {
  const calls = callsOf(delivery);
  const again = callsAgain(
    delivery,
    calls.filter(({ because }) => because !== undefined),
  );
  const several = message.deliveries.length > 1;
  const { readOnly } = useConsole();
  const text = readOnly === undefined ? callsText(delivery, message) : callsThen(delivery, message);
  const reasons = <Reasons again={again} delivery={delivery} message={message} />;
  return (
    <section aria-label={CALLS.label} className={css.calls}>
      {again.length > UNFOLDED ? (
        <details>
          <summary>{text.replace(/:$/, '')}</summary>
          {reasons}
        </details>
      ) : (
        <>
          <p>{text}</p>
          {again.length > 0 && reasons}
        </>
      )}
      {several && (
        <p>
          {fill(CALLS.deliveries, {
            n: message.deliveries.length,
            list: message.deliveries.map(({ appId, route }) => `${appId} ${route.path}`.trim()).join(', '),
          })}
        </p>
      )}
      <SameEvent eventId={message.eventId} />
    </section>
  );
}

interface ReasonsProps extends CallsProps {
  readonly again: readonly CallsAgain[];
}

/** The reason of each call after the first one. */
function Reasons({ again, delivery, message }: ReasonsProps): ReactElement {
  return (
    <ul className={css.list}>
      {again.length > TOLD && <li>{fill(CALLS.earlier, { n: count(earlier(again)) })}</li>}
      {again.slice(-TOLD).map((each) => (
        <li key={each.from}>
          {fill(wordsOfCall(each), { n: each.from, from: each.from, to: each.to })}{' '}
          <Because again={each} delivery={delivery} message={message} />
        </li>
      ))}
    </ul>
  );
}

function wordsOfCall({ from, to, because }: CallsAgain): string {
  if (from !== to) return CALLS.calls;
  return because?.rule === 'restart.requeued' ? CALLS.callAgain : CALLS.call;
}

/** Number of calls that are not listed one by one. */
function earlier(again: readonly CallsAgain[]): number {
  return again.slice(0, -TOLD).reduce((n, { from, to }) => n + to - from + 1, 0);
}

interface BecauseProps extends CallsProps {
  readonly again: CallsAgain;
}

/** Reason of a call. An answer is shown with its attempt below; any other reason here. */
function Because({ again, delivery, message }: BecauseProps): ReactElement | null {
  const { from, to, because, after, isLeftOut } = again;
  if (because === undefined) return null;
  if (after === undefined) {
    return (
      <>
        {/* The rule ends the line: a sentence behind it would run on from its name. */}
        {again.before !== undefined &&
          `${fill(wordsOf(again.before, isLeftOut).beforeAct, { m: again.before.number, answer: judgedText(again.before) })} `}
        <CauseLine transition={because} delivery={delivery} message={message} />
      </>
    );
  }
  const answer = judgedText(after);
  return (
    <>
      {fill(wordsOf(after, isLeftOut)[from === to ? 'after' : 'afterEach'], {
        m: after.number,
        answer,
      })}{' '}
      <code>{because.rule}</code>
    </>
  );
}

/** @param isLeftOut true: its answer was that of a batch, and does not name the entry */
function wordsOf(
  attempt: Attempt,
  isLeftOut: true | undefined,
): (typeof CALLS)['answered' | 'leftOut' | 'unanswered'] {
  if (isLeftOut === true) return CALLS.leftOut;
  return judgedText(attempt) === undefined ? CALLS.unanswered : CALLS.answered;
}

/** Maximum number of messages with the same event id that are read; if there are more, the number is a minimum. */
const LOOKED_AT = 200;

interface SameEvents {
  readonly published: number;
  readonly replayed: number;
  /** Time of the last replay; undefined: there is none. */
  readonly replayedAt: string | undefined;
  /** False: not all messages were read, so that there may be more. */
  readonly isAll: boolean;
}

const FIRST: SameEvents = { published: 1, replayed: 0, replayedAt: undefined, isAll: true };

/** How often an event id was published and replayed, in words. */
export function sameEventText(id: string | undefined, found: SameEvents): string {
  const { published, replayed, replayedAt, isAll } = found;
  if (!isAll) return fill(CALLS.sameEventAtLeast, { id, n: count(published + replayed) });
  if (replayedAt === undefined) return fill(CALLS.sameEvent, { id, n: count(published) });
  return fill(CALLS.sameEventReplayed, {
    id,
    // A replay may be kept longer than the message that was published.
    published: timesText(Math.max(1, published)),
    replayed: timesText(replayed),
    n: replayed,
    time: hereText(replayedAt),
  });
}

function timesText(n: number): string {
  return n === 1 ? CALLS.onceText : fill(CALLS.timesText, { n: count(n) });
}

/**
 * How often an event was published by a client and replayed, of what a filter by its id finds: also ids that begin with it, and dead-letter
 * copies, which are neither.
 */
export function timesPublished(
  found: readonly Pick<MessageRow, 'eventId' | 'deadLetterOf' | 'replayOf' | 'at'>[],
  eventId: string | undefined,
): Omit<SameEvents, 'isAll'> {
  const same = found.filter((row) => row.eventId === eventId && row.deadLetterOf === undefined);
  const replays = same.filter(({ replayOf }) => replayOf !== undefined);
  const times = replays.map(({ at }) => at).toSorted();
  return {
    published: same.length - replays.length,
    replayed: replays.length,
    replayedAt: times.at(-1),
  };
}

/** Says that the same event id was published more than once. */
function SameEvent({ eventId }: { readonly eventId: string | undefined }): ReactElement | null {
  const { call } = useConsole();
  const openings = useOpenings();
  const [found, setFound] = useState<SameEvents>(FIRST);
  const filter = eventId === undefined ? undefined : `id:${filterValue(eventId)}`;
  useEffect(() => {
    if (filter === undefined) return undefined;
    let isCurrent = true;
    call('messages.list', { filter, limit: LOOKED_AT }).then(
      ({ items, total }) => {
        if (isCurrent) setFound({ ...timesPublished(items, eventId), isAll: total <= items.length });
      },
      // The connection bar reports a missing answer; nothing is shown here.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [call, eventId, filter, openings]);
  if (filter === undefined || found.published + found.replayed < 2) return null;
  return (
    <p>
      {sameEventText(eventId, found)}{' '}
      <Link href={`/messages?f=${addressPart(filter)}`}>{CALLS.showSame}</Link>
    </p>
  );
}
