/** Commands that act everywhere: going to screens, palette, holds, samples, how the console looks. */
import { COMMAND_TITLES, COMMAND_WHY, GROUPS, THEMES } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { FIRST_RUN } from '../copy/messages.ts';
import { SCREENS } from '../copy/names.ts';
import { HOLDS } from '../copy/holds.ts';
import type { Console } from '../state/console.ts';
import type { Theme } from '../state/ui.ts';
import { ANCHORS, focusAnchor } from './anchors.ts';
import type { Command } from './command.ts';

/** The hold that "Hold all" toggles: at delivery, without a filter. */
export function holdAllOf(console: Console): string | undefined {
  const rules = console.holds.rules.store.getState().value?.items ?? [];
  return rules.find((hold) => hold.at === 'delivery' && hold.filter === '' && hold.enabled)?.holdId;
}

async function toggleHoldAll(console: Console): Promise<void> {
  const holdId = holdAllOf(console);
  await console.acting.say('holdAll', async () => {
    if (holdId === undefined)
      await console.call('holds.add', { at: 'delivery', filter: '', name: HOLDS.holdAllName });
    else await console.call('holds.remove', { holdId, release: true });
    await console.holds.rules.refresh();
    return holdId === undefined ? HOLDS.holdingAll : HOLDS.releasedAll;
  });
}

/** Asks the host for sample traffic and remembers what it added. */
export async function sendSamples(console: Console): Promise<void> {
  await console.acting.say('samples', async () => {
    const { added } = await console.call('samples.add', {});
    console.ui.setState({ samples: added });
    return fill(FIRST_RUN.sent, { what: added.length === 0 ? FIRST_RUN.nothing : added.join(', ') });
  });
}

/** Takes the sample traffic away again. */
export async function removeSamples(console: Console): Promise<void> {
  await console.acting.say('removeSamples', async () => {
    const { removed } = await console.call('samples.remove', {});
    console.ui.setState({ samples: [] });
    console.messages.reopen();
    return fill(FIRST_RUN.removed, { what: removed.length === 0 ? FIRST_RUN.nothing : removed.join(', ') });
  });
}

function themeCommand(theme: Theme): Command {
  return {
    id: `theme.${theme}`,
    title: fill(COMMAND_TITLES.theme, { theme: THEMES[theme] }),
    group: GROUPS.view,
    run: (console) => console.ui.setState({ theme }),
  };
}

const GO: readonly Command[] = SCREENS.map(({ id, path, title, keys }) => ({
  id: `go.${id}`,
  title: fill(COMMAND_TITLES.go, { screen: title }),
  group: GROUPS.go,
  keys: [keys],
  run: (console) => console.places.go(path),
}));

export const FRAME_COMMANDS: readonly Command[] = [
  ...GO,
  {
    id: 'publish',
    title: COMMAND_TITLES.publish,
    group: GROUPS.publish,
    keys: ['p'],
    method: 'messages.publish',
    run(console) {
      console.places.go('/publish');
      requestAnimationFrame(() => focusAnchor(ANCHORS.main));
    },
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
    when: (console) =>
      console.toasts.store.getState().toasts.some(({ action }) => action !== undefined)
        ? undefined
        : COMMAND_WHY.noUndo,
    run(console) {
      const last = console.toasts.store.getState().toasts.findLast(({ action }) => action !== undefined);
      last?.action?.run();
      if (last !== undefined) console.toasts.close(last.id);
    },
  },
  {
    id: 'holdAll',
    title: COMMAND_TITLES.holdAll,
    group: GROUPS.holds,
    method: 'holds.add',
    run: (console) => void toggleHoldAll(console),
  },
  {
    id: 'addHold',
    title: COMMAND_TITLES.addHold,
    group: GROUPS.holds,
    method: 'holds.add',
    run: (console) => console.commands.open({ kind: 'hold' }),
  },
  {
    id: 'addAnswer',
    title: COMMAND_TITLES.addAnswer,
    group: GROUPS.mock,
    method: 'mockApp.setRules',
    run: (console) => console.commands.open({ kind: 'rule' }),
  },
  {
    id: 'discover',
    title: COMMAND_TITLES.discover,
    group: GROUPS.general,
    method: 'subscriptions.discover',
    run(console) {
      void console.acting.say('discover', async () => {
        const { subscriptions } = await console.call('subscriptions.discover', {});
        console.topology.onChange();
        return fill(HOLDS.discovered, { n: subscriptions.length });
      });
    },
  },
  {
    id: 'samples',
    title: COMMAND_TITLES.samples,
    group: GROUPS.general,
    method: 'samples.add',
    run: (console) => void sendSamples(console),
  },
  {
    id: 'removeSamples',
    title: COMMAND_TITLES.removeSamples,
    group: GROUPS.general,
    method: 'samples.remove',
    when: (console) => (console.ui.getState().samples.length === 0 ? COMMAND_WHY.noSamples : undefined),
    run: (console) => void removeSamples(console),
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
