/** A button that asks one app for its subscriptions again. */
import { RotateCw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { ACT_WHY } from '../copy/acts.ts';
import { COMMAND_TITLES } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { reportDiscovered } from '../format/discovered-text.ts';
import { useAway, useConsole } from '../state/context.ts';
import { asFailure } from '../state/resource.ts';
import { Button } from './Button.tsx';

export function DiscoverAgain({ appId }: { readonly appId: string }): ReactElement {
  const { call, toasts, topology } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [pending, setPending] = useState(false);

  async function discover(): Promise<void> {
    setPending(true);
    try {
      const { discovery } = await call('subscriptions.discover', { appId });
      reportDiscovered(toasts, discovery);
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    } finally {
      setPending(false);
      topology.onChange();
    }
  }

  return (
    <Button
      icon={RotateCw}
      off={away}
      pending={pending}
      aria-label={fill(FRAME.discoverOf, { title: COMMAND_TITLES.discover, app: appId })}
      onClick={() => void discover()}
    >
      {COMMAND_TITLES.discover}
    </Button>
  );
}
