/** The Mock app screen: its answers, its subscriptions, and its requests. */
import { theApp, theAppFirst } from '../../../core/contract/app-text.ts';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { MockAppState } from '../../../core/contract/mock-app.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button } from '../../components/Button.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { TabBar } from '../../components/TabBar.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { MOCK } from '../../copy/mock-app.ts';
import { count } from '../../format/quantity.ts';
import { useAway, useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { addressesWith } from '../../format/addresses.ts';
import { AnswersTab } from './AnswersTab.tsx';
import { RequestsTab } from './RequestsTab.tsx';
import { SubscriptionsTab } from './SubscriptionsTab.tsx';
import { WaitingList } from './WaitingList.tsx';
import css from './MockApp.module.css';

/** Tabs over the mock app of the chosen app. */
export function MockAppView(): ReactElement {
  const { mockApps, topology, ui } = useConsole();
  const { value: apps } = useResource(topology.apps);
  const appId = useSelected(ui, (state) => state.appId);
  const { status, value, failure } = useResource(mockApps.app);
  const { value: waiting } = useResource(mockApps.waiting);
  const chosen = apps?.items.find((app) => app.appId === appId);
  const isReal = chosen !== undefined && !chosen.mock && chosen.mockUrl === undefined;
  const mocked = apps?.items.find(({ mock }) => mock);
  const hasMock =
    apps === undefined ||
    value?.tap === true ||
    apps.items.some(({ mock, mockUrl }) => mock || mockUrl !== undefined);
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{MOCK.title}</h1>
        {value !== undefined && (
          <>
            <code className={page.muted}>
              {fill(value.tap === true ? MOCK.inFront : MOCK.serving, {
                app: theApp(value.appId),
                url: value.url,
              })}
            </code>
            <span className={page.muted}>
              {value.tap === true
                ? fill(MOCK.answered, { n: count(value.received) })
                : fill(MOCK.received, { n: count(value.received), waiting: waiting?.items.length ?? 0 })}
            </span>
          </>
        )}
      </div>
      {isReal && (
        <Empty title={fill(MOCK.real, { url: chosen.app })}>
          <p>{fill(MOCK.notMock, { App: theAppFirst(chosen.appId) })}</p>
          {mocked !== undefined && (
            <Button onClick={() => ui.setState({ appId: mocked.appId })}>{MOCK.useMock}</Button>
          )}
        </Empty>
      )}
      {!isReal && !hasMock && (
        <Empty title={MOCK.noMock}>
          <p className={page.muted}>{MOCK.noMockWhy}</p>
          <Link href="/settings?s=apps">{MOCK.noMockAdd}</Link>
        </Empty>
      )}
      {!isReal && hasMock && value === undefined && status === 'failed' && (
        <Failed
          text={fill(MOCK.failed, { message: whyNotRead(failure) })}
          again={() => void mockApps.app.refresh()}
        />
      )}
      {!isReal && hasMock && value === undefined && status !== 'failed' && <Loading text={MOCK.loading} />}
      {/* What is typed for one app is not served by another one. */}
      {!isReal && value !== undefined && <Serving key={value.appId} state={value} />}
    </div>
  );
}

/** Answers, subscriptions and requests of one mock app. */
function Serving({ state }: { readonly state: MockAppState }): ReactElement {
  const { navigation } = useConsole();
  const tab = useParam('t') ?? 'answers';
  return (
    <div className={css.parts}>
      <Elsewhere appId={state.appId} />
      {!state.on && (
        <p role="status" className={css.offBar}>
          {MOCK.turnedOff}
        </p>
      )}
      <TabBar
        label={MOCK.tabs}
        value={tab}
        onChange={(t) => navigation.change({ t: t === 'answers' ? undefined : t })}
        tabs={[
          {
            id: 'answers',
            title: MOCK.answers,
            amount: state.rules.length,
            panel: () => <AnswersTab state={state} />,
          },
          // A tapped app chooses its own subscriptions.
          ...(state.tap === true
            ? []
            : [
                {
                  id: 'subscriptions',
                  title: MOCK.subscriptions,
                  amount: state.subscriptions.length,
                  panel: () => <SubscriptionsTab state={state} />,
                },
              ]),
          {
            id: 'requests',
            title: MOCK.requests,
            panel: () => <RequestsTab requests={state.requests} rules={state.rules} />,
          },
        ]}
      />
      <WaitingList isLow={tab !== 'answers'} />
    </div>
  );
}

/**
 * Says that an app with a mock app gets its deliveries at another address, with a button back to the mock
 * app.
 */
function Elsewhere({ appId }: { readonly appId: string }): ReactElement | null {
  const { acting, call, settings, topology } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { value: apps } = useResource(topology.apps);
  const app = apps?.items.find((each) => each.appId === appId);
  if (app === undefined || app.mock) return null;

  function turnBack(): void {
    void acting.run('settings.set', async () => {
      const { items } = await call('settings.get', {});
      const now = items.find(({ key }) => key === ADDRESSES)?.value;
      const value = addressesWith(now, appId, undefined);
      settings.accept(await call('settings.set', { key: ADDRESSES, value }));
      topology.onChange();
      return fill(MOCK.turnedBack, { app: theApp(appId) });
    });
  }

  return (
    <div role="status" className={css.offBar}>
      {fill(MOCK.real, { url: app.app })}{' '}
      <Button off={away} onClick={turnBack}>
        {MOCK.useMock}
      </Button>
    </div>
  );
}

const ADDRESSES = 'app.address';
