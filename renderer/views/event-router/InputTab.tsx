/**
 * The input side of one component: its start, configuration, handshakes, subscription, tokens and received
 * requests.
 */
import { Circle, CircleCheck, CircleX, Copy, LoaderCircle, Minus, RotateCw } from 'lucide-react';
import type { ReactElement } from 'react';
import type {
  EventRouterComponent,
  InputReport,
  StepReport,
} from '../../../core/contract/event-router/components.ts';
import { Button } from '../../components/Button.tsx';
import { useNow } from '../../components/clock.ts';
import { Empty } from '../../components/States.tsx';
import { INPUT, INPUT_STATES, STEP_MEANINGS, STEP_RESULTS } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import { duration } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { FieldChecks } from './FieldChecks.tsx';
import { HandshakePanel } from './HandshakePanel.tsx';
import { Panel } from './Panel.tsx';
import { Received } from './Received.tsx';
import { StoredPanel } from './StoredPanel.tsx';
import { TokenPanel } from './TokenPanel.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** The panels of the input side. */
export function InputTab({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { input } = component;
  if (input === undefined)
    return (
      <>
        {component.state === 'ready' && (
          <Empty title={fill(INPUT.none, { component: component.name, direction: component.direction })} />
        )}
        <FieldChecks component={component} />
      </>
    );
  return (
    <>
      <WebhookLine input={input} />
      <Previous component={component} input={input} />
      <StepsPanel component={component} input={input} />
      <FieldChecks component={component} />
      <HandshakePanel component={component} input={input} />
      <div className={css.pair}>
        <StoredPanel component={component} />
        <TokenPanel component={component} />
      </div>
      <Received component={component} input={input} />
    </>
  );
}

function WebhookLine({ input }: { readonly input: InputReport }): ReactElement | null {
  const { webhook, state } = input;
  const isReady = state === 'ready';
  const Mark = isReady ? CircleCheck : state === 'failed' ? CircleX : Circle;
  return (
    <p className={css.status}>
      <Mark
        aria-hidden
        size={16}
        className={css.mark}
        data-good={isReady || undefined}
        data-bad={state === 'failed' || undefined}
      />
      <span>{INPUT_STATES[state]}</span>
      {webhook !== undefined && (
        <span className={css.muted}>
          {webhook.listening
            ? fill(INPUT.listening, { address: webhook.address, path: webhook.path })
            : fill(INPUT.notListening, { address: webhook.address })}
        </span>
      )}
    </p>
  );
}

interface PartProps {
  readonly component: EventRouterComponent;
  readonly input: InputReport;
}

function Previous({ component, input }: PartProps): ReactElement | null {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const { previous } = input;
  if (previous === undefined) return null;
  return (
    <div role="status" className={css.warning}>
      <span>{fill(INPUT.previous, previous)}</span>
      <Button
        off={away}
        pending={isPending('previous')}
        onClick={() =>
          run('previous', async () => {
            await call('eventRouter.subscriptions', {
              component: component.name,
              act: 'delete',
              scope: previous.scope,
              name: previous.name,
            });
            return INPUT.deleted;
          })
        }
      >
        {INPUT.deletePrevious}
      </Button>
    </div>
  );
}

const ICONS = {
  pending: Circle,
  running: LoaderCircle,
  done: CircleCheck,
  skipped: Minus,
  retrying: RotateCw,
  failed: CircleX,
} as const;

function StepsPanel({ component, input }: PartProps): ReactElement {
  const { acting, call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  return (
    <Panel
      title={INPUT.steps}
      acts={
        <>
          <Button
            off={away}
            pending={isPending('reload')}
            onClick={() =>
              run('reload', async () => {
                await call('components.reload', {});
                return INPUT.reloaded;
              })
            }
          >
            {INPUT.reload}
          </Button>
          <Button
            icon={Copy}
            off={away}
            onClick={() =>
              run('diagnostics', async () => {
                const of = { component: component.name };
                const { components, ...router } = await call('eventRouter.status', of);
                const { items } = await call('eventRouter.token', of);
                // The methods of the event router return every secret masked.
                await acting.copy(JSON.stringify({ router, components, tokens: items }, null, 2));
                return undefined;
              })
            }
          >
            {INPUT.diagnostics}
          </Button>
          {input.state !== 'ready' && (
            <Button
              icon={RotateCw}
              off={away}
              pending={isPending('retry')}
              onClick={() =>
                run('retry', async () => {
                  await call('eventRouter.handshake', { component: component.name, act: 'retry' });
                  return INPUT.retried;
                })
              }
            >
              {INPUT.retryNow}
            </Button>
          )}
        </>
      }
    >
      <ol className={css.steps}>
        {input.steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </ol>
    </Panel>
  );
}

function Step({ step }: { readonly step: StepReport }): ReactElement {
  const { result, message, code, attempts, nextAttemptAt } = step;
  const Icon = ICONS[result];
  const isBad = result === 'failed' || result === 'retrying';
  const now = useNow(nextAttemptAt !== undefined);
  const left = nextAttemptAt === undefined ? 0 : Date.parse(nextAttemptAt) - now;
  const facts = [
    STEP_RESULTS[result],
    ...(attempts > 1 ? [fill(INPUT.attempts, { n: attempts })] : []),
    ...(step.durationMs === undefined || result === 'skipped'
      ? []
      : [fill(INPUT.took, { t: duration(step.durationMs) })]),
    ...(nextAttemptAt === undefined ? [] : [fill(INPUT.next, { time: clockTime(nextAttemptAt) })]),
  ];
  return (
    <li className={css.step}>
      <Icon
        aria-hidden
        size={14}
        className={css.mark}
        data-good={result === 'done' || undefined}
        data-bad={result === 'failed' || undefined}
        data-busy={result === 'retrying' || result === 'running' || undefined}
      />
      <span className={css.name} title={STEP_MEANINGS[step.step]}>
        {INPUT_STATES[step.step]}
      </span>
      <div>
        <p className={css.muted} title={step.endedAt === undefined ? undefined : utcTime(step.endedAt)}>
          {facts.join(' · ')}
          {left > 0 && <span aria-hidden> ({duration(left)})</span>}
        </p>
        {message !== undefined && (
          <p className={isBad ? css.problem : undefined}>
            {code !== undefined && <code>{code} </code>}
            {message}
          </p>
        )}
        {message === undefined && result !== 'done' && (
          <p className={css.muted}>{STEP_MEANINGS[step.step]}</p>
        )}
      </div>
    </li>
  );
}
