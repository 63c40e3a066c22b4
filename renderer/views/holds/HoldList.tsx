/** The list of holds: on or off, what each catches, and when it releases. */
import { Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { Fragment, useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { Hold } from '../../../core/contract/hold.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { ChangedElsewhere } from '../../components/ChangedElsewhere.tsx';
import { Checkbox } from '../../components/Fields.tsx';
import { FilterField } from '../../components/FilterField.tsx';
import { isNowhere } from '../../components/kept-focus.ts';
import { Failed, Loading } from '../../components/States.tsx';
import { useSharedFields } from '../../components/shared-fields.ts';
import { useRefused } from '../../components/use-refused.ts';
import { ACT_WHY, CONFIRM } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HOLDS, HOLD_EDITOR } from '../../copy/holds.ts';
import { count, duration } from '../../format/quantity.ts';
import { Breakable } from '../../components/Breakable.tsx';
import type { RpcFailure } from '../../client/rpc-client.ts';
import type { TakesFailure } from '../../state/acting.ts';
import { countHeldAgain } from '../../state/holds.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import css from './Holds.module.css';

/** As many held things are looked at after a release, as the queue shows. */
const MAX_COUNTED = 500;
const NONE_HELD = { items: [] };

const POINTS: Readonly<Record<Hold['at'], string>> = {
  publish: HOLDS.atPublish,
  delivery: HOLDS.atDelivery,
  response: HOLDS.atResponse,
};

/** Holds in the order in which they are tried. */
export function HoldList(): ReactElement {
  const { holds } = useConsole();
  const { value, status, failure } = useResource(holds.list);
  const all = value?.items ?? [];
  return (
    <section className={css.holds} aria-label={HOLDS.all}>
      <h2>{HOLDS.all}</h2>
      {value === undefined && status === 'failed' && (
        <Failed
          text={fill(HOLDS.allFailed, { message: whyNotRead(failure) })}
          again={() => void holds.list.refresh()}
        />
      )}
      {value === undefined && status !== 'failed' && <Loading rows={2} text={HOLDS.loadingAll} />}
      {value !== undefined && all.length === 0 && <p className={css.muted}>{HOLDS.none}</p>}
      {all.length > 0 && (
        <ul aria-label={HOLDS.all} className={css.list}>
          {all.map((hold) => (
            <HoldItem key={hold.holdId} hold={hold} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Facts about a hold: what it catches and where. For a hold without a name the filter is left out, because it is shown as the name. */
function factsOf({ name, at, filter, times, releaseAfterMs, hits }: Hold): readonly string[] {
  return [
    POINTS[at],
    ...(name === undefined ? [] : [filter === '' ? HOLDS.everything : filter]),
    ...(times === undefined ? [] : [fill(HOLDS.next, { n: count(times) })]),
    ...(releaseAfterMs === undefined ? [] : [fill(HOLDS.after, { t: duration(releaseAfterMs) })]),
    fill(HOLDS.caught, { n: count(hits) }),
  ];
}

function nameOf({ name, filter }: Hold): string {
  return name ?? (filter === '' ? HOLDS.everything : filter);
}

interface RuleActs {
  /**
   * Makes a change and reports `done`; without it nothing is reported. False: it was refused.
   * @param refused receives the refusal, for a form that shows it itself
   */
  readonly update: (
    work: () => Promise<unknown>,
    done: string | undefined,
    refused?: TakesFailure,
  ) => Promise<boolean>;
  /**
   * Saves a filter over the hold as it is at the host by now. False: it was refused, or nothing was to be saved.
   * @param over what to save; undefined: nothing, because the person is to see first what another window changed
   */
  readonly saveFilter: (
    over: (latest: Hold) => string | undefined,
    refused: TakesFailure,
  ) => Promise<boolean>;
  /** Removes the hold; asks first if it holds messages. */
  readonly remove: () => void;
}

function useRuleActs(hold: Hold): RuleActs {
  const { acting, call, commands, holds, toasts } = useConsole();
  const { holdId } = hold;

  function update(
    work: () => Promise<unknown>,
    done: string | undefined,
    refused?: TakesFailure,
  ): Promise<boolean> {
    const all = async (): Promise<string | undefined> => {
      await work();
      await holds.list.refresh();
      return done;
    };
    return acting.run('hold', all, refused);
  }

  async function saveFilter(
    over: (latest: Hold) => string | undefined,
    refused: TakesFailure,
  ): Promise<boolean> {
    let isSaved = false;
    const all = async (): Promise<string | undefined> => {
      const list = await call('holds.list', {});
      const latest = list.items.find((each) => each.holdId === holdId);
      // The host says of one that was removed that there is none.
      const filter = over(latest ?? hold);
      isSaved = filter !== undefined;
      if (filter === undefined) {
        holds.list.accept(list);
        return undefined;
      }
      await call('holds.update', { holdId, filter });
      await holds.list.refresh();
      return HOLD_EDITOR.saved;
    };
    return (await acting.run('hold', all, refused)) && isSaved;
  }

  function take(release: boolean): void {
    void acting.run('hold', async () => {
      const { items } = release ? await call('holds.queue', { holdId, limit: MAX_COUNTED }) : NONE_HELD;
      await call('holds.remove', { holdId, release });
      await Promise.all([holds.list.refresh(), holds.queue.refresh()]);
      const again = countHeldAgain(items, holds.queue.store.getState().value?.items ?? []);
      const freed = again === 0 ? HOLD_EDITOR.removedFree : HOLD_EDITOR.removedAgain;
      toasts.done(release ? fill(freed, { again: count(again) }) : HOLD_EDITOR.removed, {
        title: HOLDS.undo,
        run: () =>
          void update(
            () => call('holds.restore', { holdId }),
            items.length === 0 ? HOLD_EDITOR.restored : HOLD_EDITOR.restoredFree,
          ),
      });
      return undefined;
    });
  }

  function remove(): void {
    if (commands.store.getState().pending.has('hold')) return;
    void acting.run('hold', async () => {
      // The queue on the screen has only the items that were held the longest.
      const { total } = await call('holds.queue', { holdId, limit: 1 });
      if (total === 0) take(false);
      else ask(total);
      return undefined;
    });
  }

  function ask(held: number): void {
    commands.open({
      kind: 'confirm',
      question: {
        title: fill(HOLDS.removeTitle, { name: nameOf(hold) }),
        text: fill(HOLDS.removeText, { n: count(held) }),
        before: { title: HOLDS.removeKeep, run: () => take(false) },
        yes: HOLDS.removeRelease,
        danger: false,
        run: () => take(true),
      },
    });
  }

  return { update, saveFilter, remove };
}

function HoldItem({ hold }: { readonly hold: Hold }): ReactElement {
  const { call, commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { holdId, times } = hold;
  const name = nameOf(hold);
  const { update, saveFilter, remove } = useRuleActs(hold);
  const isUsedUp = times !== undefined && hold.hits >= times;
  const [edits, setEdits] = useState(false);
  const changing = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // The button gives its place to the field, and gets the focus back from it.
  useEffect(() => {
    if (wasEditing.current && !edits && isNowhere()) changing.current?.focus();
    wasEditing.current = edits;
  }, [edits]);

  return (
    <li className={css.rule} data-off={hold.enabled ? undefined : ''}>
      <Checkbox
        isSwitch
        hideLabel
        label={fill(HOLDS.enable, { name })}
        checked={hold.enabled}
        off={away}
        onChange={(enabled) => void update(() => call('holds.update', { holdId, enabled }), undefined)}
      />
      <div className={css.about}>
        <strong>
          <Breakable text={name} />
        </strong>
        <span className={css.muted}>
          {factsOf(hold).map((fact, index) => (
            <Fragment key={fact}>
              {/* The dot stays with the fact before it, so that no line begins with it. */}
              {index > 0 && '\u00A0· '}
              <Breakable text={fact} />
            </Fragment>
          ))}
        </span>
        {edits ? (
          <Conditions hold={hold} onSave={saveFilter} onClose={() => setEdits(false)} />
        ) : (
          <Button
            ref={changing}
            kind="quiet"
            off={away}
            className={css.inPlace}
            onClick={() => setEdits(true)}
          >
            {HOLDS.changeConditions}
          </Button>
        )}
        {isUsedUp && (
          <span className={css.usedUp}>
            {fill(HOLDS.usedUp, { n: count(times) })}
            <Button
              icon={RotateCcw}
              off={away}
              onClick={() => void update(() => call('holds.update', { holdId, times }), undefined)}
            >
              {fill(HOLDS.again, { n: count(times) })}
            </Button>
          </span>
        )}
      </div>
      <IconButton
        icon={Pencil}
        label={fill(HOLDS.edit, { name })}
        off={away}
        onClick={() => commands.open({ kind: 'hold', holdId })}
      />
      <IconButton icon={Trash2} label={fill(HOLDS.remove, { name })} off={away} onClick={remove} />
    </li>
  );
}

interface ConditionsProps {
  readonly hold: Hold;
  /** Saves a filter. False: it was refused, or is not to be saved. */
  readonly onSave: RuleActs['saveFilter'];
  readonly onClose: () => void;
}

/** Moves the focus from a button beside a field to the field: a refusal says nothing new there, and the field is read out with its mistake. */
function focusFrom(id: string): void {
  const field = document.getElementById(id);
  if (field?.closest('[role="group"]')?.contains(document.activeElement) === true) field.focus();
}

/** Editor of a hold's filter in its place; the new filter applies once it is saved. */
function Conditions({ hold, onSave, onClose }: ConditionsProps): ReactElement {
  const editing = useSharedFields({ filter: hold.filter }, () => ({ filter: hold.filter }));
  const { filter } = editing.draft;
  const refused = useRefused(['filter']);
  const [isValid, setIsValid] = useState(true);
  // The field shows its own mistake.
  const problem = refused.problem ?? (isValid ? refused.at('filter') : undefined);
  const away = useAway(ACT_WHY.away);
  const id = `conditions-${hold.holdId}`;
  const off = away ?? (filter === hold.filter ? HOLDS.sameConditions : undefined);
  useEffect(() => document.getElementById(id)?.focus(), [id]);

  function take(failure: RpcFailure): void {
    refused.take(failure);
    if (failure.field === 'filter') focusFrom(id);
  }

  function edit(text: string): void {
    refused.clear();
    editing.edit({ filter: text.trim() });
  }

  function save(): void {
    if (off !== undefined) return;
    // The field stays after a refusal, with everything that was typed, and where more was typed before the answer.
    const over = (latest: Hold): string | undefined => editing.mergedWith({ filter: latest.filter })?.filter;
    const sent = editing.draft;
    void refused
      .once(() => onSave(over, take))
      .then((isDone) => isDone && editing.settle(sent, sent) && onClose());
  }

  /** Enter in the field saves. Escape leaves it as long as nothing was changed. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isDefaultPrevented() || !(event.target instanceof HTMLInputElement)) return;
    if (event.key === 'Enter') save();
    else if (event.key === 'Escape' && filter === hold.filter) onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div role="group" aria-label={fill(HOLDS.conditionsOf, { name: nameOf(hold) })} onKeyDown={onKeyDown}>
      <div className={css.conditions}>
        <FilterField
          key={editing.keyOf('filter')}
          id={id}
          label={fill(HOLDS.conditionsOf, { name: nameOf(hold) })}
          keepsText
          // The field has its own text, which begins with this one.
          value={editing.given.filter}
          onApply={(text) => editing.edit({ filter: text })}
          onDraft={edit}
          onChecked={setIsValid}
        />
        <Button onClick={onClose}>{CONFIRM.cancel}</Button>
        <Button off={off} pending={refused.pending} onClick={save}>
          {HOLD_EDITOR.save}
        </Button>
      </div>
      <ChangedElsewhere
        change={refused.pending ? undefined : editing.elsewhere('filter')}
        words={editing.elsewhere('filter')?.other === '' ? HOLDS.everything : undefined}
      />
      {problem !== undefined && (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
