/** Whether and how apps are probed for their health. */
import type { ReactElement } from 'react';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { APP_HEALTH, SETTINGS } from '../../copy/settings.ts';
import { duration } from '../../format/quantity.ts';
import { memberText, readNumber } from './drafts.ts';
import type { SettingProps } from './PlainSettings.tsx';
import { SettingRow } from './SettingRow.tsx';
import css from './Settings.module.css';
import { useDraft, useSaving } from './use-setting.ts';

const NUMBERS = ['intervalMs', 'timeoutMs', 'threshold'] as const;

interface AppHealthDraft {
  readonly enabled: boolean;
  readonly path: string;
  readonly intervalMs: string;
  readonly timeoutMs: string;
  readonly threshold: string;
}

function write(value: unknown): AppHealthDraft {
  return {
    enabled: memberText(value, 'enabled') === 'true',
    path: memberText(value, 'path'),
    intervalMs: memberText(value, 'intervalMs'),
    timeoutMs: memberText(value, 'timeoutMs'),
    threshold: memberText(value, 'threshold'),
  };
}

/** A switch and four fields. */
export function AppHealthSetting({ item }: SettingProps): ReactElement {
  const saving = useSaving(item);
  const { draft, set, isChanged, discard } = useDraft(item.value, write);
  const isFixed = item.origin === 'flag';
  const [interval, timeout, threshold] = NUMBERS.map((member) => readNumber(draft[member]));
  const isGood = interval?.ok === true && timeout?.ok === true && threshold?.ok === true;

  function change(next: Partial<AppHealthDraft>): void {
    saving.clearError();
    set({ ...draft, ...next });
  }

  function mistakeOf(member: (typeof NUMBERS)[number]): string | undefined {
    const read = readNumber(draft[member]);
    return read.ok ? undefined : read.mistake;
  }

  return (
    <SettingRow
      isGroup
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      mistake={NUMBERS.map(mistakeOf).find((each) => each !== undefined)}
      onSave={() => {
        if (!isGood) return;
        void saving.save({
          enabled: draft.enabled,
          path: draft.path.trim(),
          intervalMs: interval.value,
          timeoutMs: timeout.value,
          threshold: threshold.value,
        });
      }}
    >
      {isFixed ? (
        <p>
          {APP_HEALTH.enabled}: {draft.enabled ? SETTINGS.on : SETTINGS.off}
        </p>
      ) : (
        <Checkbox
          label={APP_HEALTH.enabled}
          checked={draft.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      )}
      <div className={css.members}>
        <TextField
          mono
          label={APP_HEALTH.path}
          value={draft.path}
          readOnly={isFixed}
          onChange={(path) => change({ path })}
        />
        {NUMBERS.map((member) => (
          <TextField
            key={member}
            mono
            inputMode="numeric"
            label={APP_HEALTH[member]}
            error={mistakeOf(member)}
            value={draft[member]}
            readOnly={isFixed}
            onChange={(text) => change({ [member]: text })}
          />
        ))}
      </div>
      {!draft.enabled && <p className={css.meaning}>{APP_HEALTH.off}</p>}
      {draft.enabled && isGood && (
        <p className={css.meaning}>
          {fill(APP_HEALTH.on, {
            path: draft.path,
            interval: duration(interval.value),
            timeout: duration(timeout.value),
            n: threshold.value,
          })}
        </p>
      )}
    </SettingRow>
  );
}
