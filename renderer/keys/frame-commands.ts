/** Commands of all screens: navigation, palette, holds, samples, appearance. */
import { COMMAND_TITLES, COMMAND_WHY, GROUPS, THEMES } from '../copy/commands.ts';
import { addedText } from '../format/samples-words.ts';
import { fill } from '../copy/fill.ts';
import { FIRST_RUN } from '../copy/messages.ts';
import { SCREENS, type ScreenId } from '../copy/names.ts';
import { HOLDS } from '../copy/holds.ts';
import type { Method } from '../../core/contract/console.ts';
import { automationCall } from '../format/curl.ts';
import { reportDiscovered } from '../format/discovered-text.ts';
import { scriptOf } from '../state/act-history.ts';
import type { Console } from '../state/console.ts';
import { asFailure } from '../state/resource.ts';
import type { Toast } from '../state/toasts.ts';
import type { Theme } from '../state/ui.ts';
import { focusNeeded } from './anchors.ts';
import type { Command } from './command.ts';
import { focusMainList } from './main-list.ts';

/** What "Hold all" adds. */
const HOLD_ALL = { at: 'delivery', filter: '', name: HOLDS.holdAllName } as const;

/** The hold that "Hold all" added, and "Release and stop holding" removes: never one that a person made in the form of a hold. */
export function holdAllOf(console: Console): string | undefined {
  const holds = console.holds.list.store.getState().value?.items ?? [];
  const { at, filter, name } = HOLD_ALL;
  return holds.find((hold) => hold.enabled && hold.at === at && hold.filter === filter && hold.name === name)
    ?.holdId;
}

async function holdAll(console: Console): Promise<void> {
  await console.acting.run('holdAll', async () => {
    await console.call('holds.add', HOLD_ALL);
    await console.holds.list.refresh();
    return HOLDS.holdingAll;
  });
}

async function stopHolding(console: Console): Promise<void> {
  const holdId = holdAllOf(console);
  if (holdId === undefined) return;
  await console.acting.run('holdAll', async () => {
    await console.call('holds.remove', { holdId, release: true });
    const counted = console.call('holds.queue', { limit: 1 }).then(
      ({ total }) => (total === 0 ? HOLDS.releasedAll : fill(HOLDS.releasedSome, { n: total })),
      // The hold is removed by now, so that a failed count is no failure of the act.
      (reason: unknown) => fill(HOLDS.releasedUncounted, { message: asFailure(reason).message }),
    );
    const [text] = await Promise.all([counted, console.holds.list.refresh()]);
    return text;
  });
}

/** Why there can be no samples: the mock app has to answer them. undefined: there can. */
export function whyNoSamples({ connection }: Console): string | undefined {
  const { system } = connection.getState();
  return system?.apps.some(({ mock, mockUrl }) => mock || mockUrl !== undefined) === false
    ? COMMAND_WHY.noMockApp
    : undefined;
}

/** Asks the host for sample traffic, and remembers what it added. */
export async function sendSamples(console: Console): Promise<void> {
  await console.acting.run('samples', async () => {
    const { added } = await console.call('samples.add', {});
    console.ui.setState({ samples: added });
    return fill(FIRST_RUN.sent, { what: addedText(added) });
  });
}

/** Removes the sample traffic. */
export async function removeSamples(console: Console): Promise<void> {
  await console.acting.run('removeSamples', async () => {
    const { removed } = await console.call('samples.remove', {});
    console.ui.setState({ samples: [] });
    if (removed.length === 0) return COMMAND_WHY.noSamples;
    console.messages.reopen(false);
    await closeRemoved(console);
    return fill(FIRST_RUN.removed, { what: addedText(removed) });
  });
}

/** Closes the open message if it went with the samples: whoever removed them has no more to do with it. */
async function closeRemoved({ call, navigation }: Console): Promise<void> {
  const openId = (): string | undefined =>
    // The open message of a recording is none of the live history.
    navigation.store.getState().path === '/messages' ? navigation.param('m') : undefined;
  const messageId = openId();
  if (messageId === undefined) return;
  const isGone = await call('messages.get', { messageId, payloadUpTo: 0 }).then(
    () => false,
    // The detail itself reports any other failure.
    (reason: unknown) => asFailure(reason).code === 'NOT_FOUND',
  );
  if (isGone && openId() === messageId) navigation.change({ m: undefined, d: undefined, t: undefined });
}

