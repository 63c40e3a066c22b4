/** Two messages side by side: what became of them, and their text with the lines that differ, as published or as a person edited it for a delivery. */
import { theApp } from '../../../core/contract/app-text.ts';
import { useState, type ReactElement } from 'react';
import { foremost } from '../../../core/contract/attention.ts';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { editedPayload, editedType } from '../../components/detail/DataTab.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { COMPARE, EDIT } from '../../copy/acts.ts';
import { COMPARE_LIVES } from '../../copy/compare-lives.ts';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { DiffLines } from '../../components/DiffLines.tsx';
import { useDifference } from '../../components/use-difference.ts';
import { comparedFacts } from '../../format/compare-lives.ts';
import { clockTime } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useConsole } from '../../state/context.ts';
import css from './CompareDialog.module.css';
import { editableOf, layOut } from './edit-message.ts';
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
      {failure !== undefined && <Failed text={fill(DETAIL.failed, { message: whyNotRead(failure) })} />}
      {failure === undefined && (before.message === undefined || after.message === undefined) && (
        <Loading text={DETAIL.loading} />
      )}
      {before.message !== undefined && after.message !== undefined && (
        <Compared
          left={{ message: before.message, data: before.data ?? '' }}
          right={{ message: after.message, data: after.data ?? '' }}
        />
      )}
    </Overlay>
  );
}

/** A message with its formatted data. */
interface Side {
  readonly message: MessageDetail;
  readonly data: string;
}

interface SidesProps {
  readonly left: Side;
  readonly right: Side;
}

type Edited = Delivery & Required<Pick<Delivery, 'changed'>>;

const isEdited = (delivery: Delivery): delivery is Edited => delivery.changed !== undefined;

/** The edited delivery of which everything is kept; of several the one that needs attention most. */
function editedOf({ message }: Side): Edited | undefined {
  return foremost(
    message.deliveries.filter(isEdited).filter(({ changed }) => changed.bodyTruncated !== true),
  );
}

/** Both messages with the lines that differ. An edit belongs to a delivery, so the message keeps what was published. */
export function Compared({ left, right }: SidesProps): ReactElement {
  const [wantsEdited, setWantsEdited] = useState(false);
  const sides = [left, right];
  const isCut = sides.some((side) => editedOf(side) === undefined && side.message.deliveries.some(isEdited));
  const edits = sides.some((side) => editedOf(side) !== undefined);
  return (
    <>
      <Lives left={left.message} right={right.message} />
      <ul>
        <li>{sideText(COMPARE.sides.left, left, wantsEdited)}</li>
        <li>{sideText(COMPARE.sides.right, right, wantsEdited)}</li>
      </ul>
      {edits && (
        <div className={css.choice}>
          <Button onClick={() => setWantsEdited(!wantsEdited)}>
            {wantsEdited ? COMPARE.showPublished : COMPARE.showEdited}
          </Button>
        </div>
      )}
      {isCut && <p>{COMPARE.cut}</p>}
      <Differences before={textOf(left, wantsEdited)} after={textOf(right, wantsEdited)} />
    </>
  );
}

/** What became of both: states, attempts and answers; a word says which differ. */
function Lives({ left, right }: Readonly<Record<'left' | 'right', MessageDetail>>): ReactElement {
  const { columns, differs, same } = COMPARE_LIVES;
  const nameOf = (text: string, { topic, at }: MessageDetail): string =>
    fill(text, { topic: visibleShort(topic), time: clockTime(at) });
  return (
    <section className={css.lives} aria-label={COMPARE_LIVES.title}>
      <h3>{COMPARE_LIVES.title}</h3>
      <DataTable
        label={COMPARE_LIVES.title}
        columns={[columns.fact, nameOf(columns.left, left), nameOf(columns.right, right), columns.differs]}
        rows={comparedFacts(left, right).map((fact) => {
          const isOther = fact.left !== fact.right;
          const shown = (text: string): ReactElement => (isOther ? <strong>{text}</strong> : <>{text}</>);
          return {
            id: fact.id,
            cells: [fact.name, shown(fact.left), shown(fact.right), isOther ? differs : same],
          };
        })}
        dense
      />
    </section>
  );
}

function sideText(text: string, side: Side, wantsEdited: boolean): string {
  const { topic, at, deliveries } = side.message;
  const named = fill(text, { topic: visibleShort(topic), time: clockTime(at) });
  if (!deliveries.some(isEdited)) return named;
  const edited = wantsEdited ? editedOf(side) : undefined;
  if (edited === undefined) return fill(COMPARE.versions.published, { side: named });
  return fill(COMPARE.versions.edited, { side: named, app: theApp(edited.appId) });
}

function textOf(side: Side, wantsEdited: boolean): string {
  const { message } = side;
  const edited = wantsEdited ? editedOf(side)?.changed : undefined;
  const laidOut = edited === undefined ? side.data : layOut(editedPayload(message.raw, edited).text);
  const { topic, contentType, data, metadata } = editableOf(message, laidOut);
  const type = edited === undefined ? contentType : editedType(message, edited);
  const facts = [`topic: ${topic}`, `content type: ${type}`, ...(metadata === '' ? [] : [metadata])];
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
