/** What waits for a person right now, in words, each with its rule and a link to it. */
import { Hand } from 'lucide-react';
import type { ReactElement } from 'react';
import type { RuntimeChanged } from '../../../core/contract/console.ts';
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

/** How much there is of each kind. */
interface Amounts {
  readonly runtime: RuntimeChanged;
  /** In component and subscription files. */
  readonly problems: number;
}

/** Everything that stands still until a person does something. */
export function itemsOf({ runtime, problems }: Amounts): readonly Item[] {
  const { counts } = runtime;
  const items: readonly Item[] = [
    { text: WAITING.parked, n: counts.parked, rule: 'policy.exhausted', href: filtered('state:parked') },
    { text: WAITING.held, n: runtime.holds, rule: 'hold.matched', href: '/holds' },
    { text: WAITING.answers, n: runtime.waiting, href: '/mock' },
    { text: WAITING.forApp, n: runtime.forApp ?? 0, href: filtered('state:waiting') },
    {
      text: WAITING.deadLettered,
      n: counts['dead-lettered'],
      rule: 'policy.dead-letter',
      href: filtered('state:dead-lettered'),
    },
    { text: WAITING.expired, n: counts.expired, rule: 'ttl.expired', href: filtered('state:expired') },
    { text: WAITING.problems, n: problems, href: '/components' },
  ];
  return items.filter(({ n }) => n > 0);
}

/** The button with the sum, and the list it opens. */
export function WaitingForYou(): ReactElement {
  const console = useConsole();
  const runtime = useSelected(console.connection, (state) => state.runtime);
  const { value: components } = useResource(console.topology.components);
  const problems =
    (components?.problems.length ?? 0) +
    (components?.items.reduce((sum, item) => sum + item.problems.length, 0) ?? 0);
  const items = runtime === undefined ? [] : itemsOf({ runtime, problems });
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
      {items.length === 0 ? <p>{WAITING.nothing}</p> : <Items items={items} />}
    </PopoverPanel>
  );
}

/** The names of holds and rules are asked for only while the list is open. */
function Items({ items }: { readonly items: readonly Item[] }): ReactElement {
  const console = useConsole();
  const { value: holds } = useResource(console.holds.rules);
  const { value: mock } = useResource(console.mockApps.app);
  const catching = (holds?.items ?? []).filter(({ hits }) => hits > 0);
  const asking = (mock?.rules ?? []).filter(({ enabled, answer }) => enabled && answer.kind === 'ask');
  const facts = {
    holds: catching.map(({ name, filter }) => `"${name ?? filter}"`).join(', ') || WAITING.heldByHand,
    rules:
      asking.flatMap(({ name }) => (name === undefined ? [] : [`"${name}"`])).join(', ') ||
      WAITING.answersNoName,
  };
  return (
    <ul className={css.list} aria-label={WAITING.title}>
      {items.map(({ text, n, rule, href }) => {
        const words = fill(text, { ...facts, n: count(n) });
        return (
          <li key={href} className={css.item}>
            <span>
              {words} {rule !== undefined && <code>{rule}</code>}
            </span>
            <Link href={href} aria-label={`${WAITING.show}: ${words}`}>
              {WAITING.show}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
