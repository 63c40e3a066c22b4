/** Acts on the open message: the one that its state suggests, a second one, and a menu with the others. */
import { Ellipsis } from 'lucide-react';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { foremost } from '../../../core/contract/attention.ts';
import { theApp } from '../../../core/contract/app-text.ts';
import type { Delivery, MessageRow } from '../../../core/contract/message.ts';
import { takersOf } from '../../../core/contract/subscribed-now.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import { Button } from '../Button.tsx';
import { ChoiceMenu, type MenuEntry, type MenuGroup } from '../ChoiceMenu.tsx';
import { ACTS, ACT_WHY, COMPARE } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { WAITING } from '../../copy/mock-app.ts';
import { whyNot, type ActSubject } from '../../format/act-targets.ts';
import { headActs, type HeadAct } from '../../format/head-acts.ts';
import { keepsOldRoute } from '../../format/reroutable.ts';
import { commandOf } from '../../keys/commands.ts';
import type { Console } from '../../state/console.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { subscribeMock } from '../../state/subscribe-mock.ts';
import { rerouteEntries, rowMenu } from '../row-menu.ts';
import css from './DetailHead.module.css';

/** Command whose keys a button shows. */
const COMMAND_OF: Partial<Readonly<Record<HeadAct, string>>> = {
  hold: 'holdOrRelease',
  release: 'holdOrRelease',
  editReplay: 'edit',
  editRelease: 'edit',
};

/** Entries of the menu for which the host needs the message. */
const NEEDS_MESSAGE: ReadonlySet<string> = new Set([
  'replay',
  'editReplay',
  'replayHere',
  'retry',
  'reroute',
  'hold',
  'release',
  'editRelease',
  'whatIf',
  'cancel',
  'drop',
  'deadLetter',
  'pin',
  'note',
  'toTest',
  'delete',
]);

export interface HeadActsProps {
  readonly subject: ActSubject;
  readonly delivery: Delivery | undefined;
  /** True: a call waits for a person, whose answers stand here. All acts are then in the menu. */
  readonly isAsked?: boolean;
  /** Why nothing can be done with the message: it is no longer kept. */
  readonly gone?: string | undefined;
}

/** The row of buttons. */
export function HeadActs({ subject, delivery, isAsked = false, gone }: HeadActsProps): ReactElement {
  const console = useConsole();
  const { row, deliveryId } = subject;
  const { state, heldAt } = delivery ?? foremost(row.deliveries) ?? {};
  const isOld = useOldRoute(subject);
  const { first, second } = headActs(state, row.stage, heldAt === 'response', row.tap !== undefined, isOld);
  const [, goTo] = useLocation();
  // The menu omits the acts that have buttons.
  const atHand = new Set<string | undefined>(isAsked ? ['open'] : [first, second, 'open']);
  const groups = (): readonly MenuGroup[] =>
    rowMenu(console, row, deliveryId === undefined ? {} : { deliveryId }).map((group) => ({
      ...group,
      entries: group.entries
        .filter(({ id }) => !atHand.has(id))
        .map((entry) =>
          gone !== undefined && NEEDS_MESSAGE.has(entry.id) ? { ...entry, off: gone } : entry,
        ),
    }));
  if (isAsked) {
    const way = { id: 'mock', title: WAITING.openMock, run: () => goTo('/mock') };
    return (
      <ChoiceMenu
        icon={Ellipsis}
        kind="quiet"
        groups={() => [{ entries: [way, ...compareEntries(console, row)] }, ...groups()]}
        label={ACTS.more}
      />
    );
  }
  return (
    <div className={css.acts}>
      {/* Each act has a button of its own, so that a second click does not press the act of the next state. */}
      {first !== undefined && <ActButton key={first} act={first} isLoud subject={subject} gone={gone} />}
      <ActButton key={second} act={second} subject={subject} gone={gone} />
      <ChoiceMenu kind="quiet" title={ACTS.more} groups={groups} label={ACTS.more} />
    </div>
  );
}

/** Whether the delivery that the buttons are about keeps a route which its subscription no longer has. */
function useOldRoute({ row, deliveryId }: ActSubject): boolean {
  const { topology, readOnly } = useConsole();
  const { value: apps } = useResource(topology.apps);
  const { value: subscriptions } = useResource(topology.subscriptions);
  const shown = row.deliveries.find((each) => each.deliveryId === deliveryId) ?? foremost(row.deliveries);
  // The topology of now says nothing about a recording.
  if (shown === undefined || readOnly !== undefined) return false;
  return keepsOldRoute(row, shown, {
    apps: apps?.items ?? [],
    subscriptions: subscriptions?.items ?? [],
  });
}

