/** What helps with the messages of a problem: they are shown in the list, or replayed to where the app takes them now. */
import { Send } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Problem } from '../../../core/contract/subscription.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { Button } from '../../components/Button.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { APPS } from '../../copy/apps.ts';
import { useAway, useConsole } from '../../state/context.ts';
import css from './Apps.module.css';
import { helps } from './use-help.ts';

/** Problems whose messages go to another route once they are replayed. */
const REPLAYS: ReadonlySet<string | undefined> = new Set(['missing-route', 'old-route']);

/** The acts; nothing for a problem that is about no messages. */
export function ProblemActs({ problem }: { readonly problem: Problem }): ReactElement | null {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { code, filter } = problem;
  if (filter === undefined) return null;
  // What still waits with an old route must not be sent there after its replay.
  const removes = code === 'old-route';
  return (
    <span className={css.problemActs} {...helps('acts')}>
      {REPLAYS.has(code) && (
        <Button
          icon={Send}
          off={away}
          onClick={() => commands.open({ kind: 'replay-many', what: { filter }, removes })}
        >
          {APPS.replayThem}
        </Button>
      )}
      <Link href={`/messages?f=${addressPart(filter)}`}>{APPS.showThem}</Link>
    </span>
  );
}
