/**
 * Two messages side by side: what became of them, and their text with the lines that differ, as published or as a person edited it for a
 * delivery.
 */
import { theApp } from '../../../core/contract/app-text.ts';
import { useState, type ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Choice } from '../../components/Choice.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import {
  comparableOf,
  editedPayload,
  editedType,
  isEdited,
  type EditedDelivery,
} from '../../components/detail/DataTab.tsx';
import { Edited } from '../../components/edited-context.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { COMPARE, EDIT } from '../../copy/acts.ts';
import { COMPARE_LIVES } from '../../copy/compare-lives.ts';
import { PANEL } from '../../copy/detail-panel.ts';
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
  const isOne = left === right && leftIn === rightIn;
  return (
    <Overlay title={isOne ? COMPARE.titleOfOne : COMPARE.title} wide onClose={commands.close}>
      {failure !== undefined && <Failed text={fill(PANEL.failed, { message: whyNotRead(failure) })} />}
      {failure === undefined && (before.message === undefined || after.message === undefined) && (
        <Loading text={PANEL.loading} />
      )}
      {before.message !== undefined && after.message !== undefined && (
        <Compared
          left={{ message: before.message, data: before.data ?? '' }}
          right={{ message: after.message, data: after.data ?? '' }}
          isOne={isOne}
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
  /** True: both are the same message, of which only the versions can differ. */
  readonly isOne?: boolean;
}

/** Id of the delivery whose edited version is compared; this one: what was published. */
const PUBLISHED = '';

type Versions = Readonly<Record<'left' | 'right', string>>;

/** What is compared first: of one message alone the last two of its versions. */
export function firstVersions({ left, isOne = false }: SidesProps): Versions {
  if (!isOne) return { left: PUBLISHED, right: PUBLISHED };
  const [before = PUBLISHED, after = PUBLISHED] = [PUBLISHED, ...comparableOf(left.message).map(idOf)].slice(
    -2,
  );
  return { left: before, right: after };
}

const idOf = ({ deliveryId }: EditedDelivery): string => deliveryId;

/** Both messages with the lines that differ. An edit belongs to a delivery, so the message keeps what was published. */
export function Compared(props: SidesProps): ReactElement {
  const { left, right, isOne = false } = props;
  const [versions, setVersions] = useState(() => firstVersions(props));
  const sides = { left, right };
  const isCut = [left, right].some(({ message }) =>
    message.deliveries.some((delivery) => delivery.changed?.bodyTruncated === true),
  );
  return (
    <>
      {!isOne && <Lives left={left.message} right={right.message} />}
      <ul className={css.sides}>
        {(['left', 'right'] as const).map((at) => (
          <li key={at}>
            {sideText(COMPARE.sides[at], sides[at])}
            <VersionChoice
              label={COMPARE.versionOf[at]}
              side={sides[at]}
              value={versions[at]}
              onChange={(version) => setVersions((before) => ({ ...before, [at]: version }))}
            />
          </li>
        ))}
      </ul>
      {isCut && <p>{COMPARE.cut}</p>}
      {isOne && versions.left === versions.right ? (
        comparableOf(left.message).length > 0 && <p role="status">{COMPARE.sameVersion}</p>
      ) : (
        <Differences before={textOf(left, versions.left)} after={textOf(right, versions.right)} />
      )}
    </>
  );
}

function ignore(): void {
  // Nothing was entered.
}

interface VersionChoiceProps {
  readonly label: string;
  readonly side: Side;
  readonly value: string;
  readonly onChange: (version: string) => void;
}

/** Chooses which version of a side is compared; a message that nobody edited has only one. */
function VersionChoice({ label, side, value, onChange }: VersionChoiceProps): ReactElement | null {
  const { message } = side;
  if (!message.deliveries.some(isEdited)) return null;
  const edited = comparableOf(message);
  if (edited.length === 0) return <>, {COMPARE.versions.published}</>;
  const options = [
    { value: PUBLISHED, title: COMPARE.versions.published },
    ...versionTexts(edited).map((title, at) => ({ value: edited[at]?.deliveryId ?? PUBLISHED, title })),
  ];
  return (
    // What is looked at is nothing that the dialog would have to keep.
    <Edited value={ignore}>
      <Choice label={label} value={value} options={options} onChange={onChange} />
    </Edited>
  );
}

/** Texts of the edited versions; deliveries that began together at one route are numbered. */
export function versionTexts(all: readonly EditedDelivery[]): readonly string[] {
  const texts = all.map((delivery) => versionText(delivery, all));
  return texts.map((version, at) => {
    const earlier = texts.slice(0, at).filter((each) => each === version).length;
    return earlier === 0 ? version : fill(COMPARE.versions.numbered, { version, n: earlier + 1 });
  });
}

/** The edited version of a delivery, with its route where an app has several, and the time of the delivery where a route has. */
function versionText(delivery: EditedDelivery, all: readonly EditedDelivery[]): string {
  const { appId, route, transitions } = delivery;
  const { edited, editedAt, editedAtTime } = COMPARE.versions;
  const ofApp = all.filter((each) => each.appId === appId);
  if (ofApp.length === 1) return fill(edited, { app: theApp(appId) });
  const words = { app: theApp(appId), path: route.path };
  const [first] = transitions;
  const isOneThere = ofApp.filter((each) => each.route.path === route.path).length === 1;
  if (isOneThere || first === undefined) return fill(editedAt, words);
  return fill(editedAtTime, { ...words, time: clockTime(first.at) });
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

function sideText(text: string, { message: { topic, at } }: Side): string {
  return fill(text, { topic: visibleShort(topic), time: clockTime(at) });
}

function textOf(side: Side, version: string): string {
  const { message } = side;
  const edited = comparableOf(message).find(({ deliveryId }) => deliveryId === version)?.changed;
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
