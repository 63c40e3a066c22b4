/** The dialog that creates or edits a hold. */
import { useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import type { Hold, HoldChange, HoldParams, HoldPoint } from '../../../core/contract/hold.ts';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import { HOLD_POINTS } from '../../../core/contract/words.ts';
import { Button } from '../../components/Button.tsx';
import { ChangedElsewhere, showFirstNote } from '../../components/ChangedElsewhere.tsx';
import { Radios, TextField } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { whileThisIsOpen } from '../../components/own-dialog.ts';
import { Loading } from '../../components/States.tsx';
import { useSharedFields, type Editing } from '../../components/shared-fields.ts';
import { useRefused, type Refused } from '../../components/use-refused.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { HOLDS, HOLD_EDITOR } from '../../copy/holds.ts';
import { FilterField } from '../../components/FilterField.tsx';
import { HoldsWhat } from './HoldsWhat.tsx';
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

/** Id of the filter's field. */
const FILTER_FIELD = 'hold-filter';

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

/** The fields of a hold as texts. */
interface HoldFields {
  readonly name: string;
  readonly at: HoldPoint;
  readonly filter: string;
  readonly times: string;
  readonly after: string;
}

function fieldsOf(hold: Hold): HoldFields {
  return {
    name: hold.name ?? '',
    at: hold.at,
    filter: hold.filter,
    times: hold.times === undefined ? '' : String(hold.times),
    after: afterText(hold.releaseAfterMs),
  };
}

function newFields(filter: string): HoldFields {
  return { name: '', at: 'delivery', filter, times: '', after: '' };
}

/** What the fields say; the mistakes of the fields are known before. */
function paramsOf({ name, at, filter, times, after }: HoldFields): HoldParams {
  const releaseAfterMs = after.trim() === '' ? undefined : readAfter(after);
  return {
    at,
    filter: filter.trim(),
    ...(name === '' ? {} : { name }),
    ...(times === '' ? {} : { times: Number(times) }),
    ...withoutUndefined({ releaseAfterMs }),
  };
}

function isAfter(after: string): boolean {
  return after.trim() === '' || readAfter(after) !== undefined;
}

/** What a save has come to. */
interface Stored {
  /** Id of the saved hold; undefined: another window changed what was edited here, or removed the hold, which the form shows first. */
  readonly holdId: string | undefined;
  /** Whether more was typed before the host answered. */
  readonly isTypedOn: boolean;
}

const UNSEEN: Stored = { holdId: undefined, isTypedOn: false };

/** Saves the fields over the hold as it is at the host by now, or as a new one. */
function useStore(hold: Hold | undefined, editing: Editing<HoldFields>): () => Promise<Stored> {
  const { call, holds } = useConsole();
  return async () => {
    const sent = editing.draft;
    let saved: Hold;
    if (hold === undefined) saved = await call('holds.add', paramsOf(sent));
    else {
      const list = await call('holds.list', {});
      const latest = list.items.find(({ holdId }) => holdId === hold.holdId);
      const fields = latest && editing.mergedWith(fieldsOf(latest));
      if (latest === undefined || fields === undefined) {
        holds.list.accept(list);
        return UNSEEN;
      }
      saved = await call('holds.update', changeOf(latest, paramsOf(fields)));
    }
    await holds.list.refresh();
    return { holdId: saved.holdId, isTypedOn: !editing.settle(sent, fieldsOf(saved)) };
  };
}

/** Saves the form. It closes, unless something is to be shown first, or more was typed before the host answered. */
function useSave(
  hold: Hold | undefined,
  editing: Editing<HoldFields>,
  refused: Refused,
  body: RefObject<HTMLElement | null>,
): () => Promise<void> {
  const { commands } = useConsole();
  const store = useStore(hold, editing);
  return async () => {
    const then = whileThisIsOpen(commands);
    let stored = UNSEEN;
    await refused.run('hold', async () => {
      stored = await store();
      return stored.holdId === undefined ? undefined : HOLD_EDITOR.saved;
    });
    const { holdId, isTypedOn } = stored;
    if (holdId === undefined) await showFirstNote(body.current);
    else if (!isTypedOn) then(commands.close);
    // What was typed since is saved over the new hold, and not as a second one.
    else if (hold === undefined) then(() => commands.open({ kind: 'hold', holdId }));
  };
}

function Form({ hold, isGone, filter }: FormProps): ReactElement {
  const { commands } = useConsole();
  const refused = useRefused(['name', 'filter', 'times', 'releaseAfterMs']);
  const [isFilterValid, setFilterValid] = useState(true);
  // The field of the filter shows its own mistake, and is read out with it.
  const atFilter = refused.at('filter');
  const problem = refused.problem ?? (isFilterValid ? atFilter : undefined);
  useEffect(() => {
    if (atFilter !== undefined) document.getElementById(FILTER_FIELD)?.focus();
  }, [atFilter]);
  const away = useAway(ACT_WHY.away);
  const editing = useSharedFields(hold && fieldsOf(hold), () => (hold ? fieldsOf(hold) : newFields(filter)));
  const { draft, edit } = editing;
  const body = useRef<HTMLDivElement>(null);
  const save = useSave(hold, editing, refused, body);
  const isTime = isAfter(draft.after);
  const mistake = isWhole(draft.times) ? (isTime ? undefined : HOLD_EDITOR.badTime) : HOLD_EDITOR.wholeNumber;

  return (
    <Overlay
      title={hold === undefined && !isGone ? HOLD_EDITOR.add : HOLD_EDITOR.edit}
      onClose={commands.close}
      isFilled={editing.isEdited}
      problem={problem}
      onEdit={refused.clear}
      foot={
        <>
          <CancelButton />
          <Button kind="primary" off={away ?? mistake} pending={refused.pending} onClick={() => void save()}>
            {isGone ? HOLD_EDITOR.saveAgain : HOLD_EDITOR.save}
          </Button>
        </>
      }
    >
      <div ref={body} className={css.editor}>
        <Gone isGone={isGone} />
        <HoldsWhat at={draft.at} filter={draft.filter} times={draft.times} />
        <div>
          <TextField
            label={HOLD_EDITOR.name}
            error={refused.at('name')}
            value={draft.name}
            onChange={(name) => edit({ name })}
          />
          <ChangedElsewhere change={editing.elsewhere('name')} />
        </div>
        <div>
          <Radios
            label={HOLD_EDITOR.at}
            value={draft.at}
            onChange={(at) => edit({ at })}
            options={HOLD_POINTS.map((value) => ({ value, ...TITLES[value] }))}
          />
          <ChangedElsewhere
            change={editing.elsewhere('at')}
            words={TITLES[editing.elsewhere('at')?.other ?? draft.at].title}
          />
        </div>
        <div>
          <FilterField
            key={editing.keyOf('filter')}
            id={FILTER_FIELD}
            label={HOLD_EDITOR.filter}
            labelled
            keepsText
            // The field has its own text, which begins with this one.
            value={editing.given.filter}
            onApply={(text) => edit({ filter: text })}
            onDraft={(text) => edit({ filter: text })}
            onChecked={setFilterValid}
          />
          <p className={css.hint}>{HOLD_EDITOR.filterHint}</p>
          <ChangedElsewhere
            change={editing.elsewhere('filter')}
            words={editing.elsewhere('filter')?.other === '' ? HOLDS.everything : undefined}
          />
        </div>
        <Limits editing={editing} isTime={isTime} refusedAt={refused.at} />
      </div>
    </Overlay>
  );
}

interface LimitsProps {
  readonly editing: Editing<HoldFields>;
  /** Whether the text is a time, or empty. */
  readonly isTime: boolean;
  /** The host's refusal of a field. */
  readonly refusedAt: (field: string) => string | undefined;
}

/** Fields for the number of catches and the time of each. */
function Limits({ editing, isTime, refusedAt }: LimitsProps): ReactElement {
  const { draft, edit, elsewhere } = editing;
  return (
    <div className={css.editorRow}>
      <div>
        <TextField
          label={HOLD_EDITOR.times}
          hint={HOLD_EDITOR.timesHint}
          inputMode="numeric"
          error={isWhole(draft.times) ? refusedAt('times') : HOLD_EDITOR.wholeNumber}
          value={draft.times}
          onChange={(times) => edit({ times })}
        />
        <ChangedElsewhere
          change={elsewhere('times')}
          words={elsewhere('times')?.other === '' ? HOLD_EDITOR.noLimit : undefined}
        />
      </div>
      <div>
        <TextField
          label={HOLD_EDITOR.releaseAfter}
          hint={HOLD_EDITOR.releaseAfterHint}
          error={isTime ? refusedAt('releaseAfterMs') : HOLD_EDITOR.badTime}
          value={draft.after}
          onChange={(after) => edit({ after })}
        />
        <ChangedElsewhere
          change={elsewhere('after')}
          words={elsewhere('after')?.other === '' ? HOLD_EDITOR.never : undefined}
        />
      </div>
    </div>
  );
}
