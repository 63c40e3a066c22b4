/** The button that sends what a problem with a route is about to where the app takes it now. */
import { Waypoints } from 'lucide-react';
import type { ReactElement } from 'react';
import { theApp } from '../../core/contract/app-text.ts';
import type { ReroutedProblem } from '../../core/contract/targets.ts';
import { ACT_WHY } from '../copy/acts.ts';
import { APPS } from '../copy/apps.ts';
import { fill } from '../copy/fill.ts';
import { useAway, useConsole } from '../state/context.ts';
import { Button } from './Button.tsx';

/** The button, on the Apps screen and in the banner of the problem. */
export function RerouteThem({ problem }: { readonly problem: ReroutedProblem }): ReactElement {
  const { acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  return (
    <Button
      icon={Waypoints}
      off={away}
      once
      hint={fill(APPS.rerouteHint, { app: theApp(problem.appId) })}
      onClick={() => void acting.reroute({ problem })}
    >
      {APPS.rerouteThem}
    </Button>
  );
}
