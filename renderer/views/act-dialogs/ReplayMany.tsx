/** The dialog that replays many messages: pace, target, exclusions, and their number. */
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { ReplayManyParams } from '../../../core/contract/jobs.ts';
import { Button } from '../../components/Button.tsx';
import { Radios, TextField, Checkbox } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { ACTS, ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { REPLAY_MANY } from '../../copy/jobs.ts';
import { automationCall } from '../../format/curl.ts';
import { count } from '../../format/quantity.ts';
import { useAway, useConsole, useOpenings } from '../../state/context.ts';
import type { ReplayManyOf } from '../../state/commands.ts';
import { asFailure } from '../../state/resource.ts';
import css from './EditForm.module.css';

const TITLES = {
  none: REPLAY_MANY.title,
  messages: REPLAY_MANY.removeTitle,
  'dead-lettered': REPLAY_MANY.removeTitle,
  copies: REPLAY_MANY.deadTitle,
} as const satisfies Readonly<Record<NonNullable<ReplayManyOf['removes']> | 'none', string>>;

type Pace = 'fast' | 'rate' | 'original';

type Destination = 'topic' | 'deliveries';

const DESTINATIONS: readonly { readonly value: Destination; readonly title: string }[] = [
  { value: 'topic', title: REPLAY_MANY.toTopic },
  { value: 'deliveries', title: REPLAY_MANY.toDeliveries },
];

interface Counted {
  /** Number of messages; undefined while the host counts. */
  readonly n: number | undefined;
  readonly failure: string | undefined;
}

const NOT_COUNTED: Counted = { n: undefined, failure: undefined };

/** Number of messages that would be replayed, by a dry run in the host: for these options, and again once the connection is back. */
function useCount(what: ReplayManyOf['what'], to: Destination, skipProcessed: boolean): Counted {
  const { call } = useConsole();
  const openings = useOpenings();
  const [counted, setCounted] = useState(NOT_COUNTED);
  useEffect(() => {
    let isCurrent = true;
    setCounted(NOT_COUNTED);
    call('messages.replayMany', { ...what, to, skipProcessed, dryRun: true }).then(
      ({ count: n }) => isCurrent && setCounted({ n, failure: undefined }),
      (reason: unknown) => isCurrent && setCounted({ n: undefined, failure: asFailure(reason).message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, what, to, skipProcessed, openings]);
  return counted;
}

/** The dialog. It counts with a dry run whenever an option changes which messages are replayed. */
export function ReplayMany({ what, removes, isUndelivered }: ReplayManyOf): ReactElement {
  const { commands, jobs, acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [pace, setPace] = useState<Pace>('fast');
  const [rate, setRate] = useState('10');
  const [to, setTo] = useState<Destination>('topic');
  const [skipProcessed, setSkip] = useState(false);
  const [newEventId, setNewEventId] = useState(false);
  const [removeAfter, setRemove] = useState(removes !== undefined);
  const isFilled = useDiffers({ pace, rate, to, skipProcessed, newEventId, removeAfter });
  const { n, failure } = useCount(what, to, skipProcessed);
  const cancel = useRef<HTMLButtonElement>(null);
  const isRate = rate.trim() !== '' && Number(rate) >= 0.01 && Number(rate) <= 100_000;
  const params: ReplayManyParams = {
    ...what,
    to,
    ...(pace === 'rate' ? { ratePerSecond: Number(rate) } : {}),
    ...(pace === 'original' ? { originalSpacing: true } : {}),
    ...(skipProcessed ? { skipProcessed } : {}),
    ...(newEventId ? { newEventId } : {}),
    ...(removeAfter ? { removeAfter } : {}),
  };

  const off =
    away ??
    failure ??
    (pace === 'rate' && !isRate ? REPLAY_MANY.badNumber : undefined) ??
    (n === undefined ? REPLAY_MANY.counting : n === 0 ? REPLAY_MANY.none : undefined);
  const amount = n === undefined ? REPLAY_MANY.counting : count(n);
  return (
    <Overlay
      title={fill(TITLES[removes ?? 'none'], { n: amount })}
      onClose={commands.close}
      isFilled={isFilled}
      {...(removes === undefined ? {} : { focusFirst: cancel })}
      foot={
        <>
          <CancelButton ref={cancel} />
          <Button onClick={() => void acting.copy(automationCall('messages.replayMany', params))}>
            {ACTS.copyCall}
          </Button>
          <Button
            kind={removeAfter ? 'danger' : 'primary'}
            off={off}
            onClick={() => {
              commands.close();
              void jobs.start(params);
            }}
          >
            {fill(removeAfter ? REPLAY_MANY.runRemove : REPLAY_MANY.run, { n: amount })}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <p role="status" className={css.warning}>
          {failure ?? ''}
        </p>
        <p>
          {REPLAY_MANY.order}
          {removes === 'copies' && ` ${REPLAY_MANY.deadWhat}`}
          {removes === 'dead-lettered' && ` ${REPLAY_MANY.copiesStay}`}
        </p>
        <PaceFields pace={pace} onPace={setPace} rate={rate} onRate={setRate} isRate={isRate} />
        {isUndelivered !== true && (
          <>
            <Radios label={REPLAY_MANY.to} value={to} onChange={setTo} options={DESTINATIONS} />
            <Checkbox label={REPLAY_MANY.skip} checked={skipProcessed} onChange={setSkip} />
          </>
        )}
        <Checkbox label={REPLAY_MANY.newEventId} checked={newEventId} onChange={setNewEventId} />
        <Checkbox
          label={REPLAY_MANY.remove}
          hint={REPLAY_MANY.removeHint}
          checked={removeAfter}
          onChange={setRemove}
        />
      </div>
    </Overlay>
  );
}

interface PaceFieldsProps {
  readonly pace: Pace;
  readonly onPace: (pace: Pace) => void;
  readonly rate: string;
  readonly onRate: (text: string) => void;
  /** Whether the text is a rate that the host accepts. */
  readonly isRate: boolean;
}

/** Fields for the pace of the replay. */
function PaceFields({ pace, onPace, rate, onRate, isRate }: PaceFieldsProps): ReactElement {
  return (
    <>
      <Radios
        label={REPLAY_MANY.rate}
        value={pace}
        onChange={onPace}
        options={[
          { value: 'fast', title: REPLAY_MANY.fast },
          { value: 'rate', title: REPLAY_MANY.perSecond },
          { value: 'original', title: REPLAY_MANY.original },
        ]}
      />
      {pace === 'rate' && (
        <TextField
          label={REPLAY_MANY.number}
          inputMode="decimal"
          value={rate}
          error={isRate ? undefined : REPLAY_MANY.badNumber}
          onChange={onRate}
        />
      )}
    </>
  );
}
