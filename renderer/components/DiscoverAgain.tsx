/** A button that asks one app for its subscriptions again. */
import { RotateCw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { ACT_WHY } from '../copy/acts.ts';
import { fill } from '../copy/fill.ts';
import { APPS } from '../copy/settings-host.ts';
import { tellDiscovered } from '../format/discovered-text.ts';
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
      tellDiscovered(toasts, discovery);
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
      aria-label={fill(APPS.discoverOf, { app: appId })}
      onClick={() => void discover()}
    >
      {APPS.discover}
    </Button>
  );
}
