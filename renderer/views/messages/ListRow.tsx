/** One row of the list; drawn again only when its own values change. */
import { Check, Pin, Server } from 'lucide-react';
import { memo, type CSSProperties, type ReactElement } from 'react';
import { foremost } from '../../../core/contract/attention.ts';
import type { MessageRow } from '../../../core/contract/message.ts';
import { cx } from '../../components/class-names.ts';
import { Chip } from '../../components/Chip.tsx';
import { ObservedMark } from '../../components/ObservedMark.tsx';
import { PreviewLine } from '../../components/PreviewLine.tsx';
import { Ticking } from '../../components/clock.ts';
import { GridRow } from '../../components/grid/Grid.tsx';
import { fill } from '../../copy/fill.ts';
import { LIST, THROUGH_SERVER } from '../../copy/messages.ts';
import { answerTone, answerWords } from '../../format/answer-tone.ts';
import { withKeptEnd, type Column } from '../../format/columns.ts';
import { durationBar } from '../../format/duration-bar.ts';
import { chipOf, liveExpiry, nextAttemptOf, rowName, triesOf } from '../../format/row.ts';
import { clockSpan, clockTime, utcTime } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { foundInId, payloadVersion } from '../../format/preview.ts';
import type { OwnValues } from '../../state/column-values.ts';
import { usePreview } from '../../state/use-preview.ts';
import css from './MessageList.module.css';

