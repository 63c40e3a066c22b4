/** The messages of a comparison: their differences, and links to both. */
import { Diff, ExternalLink, type LucideIcon } from 'lucide-react';
import { useMemo, useState, type ReactElement, type ReactNode } from 'react';
import type { MessageRow } from '../../../core/contract/message.ts';
import type { ComparedMessage, Difference } from '../../../core/contract/recording.ts';
import { DELIVERY_STATES } from '../../../core/contract/delivery.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { Button } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { Grid, GridRow, rowAt } from '../../components/grid/Grid.tsx';
import { onRowKey } from '../../components/grid/keys.ts';
import { useMeasuredRows } from '../../components/grid/use-measured-rows.ts';
import { PreviewLine } from '../../components/PreviewLine.tsx';
import { COMPARE_RECORDINGS } from '../../copy/compare.ts';
import { fill } from '../../copy/fill.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import { chipOf, triesOf } from '../../format/row.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { payloadVersion } from '../../format/preview.ts';
import type { Console } from '../../state/console.ts';
import { ConsoleProvider, useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './Recordings.module.css';

/** One side of the comparison. */
export interface Side {
  readonly name: string;
  /** Recording of the side; absent: the live history. */
  readonly recordingId: string | undefined;
}

export interface ComparedGridProps {
  readonly items: readonly ComparedMessage[];
  readonly sides: { readonly before: Side; readonly after: Side };
}

interface Act {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly key: string;
  readonly run: () => void;
}

/** Estimate for rows that are not drawn yet. */
const ROW_PX = { compact: 84, comfortable: 92 } as const;

/** Opens a message: in the live history, or in its recording. */
function openIn({ acting, navigation }: Console, { recordingId }: Side, { messageId }: MessageRow): void {
  if (recordingId === undefined) acting.show(messageId);
  else navigation.go('/recordings', { r: recordingId, m: messageId });
}

/** Acts on a line, in the order of its buttons; Enter runs the first one. */
function actsOf(
  console: Console,
  item: ComparedMessage,
  { before, after }: ComparedGridProps['sides'],
): readonly Act[] {
  const [one, other] = [item.before, item.after];
  const both: Omit<Act, 'key'>[] = [];
  if (one !== undefined && other !== undefined) {
    both.push({
      title: COMPARE_RECORDINGS.sideBySide,
      icon: Diff,
      run: () =>
        console.commands.open({
          kind: 'compare',
          left: one.messageId,
          right: other.messageId,
          ...withoutUndefined({ leftIn: before.recordingId, rightIn: after.recordingId }),
        }),
    });
  }
  const open = (side: Side, row: MessageRow): Omit<Act, 'key'> => ({
    title: fill(COMPARE_RECORDINGS.openIn, { name: side.name }),
    icon: ExternalLink,
    run: () => openIn(console, side, row),
  });
  if (one !== undefined) both.push(open(before, one));
  if (other !== undefined) both.push(open(after, other));
  return both.map((act, index) => ({ ...act, key: index === 0 ? 'Enter' : String(index + 1) }));
}

/** Lines with different heights; arrows move, Enter and digits act on the keyboard line. */
export function ComparedGrid({ items, sides }: ComparedGridProps): ReactElement {
  const console = useConsole();
  const density = useSelected(console.ui, (state) => state.density);
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const [at, setAt] = useState(0);
  const current = Math.min(at, items.length - 1);
  const rows = useMeasuredRows({
    host,
    count: items.length,
    rowPx: ROW_PX[density],
    keyOf: (index) => idOf(items, index),
    kept: current,
  });

  function go(next: number): void {
    setAt(next);
    rows.show(next);
  }

  return (
    <Grid
      ref={setHost}
      label={COMPARE_RECORDINGS.grid}
      count={items.length}
      rows={rows}
      at={current}
      atId={idOf(items, current)}
      className={css.compared}
      onClick={(event) => {
        const index = rowAt(event);
        if (index !== undefined) go(index);
      }}
      onKeyDown={(event) =>
        onRowKey(event, {
          at: current,
          count: items.length,
          page: rows.fitting,
          go,
          act(key) {
            const item = items[current];
            const act = item && actsOf(console, item, sides).find((each) => each.key === key);
            act?.run();
            return act !== undefined;
          },
        })
      }
      line={({ index, top }) => {
        const item = items[index];
        return item === undefined ? null : (
          <GridRow
            key={idOf(items, index)}
            ref={rows.measure}
            index={index}
            top={top}
            isCurrent={index === current}
            id={idOf(items, index)}
            aria-label={nameOf(item, sides)}
            className={css.comparedRow}
          >
            <About item={item} sides={sides} />
            <div role="gridcell" className={css.differences}>
              {item.differences.map((each, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- differences never move
                <DifferenceLine key={place} difference={each} />
              ))}
            </div>
            <div role="gridcell" className={css.comparedActs}>
              {actsOf(console, item, sides).map(({ title, icon, key, run }) => (
                <Button key={key} kind="quiet" icon={icon} keys={[key]} onClick={run}>
                  {title}
                </Button>
              ))}
            </div>
          </GridRow>
        );
      }}
    />
  );
}

function idOf(items: readonly ComparedMessage[], index: number): string {
  const { before, after } = items[index] ?? {};
  return `compared-${before?.messageId ?? ''}-${after?.messageId ?? index}`;
}

function isWords({ is }: ComparedMessage, { before, after }: ComparedGridProps['sides']): string {
  return fill(COMPARE_RECORDINGS.is[is], { name: is === 'only-before' ? before.name : after.name });
}

function nameOf(item: ComparedMessage, sides: ComparedGridProps['sides']): string {
  const row = item.before ?? item.after;
  return fill(COMPARE_RECORDINGS.row, {
    topic: visibleShort(row?.topic ?? ''),
    time: clockTime(row?.at ?? ''),
    is: isWords(item, sides),
  });
}

function About({
  item,
  sides,
}: {
  readonly item: ComparedMessage;
  readonly sides: ComparedGridProps['sides'];
}): ReactElement {
  const row = item.before ?? item.after;
  const side = item.before === undefined ? sides.after : sides.before;
  return (
    <div role="gridcell" className={css.about}>
      <span
        className={css.is}
        data-is={item.is}
        title={item.joinedBy && COMPARE_RECORDINGS.joinedBy[item.joinedBy]}
      >
        {isWords(item, sides)}
      </span>
      {row === undefined ? (
        COMPARE_RECORDINGS.removed
      ) : (
        <>
          <code title={utcTime(row.at)}>{clockTime(row.at)}</code>
          <strong>
            <bdi>{visibleShort(row.topic)}</bdi>
          </strong>
          <bdi className={css.type}>{visibleShort(row.eventType ?? '')}</bdi>
          <Within side={side}>
            <span className={css.line}>
              <PreviewLine number={row.number} version={payloadVersion(row)} />
            </span>
          </Within>
          <States item={item} />
        </>
      )}
    </div>
  );
}

/** A cell with the values of this side. */
function Within({ side, children }: { readonly side: Side; readonly children: ReactNode }): ReactNode {
  const console = useConsole();
  const { recordingId } = side;
  const scoped = useMemo(
    () => (recordingId === undefined ? console : { ...console, ...console.recordings.lists(recordingId) }),
    [console, recordingId],
  );
  return <ConsoleProvider value={scoped}>{children}</ConsoleProvider>;
}

/** The state on each side; shown once if it is equal. */
function States({ item: { before, after } }: { readonly item: ComparedMessage }): ReactElement {
  const rows = [before, after].filter((row) => row !== undefined);
  const [one, other] = rows.map(chipOf);
  const isSame = other === undefined || one?.name === other.name;
  return (
    <span className={css.states}>
      {(isSame ? rows.slice(0, 1) : rows).map((row, index) => {
        const { kind, more, meaning } = chipOf(row);
        return (
          <span key={row === before ? 'before' : 'after'} className={css.states}>
            {index > 0 && <span aria-hidden>→</span>}
            <Chip kind={kind} more={more} tries={triesOf(row)} meaning={meaning} />
          </span>
        );
      })}
    </span>
  );
}

function DifferenceLine({ difference }: { readonly difference: Difference }): ReactElement {
  const { what, appId, before, after } = difference;
  const words = COMPARE_RECORDINGS.what[what];
  return (
    <p className={css.difference}>
      <span className={css.what}>
        {appId === undefined ? words : fill(COMPARE_RECORDINGS.ofApp, { app: appId, what: words })}
      </span>{' '}
      <Value text={before} /> <span aria-hidden>→</span>{' '}
      <span className="visually-hidden">{COMPARE_RECORDINGS.became}</span> <Value text={after} />
    </p>
  );
}

function Value({ text }: { readonly text: string | undefined }): ReactElement {
  if (text === undefined) return <i>{COMPARE_RECORDINGS.absent}</i>;
  const state = DELIVERY_STATES.find((each) => each === text);
  return <bdi className={css.value}>{state === undefined ? visibleShort(text) : CHIP_WORDS[state]}</bdi>;
}
