/**
 * Every subscription as the runtime uses it, with its rules; the results of discovery; and a test of an
 * event.
 */
import { RotateCw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { onlyForText } from '../../../core/contract/component-scopes.ts';
import type { Result } from '../../../core/contract/console.ts';
import { PROFILES } from '../../../core/contract/profile.ts';
import type { SubscriptionRow } from '../../../core/contract/subscription.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { Empty, Loaded } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { SUBSCRIPTIONS } from '../../copy/topics.ts';
import { areAllMocks, oncePerId } from '../../format/apps.ts';
import { discoveryText, isUnasked } from '../../format/discovery.ts';
import { commandOf } from '../../keys/commands.ts';
import { ProblemList } from '../../components/ProblemList.tsx';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { ObservedSubscriptions } from './ObservedSubscriptions.tsx';
import { OnReference } from './OnReference.tsx';
import { RouteTester } from './RouteTester.tsx';
import { SubscriptionGrid } from './SubscriptionGrid.tsx';
import css from './Subscriptions.module.css';

type Subscriptions = Result<'subscriptions.list'>;

/** Number of subscriptions up to which there is no search. */
const FEW = 6;

/** Discovery, problems, the grid, hints about the reference, the tester. */
export function SubscriptionsTab(): ReactElement {
  const { topology } = useConsole();
  const { value, failure } = useResource(topology.subscriptions);
  return (
    <Loaded
      value={value}
      failure={failure}
      loading={SUBSCRIPTIONS.loading}
      failed={SUBSCRIPTIONS.failed}
      again={() => void topology.subscriptions.refresh()}
    >
      {(known) => <Known value={known} />}
    </Loaded>
  );
}

function Known({ value }: { readonly value: Subscriptions }): ReactElement {
  const { topology, connection } = useConsole();
  const profile = useSelected(connection, ({ system }) => system?.profile ?? 'sidecar');
  const { value: apps } = useResource(topology.apps);
  const [text, setText] = useState('');
  const { value: taps } = useResource(topology.taps);
  // A run with only taps has no app to ask.
  const isOnlyObserved = apps?.items.length === 0 && (taps?.items.length ?? 0) > 0;
  const problems = [...value.problems, ...oncePerId(apps?.items ?? []).flatMap((app) => app.problems)];
  const shown = find(value.items, text);
  const isNone = value.items.length === 0;
  // Asking the mock app again changes nothing: its subscriptions are set here.
  const isMock = areAllMocks(apps?.items);
  return (
    <div className={page.body}>
      <div className={page.stack}>
        {!isOnlyObserved && <Discovery discovery={value.discovery} isAll={isNone && !isMock} />}
        <ProblemList problems={problems} label={SUBSCRIPTIONS.problems} />
        {value.items.length > FEW && (
          <div className={css.find}>
            <TextField
              hideLabel
              type="search"
              label={SUBSCRIPTIONS.find}
              placeholder={SUBSCRIPTIONS.find}
              value={text}
              onChange={setText}
            />
          </div>
        )}
        {isNone && !isOnlyObserved && <NoSubscriptions discovery={value.discovery} isMock={isMock} />}
        {value.items.length > 0 && shown.length === 0 && (
          <Empty title={fill(SUBSCRIPTIONS.noneFound, { text })} />
        )}
        {shown.length > 0 && <SubscriptionGrid rows={shown} />}
        <ObservedSubscriptions isAlone={isOnlyObserved} />
        <OnReference rows={shown} release={PROFILES[profile].referenceRelease ?? ''} />
        {!isOnlyObserved && <RouteTester />}
      </div>
    </div>
  );
}

function find(rows: readonly SubscriptionRow[], text: string): readonly SubscriptionRow[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ appId, pubsubname, topic }) =>
    `${appId} ${pubsubname} ${topic}`.toLowerCase().includes(wanted),
  );
}

