/** The button that replays messages that no app got, now that an app subscribes to their topic. */
import { Repeat } from 'lucide-react';
import type { ReactElement } from 'react';
import { ACT_WHY } from '../copy/acts.ts';
import { APPS } from '../copy/apps.ts';
import { useAway, useConsole } from '../state/context.ts';
import { Button } from './Button.tsx';

/** The button, on the Apps screen and in the banner of the problem. Its dialog says how many there are. */
export function ReplayThem({ filter }: { readonly filter: string }): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  return (
    <Button
      icon={Repeat}
      off={away}
      hint={APPS.replayHint}
      onClick={() =>
        commands.open({ kind: 'replay-many', what: { filter }, removes: undefined, isUndelivered: true })
      }
    >
      {APPS.replayThem}
    </Button>
  );
}