/** The element id of a row, for `aria-activedescendant`. An id has no blanks, but the value of a group may. */
export function rowDomId(messageId: string): string {
  return `row-${messageId.replaceAll(/[\s%]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}

/** Id of the cell with the payload in the row of a message. */
function previewDomId(messageId: string): string {
  return `${rowDomId(messageId)}-preview`;
}

/** Id of the message under the pointer. */
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
  /** True if the check box is drawn. */
  readonly canSelect: boolean;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** True when the row's message is open in the detail. */
  readonly isOpen: boolean;
  readonly isUnread: boolean;
  /** True if the divider "new since you looked" is above the row. */
  readonly isFirstNew: boolean;
  readonly someSelected: boolean;
  /** Values of the own columns; undefined: not known yet. */
  readonly own: OwnValues | undefined;
  /** Texts that the filter searches in payloads. */
  readonly needles: readonly string[];
  /** Free texts of the filter, which are searched in ids too. */
  readonly texts: readonly string[];
  /** True if a call of the app waits for a person's answer. */
  readonly isAsked: boolean;
  /** True for a row under the line of its group. */
  readonly isChild: boolean;
}

/** A row, or a placeholder for one that is loading. */
export const ListRow = memo(function ListRow(props: ListRowProps): ReactElement {
  const { row, index, top, columns, canSelect, isCurrent, isSelected, isOpen, isUnread } = props;
  const { isFirstNew, someSelected } = props;
  const level = props.isChild ? 2 : undefined;
  if (row === undefined) {
    return (
      <GridRow index={index} top={top} isSelected="none" className={css.row}>
        <span role="gridcell" className={css.absent}>
          <span className={css.ordinal}>{count(index + 1)}</span>
          <span className={css.shade} />
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
      aria-current={isOpen ? 'true' : undefined}
      aria-level={level}
      aria-label={rowName(row, { unread: isUnread, asked: props.isAsked })}
      // The payload is what tells rows of one topic apart; a description is read after the name.
      aria-describedby={columns.some(({ id }) => id === 'preview') ? previewDomId(row.messageId) : undefined}
      className={cx(
        css.row,
        props.isChild && css.child,
        isSelected && css.selected,
        isOpen && css.opened,
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
        <Cell
          key={column.id}
          column={column}
          row={row}
          own={props.own}
          needles={props.needles}
          texts={props.texts}
          isAsked={props.isAsked}
        />
      ))}
    </GridRow>
  );
});

type CellProps = Pick<ListRowProps, 'own' | 'needles' | 'texts' | 'isAsked'> & {
  readonly column: Column;
  readonly row: MessageRow;
};

function Cell({ column, row, own, needles, texts, isAsked }: CellProps): ReactElement {
  const text = column.own === undefined ? column.text(row) : visibleShort(own?.[column.own] ?? '');
  switch (column.id) {
    case 'state': {
      const chip = chipOf(row);
      return (
        <span role="gridcell" data-col="state">
          <Chip
            kind={isAsked ? 'asked' : chip.kind}
            more={chip.more}
            // The words fill the column, and the waiting call names its attempt itself.
            tries={isAsked ? undefined : triesOf(row)}
            apps={row.waitingFor}
            meaning={isAsked ? undefined : (chip.meaning ?? (chip.more > 0 ? chip.name : undefined))}
          />
        </span>
      );
    }
    case 'time':
      return (
        <span
          role="gridcell"
          data-col={column.id}
          className={css.time}
          title={`${clockTime(row.at)}\n${utcTime(row.at)}`}
        >
          {text}
        </span>
      );
    case 'preview':
      return (
        <span role="gridcell" id={previewDomId(row.messageId)} data-col="preview" className={css.preview}>
          <PreviewLine number={row.number} version={payloadVersion(row)} needles={needles} />
          {texts.length > 0 && <FoundInId row={row} texts={texts} />}
          <Marks row={row} />
        </span>
      );
    case 'answer': {
      const { lastAnswer, state } = foremost(row.deliveries) ?? {};
      return (
        <span
          role="gridcell"
          data-col="answer"
          data-tone={answerTone(lastAnswer, state)}
          className={cx(css.mono, css.answer)}
          title={answerWords(lastAnswer)}
        >
          <bdi>{text}</bdi>
        </span>
      );
    }
    case 'duration':
      return <Took row={row} text={text} />;
    case 'next':
    case 'expires':
      return (
        <Countdown column={column.id} to={column.id === 'next' ? nextAttemptOf(row) : liveExpiry(row)} />
      );
    case 'type':
      return (
        <span role="gridcell" data-col="type" className={cx(css.mono, css.muted)} title={text}>
          <bdi>{text}</bdi>
        </span>
      );
    default:
      if (column.keepsEnd === true) return <CutInside column={column} text={text} />;
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

/** Letters of the end that stays, so that the start is cut after whole letters. */
type KeptStyle = CSSProperties & Readonly<Record<'--kept', number>>;

/** A text that is cut before its last letters, where it does not fit. */
function CutInside({ column, text }: { readonly column: Column; readonly text: string }): ReactElement {
  const [start, end] = withKeptEnd(text);
  const style: KeptStyle = { '--kept': end.length };
  return (
    <span role="gridcell" data-col={column.id} className={css.mono} title={text}>
      {/* One direction for both parts: the first letter decides it. */}
      <bdi className={css.ends} style={style}>
        <span>{start}</span>
        {end !== '' && <span>{end}</span>}
      </bdi>
    </span>
  );
}

type TookStyle = CSSProperties & Readonly<Record<'--first' | '--last' | '--end', string>>;

/** Duration of the last call, over a bar of all times: wait, retries, last call. */
function Took({ row, text }: { readonly row: MessageRow; readonly text: string }): ReactElement {
  const bar = durationBar(foremost(row.deliveries));
  const percent = (n: number): string => `${n.toFixed(0)}%`;
  const style: TookStyle | undefined = bar && {
    '--first': percent(bar.first),
    '--last': percent(bar.last),
    '--end': percent(bar.end),
  };
  return (
    <span
      role="gridcell"
      data-col="duration"
      className={cx(css.number, bar !== undefined && css.took)}
      title={bar?.words}
      style={style}
    >
      {text}
    </span>
  );
}

/** Says that the filter found the message by an id, where its payload has nothing that could be marked. */
function FoundInId({
  row,
  texts,
}: Pick<ListRowProps, 'texts'> & { readonly row: MessageRow }): ReactElement | null {
  const line = usePreview(row.number, payloadVersion(row))?.line;
  const found = line === undefined ? undefined : foundInId(row, line, texts);
  if (found === undefined) return null;
  return (
    <span className={css.inId} title={fill(LIST.foundInIdHint, { id: found.id })}>
      {LIST.foundInId[found.kind]}
    </span>
  );
}

/**
 * Marks at the end of the preview, where they are never cut: the eye of a tap, a broker's server, a pin, a
 * note on the acceptance.
 */
function Marks({
  row: { broker, pinned, tap, flags = [] },
}: {
  readonly row: MessageRow;
}): ReactElement | null {
  if (broker === undefined && tap === undefined && pinned !== true && flags.length === 0) return null;
  return (
    <span className={css.markers}>
      {tap !== undefined && <ObservedMark small tap={tap} />}
      {broker !== undefined && (
        <span role="img" aria-label={fill(THROUGH_SERVER, broker)} title={fill(THROUGH_SERVER, broker)}>
          <Server aria-hidden size={11} />
        </span>
      )}
      {pinned === true && <Pin aria-hidden size={11} />}
      {flags.length > 0 && (
        <span className={css.flag} title={flags.join('\n')}>
          !
        </span>
      )}
    </span>
  );
}

/** Whole seconds until a moment, by the page's one timer; the tooltip has the moment itself. */
function Countdown({
  column,
  to,
}: {
  readonly column: string;
  readonly to: string | undefined;
}): ReactElement {
  if (to === undefined) return <span role="gridcell" data-col={column} />;
  const left = (nowMs: number): string => {
    const leftMs = Date.parse(to) - nowMs;
    return leftMs <= 0 ? LIST.due : clockSpan(leftMs + 999);
  };
  return (
    <span role="gridcell" data-col={column} className={css.time} title={clockTime(to)}>
      <span aria-hidden>
        <Ticking text={left} />
      </span>
      <span className="visually-hidden">{clockTime(to)}</span>
    </span>
  );
}
