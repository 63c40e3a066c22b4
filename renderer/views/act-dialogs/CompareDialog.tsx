/** Two messages side by side as text, with the lines that differ. */
import type { ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { COMPARE, EDIT } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { DiffLines } from '../../components/DiffLines.tsx';
import { useDifference } from '../../components/use-difference.ts';
import { clockTime } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole } from '../../state/context.ts';
import { editableOf } from './edit-message.ts';
import { useMessage } from './use-message.ts';

export interface CompareDialogProps {
  /** The older message, for example an original. */
  readonly left: string;
  readonly right: string;
  /** Recordings of the messages; absent: the live history. */
  readonly leftIn?: string | undefined;
  readonly rightIn?: string | undefined;
}

/** Topic, content type, metadata and data of both. Ids and times always differ and are left out. */
export function CompareDialog({ left, right, leftIn, rightIn }: CompareDialogProps): ReactElement {
  const { commands } = useConsole();
  const before = useMessage(left, true, leftIn);
  const after = useMessage(right, true, rightIn);
  const failure = before.failure ?? after.failure;
  return (
    <Overlay title={COMPARE.title} wide onClose={commands.close}>
      {failure !== undefined && <Failed text={fill(DETAIL.failed, { message: clause(failure.message) })} />}
      {failure === undefined && (before.message === undefined || after.message === undefined) && (
        <Loading text={DETAIL.loading} />
      )}
      {before.message !== undefined && after.message !== undefined && (
        <>
          <Sides left={before.message} right={after.message} />
          <Differences
            before={textOf(before.message, before.data ?? '')}
            after={textOf(after.message, after.data ?? '')}
          />
        </>
      )}
    </Overlay>
  );
}

interface SidesProps {
  readonly left: MessageDetail;
  readonly right: MessageDetail;
}

/** Which message has which sign. An edit belongs to a delivery, so the message keeps what was published. */
export function Sides({ left, right }: SidesProps): ReactElement {
  const isEdited = [left, right].some(({ deliveries }) =>
    deliveries.some((each) => each.changed !== undefined),
  );
  return (
    <>
      <ul>
        <li>{sideText(COMPARE.sides.left, left)}</li>
        <li>{sideText(COMPARE.sides.right, right)}</li>
      </ul>
      {isEdited && <p>{COMPARE.asPublished}</p>}
    </>
  );
}

function sideText(text: string, { topic, at }: MessageDetail): string {
  return fill(text, { topic: visibleShort(topic), time: clockTime(at) });
}

function textOf(message: MessageDetail, laidOut: string): string {
  const { topic, contentType, data, metadata } = editableOf(message, laidOut);
  const facts = [`topic: ${topic}`, `content type: ${contentType}`, ...(metadata === '' ? [] : [metadata])];
  return [...facts, '', data].join('\n');
}

interface DifferencesProps {
  readonly before: string;
  readonly after: string;
}

function Differences({ before, after }: DifferencesProps): ReactElement {
  const compared = useDifference(before, after);
  if (compared.state === 'comparing') return <Loading text={EDIT.comparing} />;
  if (compared.state === 'unknown') return <p role="status">{EDIT.notCompared}</p>;
  const { changed, lines } = compared.difference;
  return (
    <>
      <p role="status">
        {changed === 0
          ? COMPARE.same
          : changed === 1
            ? COMPARE.one
            : fill(COMPARE.many, { n: count(changed) })}
      </p>
      <DiffLines lines={lines} />
    </>
  );
}
