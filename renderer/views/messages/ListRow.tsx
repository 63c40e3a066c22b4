/** One row of the list; drawn again only when its own values change. */
import { Check, Pin, Server } from 'lucide-react';
import { memo, type ReactElement } from 'react';
import type { MessageRow } from '../../../core/contract/message.ts';
import { cx } from '../../components/class-names.ts';
import { Chip } from '../../components/Chip.tsx';
import { useNow } from '../../components/clock.ts';
import { GridRow } from '../../components/grid/Grid.tsx';
import { fill } from '../../copy/fill.ts';
import { LIST, THROUGH_SERVER } from '../../copy/messages.ts';
import type { Column } from '../../format/columns.ts';
import { chipOf, liveExpiry, nextAttemptOf, rowName } from '../../format/row.ts';
import { clockSpan, clockTime, utcTime } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible.ts';
import type { OwnValues } from '../../state/own-values.ts';
import css from './MessageList.module.css';

/** The element id of a row, for `aria-activedescendant`. */
export function rowDomId(messageId: string): string {
  return `row-${messageId}`;
}

/** The message whose row the pointer is on. */
export function messageAt({ target }: { readonly target: EventTarget }): string | undefined {
  const row = target instanceof Element ? target.closest('[data-message]') : null;
  return row?.getAttribute('data-message') ?? undefined;
}

export interface ListRowProps {
  readonly row: MessageRow | undefined;
  readonly index: number;
  /** Distance from the start of the rows in px. */
  readonly top: number | undefined;
  readonly columns: readonly Column[];
  /** The box for selecting is drawn. */
  readonly canSelect: boolean;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly isUnread: boolean;
  /** The divider "new since you looked" stands above it. */
  readonly isFirstNew: boolean;
  readonly someSelected: boolean;
  /** Values of the own columns; undefined: not known yet. */
  readonly own: OwnValues | undefined;
  /** True for a row under the line of its group. */
  readonly isChild: boolean;
}

/** A row, or the place of one that is on its way. */
export const ListRow = memo(function ListRow(props: ListRowProps): ReactElement {
  const { row, index, top, columns, canSelect, isCurrent, isSelected, isUnread, isFirstNew, someSelected } =
    props;
  const level = props.isChild ? 2 : undefined;
  if (row === undefined) {
    return (
      <GridRow index={index} top={top} isSelected="none" className={css.row}>
        <span role="gridcell" className={css.absent}>
          <span className="visually-hidden">{LIST.loadingRow}</span>
        </span>
      </GridRow>
    );
  }
  return (
    <GridRow
      index={index}
      top={top}
      isCurrent={isCurrent}
      isSelected={isSelected || (isCurrent && !someSelected)}
      id={rowDomId(row.messageId)}
      data-message={row.messageId}
      aria-level={level}
      aria-label={rowName(row, { unread: isUnread })}
      className={cx(
        css.row,
        props.isChild && css.child,
        isSelected && css.selected,
        isFirstNew && css.firstNew,
      )}
    >
      <span role="gridcell" className={css.marks}>
        {isUnread && <span className={css.dot} title={LIST.unread} />}
      </span>
      {canSelect && (
        <span role="gridcell" data-select>
          <span aria-hidden className={css.check} data-checked={isSelected || undefined}>
            {isSelected && <Check size={12} strokeWidth={3} />}
          </span>
        </span>
      )}
      {columns.map((column) => (
        <Cell key={column.id} column={column} row={row} own={props.own} />
      ))}
    </GridRow>
  );
});

interface CellProps {
  readonly column: Column;
  readonly row: MessageRow;
  readonly own: OwnValues | undefined;
}

function Cell({ column, row, own }: CellProps): ReactElement {
  const text = column.own === undefined ? column.text(row) : visibleShort(own?.[column.own] ?? '');
  switch (column.id) {
    case 'state': {
      const chip = chipOf(row);
      return (
        <span role="gridcell" data-col="state">
          <Chip kind={chip.kind} more={chip.more} app={row.waitingFor?.join(', ')} meaning={chip.meaning} />
        </span>
      );
    }
    case 'time':
      return (
        <span role="gridcell" data-col={column.id} className={css.time} title={utcTime(row.at)}>
          {text}
        </span>
      );
    case 'next':
    case 'expires':
      return <Countdown to={column.id === 'next' ? nextAttemptOf(row) : liveExpiry(row)} />;
    case 'type':
      return (
        <span role="gridcell" data-col="type" className={cx(css.mono, css.muted, css.colType)} title={text}>
          <span className={css.type}>
            <bdi>{text}</bdi>
          </span>
          {row.broker !== undefined && (
            <span
              className={css.server}
              role="img"
              aria-label={fill(THROUGH_SERVER, row.broker)}
              title={fill(THROUGH_SERVER, row.broker)}
            >
              <Server aria-hidden size={11} />
            </span>
          )}
          {row.pinned === true && <Pin aria-hidden size={11} className={css.pin} />}
          {row.flags !== undefined && row.flags.length > 0 && (
            <span className={css.flag} title={row.flags.join('\n')}>
              !
            </span>
          )}
        </span>
      );
    default:
      return (
        <span
          role="gridcell"
          data-col={column.id}
          className={cx(column.isMono === true && css.mono, column.align === 'end' && css.number)}
          title={text}
        >
          <bdi>{text}</bdi>
        </span>
      );
  }
}

/** Whole seconds until a moment, by the page's one timer; the moment itself in the tooltip. */
function Countdown({ to }: { readonly to: string | undefined }): ReactElement {
  const now = useNow(to !== undefined);
  if (to === undefined) return <span role="gridcell" />;
  const left = Date.parse(to) - now;
  return (
    <span role="gridcell" className={css.time} title={clockTime(to)}>
      <span aria-hidden>{left <= 0 ? LIST.due : clockSpan(left + 999)}</span>
      <span className="visually-hidden">{clockTime(to)}</span>
    </span>
  );
}
