/** The subscriptions as a tree grid: each opens to its rules in order; the arrows move and open. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState, type CSSProperties, type ReactElement, type ReactNode } from 'react';
import { asSentence } from '../../../core/contract/error-text.ts';
import type { SubscriptionRow } from '../../../core/contract/subscription.ts';
import { IconButton } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { Ticking } from '../../components/clock.ts';
import table from '../../components/DataTable.module.css';
import { Grid, GridHead, GridRow, rowAt } from '../../components/grid/Grid.tsx';
import { onRowKey, treeMove } from '../../components/grid/keys.ts';
import { allRows } from '../../components/grid/rows.ts';
import { useIsNarrow } from '../../components/use-narrow.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { SUBSCRIPTIONS } from '../../copy/topics.ts';
import { duration } from '../../format/quantity.ts';
import { lagCell } from '../../format/lag.ts';
import { missingText, whyUnused } from '../../format/subscription.ts';
import page from '../page.module.css';
import css from './Subscriptions.module.css';

const { columns } = SUBSCRIPTIONS;
const HEADS = Object.values(columns);
/** Columns that are shown under the topic, with their names, in a narrow window. */
const FOLDED: readonly string[] = [
  columns.component,
  columns.source,
  columns.raw,
  columns.bulk,
  columns.deadLetter,
  columns.lag,
];

/** A line: a subscription or one of its routes. */
type Line =
  | { readonly kind: 'subscription'; readonly id: string; readonly row: SubscriptionRow }
  | { readonly kind: 'rule'; readonly id: string; readonly parent: string; readonly words: ReactNode };

/** The rules of a subscription, then its default route. */
function rulesOf({ rules, defaultPath }: SubscriptionRow, parent: string): readonly Line[] {
  const lines = rules.map(({ match, path, reading }, index): Line => {
    const rule = { match: match === '' ? SUBSCRIPTIONS.always : match, path };
    const route = `${index + 1} ${fill(SUBSCRIPTIONS.ruleTo, rule)}`;
    const words = reading === undefined ? route : fill(SUBSCRIPTIONS.ruleReading, { route, reading });
    return { kind: 'rule', id: `${parent} ${index}`, parent, words };
  });
  const rule = { match: columns.default, path: defaultPath ?? VIEWS_COMMON.dash };
  return [
    ...lines,
    { kind: 'rule', id: `${parent} default`, parent, words: fill(SUBSCRIPTIONS.ruleTo, rule) },
  ];
}

/** Every subscription, followed by its rules if it is open. */
function linesOf(rows: readonly SubscriptionRow[], open: ReadonlySet<string>): readonly Line[] {
  return rows.flatMap((row, index): readonly Line[] => {
    const id = `${row.appId} ${row.pubsubname} ${row.topic} ${index}`;
    const head: Line = { kind: 'subscription', id, row };
    return open.has(id) ? [head, ...rulesOf(row, id)] : [head];
  });
}

interface Tree {
  readonly lines: readonly Line[];
  /** Index of the keyboard line. */
  readonly at: number;
  readonly open: ReadonlySet<string>;
  readonly setOpened: (id: string, isOpen: boolean) => void;
  readonly goTo: (index: number) => void;
  /** Handles a key for the current line; false: the key has no effect there. */
  readonly act: (key: string) => boolean;
}

/** The open lines, and the keyboard line. */
function useTree(rows: readonly SubscriptionRow[], show: (index: number) => void): Tree {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string>();
  const lines = linesOf(rows, open);
  const at = Math.max(
    0,
    lines.findIndex(({ id }) => id === current),
  );

  function setOpened(id: string, isOpen: boolean): void {
    setOpen(isOpen ? new Set([...open, id]) : new Set([...open].filter((each) => each !== id)));
  }

  function goTo(index: number): void {
    setCurrent(lines[index]?.id);
    show(index);
  }

  function act(key: string): boolean {
    const line = lines[at];
    if (line === undefined) return false;
    const isOpen = line.kind === 'subscription' ? open.has(line.id) : undefined;
    const isToggled = key === 'Enter' && isOpen !== undefined;
    const move = treeMove(key, isOpen);
    if (move === 'child') goTo(at + 1);
    else if (move === 'parent' && line.kind === 'rule') goTo(lines.findIndex(({ id }) => id === line.parent));
    else if (move !== undefined || isToggled) setOpened(line.id, isOpen !== true);
    return move !== undefined || isToggled;
  }

  return { lines, at, open, setOpened, goTo, act };
}

