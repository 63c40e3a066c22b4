/** What helps with the messages of a problem: they are shown in the list, or sent to where the app takes them now. */
import { Waypoints } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Problem } from '../../../core/contract/subscription.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { theApp } from '../../../core/contract/app-text.ts';
import { REROUTED_PROBLEMS } from '../../../core/contract/rerouted-problems.ts';
import { Button } from '../../components/Button.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { APPS } from '../../copy/apps.ts';
import { fill } from '../../copy/fill.ts';
import { useAway, useConsole } from '../../state/context.ts';
import css from './Apps.module.css';
import { helps } from './use-help.ts';

/** The acts; nothing for a problem that is about no messages. */
export function ProblemActs({ problem }: { readonly problem: Problem }): ReactElement | null {
  const { acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { filter, deliveries } = problem;
  if (filter === undefined) return null;
  const code = REROUTED_PROBLEMS.find((each) => each === problem.code);
  return (
    <span className={css.problemActs} {...helps('acts')}>
      {code !== undefined && deliveries !== undefined && (
        <Button
          icon={Waypoints}
          off={away}
          once
          hint={fill(APPS.rerouteHint, { app: theApp(deliveries.appId) })}
          onClick={() => void acting.reroute({ problem: { code, ...deliveries } })}
        >
          {APPS.rerouteThem}
        </Button>
      )}
      <Link href={`/messages?f=${addressPart(filter)}`}>{APPS.showThem}</Link>
    </span>
  );
}
