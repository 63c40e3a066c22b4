/** Commands for everything that is held, available on every screen. */
import { ACTS } from '../copy/acts.ts';
import { COMMAND_TITLES, COMMAND_WHY, GROUPS } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { HOLDS } from '../copy/holds.ts';
import { automationCall } from '../format/curl.ts';
import { count } from '../format/quantity.ts';
import type { Console } from '../state/console.ts';
import { HELD_FILTER } from '../state/holds.ts';
import type { Command } from './command.ts';

/** Number of held messages, deliveries and answers; only the Holds screen reads the queue itself. */
const heldNow = ({ connection }: Console): number => connection.getState().runtime?.holds ?? 0;

const nothingHeld = (console: Console): string | undefined =>
  heldNow(console) === 0 ? COMMAND_WHY.nothingHeld : undefined;

/** Asks, then releases everything that is held now. */
function releaseAll(console: Console): void {
  const { acting, commands, holds } = console;
  const n = heldNow(console);
  commands.open({
    kind: 'confirm',
    question: {
      title: fill(HOLDS.releaseAllTitle, { n: count(n) }),
      text: HOLDS.releaseAllText,
      yes: ACTS.release,
      danger: false,
      run: () =>
        void acting.run('release', async () => {
          const { released, again } = await holds.releaseAll(n);
          const text = again === 0 ? HOLDS.releasedN : HOLDS.releasedAgain;
          return fill(text, { n: count(released), again: count(again) });
        }),
    },
  });
}

export const HOLD_COMMANDS: readonly Command[] = [
  {
    id: 'releaseAll',
    title: COMMAND_TITLES.releaseAll,
    group: GROUPS.holds,
    method: 'deliveries.release',
    when: nothingHeld,
    run: releaseAll,
    call: () => automationCall('deliveries.release', { filter: HELD_FILTER }),
  },
  {
    id: 'dropAll',
    title: COMMAND_TITLES.dropAll,
    group: GROUPS.holds,
    method: 'deliveries.drop',
    when: nothingHeld,
    run: ({ acting }) =>
      void acting.actOnFilter('drop', { filter: HELD_FILTER }, undefined, HOLDS.onlyAnswers),
    call: () => automationCall('deliveries.drop', { filter: HELD_FILTER }),
  },
];
