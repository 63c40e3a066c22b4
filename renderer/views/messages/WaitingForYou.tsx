/** Lists in words what waits for a person now, each with its rule and a link. */
import { Hand } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import type { RuntimeChanged } from '../../../core/contract/console.ts';
import type { HeldItem, Hold } from '../../../core/contract/hold.ts';
import { Link } from 'wouter';
import { Button } from '../../components/Button.tsx';
import { PopoverPanel } from '../../components/PopoverPanel.tsx';
import { fill } from '../../copy/fill.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { WAITING } from '../../copy/waiting.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { problemsOf } from '../../format/component.ts';
import { count } from '../../format/quantity.ts';
import { useConsole, useOpenings, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { holdersOf } from '../../format/holders.ts';
import { routeProblems } from '../../format/apps.ts';
import css from './WaitingForYou.module.css';

interface Item {
  readonly text: string;
  readonly n: number;
  /** The hold, for the gap of the text. */
  readonly by?: string;
  /** Rule that caused it; undefined: none. */
  readonly rule?: string;
  readonly href: string;
  /** Texts by cause, if it has several. */
  readonly reasons?: Reasons;
  /** True: the view "Needs attention" counts it too. */
  readonly isInView?: boolean;
}

/** Kinds that are listed by the rule that caused them. */
type ByRule = 'parkedBy' | 'deadLetteredBy';

/** Kinds that are listed by their causes. */
type Reasons = ByRule | 'endedBy';

const STATE_OF = { parkedBy: 'parked', deadLetteredBy: 'dead-lettered' } as const;

/** A line of a kind with several causes. */
interface ReasonLine {
  readonly rule?: string;
  readonly text: string;
  readonly filter: string;
}

/** What ended before it was processed, by the state. */
const ENDED: readonly ReasonLine[] = [
  { rule: 'ttl.expired', text: WAITING.endedBy.expired, filter: 'state:expired' },
  { text: WAITING.endedBy.refused, filter: 'state:refused' },
];

/** The lines of a kind with several causes. */
export function linesOf(reasons: Reasons): readonly ReasonLine[] {
  return reasons === 'endedBy' ? ENDED : reasonFilters(reasons);
}

/**
 * Filters for the messages of a state, one for each rule; a message that matches several belongs to the
 * first.
 */
export function reasonFilters(reasons: ByRule): readonly (ReasonLine & { readonly rule: string })[] {
  const rules = Object.entries(WAITING[reasons]);
  return rules.map(([rule, text], index) => {
    // Another delivery of the message may have the same rule in another state.
    const inState = (of: string): string => `lastrule:${STATE_OF[reasons]}/${of}`;
    const earlier = rules.slice(0, index).map(([other]) => ` -${inState(other)}`);
    return { rule, text, filter: `state:${STATE_OF[reasons]} ${inState(rule)}${earlier.join('')}` };
  });
}

function filtered(filter: string): string {
  return `/messages?f=${addressPart(filter)}`;
}

/** Number of each kind. */
interface Amounts {
  readonly runtime: RuntimeChanged;
  /** Number of problems that the Components screen shows. */
  readonly problems: number;
  /** Number of problems with routes that the Apps screen shows. */
  readonly routes?: number;
}

/** Everything that stands still until a person acts. */
export function itemsOf({ runtime, problems, routes = 0 }: Amounts): readonly Item[] {
  const { counts, unpublished = 0 } = runtime;
  const items: readonly Item[] = [
    {
      text: WAITING.parked,
      n: counts.parked,
      reasons: 'parkedBy',
      href: filtered('state:parked'),
      isInView: true,
    },
    { text: WAITING.held, n: runtime.holds, href: '/holds' },
    { text: WAITING.answers, n: runtime.waiting, href: '/mock' },
    { text: WAITING.forApp, n: runtime.forApp ?? 0, href: filtered('state:waiting') },
    {
      text: WAITING.deadLettered,
      n: counts['dead-lettered'],
      reasons: 'deadLetteredBy',
      href: filtered('state:dead-lettered'),
      isInView: true,
    },
    {
      text: WAITING.ended,
      n: counts.expired + unpublished,
      reasons: 'endedBy',
      href: filtered('state:expired,refused'),
      isInView: true,
    },
    { text: WAITING.routes, n: routes, href: '/apps' },
    { text: `${COMPONENTS.problemsOfAll}.`, n: problems, href: '/components' },
  ];
  return items.filter(({ n }) => n > 0);
}

/** What the number on the button counts, beside that of the view "Needs attention". */
export function sumText(items: readonly Item[]): string {
  const sumOf = (all: readonly Item[]): number => all.reduce((total, { n }) => total + n, 0);
  const sum = sumOf(items);
  const attention = sumOf(items.filter(({ isInView }) => isInView === true));
  if (attention === sum) return fill(WAITING.countsSame, { n: count(sum) });
  return fill(attention === 0 ? WAITING.counts : WAITING.countsBoth, {
    n: count(sum),
    attention: count(attention),
    others: count(sum - attention),
  });
}

/** The button with the sum, and its list. */
export function WaitingForYou(): ReactElement {
  const console = useConsole();
  const runtime = useSelected(console.connection, (state) => state.runtime);
  const { value: components } = useResource(console.topology.components);
  const { value: apps } = useResource(console.topology.apps);
  const routes = routeProblems(apps?.items ?? []);
  const items = runtime === undefined ? [] : itemsOf({ runtime, problems: problemsOf(components), routes });
  const sum = items.reduce((total, { n }) => total + n, 0);
  return (
    <PopoverPanel
      title={WAITING.title}
      align="end"
      trigger={
        <Button icon={Hand} kind="quiet" hint={sum > 0 ? sumText(items) : WAITING.nothing}>
          <span className={css.words}>{WAITING.button}</span>
          {sum > 0 && <span className={css.sum}> {count(sum)}</span>}
        </Button>
      }
    >
      {items.length === 0 ? (
        <p>{WAITING.nothing}</p>
      ) : (
        <>
          <Items items={items} />
          <p className={css.counts}>{sumText(items)}</p>
        </>
      )}
    </PopoverPanel>
  );
}

/** Sentence and rule of held things; undefined: not all of them are known. */
function heldBy(
  { items, total }: { readonly items: readonly HeldItem[]; readonly total: number },
  holds: readonly Hold[],
): Pick<Item, 'text' | 'by' | 'rule'> | undefined {
  if (items.length === 0 || items.length < total) return undefined;
  const isByHand = items.every((item) => item.heldBy === undefined);
  return {
    text: WAITING.heldBy,
    by: holdersOf(items, holds),
    rule: isByHand ? 'user.hold' : 'hold.matched',
  };
}

/** The list. Holds and their queue are loaded only while it is open. */
function Items({ items }: { readonly items: readonly Item[] }): ReactElement {
  const console = useConsole();
  const { value: holds } = useResource(console.holds.list);
  const { value: queue } = useResource(console.holds.queue);
  const held = holds === undefined || queue === undefined ? undefined : heldBy(queue, holds.items);
  return (
    <ul className={css.list} aria-label={WAITING.title}>
      {items.map((item) =>
        item.reasons === undefined ? (
          <Line
            key={item.href}
            item={item.text === WAITING.held && held !== undefined ? { ...item, ...held } : item}
          />
        ) : (
          <ByReason key={item.href} item={item} reasons={item.reasons} />
        ),
      )}
    </ul>
  );
}

function Line({ item: { text, n, by, rule, href } }: { readonly item: Item }): ReactElement {
  const words = fill(text, { n: count(n), by });
  return (
    <li className={css.item}>
      <span>
        {words} {rule !== undefined && <code>{rule}</code>}
      </span>
      <Link href={href} aria-label={`${WAITING.show}: ${words}`}>
        {WAITING.show}
      </Link>
    </li>
  );
}

/**
 * One line for each cause; a single line without a reason until the host has counted.
 */
function ByReason({ item, reasons }: { readonly item: Item; readonly reasons: Reasons }): ReactElement {
  const { call } = useConsole();
  const openings = useOpenings();
  const [lines, setLines] = useState<readonly Item[]>();
  useEffect(() => {
    let isCurrent = true;
    const counted = linesOf(reasons).map(async ({ filter, ...line }) => {
      const { total } = await call('messages.list', { filter, limit: 1 });
      return { ...line, n: total, href: filtered(filter) };
    });
    Promise.all(counted).then(
      (all) => isCurrent && setLines(all.filter(({ n }) => n > 0)),
      // The line has no reason without an answer, which the connection bar reports.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [call, reasons, item.n, openings]);
  if (lines === undefined || lines.length === 0) return <Line item={item} />;
  return (
    <>
      {lines.map((line) => (
        <Line key={line.href} item={line} />
      ))}
    </>
  );
}
