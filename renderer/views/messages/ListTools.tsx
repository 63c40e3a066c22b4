/** Acts on the list as a whole: icons with their names in the tooltip. */
import { ArrowDownToLine, Flag, Pause, Play, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../components/Button.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { COMMAND_WHY } from '../../copy/commands.ts';
import { fill } from '../../copy/fill.ts';
import { CLEAR } from '../../copy/jobs.ts';
import { LIST } from '../../copy/messages.ts';
import { hereOf, hereText } from '../../format/since-here.ts';
import { commandOf } from '../../keys/commands.ts';
import { showEverything, showFromHere } from '../../keys/list-commands.ts';
import { useAway, useConsole, useParam } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import { ColumnChoice } from './ColumnChoice.tsx';
import { ExportButton } from './ExportButton.tsx';
import { GroupChoice } from './GroupChoice.tsx';
import css from './ListTools.module.css';

/** Name of the flag: a recording that is running goes on, and the list shows what it has. */
function fromHereText(running: string): string {
  return running === '' ? LIST.fromHere : fill(LIST.onlyRecorded, { time: hereText(running) });
}

/** A toolbar on the line of the filter. */
export function ListTools(): ReactElement {
  const console = useConsole();
  const { follow, paused } = useMembers(console.messages.store, 'follow', 'paused');
  const away = useAway(ACT_WHY.away);
  const filter = useParam('f') ?? '';
  const here = useParam('off') === undefined ? hereOf(filter) : undefined;
  const running = useSelected(console.ui, ({ recordingSince }) => recordingSince);
  const isEmpty = useSelected(console.connection, ({ runtime }) => runtime?.kept === 0);
  const clearWhy = isEmpty ? COMMAND_WHY.nothingKept : undefined;
  return (
    <div className={css.tools}>
      <IconButton
        icon={ArrowDownToLine}
        label={LIST.follow}
        aria-pressed={follow}
        keys={['f']}
        onClick={() => console.messages.setFollow(!follow)}
      />
      <IconButton
        icon={paused ? Play : Pause}
        label={paused ? LIST.resume : LIST.pause}
        aria-pressed={paused}
        keys={['s']}
        onClick={() => console.messages.setPaused(!paused)}
      />
      {console.readOnly === undefined && (
        <IconButton
          icon={Flag}
          label={here === undefined ? fromHereText(running) : LIST.showAll}
          aria-pressed={here !== undefined}
          onClick={() => (here === undefined ? showFromHere : showEverything)(console)}
        />
      )}
      <GroupChoice />
      <ColumnChoice />
      <ExportButton />
      <IconButton
        icon={Trash2}
        label={CLEAR.button}
        off={away ?? clearWhy}
        onClick={() => commandOf('clear')?.run(console)}
      />
    </div>
  );
}
