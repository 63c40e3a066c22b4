/** The frame of one setting: its fields on the left; its source, key and buttons on the right. */
import { useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { nextTurn } from '../../client/next-turn.ts';
import { Button } from '../../components/Button.tsx';
import { ChangedElsewhere } from '../../components/ChangedElsewhere.tsx';
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
  /** Why the present value cannot be saved. */
  readonly mistake?: string | undefined;
  readonly onSave: () => void;
  /** True for several fields: they share a title, and the host's refusal is shown below them. */
  readonly isGroup?: boolean;
  readonly children: ReactNode;
}

/**
 * Saves the fields over the value as it is at the host by now. What another window changed meanwhile is shown first, so that nothing is
 * replaced unseen.
 */
function useSaveOverLatest({ item, elsewhere, onSave }: SettingRowProps): () => void {
  const { settings } = useConsole();
  const drawn = useRef({ value: item.value, elsewhere, onSave });
  const isAsking = useRef(false);
  useLayoutEffect(() => {
    drawn.current = { value: item.value, elsewhere, onSave };
  });
  return () => {
    if (isAsking.current) return;
    isAsking.current = true;
    const shown = JSON.stringify(item.value);
    void settings
      .refresh()
      .then(nextTurn)
      .then(() => {
        isAsking.current = false;
        const now = drawn.current;
        const isNews = now.elsewhere.length > 0 && JSON.stringify(now.value) !== shown;
        if (!isNews) now.onSave();
      });
  };
}

/** A row in which Enter saves; a value from a flag is read-only and says so. */
export function SettingRow(props: SettingRowProps): ReactElement {
  const { item, saving, isChanged, discard, elsewhere, titleOf, mistake, isGroup, children } = props;
  const { key, origin } = item;
  const { title, meaning } = textOf(key);
  const away = useAway(ACT_WHY.away);
  const canSave = isChanged && mistake === undefined && away === undefined && !saving.pending;
  const save = useSaveOverLatest(props);
  const changes = elsewhere.map((change) => (
    <ChangedElsewhere key={change.member} field={titleOf?.(change.member)} change={change} />
  ));
  return (
    <form
      className={css.setting}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) save();
      }}
    >
      {isGroup === true ? (
        <fieldset className={css.group}>
          <legend className={css.title}>{title}</legend>
          <p className={css.meaning}>{meaning}</p>
          {children}
          {changes}
          {saving.error !== undefined && (
            <p role="alert" className={css.error}>
              {saving.error}
            </p>
          )}
        </fieldset>
      ) : (
        <div className={css.group}>
          {children}
          {changes}
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
              <Button type="submit" kind="primary" off={away ?? mistake} pending={saving.pending}>
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
