/** Links from a message to those it comes from, and to its copy. */
import { GitCompare } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { COMPARE } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { useConsole } from '../../state/context.ts';
import { IconButton } from '../Button.tsx';
import css from './DetailHead.module.css';

export interface KinProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

interface Relative {
  readonly messageId: string;
  readonly text: string;
}

/** Messages before and after this one. */
function relativesOf({ message: { replayOf, deadLetterOf }, delivery }: KinProps): readonly Relative[] {
  const copy = delivery?.deadLetter;
  return [
    ...(replayOf === undefined ? [] : [{ messageId: replayOf, text: DETAIL.replayOf }]),
    ...(deadLetterOf === undefined
      ? []
      : [
          {
            messageId: deadLetterOf.messageId,
            text: fill(DETAIL.deadLetterOf, { topic: deadLetterOf.topic }),
          },
        ]),
    ...(copy === undefined
      ? []
      : [{ messageId: copy.messageId, text: fill(DETAIL.copyOn, { topic: copy.topic }) }]),
  ];
}

function linkOf(messageId: string): string {
  return `/messages?m=${addressPart(messageId)}`;
}

/** The links, at the end of the line of the buttons, so that they move none. A replay can be compared with its original. */
export function Kin(props: KinProps): ReactElement | null {
  const { commands } = useConsole();
  const { messageId: right, replayOf } = props.message;
  const relatives = relativesOf(props);
  if (relatives.length === 0) return null;
  return (
    <div className={css.kin}>
      <Links relatives={relatives} />
      {replayOf !== undefined && (
        <IconButton
          icon={GitCompare}
          label={COMPARE.withOriginal}
          onClick={() => commands.open({ kind: 'compare', left: replayOf, right })}
        />
      )}
    </div>
  );
}

export interface KinInFullProps extends KinProps {
  /** Whether the message is no longer kept: its links may lead nowhere. */
  readonly isGone: boolean;
}

/** The links, each in full. */
export function KinInFull({ isGone, ...of }: KinInFullProps): ReactElement | null {
  const relatives = relativesOf(of);
  if (isGone || relatives.length === 0) return null;
  return (
    <div className={css.allKin}>
      <Links relatives={relatives} />
    </div>
  );
}

function Links({ relatives }: { readonly relatives: readonly Relative[] }): ReactElement {
  return (
    <>
      {relatives.map(({ messageId, text }) => (
        <Link key={messageId} href={linkOf(messageId)} title={text}>
          {text}
        </Link>
      ))}
    </>
  );
}
