/** What stands below the list during a recording, or while the list shows only what changed since a time. */
import { Download, Square } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { LIST } from '../../copy/messages.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { hereOf, hereText } from '../../format/since-here.ts';
import { commandOf } from '../../keys/commands.ts';
import { showEverything, showRecorded } from '../../keys/list-commands.ts';
import { useConsole, useParam } from '../../state/context.ts';
import css from './ListTools.module.css';

/** The strip of the running recording, which began at the time `here`, whatever the list shows. */
export function RecordStrip({ here }: { readonly here: string }): ReactElement {
  const console = useConsole();
  const filter = useParam('f') ?? '';
  const isNarrowed = useParam('off') === undefined && hereOf(filter) === here;
  return (
    <span className={css.since}>
      {fill(isNarrowed ? LIST.sinceHere : LIST.sinceBeside, { time: hereText(here) })}{' '}
      {!isNarrowed && (
        <Button kind="quiet" onClick={() => showRecorded(console)}>
          {LIST.showRecorded}
        </Button>
      )}
      <Button
        icon={Download}
        kind="quiet"
        onClick={() => console.commands.open({ kind: 'export', record: { since: here } })}
      >
        {RECORDINGS.recordExport}
      </Button>
      <Button icon={Square} kind="quiet" onClick={() => commandOf('everything')?.run(console)}>
        {RECORDINGS.recordStop}
      </Button>
    </span>
  );
}

/** The strip of a list whose filter has a time, while nothing is recorded: in an opened recording nothing ever is. */
export function NarrowedStrip({ here }: { readonly here: string }): ReactElement {
  const console = useConsole();
  return (
    <span className={css.since}>
      {fill(LIST.changedSince, { time: hereText(here) })}{' '}
      <Button kind="quiet" onClick={() => showEverything(console)}>
        {LIST.showAll}
      </Button>
    </span>
  );
}
