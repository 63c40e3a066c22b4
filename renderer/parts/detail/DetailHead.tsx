/** The head of the open message: what it is, where it stands, what can be done. */
import { ArrowDown, ArrowUp, Pin, PinOff, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Delivery, MessageDetail } from '../../../core/contract/message.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { ChoiceMenu } from '../../components/ChoiceMenu.tsx';
import { useNow } from '../../components/clock.ts';
import { ACTS, ACT_WHY, COMPARE } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { WHY } from '../../copy/why.ts';
import { whyNot, type Act, type ActSubject } from '../../format/acts.ts';
import { chipOf } from '../../format/row.ts';
import { attemptsLeft } from '../../format/times.ts';
import { clockTime, duration, utcTime } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible.ts';
import { commandOf } from '../../keys/commands.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import { useAway, useConsole, useParam } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { rowMenu } from '../row-menu.ts';
import css from './DetailHead.module.css';
import { WhyLine } from './WhyLine.tsx';

/** "orders · com.acme.order.created" */
export function titleOf({
  topic,
  eventType,
  raw,
}: Pick<MessageDetail, 'topic' | 'eventType' | 'raw'>): string {
  const name = visibleShort(topic);
  if (raw) return fill(DETAIL.titleRaw, { topic: name });
  return eventType === undefined ? name : fill(DETAIL.title, { topic: name, type: visibleShort(eventType) });
}

export interface DetailHeadProps {
  readonly message: MessageDetail;
  readonly delivery: Delivery | undefined;
}

/** Title, state line and buttons. */
export function DetailHead({ message, delivery }: DetailHeadProps): ReactElement {
  const console = useConsole();
  const row = rowOfDetail(message);
  const tab = useParam('t');
  const isSaidBelow = delivery !== undefined && (tab === 'attempts' || tab === 'timeline');
  return (
    <header className={css.head}>
      <div className={css.line}>
        <h2 className={css.title}>
          <bdi>{titleOf(message)}</bdi>
        </h2>
        <Walk step={-1} />
        <Walk step={1} />
        <IconButton
          icon={message.pinned === true ? PinOff : Pin}
          label={message.pinned === true ? ACTS.unpin : ACTS.pin}
          keys={['i']}
          onClick={() => void console.acting.pin(message)}
        />
        <IconButton
          icon={X}
          label={DETAIL.close}
          keys={['Escape']}
          onClick={() => console.places.change({ m: undefined, d: undefined, t: undefined })}
        />
      </div>
      <StateLine message={message} delivery={delivery} />
      {isSaidBelow || <WhyLine message={message} delivery={delivery} />}
      {(message.flags ?? []).map((flag) => (
        <p key={flag} className={css.flag}>
          {flag}
        </p>
      ))}
      <Acts
        subject={delivery === undefined ? { row } : { row, deliveryId: delivery.deliveryId }}
        delivery={delivery}
      />
      {message.deliveries.length > 1 && (
        <Choice
          label={DETAIL.delivery}
          value={delivery?.deliveryId ?? ''}
          onChange={(d) => console.places.change({ d }, { replace: true })}
          options={message.deliveries.map((each, index) => ({
            value: each.deliveryId,
            title: fill(DETAIL.deliveryOf, {
              app: each.appId,
              n: index + 1,
              total: message.deliveries.length,
            }),
            note: <Chip kind={each.state} />,
          }))}
        />
      )}
    </header>
  );
}

/** To the message before or after in the list, without leaving the panel. */
function Walk({ step }: { readonly step: 1 | -1 }): ReactElement {
  const console = useConsole();
  return (
    <IconButton
      icon={step === 1 ? ArrowDown : ArrowUp}
      label={step === 1 ? DETAIL.next : DETAIL.previous}
      onClick={() => {
        const { rows } = console.messages;
        const place = rows.placeOf(console.places.param('m') ?? '');
        const row = place === undefined ? undefined : rows.rowAt(place + step);
        if (row !== undefined) console.places.change({ m: row.messageId, d: undefined }, { replace: true });
      }}
    />
  );
}

function StateLine({ message, delivery }: DetailHeadProps): ReactElement {
  const { holds } = useConsole();
  const rules = useSelected(holds.rules.store, ({ value }) => value?.items);
  const chip = chipOf(rowOfDetail(message));
  const made = delivery?.attempts.length ?? 0;
  const holdId = delivery?.heldBy ?? message.heldBy;
  const hold = rules?.find((each) => each.holdId === holdId);
  const attempts =
    delivery === undefined || made === 0
      ? ''
      : fill(delivery.maxAttempts > 0 ? DETAIL.attemptOf : DETAIL.attempt, {
          n: made,
          max: delivery.maxAttempts,
        });
  const kind = delivery?.state ?? chip.kind;
  return (
    <p className={css.state}>
      <span aria-live="polite" className={css.live}>
        <Chip kind={kind} app={message.waitingFor?.join(', ')} />
        <span>{attempts}</span>
      </span>
      {delivery?.heldAt === 'response' && <span className={css.note}>{DETAIL.answerHeld}</span>}
      {delivery !== undefined && (
        <span className={css.mono}>
          {fill(delivery.route.path === '' ? DETAIL.toNowhere : DETAIL.to, {
            app: delivery.appId,
            route: delivery.route.path,
          })}
        </span>
      )}
      {delivery?.nextAttemptAt !== undefined && kind === 'retrying' && (
        <Left text={DETAIL.nextIn} until={delivery.nextAttemptAt} />
      )}
      {delivery !== undefined && (kind === 'retrying' || kind === 'attempting') && (
        <span>{leftText(delivery)}</span>
      )}
      {message.expiresAt !== undefined && (kind === 'held' || kind === 'queued' || kind === 'retrying') && (
        <Left text={DETAIL.expiresIn} until={message.expiresAt} />
      )}
      {kind === 'held' && holdId !== undefined && (
        <span>{fill(DETAIL.heldBy, { hold: hold?.name ?? holdId })}</span>
      )}
      <span className={css.time} title={utcTime(message.at)}>
        {clockTime(message.at)}
      </span>
      <Kin message={message} delivery={delivery} />
    </p>
  );
}

