/**
 * The Event router screen: one component's input and output side, and the router that replaces the cloud
 * service.
 */
import { Plus } from 'lucide-react';
import { useEffect, type ReactElement } from 'react';
import type {
  EventRouterComponent,
  EventRouterStatus,
} from '../../../core/contract/event-router/components.ts';
import { PROFILES } from '../../../core/contract/profile.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Empty } from '../../components/States.tsx';
import { TabBar } from '../../components/TabBar.tsx';
import { EVENT_ROUTER } from './copy/event-router.ts';
import { FILES } from '../../copy/files.ts';
import { fill } from '../../copy/fill.ts';
import { ProblemList } from '../../components/ProblemList.tsx';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { BrokenIngress } from './BrokenIngress.tsx';
import { EmulatorTab } from './EmulatorTab.tsx';
import css from './EventRouter.module.css';
import { InputTab } from './InputTab.tsx';
import { OutputTab } from './OutputTab.tsx';
import { Known } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** Interval of requests, because the router's own work sends no event. */
const FRESH_MS = 2000;

/** The screen. */
export function EventRouterView(): ReactElement {
  const { eventRouter } = useConsole();
  useEffect(() => {
    const timer = setInterval(() => eventRouter.onChange(), FRESH_MS);
    return () => clearInterval(timer);
  }, [eventRouter]);
  return (
    <div className={page.view}>
      <Head />
      <Known of={eventRouter.status} loading={EVENT_ROUTER.loading} failed={EVENT_ROUTER.failed}>
        {(status) => <Loaded status={status} />}
      </Known>
    </div>
  );
}

function modeText({ mode, externalName }: EventRouterStatus): string {
  if (mode === 'external') return fill(EVENT_ROUTER.external, { name: externalName });
  return mode === 'embedded' ? EVENT_ROUTER.embedded : EVENT_ROUTER.off;
}

/** The component in the address, else the first. */
function useChosen(status: EventRouterStatus | undefined): EventRouterComponent | undefined {
  const named = useParam('c');
  return status?.components.find(({ name }) => name === named) ?? status?.components[0];
}

/** The title, and facts about the router once they are loaded. */
function Head(): ReactElement {
  const { eventRouter, navigation } = useConsole();
  const { value: status } = useResource(eventRouter.status);
  const chosen = useChosen(status);
  return (
    <div className={page.head}>
      <h1>{EVENT_ROUTER.title}</h1>
      {status !== undefined && <span className={page.muted}>{modeText(status)}</span>}
      <span className={page.space} />
      {status !== undefined && chosen !== undefined && (
        <Choice
          label={EVENT_ROUTER.component}
          value={chosen.name}
          options={status.components.map(({ name }) => ({ value: name, title: name }))}
          onChange={(c) => navigation.change({ c }, { replace: true })}
        />
      )}
    </div>
  );
}

function Loaded({ status }: { readonly status: EventRouterStatus }): ReactElement {
  const { navigation } = useConsole();
  const tab = useParam('t') ?? 'input';
  const chosen = useChosen(status);
  if (chosen === undefined) return <None status={status} />;
  return (
    <TabBar
      label={EVENT_ROUTER.tabs}
      value={tab}
      onChange={(t) => navigation.change({ t: t === 'input' ? undefined : t })}
      tabs={[
        {
          id: 'input',
          title: EVENT_ROUTER.input,
          panel: () => (
            <Side component={chosen} status={status}>
              <InputTab key={chosen.name} component={chosen} />
            </Side>
          ),
        },
        {
          id: 'output',
          title: EVENT_ROUTER.output,
          panel: () => (
            <Side component={chosen} status={status}>
              <OutputTab key={chosen.name} component={chosen} />
            </Side>
          ),
        },
        {
          id: 'emulator',
          title: EVENT_ROUTER.emulator,
          panel: () => (
            <Side component={chosen} status={status}>
              <EmulatorTab component={chosen} status={status} />
            </Side>
          ),
        },
      ]}
    />
  );
}

/** Says how long a component that was added here stays, with the button that removes it. */
function Added({ component }: { readonly component: EventRouterComponent }): ReactElement | null {
  const { call } = useConsole();
  const { away, ask, isPending } = useRouterActs();
  const { added, name } = component;
  if (added === undefined) return null;
  const title = fill(EVENT_ROUTER.remove, { component: name });
  return (
    <div className={css.head}>
      <span className={page.muted}>
        {added.notKept === undefined
          ? EVENT_ROUTER.isKept
          : fill(EVENT_ROUTER.livesForNow, { why: added.notKept })}
      </span>
      <Button
        off={away}
        pending={isPending('remove')}
        onClick={() =>
          ask({ title, text: fill(EVENT_ROUTER.removeQuestion, { component: name }) }, 'remove', async () => {
            await call('eventRouter.create', { component: name, remove: true });
            return fill(EVENT_ROUTER.removed, { component: name });
          })
        }
      >
        {title}
      </Button>
    </div>
  );
}

interface SideProps {
  readonly component: EventRouterComponent;
  readonly status: EventRouterStatus;
  readonly children: ReactElement;
}

function Side({ component, status, children }: SideProps): ReactElement {
  const problems = component.problems.filter(({ severity }) => severity !== 'warning');
  return (
    <div className={page.body}>
      <div className={css.tab}>
        {status.routerError !== undefined && (
          <p role="alert" className={css.problem}>
            {fill(EVENT_ROUTER.routerError, { message: status.routerError.message })}
          </p>
        )}
        <BrokenIngress status={status} />
        {component.state !== 'ready' && component.reason !== undefined && (
          <p role="alert" className={css.problem}>
            {problems.length > 1
              ? fill(EVENT_ROUTER.notReadyFor, { n: problems.length })
              : fill(EVENT_ROUTER.notReady, { reason: component.reason })}
          </p>
        )}
        <ProblemList label={EVENT_ROUTER.component} problems={problems} />
        {children}
        <Added component={component} />
      </div>
    </div>
  );
}

function None({ status }: { readonly status: EventRouterStatus }): ReactElement {
  const { call, commands, connection } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const folder = useSelected(connection, ({ system }) => system?.folder);
  const profile = useSelected(connection, ({ system }) => system?.profile ?? 'sidecar');
  return (
    <Empty title={fill(EVENT_ROUTER.empty, { type: PROFILES[profile].binding.type })}>
      <p className={page.muted}>{EVENT_ROUTER.emptyHint}</p>
      {status.routerError !== undefined && (
        <p role="alert" className={css.problem}>
          {fill(EVENT_ROUTER.routerError, { message: status.routerError.message })}
        </p>
      )}
      <div className={page.bar}>
        <Button
          kind="primary"
          icon={Plus}
          off={away}
          pending={isPending('create')}
          onClick={() =>
            run('create', async () => {
              const { component, file, notKept: why } = await call('eventRouter.create', {});
              return why === undefined
                ? fill(EVENT_ROUTER.created, { component, file })
                : fill(EVENT_ROUTER.createdForNow, { component, why });
            })
          }
        >
          {EVENT_ROUTER.create}
        </Button>
        <Button
          off={away ?? (folder === undefined ? FILES.newOff : undefined)}
          onClick={() => commands.open({ kind: 'file', template: 'router' })}
        >
          {EVENT_ROUTER.createOne}
        </Button>
      </div>
    </Empty>
  );
}
