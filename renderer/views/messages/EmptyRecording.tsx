/** The list of a recording without messages. */
import type { ReactElement } from 'react';
import { Empty } from '../../components/States.tsx';
import { RECORDINGS } from '../../copy/recordings.ts';
import { recordingProblems } from '../../format/recording-problems.ts';
import { useConsole, useResource } from '../../state/context.ts';

/** Says that there is no message, and why if lines of the file could not be read. */
export function EmptyRecording({ recordingId }: { readonly recordingId: string }): ReactElement {
  const { recordings } = useConsole();
  const { value } = useResource(recordings.list);
  const recording = value?.items.find((each) => each.recordingId === recordingId);
  return (
    <Empty title={RECORDINGS.noMessages}>
      {recording !== undefined && recordingProblems(recording).map((text) => <p key={text}>{text}</p>)}
    </Empty>
  );
}
