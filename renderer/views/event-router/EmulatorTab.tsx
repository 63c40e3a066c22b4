/**
 * The embedded router: its addresses, emulator, ingress and certificates, deliveries, dead letters, faults.
 */
import { Copy } from 'lucide-react';
import type { ReactElement } from 'react';
import { Facts } from '../../components/Facts.tsx';
import type {
  EventRouterComponent,
  EventRouterStatus,
} from '../../../core/contract/event-router/components.ts';
import type { LocalRouterStatus } from '../../../core/contract/event-router/local-router-status.ts';
import { IconButton } from '../../components/Button.tsx';
import { Empty } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { EMULATOR } from './copy/local-router.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { duration } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import { BreakpointsPanel } from './BreakpointsPanel.tsx';
import { DeadLetters } from './DeadLetters.tsx';
import css from './EventRouter.module.css';
import { EmulatePanel } from './EmulatePanel.tsx';
import { FaultsPanel } from './FaultsPanel.tsx';
import { IdentityPanel } from './IdentityPanel.tsx';
import { IngressPanel } from './IngressPanel.tsx';
import { Panel } from './Panel.tsx';
import { PolicySimulator } from './PolicySimulator.tsx';
import { RefusedPanel } from './RefusedPanel.tsx';
import { RouterDeliveries } from './RouterDeliveries.tsx';

/** The panels of the embedded router, or why there are none. */
export function EmulatorTab({
  component,
  status,
}: {
  readonly component: EventRouterComponent;
  readonly status: EventRouterStatus;
}): ReactElement {
  if (status.mode === 'external')
    return <Empty title={fill(EMULATOR.external, { name: status.externalName })} />;
  if (status.router === undefined) return <Empty title={EMULATOR.off} />;
  return (
    <>
      <p className={css.muted}>{EMULATOR.text}</p>
      <IngressPanel />
      <RouterDeliveries router={status.router} />
      <BreakpointsPanel />
      <DeadLetters />
      <div className={css.pair}>
        <div className={css.tab}>
          <EmulatePanel key={component.name} component={component} />
          <PolicySimulator component={component.name} timeScale={status.router.timeScale} />
        </div>
        <FaultsPanel key={component.name} component={component} />
      </div>
      <IdentityPanel />
      <RefusedPanel refusals={status.router.refusals} />
      <Addresses router={status.router} />
    </>
  );
}

const HOUR_MS = 3_600_000;

function Addresses({ router }: { readonly router: LocalRouterStatus }): ReactElement {
  const { acting } = useConsole();
  const address = (name: string, url: string): readonly [string, ReactElement] => [
    name,
    <span key={name} className={css.check}>
      <bdi className={css.value}>{url}</bdi>
      <IconButton
        icon={Copy}
        label={fill(EMULATOR.copyAddress, { name })}
        onClick={() => void acting.copy(url)}
      />
    </span>,
  ];
  return (
    <Panel title={EMULATOR.addresses}>
      <Facts
        facts={[
          address(EMULATOR.router, router.addresses.router),
          address(EMULATOR.ingress, router.addresses.ingress),
          ...Object.entries(router.addresses.topicPorts).map(([topic, url]) => address(topic, url)),
          [EMULATOR.namespace, router.namespace],
          [
            EMULATOR.timeScale,
            fill(EMULATOR.timeScaleOf, {
              n: router.timeScale,
              t: duration(HOUR_MS * router.timeScale),
            }),
          ],
        ]}
      />
      {router.notes.length > 0 && (
        <details>
          <summary>{EMULATOR.notes}</summary>
          <ol>
            {router.notes.toReversed().map((note, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- several may come in one millisecond
              <li key={`${note.at} ${index}`}>
                <time dateTime={note.at}>{clockSeconds(note.at)}</time>{' '}
                {note.code !== undefined && <code>{note.code} </code>}
                {note.text}
              </li>
            ))}
          </ol>
        </details>
      )}
    </Panel>
  );
}
