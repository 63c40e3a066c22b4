/** Every transition of a delivery with its sentence and rule, and the messages of the same trace. */
import { useEffect, useState, type ReactElement } from 'react';
import type { Delivery, MessageDetail, Transition } from '../../../core/contract/message.ts';
import { Button } from '../Button.tsx';
import { Chip } from '../Chip.tsx';
import { DataTable } from '../DataTable.tsx';
import { Checkbox } from '../Fields.tsx';
import { Empty } from '../States.tsx';
import { TIMELINE } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { wasCutByRemoval } from '../../format/cause.ts';
import { clockTime } from '../../format/clock-time.ts';
import { count, duration } from '../../format/quantity.ts';
import { ALL_DELIVERIES } from '../../keys/subjects.ts';
import { useConsole, useOpenings, useParam } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import type { DeliveryTabProps } from './AttemptsTab.tsx';
import { CauseLine } from './CauseLine.tsx';
import css from './TimelineTab.module.css';
import { TraceTable, useTrace, type Trace } from './TraceTable.tsx';
import { Waterfall } from './Waterfall.tsx';

/** Maximum number of messages of the trace that are drawn over the open one. */
const OVERLAID = 12;

/** A picture, and a table with the same content. */
export function TimelineTab({ message, delivery }: DeliveryTabProps): ReactElement {
  const isAll = useParam('d') === ALL_DELIVERIES;
  const trace = useTrace(message);
  const [isOver, setOver] = useState(false);
  const others = useOthers(isOver, message, trace);
  const deliveries = isAll ? message.deliveries : delivery === undefined ? [] : [delivery];
  const told = deliveries.filter(({ transitions }) => transitions.length > 0);
  const total = trace.found?.total ?? 0;
  const drawn = Math.min(total - 1, OVERLAID);
  return (
    <div className={css.tab}>
      {told.length === 0 ? (
        <Empty title={delivery === undefined ? TIMELINE.noDelivery : TIMELINE.none} />
      ) : (
        <Waterfall message={message} deliveries={told} others={others} />
      )}
      {told.length > 0 && total > 1 && (
        <Checkbox
          label={fill(TIMELINE.layOver, { n: count(total) })}
          {...(total - 1 > drawn ? { hint: fill(TIMELINE.layOverMost, { n: drawn }) } : {})}
          checked={isOver}
          onChange={setOver}
        />
      )}
      {told.map((each) => (
        <Transitions key={each.deliveryId} message={message} delivery={each} isOnly={told.length === 1} />
      ))}
      <TraceTable message={message} trace={trace} />
    </div>
  );
}

/** The other messages of the trace in full, while they are shown. */
function useOthers(
  isWanted: boolean,
  { messageId }: MessageDetail,
  { found }: Trace,
): readonly MessageDetail[] {
  const { call, toasts } = useConsole();
  const openings = useOpenings();
  const [others, setOthers] = useState<readonly MessageDetail[]>([]);
  useEffect(() => {
    if (!isWanted || found === undefined) return undefined;
    let isCurrent = true;
    const ids = found.items.filter((row) => row.messageId !== messageId).slice(0, OVERLAID);
    Promise.all(ids.map((row) => call('messages.get', { messageId: row.messageId, payloadUpTo: 0 }))).then(
      (all) => isCurrent && setOthers(all),
      (reason: unknown) => isCurrent && toasts.failed(asFailure(reason).message),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, found, isWanted, messageId, openings, toasts]);
  return isWanted ? others : [];
}

/** Number of transitions that are drawn at once, the newest. */
const PAGE = 100;

interface TransitionsProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery;
  readonly isOnly: boolean;
}

function Transitions({ message, delivery, isOnly }: TransitionsProps): ReactElement {
  const { transitions: all, appId, route } = delivery;
  const [most, setMost] = useState(PAGE);
  const hidden = Math.max(0, all.length - most);
  const transitions = all.slice(hidden);
  const of = `${appId} ${route.path}`.trim();
  return (
    <section className={css.part}>
      {!isOnly && <h3>{of}</h3>}
      {hidden > 0 && (
        <Button onClick={() => setMost(most + PAGE)}>{fill(TIMELINE.older, { n: count(hidden) })}</Button>
      )}
      <DataTable
        label={isOnly ? TIMELINE.table : fill(TIMELINE.tableOf, { of })}
        columns={[TIMELINE.at, TIMELINE.after, TIMELINE.from, TIMELINE.to, TIMELINE.why, TIMELINE.by]}
        numeric={[1]}
        whole={[0]}
        rows={transitions.map((transition, index) => ({
          id: String(transition.sequence),
          cells: [
            <span key="at" className={css.time}>
              {clockTime(transition.at)}
            </span>,
            gap(all[hidden + index - 1], transition),
            transition.from === null ? '' : <Chip key="from" kind={transition.from} />,
            <Chip key="to" kind={transition.to} />,
            <div key="why" className={css.why}>
              <CauseLine transition={transition} delivery={delivery} message={message} />
            </div>,
            causedBy(transition),
          ],
        }))}
      />
    </section>
  );
}

function causedBy({ rule, cause, note }: Transition): string {
  return rule === 'restart.requeued' && wasCutByRemoval(note)
    ? TIMELINE.causeRemoval
    : TIMELINE.causes[cause];
}

function gap(before: Transition | undefined, now: Transition): string {
  return before === undefined ? '' : duration(Date.parse(now.at) - Date.parse(before.at));
}
