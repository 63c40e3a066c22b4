/** The embedded router: its addresses, what it sends by hand, ingress and certificates, deliveries, dead letters, faults. */
import { Copy, Send } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Facts } from '../../components/Facts.tsx';
import type { EventRouterComponent, EventRouterStatus } from '../../../core/contract/event-router-console.ts';
import type { EmulateResult } from '../../../core/contract/event-router-methods.ts';
import {
  TOKEN_FAULTS,
  type LocalRouterStatus,
  type TokenFault,
} from '../../../core/contract/local-router-parts.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Field } from '../../components/Fields.tsx';
import { Empty } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { EMULATOR, TOKEN_FAULT_WORDS } from '../../copy/local-router.ts';
import { clockSeconds, duration } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import { DeadLetters } from './DeadLetters.tsx';
import css from './EventRouter.module.css';
import { FaultsPanel } from './FaultsPanel.tsx';
import { IngressPanel } from './IngressPanel.tsx';
import { Panel } from './Panel.tsx';
import { PolicySimulator } from './PolicySimulator.tsx';
import { RefusedPanel } from './RefusedPanel.tsx';
import { RouterDeliveries } from './RouterDeliveries.tsx';
import { useRouterActs } from './use-router-acts.ts';

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
      <RouterDeliveries />
      <DeadLetters />
      <div className={css.pair}>
        <div className={css.tab}>
          <EmulatePanel component={component} />
          <PolicySimulator timeScale={status.router.timeScale} />
        </div>
        <FaultsPanel component={component} />
      </div>
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

type SendKind = keyof typeof EMULATOR.kinds;

function isSendKind(value: string): value is SendKind {
  return value in EMULATOR.kinds;
}

function isTokenFault(value: string): value is TokenFault {
  return TOKEN_FAULTS.some((each) => each === value);
}

function samples(n: number): readonly Readonly<Record<string, unknown>>[] {
  return Array.from({ length: n }, (_, index) => ({
    specversion: '1.0',
    type: 'com.example.emulated',
    source: '/emulator',
    id: crypto.randomUUID(),
    subject: `/sample/${index + 1}`,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { orderId: index + 1 },
  }));
}

function EmulatePanel({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const [kind, setKind] = useState<SendKind>('event');
  const [token, setToken] = useState<TokenFault>('valid');
  const [answer, setAnswer] = useState<EmulateResult>();
  return (
    <Panel title={EMULATOR.send}>
      <div className={css.fields}>
        <Field label={EMULATOR.sendKind}>
          {({ id }) => (
            <Choice
              wide
              id={id}
              label={EMULATOR.sendKind}
              value={kind}
              options={Object.entries(EMULATOR.kinds).map(([value, title]) => ({ value, title }))}
              onChange={(next) => isSendKind(next) && setKind(next)}
            />
          )}
        </Field>
        <Field label={EMULATOR.token}>
          {({ id }) => (
            <Choice
              wide
              id={id}
              label={EMULATOR.token}
              value={token}
              options={TOKEN_FAULTS.map((value) => ({ value, title: TOKEN_FAULT_WORDS[value] }))}
              onChange={(next) => isTokenFault(next) && setToken(next)}
            />
          )}
        </Field>
        <Button
          icon={Send}
          off={away}
          pending={isPending('emulate')}
          onClick={() =>
            run('emulate', async () => {
              setAnswer(undefined);
              setAnswer(
                await call('eventRouter.emulate', {
                  component: component.name,
                  token,
                  ...(kind === 'handshake'
                    ? { send: 'handshake' as const }
                    : { send: 'events' as const, events: samples(kind === 'batch' ? 3 : 1) }),
                }),
              );
              return undefined;
            })
          }
        >
          {EMULATOR.sendNow}
        </Button>
      </div>
      <div role="status">
        {answer !== undefined && (
          <>
            <p className={answer.status === 200 ? undefined : css.problem}>
              {answer.status === undefined
                ? (answer.error ?? '')
                : fill(EMULATOR.answer, { status: answer.status, t: duration(answer.durationMs) })}
              {answer.health !== undefined && ` · ${EMULATOR.healths[answer.health]}`}
            </p>
            {answer.body !== '' && <pre className={css.code}>{answer.body}</pre>}
          </>
        )}
      </div>
    </Panel>
  );
}
