/**
 * Says that the ingress has a simulated fault, wherever that explains a failure, with a button that removes
 * it.
 */
import { TriangleAlert, Wrench } from 'lucide-react';
import type { ReactElement } from 'react';
import type { EventRouterStatus } from '../../../core/contract/event-router/components.ts';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { INGRESS, INGRESS_FAULT_WORDS } from './copy/local-router.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { useRouterActs } from './use-router-acts.ts';

/** Shows the fault of the ingress; nothing without one. */
export function BrokenIngress({ status }: { readonly status: EventRouterStatus }): ReactElement | null {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const fault = status.router?.ingress.fault ?? 'none';
  if (fault === 'none') return null;
  return (
    <div role="status" className={css.warning}>
      <TriangleAlert aria-hidden size={16} />
      <span>{fill(INGRESS.broken, { how: INGRESS_FAULT_WORDS[fault] })}</span>
      <Button
        icon={Wrench}
        off={away}
        pending={isPending('fix')}
        onClick={() =>
          run('fix', async () => {
            await call('eventRouter.faults', { ingress: 'none' });
            return INGRESS.fixed;
          })
        }
      >
        {INGRESS.fix}
      </Button>
    </div>
  );
}
