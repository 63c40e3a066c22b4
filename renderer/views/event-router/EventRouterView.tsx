/** The place of the Event router screen: what is missing for it. */
import type { ReactElement } from 'react';
import { PROFILES } from '../../../core/contract/profile.ts';
import { Button } from '../../components/Button.tsx';
import { Empty } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { EVENT_ROUTER } from '../../copy/settings.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';

/** The empty state. */
export function EventRouterView(): ReactElement {
  const { connection, places } = useConsole();
  const profile = useSelected(connection, ({ system }) => system?.profile ?? 'sidecar');
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{EVENT_ROUTER.title}</h1>
      </div>
      <Empty title={fill(EVENT_ROUTER.empty, { type: PROFILES[profile].binding.type })}>
        <Button onClick={() => places.go('/components')}>{EVENT_ROUTER.open}</Button>
      </Empty>
    </div>
  );
}
