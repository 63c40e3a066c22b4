/** The export as a dialog over the list, with its filter or selection. */
import type { ReactElement } from 'react';
import { Overlay } from '../../components/Overlay.tsx';
import { RECORDINGS } from '../../copy/recordings.ts';
import { useConsole } from '../../state/context.ts';
import { ExportForm } from './ExportPart.tsx';

/** A dialog with the form of the Recordings screen. */
export function ExportDialog(): ReactElement {
  const { commands } = useConsole();
  return (
    <Overlay title={RECORDINGS.export} isDisposable onClose={commands.close}>
      <ExportForm onDone={commands.close} />
    </Overlay>
  );
}
