/** The dialog that replays many messages: how fast, where to, what is left out, and how many there are. */
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { ReplayManyParams } from '../../../core/contract/jobs.ts';
import { Button } from '../../components/Button.tsx';
import { Radios, TextField, Tick } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { ACTS, ACT_WHY, CONFIRM } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { REPLAY_MANY } from '../../copy/jobs.ts';
import { automationCall } from '../../format/curl.ts';
import { count } from '../../format/quantity.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import css from './EditForm.module.css';

export interface ReplayManyProps {
  readonly what: { readonly messageIds: readonly string[] } | { readonly filter: string };
  /** Dead letters: back to the topic they came from, and away with the copies. */
  readonly removes: boolean;
}

type Pace = 'fast' | 'rate' | 'original';

/** Counts with a dry run whenever an option changes what is replayed. */
export function ReplayMany({ what, removes }: ReplayManyProps): ReactElement {
  const { call, commands, jobs, acting } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [pace, setPace] = useState<Pace>('fast');
  const [rate, setRate] = useState('10');
  const [to, setTo] = useState<'topic' | 'deliveries'>('topic');
  const [skipProcessed, setSkip] = useState(false);
  const [newEventId, setNewEventId] = useState(false);
  const [removeAfter, setRemove] = useState(removes);
  const [n, setN] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const cancel = useRef<HTMLButtonElement>(null);
  const perSecond = Number(rate);
  const isRate = rate.trim() !== '' && perSecond >= 0.01 && perSecond <= 100_000;
  const params: ReplayManyParams = {
    ...what,
    to,
    ...(pace === 'rate' ? { ratePerSecond: perSecond } : {}),
    ...(pace === 'original' ? { originalSpacing: true } : {}),
    ...(skipProcessed ? { skipProcessed } : {}),
    ...(newEventId ? { newEventId } : {}),
    ...(removeAfter ? { removeAfter } : {}),
  };

  useEffect(() => {
    let isCurrent = true;
    call('messages.replayMany', { ...what, to, skipProcessed, dryRun: true }).then(
      (answer) => isCurrent && setN(answer.count),
      (reason: unknown) => isCurrent && setFailure(asFailure(reason).message),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, what, to, skipProcessed]);

  const off =
    away ??
    failure ??
    (pace === 'rate' && !isRate ? REPLAY_MANY.badNumber : undefined) ??
    (n === undefined ? REPLAY_MANY.counting : n === 0 ? REPLAY_MANY.none : undefined);
  const amount = n === undefined ? REPLAY_MANY.counting : count(n);
  const title = removes ? REPLAY_MANY.deadTitle : n === 1 ? REPLAY_MANY.titleOne : REPLAY_MANY.title;
  return (
    <Overlay
      title={fill(title, { n: amount })}
      onClose={commands.close}
      {...(removes ? { focusFirst: cancel } : {})}
      foot={
        <>
          <Button ref={cancel} onClick={commands.close}>
            {CONFIRM.cancel}
          </Button>
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
        <p>{REPLAY_MANY.order}</p>
        <Radios
          label={REPLAY_MANY.rate}
          value={pace}
          onChange={setPace}
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
            onChange={setRate}
          />
        )}
        <Radios
          label={REPLAY_MANY.to}
          value={to}
          onChange={setTo}
          options={[
            { value: 'topic', title: REPLAY_MANY.toTopic },
            { value: 'deliveries', title: REPLAY_MANY.toDeliveries },
          ]}
        />
        <Tick label={REPLAY_MANY.skip} checked={skipProcessed} onChange={setSkip} />
        <Tick label={REPLAY_MANY.newEventId} checked={newEventId} onChange={setNewEventId} />
        <Tick
          label={REPLAY_MANY.remove}
          hint={REPLAY_MANY.removeHint}
          checked={removeAfter}
          onChange={setRemove}
        />
      </div>
    </Overlay>
  );
}
