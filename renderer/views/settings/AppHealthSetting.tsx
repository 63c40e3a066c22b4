/** Whether and how apps are probed for their health. */
import type { ReactElement } from 'react';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { APP_HEALTH, SETTINGS } from '../../copy/settings.ts';
import { duration } from '../../format/quantity.ts';
import { memberNumber, memberText, readNumber } from './drafts.ts';
import type { SettingProps } from './PlainSettings.tsx';
import { SettingRow } from './SettingRow.tsx';
import css from './Settings.module.css';
import { useDraft, useSaving } from './use-setting.ts';

const NUMBERS = ['intervalMs', 'timeoutMs', 'threshold'] as const;
const UNITS = { intervalMs: 'ms', timeoutMs: 'ms', threshold: 'amount' } as const;
const MEMBERS = ['path', ...NUMBERS];

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
    intervalMs: memberNumber(value, 'intervalMs', UNITS.intervalMs),
    timeoutMs: memberNumber(value, 'timeoutMs', UNITS.timeoutMs),
    threshold: memberNumber(value, 'threshold', UNITS.threshold),
  };
}

/** The draft with its numbers read, where they can be. */
function meaningOf(draft: AppHealthDraft): unknown {
  return NUMBERS.reduce<object>((all, member) => {
    const read = readNumber(draft[member], UNITS[member]);
    return read.ok ? { ...all, [member]: read.value } : all;
  }, draft);
}

/** A switch and four fields. */
export function AppHealthSetting({ item }: SettingProps): ReactElement {
  const saving = useSaving(item, MEMBERS);
  const { draft, set, isChanged, discard } = useDraft(item, write, meaningOf);
  const isFixed = item.origin === 'flag';
  const [interval, timeout, threshold] = NUMBERS.map((member) => readNumber(draft[member], UNITS[member]));
  const isGood = interval?.ok === true && timeout?.ok === true && threshold?.ok === true;

  function change(next: Partial<AppHealthDraft>): void {
    saving.clearError();
    set({ ...draft, ...next });
  }

  function mistakeOf(member: (typeof NUMBERS)[number]): string | undefined {
    const read = readNumber(draft[member], UNITS[member]);
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
          error={saving.errorAt('path')}
          value={draft.path}
          readOnly={isFixed}
          onChange={(path) => change({ path })}
        />
        {NUMBERS.map((member) => (
          <TextField
            key={member}
            mono
            label={APP_HEALTH[member]}
            hint={APP_HEALTH.hints[member]}
            error={mistakeOf(member) ?? saving.errorAt(member)}
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
