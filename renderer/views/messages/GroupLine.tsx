/** The line of a group: its value, number of messages, most urgent state, and time span. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, type CSSProperties, type ReactElement } from 'react';
import type { GroupRow } from '../../../core/contract/view.ts';
import { Chip } from '../../components/Chip.tsx';
import { cx } from '../../components/class-names.ts';
import { GridRow } from '../../components/grid/Grid.tsx';
import { withKeptEnd } from '../../format/columns.ts';
import {
  groupName,
  groupSize,
  groupSpan,
  groupTitle,
  statesText,
  stateParts,
  type StatePart,
} from '../../format/groups.ts';
import { count } from '../../format/quantity.ts';
import { groupLine } from '../../state/row-window.ts';
import { rowDomId } from './ListRow.tsx';
import css from './MessageList.module.css';
import own from './GroupLine.module.css';

/** Letters of a group's name that stay at its end. */
const KEPT_LETTERS = 12;

export interface GroupLineProps {
  readonly group: GroupRow;
  readonly groupBy: string;
  readonly index: number;
  /** Distance from the start of the rows in px. */
  readonly top: number | undefined;
  /** Columns of the grid, which this one cell spans. */
  readonly span: number;
  readonly isCurrent: boolean;
}

/** Colour of a state; stages before the states have none. */
function colourOf(state: StatePart['state']): string {
  return state === 'none' || state === 'unseen' || state === 'waiting' || state === 'refused'
    ? '--border-strong'
    : `--state-${state}`;
}

/** Letters of the end that stays, so that the start is cut after whole letters. */
type KeptStyle = CSSProperties & Readonly<Record<'--kept', number>>;

/** The name of a group. Long ones mostly begin alike, as routes of one app do, so their end stays. */
function GroupTitle({
  text,
  value,
}: {
  readonly text: string;
  readonly value: string | undefined;
}): ReactElement {
  const [start, end] = withKeptEnd(text, KEPT_LETTERS);
  const style: KeptStyle = { '--kept': end.length };
  return (
    // One direction for both parts: the first letter decides it.
    <bdi className={cx(css.ends, own.title)} style={style} title={value}>
      <span>{start}</span>
      {end !== '' && <span>{end}</span>}
    </bdi>
  );
}

/** One group; a click or Enter opens and closes it. */
export const GroupLine = memo(function GroupLine(props: GroupLineProps): ReactElement {
  const { group, groupBy, index, top, span, isCurrent } = props;
  const { isOpen, worst, states, messages } = group;
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  const n = states[worst] ?? messages;
  return (
    <GridRow
      index={index}
      top={top}
      isCurrent={isCurrent}
      id={rowDomId(groupLine(group.groupId))}
      data-group-line={group.groupId}
      aria-level={1}
      aria-expanded={isOpen}
      aria-label={groupName(group, groupBy)}
      className={cx(css.row, own.group)}
    >
      <span role="gridcell" aria-colspan={span} className={own.cell}>
        <Arrow aria-hidden size={14} className={own.arrow} />
        <GroupTitle text={groupTitle(group, groupBy)} value={group.value} />
        <span className={own.size}>{groupSize(group)}</span>
        <span aria-hidden className={own.bar} title={statesText(group)}>
          {stateParts(group).map(({ state, n: part }) => (
            <span key={state} style={{ flexGrow: part, background: `var(${colourOf(state)})` }} />
          ))}
        </span>
        <Chip kind={worst} amount={n < messages ? count(n) : undefined} />
        <span className={own.span}>{groupSpan(group)}</span>
      </span>
    </GridRow>
  );
});
