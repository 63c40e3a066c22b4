/** The subscriptions as a tree grid: each opens to its rules in their order; walked and opened by the arrows. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import {
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import type { SubscriptionRow } from '../../../core/contract/subscription.ts';
import { IconButton } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import table from '../../components/DataTable.module.css';
import { useIsNarrow } from '../../components/use-narrow.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { SUBSCRIPTIONS } from '../../copy/topics.ts';
import { duration } from '../../format/quantity.ts';
import { stateWords } from '../../format/subscription.ts';
import page from '../page.module.css';
import css from './Subscriptions.module.css';

const { columns } = SUBSCRIPTIONS;
const HEADS = Object.values(columns);
/** What stands under the topic, with its name, in a narrow window. */
const FOLDED: readonly string[] = [
  columns.component,
  columns.source,
  columns.raw,
  columns.bulk,
  columns.deadLetter,
];

/** A subscription or one of its routes, in the order in which they stand. */
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

/** Every subscription, followed by its rules where it is open. */
function linesOf(rows: readonly SubscriptionRow[], open: ReadonlySet<string>): readonly Line[] {
  return rows.flatMap((row, index): readonly Line[] => {
    const id = `${row.appId} ${row.pubsubname} ${row.topic} ${index}`;
    const head: Line = { kind: 'subscription', id, row };
    return open.has(id) ? [head, ...rulesOf(row, id)] : [head];
  });
}

interface Tree {
  readonly lines: readonly Line[];
  /** Which line is the stop of Tab. */
  readonly place: number;
  readonly open: ReadonlySet<string>;
  readonly setOpened: (id: string, isOpen: boolean) => void;
  readonly setCurrent: (id: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** What is open, where the keyboard is, and its keys: arrows walk, Left and Right open and close. */
function useTree(rows: readonly SubscriptionRow[], body: RefObject<HTMLTableSectionElement | null>): Tree {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string>();
  const lines = linesOf(rows, open);
  const place = Math.max(
    0,
    lines.findIndex(({ id }) => id === current),
  );

  function setOpened(id: string, isOpen: boolean): void {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
  }

  function goTo(to: number): void {
    const line = lines[Math.max(0, Math.min(lines.length - 1, to))];
    if (line === undefined) return;
    setCurrent(line.id);
    const row = body.current?.rows[lines.indexOf(line)];
    row?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const line = lines[place];
    if (line === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = event.target instanceof Element && event.target.closest('button') !== null;
    const isHead = line.kind === 'subscription';
    if (event.key === 'ArrowDown') goTo(place + 1);
    else if (event.key === 'ArrowUp') goTo(place - 1);
    else if (event.key === 'Home') goTo(0);
    else if (event.key === 'End') goTo(lines.length - 1);
    else if (event.key === 'ArrowRight' && isHead && open.has(line.id)) goTo(place + 1);
    else if (event.key === 'ArrowRight' && isHead) setOpened(line.id, true);
    else if (event.key === 'ArrowLeft' && isHead) setOpened(line.id, false);
    else if (event.key === 'ArrowLeft' && !isHead) goTo(lines.findIndex(({ id }) => id === line.parent));
    else if (event.key === 'Enter' && isHead && !isButton) setOpened(line.id, !open.has(line.id));
    else return;
    event.preventDefault();
  }

  return { lines, place, open, setOpened, setCurrent, onKeyDown };
}

/** Rows are elements that take the focus; one of them is the stop of Tab. */
export function SubscriptionGrid({ rows }: { readonly rows: readonly SubscriptionRow[] }): ReactElement {
  const body = useRef<HTMLTableSectionElement>(null);
  const isNarrow = useIsNarrow();
  const heads = isNarrow ? HEADS.filter((head) => !FOLDED.includes(head)) : HEADS;
  const { lines, place, open, setOpened, setCurrent, onKeyDown } = useTree(rows, body);

  return (
    <div className={table.frame}>
      {/* A table in another role: its parts lose theirs and have to be named. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */}
      <table
        role="treegrid"
        aria-label={SUBSCRIPTIONS.table}
        aria-rowcount={lines.length + 1}
        aria-colcount={heads.length}
        className={cx(table.table, css.tree)}
      >
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {heads.map((head) => (
              <th key={head} role="columnheader" scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body} onKeyDown={onKeyDown}>
          {lines.map((line, index) => {
            const shared = {
              role: 'row',
              tabIndex: index === place ? 0 : -1,
              'aria-rowindex': index + 2,
              onFocus: () => setCurrent(line.id),
            };
            return line.kind === 'rule' ? (
              <tr key={line.id} {...shared} aria-level={2} className={css.rule}>
                <td role="gridcell" colSpan={heads.length} className={page.mono}>
                  {line.words}
                </td>
              </tr>
            ) : (
              <tr
                key={line.id}
                {...shared}
                aria-level={1}
                aria-expanded={open.has(line.id)}
                className={cx(css.row, line.row.state !== 'active' && table.bad)}
              >
                <Cells
                  row={line.row}
                  isNarrow={isNarrow}
                  isOpen={open.has(line.id)}
                  onToggle={() => setOpened(line.id, !open.has(line.id))}
                />
              </tr>
            );
          })}
        </tbody>
      </table>
      {/* oxlint-enable */}
    </div>
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

function bulkWords({ bulk }: SubscriptionRow): string {
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
    bulkWords(row),
    deadLetterTopic ?? VIEWS_COMMON.dash,
    stateWords(row),
  ];
  const named = cells.map((cell, index) => ({ head: HEADS[index] ?? '', cell }));
  const folded = isNarrow ? named.filter(({ head }) => FOLDED.includes(head)) : [];
  return (
    <>
      {named
        .filter((each) => !folded.includes(each))
        .map(({ head, cell }) => (
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- the table has another role, so its cells have none
          <td key={head} role="gridcell">
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
          </td>
        ))}
    </>
  );
}