function leftText(delivery: Delivery): string {
  const left = attemptsLeft(delivery);
  if (left === undefined) return WHY.noLimit;
  return left === 0 ? WHY.lastOne : fill(WHY.left, { n: left });
}

/** Links to the messages that this one came from or led to. */
function Kin({ message, delivery }: DetailHeadProps): ReactElement {
  const { commands } = useConsole();
  const { replayOf, deadLetterOf } = message;
  const copy = delivery?.deadLetter;
  return (
    <>
      {replayOf !== undefined && (
        <>
          <MessageLink messageId={replayOf} text={DETAIL.replayOf} />
          <Button
            kind="quiet"
            onClick={() => commands.open({ kind: 'compare', left: replayOf, right: message.messageId })}
          >
            {COMPARE.withOriginal}
          </Button>
        </>
      )}
      {deadLetterOf !== undefined && (
        <MessageLink
          messageId={deadLetterOf.messageId}
          text={fill(DETAIL.deadLetterOf, { topic: deadLetterOf.topic })}
        />
      )}
      {copy !== undefined && (
        <MessageLink messageId={copy.messageId} text={fill(DETAIL.copyOn, { topic: copy.topic })} />
      )}
    </>
  );
}

function MessageLink({
  messageId,
  text,
}: {
  readonly messageId: string;
  readonly text: string;
}): ReactElement {
  return <Link href={`/messages?m=${encodeURIComponent(messageId)}`}>{text}</Link>;
}

/** A countdown; what it says to assistive technology does not tick. */
function Left({ text, until }: { readonly text: string; readonly until: string }): ReactElement | null {
  const now = useNow();
  const left = Date.parse(until) - now;
  if (left <= 0) return null;
  return (
    <span>
      <span aria-hidden>{fill(text, { t: duration(Math.ceil(left / 1000) * 1000) })}</span>
      <span className="visually-hidden">{fill(text, { t: clockTime(until) })}</span>
    </span>
  );
}

const SHOWN: readonly Act[] = ['retry', 'hold', 'drop', 'deadLetter'];

function Acts({
  subject,
  delivery,
}: {
  readonly subject: ActSubject;
  readonly delivery: Delivery | undefined;
}): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(console.commands.store, (state) => state.pending);
  const { row, deliveryId } = subject;
  const isHeld = whyNot('release', subject) === undefined || delivery?.heldAt === 'response';
  const shown = SHOWN.map((act): Act => (act === 'hold' && isHeld ? 'release' : act));
  const of = deliveryId === undefined ? {} : { deliveryId };
  return (
    <div className={css.acts}>
      <Button
        off={away}
        pending={pending.has('replay')}
        keys={['r']}
        onClick={() => void console.acting.replay([row])}
      >
        {ACTS.replay}
      </Button>
      <Button
        off={away}
        keys={['e']}
        onClick={() => console.commands.open({ kind: 'edit-replay', messageId: row.messageId, ...of })}
      >
        {ACTS.editReplay}
      </Button>
      {shown.map((act) => (
        <Button
          key={act}
          off={
            away ?? (act === 'release' && delivery?.heldAt === 'response' ? undefined : whyNot(act, subject))
          }
          pending={pending.has(act)}
          keys={commandOf(act === 'release' || act === 'hold' ? 'holdOrRelease' : act)?.keys}
          onClick={() =>
            act === 'release' && delivery?.heldAt === 'response'
              ? void console.acting.release(subject, {})
              : console.acting.act(act, [subject])
          }
        >
          {ACTS[act]}
        </Button>
      ))}
      {isHeld && (
        <Button
          off={away}
          onClick={() => console.commands.open({ kind: 'edit-release', messageId: row.messageId, ...of })}
        >
          {ACTS.editRelease}
        </Button>
      )}
      {delivery?.state === 'attempting' && delivery.heldAt === undefined && (
        <Button off={away} keys={['k']} onClick={() => console.acting.act('cancel', [subject])}>
          {ACTS.cancel}
        </Button>
      )}
      <ChoiceMenu title={ACTS.more} groups={rowMenu(console, row)} label={ACTS.more} />
    </div>
  );
}
