/** The messages that share a trace with the open one, in order of arrival. */
import { useEffect, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { Result } from '../../../core/contract/console.ts';
import type { MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { Chip } from '../Chip.tsx';
import { DataTable } from '../DataTable.tsx';
import { Failed, Loading } from '../States.tsx';
import { TRACE } from '../../copy/compare.ts';
import { fill } from '../../copy/fill.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { chipOf, typeText } from '../../format/row.ts';
import { clockTime } from '../../format/clock-time.ts';
import { count, duration } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { filterValue } from '../row-menu.ts';
import css from './TimelineTab.module.css';

const SHOWN = 100;

export interface Trace {
  /** Filter of the trace. Undefined: the message has no trace id. */
  readonly filter: string | undefined;
  readonly found: Result<'messages.list'> | undefined;
  readonly failure: string | undefined;
}

/** The messages of the open one's trace, loaded again when the open one changes. */
export function useTrace(message: MessageDetail): Trace {
  const { call } = useConsole();
  const openings = useOpenings();
  const [found, setFound] = useState<Result<'messages.list'>>();
  const [failure, setFailure] = useState<string>();
  const { traceId, deliveries } = message;
  const filter = traceId === undefined ? undefined : `trace:${filterValue(traceId)}`;
  // A change of this message may have caused another one, for example a dead letter.
  const changes = deliveries.reduce((sum, { transitions }) => sum + transitions.length, 0);
  useEffect(() => {
    if (filter === undefined) return undefined;
    let isCurrent = true;
    call('messages.list', { filter, order: 'oldest', limit: SHOWN }).then(
      (page) => {
        if (!isCurrent) return;
        setFound(page);
        setFailure(undefined);
      },
      (reason: unknown) => isCurrent && setFailure(asFailure(reason).message),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, filter, changes, openings]);
  return { filter, found, failure };
}

export interface TraceTableProps {
  readonly message: Pick<MessageDetail, 'messageId'>;
  readonly trace: Trace;
}

/** A table; a sentence if there is no other message. */
export function TraceTable({ message: { messageId }, trace }: TraceTableProps): ReactElement {
  const { filter, found, failure } = trace;
  if (filter === undefined) return <p className={css.caption}>{TRACE.noTrace}</p>;
  if (failure !== undefined) {
    return <Failed text={fill(TRACE.failed, { message: clause(failure) })} />;
  }
  if (found === undefined) return <Loading text={TRACE.loading} rows={2} />;
  const { items, total } = found;
  const [first] = items;
  if (first === undefined || total < 2) return <p className={css.caption}>{TRACE.none}</p>;
  return (
    <section className={css.tab} aria-label={TRACE.table}>
      <h3>{fill(TRACE.title, { n: count(total) })}</h3>
      <DataTable
        label={TRACE.table}
        columns={[TRACE.at, TRACE.after, TRACE.type, TRACE.topic, TRACE.state]}
        numeric={[1]}
        whole={[0]}
        rows={items.map((row) => ({
          id: row.messageId,
          isChosen: row.messageId === messageId,
          cells: cellsOf(row, first, row.messageId === messageId),
        }))}
      />
      {total > items.length && <p>{fill(TRACE.more, { n: count(items.length), total: count(total) })}</p>}
      <p>
        <Link href={`/messages?f=${addressPart(filter)}`}>{TRACE.filter}</Link>
      </p>
    </section>
  );
}

function cellsOf(row: MessageRow, first: MessageRow, isThis: boolean): readonly ReactElement[] {
  const topic = visibleShort(row.topic);
  return [
    <span key="at" className={css.time}>
      {clockTime(row.at)}
    </span>,
    <span key="after">{duration(Date.parse(row.at) - Date.parse(first.at))}</span>,
    <span key="type">{typeText(row)}</span>,
    isThis ? (
      <span key="topic">
        {topic} ({TRACE.this})
      </span>
    ) : (
      <Link key="topic" href={`/messages?m=${addressPart(row.messageId)}&t=timeline`}>
        {topic}
      </Link>
    ),
    <Chip key="state" kind={chipOf(row).kind} />,
  ];
}