/** One line for each subscription; an open one is followed by its rules. */
export function SubscriptionGrid({ rows }: { readonly rows: readonly SubscriptionRow[] }): ReactElement {
  const gridId = useId();
  const idOf = (index: number): string => `${gridId}-${index}`;
  const isNarrow = useIsNarrow();
  const heads = isNarrow ? HEADS.filter((head) => !FOLDED.includes(head)) : HEADS;
  const elementOf = (index: number): Element | null => document.getElementById(idOf(index));
  const { lines, at, open, setOpened, goTo, act } = useTree(rows, (index) =>
    elementOf(index)?.scrollIntoView({ block: 'nearest' }),
  );
  const shown = allRows(lines.length, elementOf);
  const style: CSSProperties & Readonly<Record<'--columns', string>> = {
    '--columns': `repeat(${heads.length}, auto)`,
  };

  return (
    <Grid
      label={SUBSCRIPTIONS.table}
      isTree
      count={lines.length}
      aria-colcount={heads.length}
      rows={shown}
      at={at}
      atId={idOf(at)}
      className={css.tree}
      style={style}
      head={<GridHead columns={heads.map((head) => ({ id: head, title: head }))} />}
      onClick={(event) => {
        const index = rowAt(event);
        const line = index === undefined ? undefined : lines[index];
        if (index === undefined || line === undefined) return;
        goTo(index);
        // The whole line opens its rules, but not while its text is marked, and not together with its button.
        const isElsewhere = event.target instanceof Element && event.target.closest('button') !== null;
        if (isElsewhere || line.kind === 'rule' || document.getSelection()?.isCollapsed === false) return;
        setOpened(line.id, !open.has(line.id));
      }}
      onKeyDown={(event) => onRowKey(event, { at, count: lines.length, page: shown.fitting, go: goTo, act })}
      line={({ index, top }) => {
        const line = lines[index];
        if (line === undefined) return null;
        const shared = { index, top, isCurrent: index === at, id: idOf(index) };
        return line.kind === 'rule' ? (
          <GridRow key={line.id} {...shared} aria-level={2} className={css.rule}>
            <span role="gridcell" aria-colspan={heads.length} className={page.mono}>
              {line.words}
            </span>
          </GridRow>
        ) : (
          <GridRow
            key={line.id}
            {...shared}
            aria-level={1}
            aria-expanded={open.has(line.id)}
            className={cx(
              css.row,
              (line.row.state !== 'active' || line.row.missingRoutes !== undefined) && css.bad,
            )}
          >
            <Cells
              row={line.row}
              isNarrow={isNarrow}
              isOpen={open.has(line.id)}
              onToggle={() => setOpened(line.id, !open.has(line.id))}
            />
          </GridRow>
        );
      }}
    />
  );
}

interface CellsProps {
  readonly row: SubscriptionRow;
  readonly isNarrow: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function rawWord(rawPayload: boolean | null): string {
  if (rawPayload === null) return SUBSCRIPTIONS.rawUnreadable;
  return rawPayload ? VIEWS_COMMON.yes : VIEWS_COMMON.no;
}

function bulkText({ bulk }: SubscriptionRow): string {
  if (bulk === undefined) return VIEWS_COMMON.no;
  const { maxMessagesCount: n, maxAwaitDurationMs } = bulk;
  return fill(SUBSCRIPTIONS.bulkOf, { n, t: duration(maxAwaitDurationMs) });
}

function Cells({ row, isNarrow, isOpen, onToggle }: CellsProps): ReactElement {
  const { appId, pubsubname, topic, file, source, rules, defaultPath, rawPayload, deadLetterTopic } = row;
  const cells: readonly ReactNode[] = [
    <span key="app" className={page.line}>
      <IconButton
        icon={isOpen ? ChevronDown : ChevronRight}
        label={fill(SUBSCRIPTIONS.showRules, { topic })}
        aria-expanded={isOpen}
        tabIndex={-1}
        onClick={onToggle}
      />
      {appId}
    </span>,
    pubsubname,
    <strong key="topic">
      <bdi>{topic}</bdi>
    </strong>,
    file ?? SUBSCRIPTIONS.sources[source],
    rules.length,
    <code key="default">{defaultPath ?? VIEWS_COMMON.dash}</code>,
    rawWord(rawPayload),
    bulkText(row),
    deadLetterTopic ?? VIEWS_COMMON.dash,
    <span key="lag">
      <Ticking text={(now) => lagCell(row, now)} />
    </span>,
    <State key="state" row={row} />,
  ];
  const named = cells.map((cell, index) => ({ head: HEADS[index] ?? '', cell }));
  const folded = isNarrow ? named.filter(({ head }) => FOLDED.includes(head)) : [];
  return (
    <>
      {named
        .filter((each) => !folded.includes(each))
        .map(({ head, cell }) => (
          <div key={head} role="gridcell" className={head === columns.state ? css.state : undefined}>
            {cell}
            {head === columns.topic && folded.length > 0 && (
              <dl className={table.folded}>
                {folded.map((each) => (
                  <div key={each.head}>
                    <dt>{each.head}</dt>
                    <dd>{each.cell}</dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        ))}
    </>
  );
}

/** The state, and why the subscription is not used, which has a line of its own below all cells. */
function State({ row }: { readonly row: SubscriptionRow }): ReactElement {
  const why = whyUnused(row) ?? missingText(row);
  return (
    <>
      <span>{SUBSCRIPTIONS.states[row.state]}</span>
      {why !== undefined && <span className={css.why}>{asSentence(why)}</span>}
    </>
  );
}
