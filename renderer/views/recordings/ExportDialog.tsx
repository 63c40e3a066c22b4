/** The export as a dialog over any screen; over a list it begins with its filter or selection. */
import { useState, type ReactElement } from 'react';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { RECORDINGS } from '../../copy/recordings.ts';
import type { Recorded } from '../../format/since-here.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { ExportForm } from './ExportPart.tsx';

/**
 * A dialog with the form of the Recordings screen.
 * @param from id of the recording whose list it is; undefined: the live history
 * @param record this record is the first choice; undefined: there is none
 * @param isAll everything is chosen first
 */
export function ExportDialog({
  from,
  record,
  isAll,
}: {
  readonly from?: string | undefined;
  readonly record?: Recorded | undefined;
  readonly isAll?: boolean | undefined;
}): ReactElement {
  const { commands, recordings } = useConsole();
  const [paths, setPaths] = useState('');
  const isFilled = useDiffers({ paths });
  const { value } = useResource(recordings.list);
  const recording = value?.items.find(({ recordingId }) => recordingId === from);
  return (
    <Overlay title={RECORDINGS.export} onClose={commands.close} isFilled={isFilled}>
      <ExportForm
        key={recording?.recordingId ?? ''}
        recording={recording}
        record={record}
        isAll={isAll}
        paths={paths}
        onPaths={setPaths}
        onDone={commands.close}
      />
    </Overlay>
  );
}