/** Which address a retry calls; undefined: it has no path, or the deliveries have several. */
export function retryHint({ row, deliveryId }: ActSubject): string | undefined {
  const [one, ...others] = row.deliveries.filter(
    (each) => deliveryId === undefined || each.deliveryId === deliveryId,
  );
  if (one?.route === undefined || one.route === '' || others.length > 0) return undefined;
  return fill(ACTS.retryHint, { path: one.route, app: theApp(one.appId) });
}

/** The entry that compares a replay with its original, where the answers take the room of its button. */
function compareEntries({ commands }: Console, { messageId, replayOf }: MessageRow): readonly MenuEntry[] {
  if (replayOf === undefined) return [];
  const run = (): void => commands.open({ kind: 'compare', left: replayOf, right: messageId });
  return [{ id: 'withOriginal', title: COMPARE.withOriginal, run }];
}

interface ActButtonProps {
  readonly act: HeadAct;
  readonly subject: ActSubject;
  /** True for the act that the state suggests. */
  readonly isLoud?: boolean;
  readonly gone: string | undefined;
}

function ActButton({ act, subject, isLoud = false, gone }: ActButtonProps): ReactElement | null {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(console.commands.store, (state) => state.pending);
  const { row, deliveryId } = subject;
  const of = deliveryId === undefined ? {} : { deliveryId };
  // A subscription of now changes nothing in a recording.
  if (act === 'subscribe')
    return gone === undefined && console.readOnly === undefined ? (
      <SubscribeButton subject={subject} />
    ) : null;
  const open = (kind: 'edit-replay' | 'edit-release'): void =>
    console.commands.open({ kind, messageId: row.messageId, ...of });
  const [reroute] = act === 'reroute' ? rerouteEntries({ console, row, deliveryId, away }) : [];
  const isOfDelivery = act !== 'replay' && act !== 'editReplay' && act !== 'editRelease' && act !== 'reroute';
  return (
    <Button
      kind={isLoud ? 'primary' : 'plain'}
      off={away ?? gone ?? (isOfDelivery ? whyNot(act, subject) : reroute?.off)}
      pending={pending.has(act)}
      keys={commandOf(COMMAND_OF[act] ?? act)?.keys}
      hint={act === 'retry' ? retryHint(subject) : undefined}
      onClick={() => {
        if (act === 'replay') void console.acting.replay([row]);
        else if (act === 'editReplay') open('edit-replay');
        else if (act === 'editRelease') open('edit-release');
        else if (act === 'reroute') reroute?.run?.();
        else console.acting.act(act, [subject]);
      }}
    >
      {ACTS[act]}
    </Button>
  );
}

/**
 * Makes the mock app subscribe to the topic. Nothing for a real app, or where an app subscribes to it by now: the
 * line above says what is missing.
 */
function SubscribeButton({ subject: { row } }: { readonly subject: ActSubject }): ReactElement | null {
  const console = useConsole();
  const { acting, commands, mockApps, topology } = console;
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(commands.store, (state) => state.pending.has('subscribe'));
  const { value } = useResource(mockApps.app);
  const { topic, pubsubname } = row;
  const { value: known } = useResource(topology.subscriptions);
  const { value: apps } = useResource(topology.apps);
  if (value === undefined || !value.on || !mayGetIt(value.appId, row, apps?.items ?? [])) return null;
  if (takersOf(known?.items ?? [], topic, pubsubname).length > 0) return null;
  return (
    <Button
      kind="primary"
      off={away}
      pending={pending}
      onClick={() =>
        void acting.run('subscribe', async () => {
          // The button is there until the subscription is known.
          await subscribeMock(console, { appId: value.appId, pubsubname, topic });
          return ACTS.subscribed;
        })
      }
    >
      {ACTS.subscribe}
    </Button>
  );
}

/**
 * Whether the mock app would get a message if it subscribed: deliveries of its app go to it now, and no other app is to get the message.
 */
export function mayGetIt(
  appId: string,
  { source, expectedBy }: Pick<MessageRow, 'source' | 'expectedBy'>,
  apps: readonly Pick<AppRow, 'appId' | 'mock'>[],
): boolean {
  const isMocked = apps.some((app) => app.appId === appId && app.mock);
  return isMocked && source !== 'binding' && expectedBy === undefined;
}
