/** The frame of one setting: its fields on the left; its source, key and buttons on the right. */
import { useLayoutEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { nextTurn } from '../../client/next-turn.ts';
import { Button } from '../../components/Button.tsx';
import { ChangedElsewhere, showFirstNote } from '../../components/ChangedElsewhere.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { SETTINGS } from '../../copy/settings.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { textOf } from './setting-kinds.ts';
import css from './Settings.module.css';
import { keepFocus, type ElsewhereIn, type Saving } from './use-setting.ts';

export interface SettingRowProps {
  readonly item: SettingItem;
  readonly saving: Saving;
  readonly isChanged: boolean;
  readonly discard: () => void;
  /** What was edited here and changed elsewhere. */
  readonly elsewhere: readonly ElsewhereIn[];
  /** Title of a member that has a field of its own. */
  readonly titleOf?: (member: string) => string;
  /** A change elsewhere in words, where the field does not show its value as it is. */
  readonly wordsOf?: (change: ElsewhereIn) => string | undefined;
  /** Why the present value cannot be saved. */
  readonly mistake?: string | undefined;
  readonly onSave: () => void;
  /** True for several fields: they share a title, and the host's refusal is shown below them. */
  readonly isGroup?: boolean;
  readonly children: ReactNode;
}

/** The changes elsewhere, each as a text. */
function textsOf(elsewhere: readonly ElsewhereIn[]): readonly string[] {
  return elsewhere.map(({ member, other }) => JSON.stringify([member, other]));
}

/**
 * Saves the fields over the value as it is at the host by now. What another window changed meanwhile is shown first, so that nothing is
 * replaced unseen.
 * @param canSave whether the fields can be saved as they are drawn
 */
function useSaveOverLatest(
  { elsewhere, onSave }: SettingRowProps,
  canSave: boolean,
): { readonly isAsking: boolean; readonly save: (row: Element) => void } {
  const { settings } = useConsole();
  const drawn = useRef({ onSave, canSave });
  const [isAsking, setIsAsking] = useState(false);
  /** What was shown when the host was asked, and whether more was shown since. */
  const asked = useRef({ shown: new Set<string>(), isNews: false });
  useLayoutEffect(() => {
    drawn.current = { onSave, canSave };
    if (textsOf(elsewhere).some((each) => !asked.current.shown.has(each))) asked.current.isNews = true;
  });

  async function save(row: Element): Promise<void> {
    if (isAsking || !canSave) return;
    asked.current = { shown: new Set(textsOf(elsewhere)), isNews: false };
    setIsAsking(true);
    await settings.refresh();
    await nextTurn();
    setIsAsking(false);
    // The person may have typed on, discarded the changes or chosen between both, while the host was asked.
    if (asked.current.isNews) await showFirstNote(row);
    else if (drawn.current.canSave) drawn.current.onSave();
  }

  return { isAsking, save: (row) => void save(row) };
}

/** Each member that was edited here and changed elsewhere, with the choice between both. */
function Changes({ elsewhere, titleOf, wordsOf }: SettingRowProps): readonly ReactElement[] {
  return elsewhere.map((change) => (
    <ChangedElsewhere
      key={change.member}
      field={titleOf?.(change.member)}
      change={change}
      words={wordsOf?.(change)}
    />
  ));
}

/** A row in which Enter saves; a value from a flag is read-only and says so. */
export function SettingRow(props: SettingRowProps): ReactElement {
  const { item, saving, isChanged, discard, mistake, isGroup, children } = props;
  const { key, origin } = item;
  const { takeRow, error } = saving;
  const { title, meaning } = textOf(key);
  const away = useAway(ACT_WHY.away);
  const canSave = isChanged && mistake === undefined && away === undefined && !saving.pending;
  const { isAsking, save } = useSaveOverLatest(props, canSave);
  const pending = saving.pending || isAsking;
  return (
    <form
      ref={takeRow}
      className={css.setting}
      onSubmit={(event) => {
        event.preventDefault();
        save(event.currentTarget);
      }}
    >
      {isGroup === true ? (
        <fieldset className={css.group}>
          <legend className={css.title}>{title}</legend>
          <p className={css.meaning}>{meaning}</p>
          {children}
          <Changes {...props} />
          {error !== undefined && (
            <p role="alert" className={css.error}>
              {error}
            </p>
          )}
        </fieldset>
      ) : (
        <div className={css.group}>
          {children}
          <Changes {...props} />
        </div>
      )}
      <div className={css.ends}>
        <span className={css.origin} title={origin === 'flag' ? SETTINGS.byFlagHint : undefined}>
          {origin === 'flag' ? SETTINGS.byFlag : SETTINGS.origins[origin]}
        </span>
        <code className={css.key}>{key}</code>
        <div className={css.buttons}>
          {isChanged && (
            <>
              <Button type="submit" kind="primary" off={away ?? mistake} pending={pending}>
                {SETTINGS.save}
              </Button>
              <Button
                onClick={(event) => {
                  keepFocus(event.currentTarget.closest('form'));
                  saving.clearError();
                  discard();
                }}
              >
                {SETTINGS.discard}
              </Button>
            </>
          )}
          {!isChanged && origin === 'here' && (
            <Button
              off={away}
              pending={saving.pending}
              hint={SETTINGS.resetHint}
              onClick={() => void saving.save(null)}
            >
              {SETTINGS.reset}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}
