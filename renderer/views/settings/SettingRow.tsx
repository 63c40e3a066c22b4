/** The frame of one setting: its fields on the left; its source, key and buttons on the right. */
import type { ReactElement, ReactNode } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { Button } from '../../components/Button.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { SETTINGS } from '../../copy/settings.ts';
import { useAway } from '../../state/context.ts';
import { textOf } from './setting-kinds.ts';
import css from './Settings.module.css';
import { keepFocus, type Saving } from './use-setting.ts';

export interface SettingRowProps {
  readonly item: SettingItem;
  readonly saving: Saving;
  readonly isChanged: boolean;
  readonly discard: () => void;
  /** Why the present value cannot be saved. */
  readonly mistake?: string | undefined;
  readonly onSave: () => void;
  /** True for several fields: they share a title, and the host's refusal is shown below them. */
  readonly isGroup?: boolean;
  readonly children: ReactNode;
}

/** A row in which Enter saves; a value from a flag is read-only and says so. */
export function SettingRow(props: SettingRowProps): ReactElement {
  const { item, saving, isChanged, discard, mistake, onSave, isGroup, children } = props;
  const { key, origin } = item;
  const { title, meaning } = textOf(key);
  const away = useAway(ACT_WHY.away);
  const canSave = isChanged && mistake === undefined && away === undefined && !saving.pending;
  return (
    <form
      className={css.setting}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) onSave();
      }}
    >
      {isGroup === true ? (
        <fieldset className={css.group}>
          <legend className={css.title}>{title}</legend>
          <p className={css.meaning}>{meaning}</p>
          {children}
          {saving.error !== undefined && (
            <p role="alert" className={css.error}>
              {saving.error}
            </p>
          )}
        </fieldset>
      ) : (
        <div className={css.group}>{children}</div>
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