/**
 * Says that there is no subscription, separately for an app that has not answered yet or was not asked, and for one that answered with
 * none. Components that only other apps may use are the likely reason for the second.
 */
function NoSubscriptions({
  discovery,
  isMock,
}: {
  readonly discovery: Subscriptions['discovery'];
  /** Whether all apps are mock apps. */
  readonly isMock: boolean;
}): ReactElement {
  const { topology, navigation } = useConsole();
  const { value } = useResource(topology.components);
  const waiting = discovery.find(({ state }) => state === 'waiting');
  const unasked = discovery.find(isUnasked);
  const first = waiting ?? unasked;
  const isUnusable = discovery.some(({ unused }) => unused !== undefined);
  const nothingText = isUnusable ? SUBSCRIPTIONS.noneUsable : SUBSCRIPTIONS.empty;
  const scoped =
    unasked === undefined
      ? []
      : (value?.items ?? []).filter(
          ({ kind, scopes, file }) => kind === 'pubsub' && scopes.length > 0 && file !== undefined,
        );
  return (
    <Empty title={first === undefined ? nothingText : discoveryText(first)}>
      {scoped.map((item) => (
        <p key={`${item.name} ${item.file}`}>
          {fill(SUBSCRIPTIONS.scoped, { name: item.name, only: onlyForText([item]) })}
        </p>
      ))}
      {isMock && (
        <Button kind="primary" onClick={() => navigation.go('/mock', { t: 'subscriptions' })}>
          {SUBSCRIPTIONS.ofMock}
        </Button>
      )}
    </Empty>
  );
}

/** Number of apps up to which each discovery that went well has a line. */
const NAMED = 4;

function DiscoveryLines({ discovery }: { readonly discovery: Subscriptions['discovery'] }): ReactElement {
  const { topology } = useConsole();
  const { value: apps } = useResource(topology.apps);
  return (
    <ul>
      {discovery.map((each) => (
        <li key={each.appId}>
          {each.appId}: {discoveryText(each, apps?.items.find(({ appId }) => appId === each.appId)?.problems)}
        </li>
      ))}
    </ul>
  );
}

/** Discovery of each app; a failure has its own box with the app's answer. */
function Discovery({
  discovery,
  isAll,
}: {
  readonly discovery: Subscriptions['discovery'];
  /** True: there is nothing else to do here. */
  readonly isAll: boolean;
}): ReactElement {
  const failed = discovery.filter(({ state }) => state === 'failed');
  const done = discovery.filter((each) => each.state === 'done' && !isUnasked(each));
  const isFolded = done.length > NAMED;
  const open = discovery.filter((each) => each.state !== 'failed' && !(isFolded && done.includes(each)));
  return (
    <>
      <div className={css.discovery}>
        <Again isAll={isAll} />
        <div className={page.muted}>
          {open.length > 0 && <DiscoveryLines discovery={open} />}
          {isFolded && (
            <details>
              <summary>{fill(SUBSCRIPTIONS.discovered, { n: done.length })}</summary>
              <DiscoveryLines discovery={done} />
            </details>
          )}
        </div>
      </div>
      {failed.map((each) => (
        <div key={each.appId} role="alert" className={css.failed}>
          <p className={page.problem}>
            {each.appId}: {discoveryText(each)}
          </p>
          {each.body !== undefined && each.body !== '' && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
            <pre tabIndex={0} aria-label={SUBSCRIPTIONS.body} className={css.body}>
              {each.body}
            </pre>
          )}
        </div>
      ))}
    </>
  );
}

function Again({ isAll }: { readonly isAll: boolean }): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(console.commands.store, (state) => state.pending.has('discover'));
  return (
    <Button
      icon={RotateCw}
      kind={isAll ? 'primary' : 'plain'}
      off={away}
      pending={pending}
      onClick={() => commandOf('discover')?.run(console)}
    >
      {SUBSCRIPTIONS.discover}
    </Button>
  );
}
