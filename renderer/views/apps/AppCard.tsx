/** One app: its process with acts, the addresses of it and its sidecar, its subscriptions, its last lines. */
import { theAppFirst } from '../../../core/contract/app-text.ts';
import { Play, RotateCw, Square } from 'lucide-react';
import { useRef, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { ProcessRow } from '../../../core/contract/methods/processes.ts';
import type { AppRow, SubscriptionRow } from '../../../core/contract/subscription.ts';
import { AppName } from '../../components/AppName.tsx';
import { Button } from '../../components/Button.tsx';
import { DiscoverAgain } from '../../components/DiscoverAgain.tsx';
import { AppAddress } from '../../components/connect/AppAddress.tsx';
import { ProblemList } from '../../components/ProblemList.tsx';
import { Ticking } from '../../components/clock.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { APPS } from '../../copy/apps.ts';
import { fill } from '../../copy/fill.ts';
import { HEALTH } from '../../copy/health.ts';
import { SUBSCRIPTIONS } from '../../copy/topics.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { hasNoDiscoveryRoute } from '../../../core/contract/discovery-text.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { channelOf } from '../../format/apps.ts';
import { filterValue } from '../../format/cell-term.ts';
import { discoveryText, isUnasked } from '../../format/discovery.ts';
import { lagText } from '../../format/lag.ts';
import { clockSeconds, clockTime } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import page from '../page.module.css';
import css from './Apps.module.css';
import { Fact } from './Fact.tsx';
import { LastLines } from './LastLines.tsx';
import { ProblemActs } from './ProblemActs.tsx';
import { helps, useHelp } from './use-help.ts';

export interface AppCardProps {
  readonly app: AppRow;
  /** Process of the app; undefined: it was started elsewhere, or not at all. */
  readonly process: ProcessRow | undefined;
  readonly subscriptions: readonly SubscriptionRow[];
}

export function AppCard({ app, process, subscriptions }: AppCardProps): ReactElement {
  const card = useRef<HTMLElement>(null);
  useHelp(card, app.appId);
  return (
    <section ref={card} tabIndex={-1} className={page.box} aria-label={app.appId}>
      <div className={css.head}>
        <h2>
          <AppName appId={app.appId} />
        </h2>
        {process !== undefined && <Acts process={process} />}
      </div>
      <dl className={css.facts}>
        <Fact name={APPS.process}>
          {process === undefined ? app.mock ? APPS.mock : APPS.ownProcess : <State process={process} />}
        </Fact>
        {process !== undefined && (
          <Fact name={APPS.command}>
            <code className={page.mono}>{process.command.join(' ')}</code>
          </Fact>
        )}
        <Fact name={APPS.sidecar}>
          <span className={page.mono}>{app.sidecar}</span>
          {app.grpc !== undefined && ` · ${fill(APPS.grpc, { address: app.grpc })}`}
        </Fact>
        <Fact name={APPS.address}>
          {app.app === undefined ? (
            APPS.noAddress
          ) : (
            <>
              <span className={page.mono}>{app.app}</span>
              {app.addressFrom !== undefined && ` · ${fill(APPS.from, { from: app.addressFrom })}`}
              {(process === undefined || process.state === 'running' || app.channel !== 'answering') && (
                <>
                  {' '}
                  ·{' '}
                  <span className={css.channel} data-channel={channelOf(app)}>
                    {HEALTH.channels[channelOf(app)]}
                  </span>
                </>
              )}
            </>
          )}
        </Fact>
        {app.app !== undefined && (
          <Fact name={APPS.discovery}>
            <span className={css.discovery} {...helps('discovery')}>
              <span>{discoveryOf(app)}</span>
              <DiscoverAgain appId={app.appId} />
            </span>
          </Fact>
        )}
        <Fact name={APPS.subscriptions}>
          <Subscriptions app={app} rows={subscriptions} />
        </Fact>
      </dl>
      <ProblemList
        problems={app.problems}
        label={fill(APPS.problems, { app: app.appId })}
        acts={(problem) => <ProblemActs problem={problem} />}
      />
      <OwnAddress app={app} />
      {process !== undefined && <LastLines appId={app.appId} />}
    </section>
  );
}

/** Setting for the address of an app with a mock app, folded at first. */
function OwnAddress({ app }: { readonly app: AppRow }): ReactElement | null {
  const { settings } = useConsole();
  const { value } = useResource(settings);
  const addresses = value?.items.find(({ key }) => key === 'app.address');
  if (app.mockUrl === undefined || addresses === undefined) return null;
  return (
    <details className={css.ownAddress}>
      <summary>{app.mock ? APPS.ownAddress : APPS.otherAddress}</summary>
      <div {...helps('address')}>
        <AppAddress app={app} addresses={addresses} />
      </div>
    </details>
  );
}

function isLive(state: ProcessRow['state']): boolean {
  return state === 'starting' || state === 'running';
}

function State({ process }: { readonly process: ProcessRow }): ReactElement {
  const { state, pid, startedAt, restarts, reason } = process;
  const parts = [
    ...(pid === undefined ? [] : [fill(APPS.pid, { pid })]),
    ...(startedAt === undefined
      ? []
      : [fill(isLive(state) ? APPS.since : APPS.lastStart, { time: clockTime(startedAt) })]),
    ...(restarts === 0 ? [] : [fill(APPS.restarts, { n: count(restarts) })]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return (
    <>
      <strong className={css.state} data-state={state}>
        {APPS.states[state]}
      </strong>
      {parts.length > 0 && ` · ${parts.join(' · ')}`}
    </>
  );
}

/** How far the discovery of an app is, in a few words. */
export function discoveryOf({
  discovery,
  problems = [],
}: Pick<AppRow, 'discovery'> & Partial<Pick<AppRow, 'problems'>>): string {
  const { state, at, count: n, unused, error } = discovery;
  if (isUnasked(discovery)) return fill(APPS.discovered.unasked, { error: clause(error ?? '') });
  if (hasNoDiscoveryRoute(discovery)) return discoveryText(discovery, problems);
  if (state === 'done') {
    const unusable = unused === undefined ? '' : fill(APPS.discovered.unusable, { n: unused });
    return fill(APPS.discovered.done, { n, unusable, time: at === undefined ? '–' : clockSeconds(at) });
  }
  if (state === 'waiting' && error !== undefined)
    return fill(APPS.discovered.waitingBecause, { error: clause(error) });
  return fill(APPS.discovered[state], { error: clause(error ?? '') });
}

/** Text for an app without subscriptions; none for an app that has not reported them. */
function withoutSubscriptions({ discovery: { state } }: Pick<AppRow, 'discovery'>): string {
  return state === 'done' ? APPS.noSubscriptions : APPS.notKnown;
}

function Subscriptions({
  app,
  rows,
}: {
  readonly app: AppRow;
  readonly rows: readonly SubscriptionRow[];
}): ReactElement {
  const [isWhole, setIsWhole] = useState(false);
  if (rows.length === 0) return <>{withoutSubscriptions(app)}</>;
  const shown = isWhole ? rows : firstSubscriptions(rows);
  return (
    <>
      {rows.some((row) => isFromBefore(app, row)) && (
        <span className={page.muted}>{reportedBeforeText(app)}</span>
      )}
      <ul className={css.topics}>
        {shown.map(({ topic, pubsubname, source, lag, counts, state, reason, missingRoutes }) => (
          <li key={`${pubsubname} ${topic} ${source}`}>
            <Link
              href={`/messages?f=${addressPart(`topic:${filterValue(topic)} pubsub:${filterValue(pubsubname)}`)}`}
            >
              {fill(APPS.topicOf, { topic: visibleShort(topic), pubsub: pubsubname })}
            </Link>
            {state !== 'active' && (
              <span className={css.unused}>
                {' · '}
                {fill(APPS.notUsed, { reason: clause(reason ?? SUBSCRIPTIONS.states[state]) })}
              </span>
            )}
            {missingRoutes?.map(({ path, answer, times }) => (
              <span key={path} className={css.unused}>
                {' · '}
                {fill(APPS.missingRoute, { answer, path, n: count(times) })}
              </span>
            ))}
            {isMeasured(lag, missingRoutes) &&
              (!isFromBefore(app, { source }) || isBehind({ lag, counts })) && (
                <span className={page.muted}>
                  {' · '}
                  <Ticking text={(now) => lagText(lag, now, counts.parked)} />
                </span>
              )}
          </li>
        ))}
      </ul>
      {(isWhole || shown.length < rows.length) && (
        <Button aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? APPS.fewer : fill(APPS.all, { n: count(rows.length) })}
        </Button>
      )}
    </>
  );
}

/** Whether a subscription is one that the app reported, and that it has not reported again at its present address. */
export function isFromBefore(
  { channel, discovery: { state } }: Pick<AppRow, 'channel' | 'discovery'>,
  { source }: Pick<SubscriptionRow, 'source'>,
): boolean {
  // An app that answers is asked for a moment only.
  const isAsked = state === 'asking' && channel === 'answering';
  return source === 'programmatic' && state !== 'done' && !isAsked;
}

/** When subscriptions from before are replaced: an app that answers at its address may still refuse to report them. */
export function reportedBeforeText({ channel }: Pick<AppRow, 'channel'>): string {
  return channel === 'answering' ? APPS.reportedBeforeHere : APPS.reportedBefore;
}

/** Whether the backlog says anything: a subscription whose messages are all dropped is not up to date. */
function isMeasured(
  lag: SubscriptionRow['lag'],
  missingRoutes: SubscriptionRow['missingRoutes'],
): lag is NonNullable<SubscriptionRow['lag']> {
  return lag !== undefined && (missingRoutes === undefined || lag.unfinished > 0);
}

function isBehind({ lag, counts }: Pick<SubscriptionRow, 'lag' | 'counts'>): boolean {
  return (lag?.unfinished ?? 0) > 0 || (counts.parked ?? 0) > 0;
}

/** Subscriptions that a card shows at first. */
const FEW = 8;

/** The first subscriptions of a card: all of a few, else those with unfinished or parked deliveries first. */
export function firstSubscriptions(rows: readonly SubscriptionRow[]): readonly SubscriptionRow[] {
  // A single subscription takes as much room as the button that shows it would.
  if (rows.length <= FEW + 1) return rows;
  return [...rows.filter(isBehind), ...rows.filter((row) => !isBehind(row))].slice(0, FEW);
}

type Act = 'restart' | 'stop' | 'start';

const DONE: Readonly<Record<Act, string>> = {
  restart: APPS.restarted,
  stop: APPS.stopped,
  start: APPS.started,
};

function Acts({ process }: { readonly process: ProcessRow }): ReactElement {
  const { call, processes, toasts } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [pending, setPending] = useState<Act>();
  const { appId, state } = process;

  async function act(which: Act): Promise<void> {
    setPending(which);
    try {
      await call(`processes.${which}`, { appId });
      toasts.done(fill(DONE[which], { App: theAppFirst(appId) }));
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    } finally {
      setPending(undefined);
      processes.onChange();
    }
  }

  return (
    <div className={page.bar} {...helps('process')}>
      {/* Keys: Start would else become Restart and keep the focus, and a second Enter would end what the first one started. */}
      {isLive(state) ? (
        <>
          <Button
            key="restart"
            icon={RotateCw}
            off={away}
            pending={pending === 'restart'}
            hint={APPS.restartHint}
            aria-label={fill(APPS.restartOf, { app: appId })}
            onClick={() => void act('restart')}
          >
            {APPS.restart}
          </Button>
          <Button
            key="stop"
            icon={Square}
            off={away}
            pending={pending === 'stop'}
            aria-label={fill(APPS.stopOf, { app: appId })}
            onClick={() => void act('stop')}
          >
            {APPS.stop}
          </Button>
        </>
      ) : (
        <Button
          key="start"
          icon={Play}
          off={away}
          pending={pending === 'start'}
          aria-label={fill(APPS.startOf, { app: appId })}
          onClick={() => void act('start')}
        >
          {APPS.start}
        </Button>
      )}
    </div>
  );
}
