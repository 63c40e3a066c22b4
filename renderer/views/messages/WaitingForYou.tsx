/** What waits for a person right now, in words, each with its rule and a link to it. */
import { Hand } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/Button.tsx';
import { PopoverPanel } from '../../components/PopoverPanel.tsx';
import { fill } from '../../copy/fill.ts';
import { WAITING } from '../../copy/why.ts';
import { count } from '../../format/quantity.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './WaitingForYou.module.css';

interface Item {
  readonly text: string;
  readonly n: number;
  /** Rule that brought it about; undefined: none. */
  readonly rule?: string;
  readonly href: string;
}

function filtered(filter: string): string {
  return `/messages?f=${encodeURIComponent(filter)}`;
}

/** Everything that stands still until a person does something. */
function useItems(): readonly Item[] {
  const console = useConsole();
  const runtime = useSelected(console.connection, (state) => state.runtime);
  const { value: holds } = useResource(console.holds.rules);
  const { value: components } = useResource(console.topology.components);
  const { value: mock } = useResource(console.mockApps.app);
  if (runtime === undefined) return [];
  const { counts } = runtime;
  const holding = (holds?.items ?? [])
    .filter(({ hits }) => hits > 0)
    .map(({ name, filter }) => name ?? filter);
  const asking = (mock?.rules ?? []).filter(({ enabled, answer }) => enabled && answer.kind === 'ask');
  const problems =
    (components?.problems.length ?? 0) +
    (components?.items.reduce((sum, item) => sum + item.problems.length, 0) ?? 0);
  const items: readonly (Omit<Item, 'text'> & { readonly text: string; readonly facts?: object })[] = [
    { text: WAITING.parked, n: counts.parked, rule: 'policy.exhausted', href: filtered('state:parked') },
    {
      text: WAITING.held,
      n: runtime.holds,
      facts: {
        holds: holding.length === 0 ? WAITING.heldByHand : holding.map((name) => `"${name}"`).join(', '),
      },
      rule: 'hold.matched',
      href: '/holds',
    },
    {
      text: WAITING.answers,
      n: runtime.waiting,
      facts: {
        rules:
          asking.flatMap(({ name }) => (name === undefined ? [] : [`"${name}"`])).join(', ') ||
          WAITING.answersNoName,
      },
      href: '/mock',
    },
    {
      text: WAITING.deadLettered,
      n: counts['dead-lettered'],
      rule: 'policy.dead-letter',
      href: filtered('state:dead-lettered'),
    },
    { text: WAITING.expired, n: counts.expired, rule: 'ttl.expired', href: filtered('state:expired') },
    { text: WAITING.problems, n: problems, href: '/components' },
  ];
  return items
    .filter(({ n }) => n > 0)
    .map(({ text, facts, ...item }) => ({ ...item, text: fill(text, { ...facts, n: count(item.n) }) }));
}

/** The button with the sum, and the list it opens. */
export function WaitingForYou(): ReactElement {
  const items = useItems();
  const sum = items.reduce((total, { n }) => total + n, 0);
  return (
    <PopoverPanel
      title={WAITING.title}
      align="end"
      trigger={
        <Button icon={Hand} kind="quiet">
          {WAITING.button}
          {sum > 0 && <span className={css.sum}> {count(sum)}</span>}
        </Button>
      }
    >
      {items.length === 0 && <p>{WAITING.nothing}</p>}
      <ul className={css.list} aria-label={WAITING.title}>
        {items.map(({ text, rule, href }) => (
          <li key={href} className={css.item}>
            <span>
              {text} {rule !== undefined && <code>{rule}</code>}
            </span>
            <Link href={href} aria-label={`${WAITING.show}: ${text}`}>
              {WAITING.show}
            </Link>
          </li>
        ))}
      </ul>
    </PopoverPanel>
  );
}
