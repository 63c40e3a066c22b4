/** The list of a recording without messages. */
import type { ReactElement } from 'react';
import { Empty } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { useConsole, useResource } from '../../state/context.ts';

/** Says that there is no message, and why if lines of the file could not be read. */
export function EmptyRecording({ recordingId }: { readonly recordingId: string }): ReactElement {
  const { recordings } = useConsole();
  const { value } = useResource(recordings.list);
  const recording = value?.items.find((each) => each.recordingId === recordingId);
  const [first] = recording?.problems ?? [];
  return (
    <Empty title={RECORDINGS.noMessages}>
      {first !== undefined && (
        <p>
          {fill(RECORDINGS.problems, {
            n: recording?.problemCount ?? 0,
            line: first.line,
            message: first.message,
          })}
        </p>
      )}
    </Empty>
  );
}