/** The newest notification of something that can be undone. */
function lastUndoable(console: Console): Toast | undefined {
  const { toasts } = console.toasts.store.getState();
  return toasts.findLast(({ action }) => action !== undefined && action.isLink !== true);
}

const nothingMade = ({ made }: Console): string | undefined =>
  made.getState().length === 0 ? COMMAND_WHY.noActs : undefined;

/** All changes made in this window, as a script that repeats them. */
export function copyActs({
  acting,
  connection,
  made,
}: Pick<Console, 'acting' | 'connection' | 'made'>): void {
  // The page of a desktop window has an address that only the window can use.
  const at = connection.getState().system?.consoleUrl ?? window.location.origin;
  void acting.copy(scriptOf(made.getState(), `${at}/rpc`));
}

function themeCommand(theme: Theme): Command {
  return {
    id: `theme.${theme}`,
    title: fill(COMMAND_TITLES.theme, { theme: THEMES[theme] }),
    group: GROUPS.view,
    run: (console) => console.ui.setState({ theme }),
  };
}

/** The main query of each screen, as a script makes it. */
const SHOWS = {
  messages: 'messages.list',
  topics: 'topics.list',
  publish: 'requests.list',
  mock: 'mockApp.get',
  holds: 'holds.queue',
  'event-router': 'eventRouter.status',
  components: 'components.list',
  apps: 'processes.list',
  health: 'health.get',
  recordings: 'recordings.list',
  logs: 'logs.list',
  settings: 'settings.get',
} as const satisfies Readonly<Record<ScreenId, Method>>;

const GO: readonly Command[] = SCREENS.map(({ id, path, title, keys }) => ({
  id: `go.${id}`,
  title: fill(COMMAND_TITLES.go, { screen: title }),
  group: GROUPS.go,
  keys: [keys],
  method: SHOWS[id],
  run(console) {
    console.navigation.visit(path);
    focusMainList();
  },
  call: () => automationCall(SHOWS[id], {}),
}));

/** The draft of the publish form as a call; the form itself assembles a custom event. */
function draftCall(console: Console): string {
  const { pubsubname, topic, appId, contentType, data, envelope } = console.drafts.store.getState().single;
  return automationCall('messages.publish', {
    pubsubname: pubsubname === '' ? 'pubsub' : pubsubname,
    topic: topic === '' ? 'orders' : topic,
    data,
    ...(contentType === '' ? {} : { contentType }),
    ...(appId === '' ? {} : { appId }),
    ...(envelope === 'raw' ? { metadata: { rawPayload: 'true' } } : {}),
  });
}

