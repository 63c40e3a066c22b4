/** Every transition of a delivery, with the sentence and the rule of each. */
import type { ReactElement } from 'react';
import type { Transition } from '../../../core/contract/message.ts';
import { Chip } from '../../components/Chip.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/States.tsx';
import { TIMELINE } from '../../copy/detail.ts';
import { clockTime, duration } from '../../format/quantity.ts';
import type { DeliveryTabProps } from './AttemptsTab.tsx';
import { CauseLine } from './CauseLine.tsx';
import css from './TimelineTab.module.css';
import { TraceTable } from './TraceTable.tsx';
import { Waterfall } from './Waterfall.tsx';

/** A picture and a table of the same. */
export function TimelineTab({ message, delivery }: DeliveryTabProps): ReactElement {
  if (delivery === undefined || delivery.transitions.length === 0) {
    return (
      <div className={css.tab}>
        <Empty title={delivery === undefined ? TIMELINE.noDelivery : TIMELINE.none} />
        <TraceTable message={message} />
      </div>
    );
  }
  const { transitions } = delivery;
  return (
    <div className={css.tab}>
      <Waterfall message={message} delivery={delivery} />
      <DataTable
        label={TIMELINE.table}
        columns={[TIMELINE.at, TIMELINE.after, TIMELINE.from, TIMELINE.to, TIMELINE.why, TIMELINE.by]}
        numeric={[1]}
        whole={[0]}
        rows={transitions.map((transition, index) => ({
          id: String(transition.sequence),
          cells: [
            <span key="at" className={css.time}>
              {clockTime(transition.at)}
            </span>,
            gap(transitions[index - 1], transition),
            transition.from === null ? '' : <Chip key="from" kind={transition.from} />,
            <Chip key="to" kind={transition.to} />,
            <div key="why" className={css.why}>
              <CauseLine transition={transition} delivery={delivery} message={message} />
            </div>,
            TIMELINE.causes[transition.cause],
          ],
        }))}
      />
      <TraceTable message={message} />
    </div>
  );
}

function gap(before: Transition | undefined, now: Transition): string {
  return before === undefined ? '' : duration(Date.parse(now.at) - Date.parse(before.at));
}
