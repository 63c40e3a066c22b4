/** The dialog that creates or edits a hold. */
import { useState, type ReactElement } from 'react';
import type { Hold, HoldChange, HoldParams, HoldPoint } from '../../../core/contract/hold.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { HOLD_POINTS } from '../../../core/contract/words.ts';
import { Button } from '../../components/Button.tsx';
import { Radios, TextField } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { Loading } from '../../components/States.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { ACT_WHY, CONFIRM } from '../../copy/acts.ts';
import { HOLDS, HOLD_EDITOR } from '../../copy/holds.ts';
import { FilterField } from '../../components/FilterField.tsx';
import { afterText, readAfter } from './release-after.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import css from './Holds.module.css';

export interface HoldEditorProps {
  /** The hold to edit; undefined: a new one. */
  readonly holdId: string | undefined;
  /** Filter of a new hold. */
  readonly filter: string | undefined;
}

/** Loads the hold to edit, then shows the form. */
export function HoldEditor({ holdId, filter }: HoldEditorProps): ReactElement {
  const { commands, holds } = useConsole();
  const { value } = useResource(holds.list);
  if (holdId !== undefined && value === undefined) {
    return (
      <Overlay title={HOLD_EDITOR.edit} onClose={commands.close}>
        <Loading text={HOLDS.loading} />
      </Overlay>
    );
  }
  const hold = value?.items.find((each) => each.holdId === holdId);
  return <Form hold={hold} isGone={holdId !== undefined && hold === undefined} filter={filter ?? ''} />;
}

const TITLES: Readonly<Record<HoldPoint, { readonly title: string; readonly hint: string }>> = {
  publish: { title: HOLD_EDITOR.publish, hint: HOLD_EDITOR.publishHint },
  delivery: { title: HOLD_EDITOR.delivery, hint: HOLD_EDITOR.deliveryHint },
  response: { title: HOLD_EDITOR.response, hint: HOLD_EDITOR.responseHint },
};

/**
 * Changes of the form. An emptied member is removed; "the next n" counts again only if n changed or was used
 * up.
 */
function changeOf(hold: Hold, params: HoldParams): { holdId: string } & HoldChange {
  const { times, name = null, releaseAfterMs = null, ...rest } = params;
  const isSame = times !== undefined && times === hold.times && hold.hits < times;
  return { holdId: hold.holdId, ...rest, name, releaseAfterMs, ...(isSame ? {} : { times: times ?? null }) };
}

function isWhole(text: string): boolean {
  return text === '' || /^[1-9]\d*$/.test(text);
}

/** Says that the hold was removed; empty before, so that the change is read out. */
function Gone({ isGone }: { readonly isGone: boolean }): ReactElement {
  return <p role="status">{isGone ? HOLD_EDITOR.gone : ''}</p>;
}

interface FormProps {
  /** Absent for a new hold, and for one that was removed. */
  readonly hold: Hold | undefined;
  /** Whether the hold to edit was removed, as another window can do while the dialog is open. */
  readonly isGone: boolean;
  readonly filter: string;
}

function Form({ hold, isGone, filter }: FormProps): ReactElement {
  const { call, commands, holds } = useConsole();
  const refused = useRefused(['name', 'times', 'releaseAfterMs']);
  const away = useAway(ACT_WHY.away);
  const [name, setName] = useState(hold?.name ?? '');
  const [at, setAt] = useState<HoldPoint>(hold?.at ?? 'delivery');
  // The field has its own text; this is the one that it began with.
  const [before] = useState(hold?.filter ?? filter);
  const [text, setText] = useState(before);
  const [times, setTimes] = useState(hold?.times === undefined ? '' : String(hold.times));
  const [after, setAfter] = useState(afterText(hold?.releaseAfterMs));
  const releaseAfterMs = after.trim() === '' ? undefined : readAfter(after);
  const isTime = after.trim() === '' || releaseAfterMs !== undefined;
  const mistake = isWhole(times) ? (isTime ? undefined : HOLD_EDITOR.badTime) : HOLD_EDITOR.wholeNumber;

  async function save(): Promise<void> {
    const params: HoldParams = {
      at,
      filter: text.trim(),
      ...(name === '' ? {} : { name }),
      ...(times === '' ? {} : { times: Number(times) }),
      ...withoutUndefined({ releaseAfterMs }),
    };
    const saved = await refused.run('hold', async () => {
      if (hold === undefined) await call('holds.add', params);
      else await call('holds.update', changeOf(hold, params));
      await holds.list.refresh();
      return HOLD_EDITOR.saved;
    });
    if (saved) commands.close();
  }

  return (
    <Overlay
      title={hold === undefined && !isGone ? HOLD_EDITOR.add : HOLD_EDITOR.edit}
      onClose={commands.close}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <Button onClick={commands.close}>{CONFIRM.cancel}</Button>
          <Button kind="primary" off={away ?? mistake} pending={refused.pending} onClick={() => void save()}>
            {isGone ? HOLD_EDITOR.saveAgain : HOLD_EDITOR.save}
          </Button>
        </>
      }
    >
      <div className={css.editor}>
        <Gone isGone={isGone} />
        <TextField label={HOLD_EDITOR.name} error={refused.at('name')} value={name} onChange={setName} />
        <Radios
          label={HOLD_EDITOR.at}
          value={at}
          onChange={setAt}
          options={HOLD_POINTS.map((value) => ({ value, ...TITLES[value] }))}
        />
        <div>
          <FilterField
            id="hold-filter"
            label={HOLD_EDITOR.filter}
            labelled
            keepsText
            value={before}
            onApply={setText}
            onDraft={setText}
          />
          <p className={css.hint}>{HOLD_EDITOR.filterHint}</p>
        </div>
        <Limits
          times={times}
          onTimes={setTimes}
          after={after}
          onAfter={setAfter}
          isTime={isTime}
          refusedAt={refused.at}
        />
      </div>
    </Overlay>
  );
}

interface LimitsProps {
  readonly times: string;
  readonly onTimes: (text: string) => void;
  readonly after: string;
  readonly onAfter: (text: string) => void;
  /** Whether `after` is a time, or empty. */
  readonly isTime: boolean;
  /** The host's refusal of a field. */
  readonly refusedAt: (field: string) => string | undefined;
}

/** Fields for the number of catches and the time of each. */
function Limits({ times, onTimes, after, onAfter, isTime, refusedAt }: LimitsProps): ReactElement {
  return (
    <div className={css.editorRow}>
      <TextField
        label={HOLD_EDITOR.times}
        hint={HOLD_EDITOR.timesHint}
        inputMode="numeric"
        error={isWhole(times) ? refusedAt('times') : HOLD_EDITOR.wholeNumber}
        value={times}
        onChange={onTimes}
      />
      <TextField
        label={HOLD_EDITOR.releaseAfter}
        hint={HOLD_EDITOR.releaseAfterHint}
        error={isTime ? refusedAt('releaseAfterMs') : HOLD_EDITOR.badTime}
        value={after}
        onChange={onAfter}
      />
    </div>
  );
}