export const FRAME_COMMANDS: readonly Command[] = [
  ...GO,
  {
    id: 'publish',
    title: COMMAND_TITLES.publish,
    group: GROUPS.publish,
    keys: ['p'],
    method: 'messages.publish',
    run(console) {
      console.navigation.go('/publish');
      // The screen takes the focus when it is opened, so the field comes after it.
      requestAnimationFrame(() => focusNeeded('form'));
    },
    call: draftCall,
  },
  {
    id: 'schema',
    title: COMMAND_TITLES.schema,
    group: GROUPS.publish,
    method: 'schemas.list',
    run: ({ navigation }) => navigation.go('/publish', { part: 'schema' }),
    call: () => automationCall('schemas.list', {}),
  },
  {
    id: 'palette',
    title: COMMAND_TITLES.palette,
    group: GROUPS.general,
    keys: ['Mod+K'],
    run: (console) => console.commands.open({ kind: 'palette' }),
  },
  {
    id: 'shortcuts',
    title: COMMAND_TITLES.shortcuts,
    group: GROUPS.general,
    keys: ['?'],
    run: (console) => console.commands.open({ kind: 'shortcuts' }),
  },
  {
    id: 'undo',
    title: COMMAND_TITLES.undo,
    group: GROUPS.general,
    keys: ['Mod+Z'],
    method: 'undo',
    when: (console) => (lastUndoable(console) === undefined ? COMMAND_WHY.noUndo : undefined),
    run(console) {
      const last = lastUndoable(console);
      last?.action?.run();
      if (last !== undefined) console.toasts.close(last.id);
    },
    call: (console) => lastUndoable(console)?.action?.call,
  },
  {
    id: 'copyLastAct',
    title: COMMAND_TITLES.copyLastAct,
    group: GROUPS.general,
    when: nothingMade,
    run: ({ acting, made }) => void acting.copy(made.getState().at(-1)?.call ?? ''),
  },
  {
    id: 'copyActs',
    title: COMMAND_TITLES.copyActs,
    group: GROUPS.general,
    when: nothingMade,
    run: copyActs,
  },
  {
    id: 'holdAll',
    title: COMMAND_TITLES.holdAll,
    group: GROUPS.holds,
    method: 'holds.add',
    when: (console) => (holdAllOf(console) === undefined ? undefined : COMMAND_WHY.allHeld),
    run: (console) => void holdAll(console),
    call: () => automationCall('holds.add', HOLD_ALL),
  },
  {
    id: 'stopHolding',
    title: COMMAND_TITLES.stopHolding,
    group: GROUPS.holds,
    method: 'holds.remove',
    when: (console) => (holdAllOf(console) === undefined ? COMMAND_WHY.notAllHeld : undefined),
    run: (console) => void stopHolding(console),
    call(console) {
      const holdId = holdAllOf(console);
      return holdId === undefined ? undefined : automationCall('holds.remove', { holdId, release: true });
    },
  },
  {
    id: 'addHold',
    title: COMMAND_TITLES.addHold,
    group: GROUPS.holds,
    method: 'holds.add',
    run: (console) => console.commands.open({ kind: 'hold' }),
    call: (console) =>
      automationCall('holds.add', { at: 'delivery', filter: console.navigation.param('f') ?? '' }),
  },
  {
    id: 'addAnswer',
    title: COMMAND_TITLES.addAnswer,
    group: GROUPS.mock,
    method: 'mockApp.setRules',
    run: (console) => console.commands.open({ kind: 'rule' }),
    call(console) {
      const rules = console.mockApps.app.store.getState().value?.rules ?? [];
      const added = { enabled: true, match: {}, answer: { kind: 'respond', status: 200 } } as const;
      return automationCall('mockApp.setRules', { rules: [...rules, added] });
    },
  },
  {
    id: 'discover',
    title: COMMAND_TITLES.discover,
    group: GROUPS.general,
    method: 'subscriptions.discover',
    run(console) {
      void console.acting.run('discover', async () => {
        const { discovery } = await console.call('subscriptions.discover', {});
        console.topology.onChange();
        reportDiscovered(console.toasts, discovery);
        return undefined;
      });
    },
    call: () => automationCall('subscriptions.discover', {}),
  },
  {
    id: 'samples',
    title: COMMAND_TITLES.samples,
    group: GROUPS.general,
    method: 'samples.add',
    when: whyNoSamples,
    run: (console) => void sendSamples(console),
    call: () => automationCall('samples.add', {}),
  },
  {
    id: 'removeSamples',
    title: COMMAND_TITLES.removeSamples,
    group: GROUPS.general,
    method: 'samples.remove',
    // Another window, or an earlier run, may have sent them: the host knows.
    when: whyNoSamples,
    run: (console) => void removeSamples(console),
    call: () => automationCall('samples.remove', {}),
  },
  {
    id: 'addApp',
    title: COMMAND_TITLES.addApp,
    group: GROUPS.general,
    run: ({ navigation }) => navigation.go('/settings', { s: 'apps' }),
  },
  {
    id: 'panelSide',
    title: COMMAND_TITLES.panelSide,
    group: GROUPS.view,
    keys: ['Mod+\\'],
    run: (console) =>
      console.ui.setState(({ panelSide }) => ({ panelSide: panelSide === 'right' ? 'below' : 'right' })),
  },
  themeCommand('system'),
  themeCommand('light'),
  themeCommand('dark'),
  {
    id: 'density',
    title: COMMAND_TITLES.density,
    group: GROUPS.view,
    run: (console) =>
      console.ui.setState(({ density }) => ({ density: density === 'compact' ? 'comfortable' : 'compact' })),
  },
];
