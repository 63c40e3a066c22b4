/** What a record from here on says below the list, with the two acts that end it. */
import { Download, Square } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { LIST } from '../../copy/messages.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { hereOf, hereText, withHere } from '../../format/since-here.ts';
import { commandOf } from '../../keys/commands.ts';
import { showRecorded } from '../../keys/list-commands.ts';
import { useConsole, useParam } from '../../state/context.ts';
import css from './ListTools.module.css';

/** The strip of a record that began at the time `here`, whatever the list shows; an opened recording is only narrowed by that time. */
export function RecordStrip({ here }: { readonly here: string }): ReactElement {
  const console = useConsole();
  const isNarrowed = hereOf(useParam('f') ?? '') === here;
  if (console.recordingId !== undefined) return <NarrowedStrip here={here} />;
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

/** Nothing is recorded into an opened recording, and the end of a record would lead to the live list. */
function NarrowedStrip({ here }: { readonly here: string }): ReactElement {
  const { navigation } = useConsole();
  const filter = useParam('f') ?? '';
  return (
    <span className={css.since}>
      {fill(LIST.changedSince, { time: hereText(here) })}{' '}
      <Button kind="quiet" onClick={() => navigation.change({ f: withHere(filter, undefined) })}>
        {LIST.showAll}
      </Button>
    </span>
  );
}
