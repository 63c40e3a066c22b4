/** Whether and how apps are probed for their health. */
import type { ReactElement } from 'react';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { APP_HEALTH, SETTINGS } from '../../copy/settings.ts';
import { duration } from '../../format/quantity.ts';
import { readNumber, type Read } from '../../format/written-number.ts';
import { memberNumber, memberText } from './drafts.ts';
import type { SettingProps } from './PlainSettings.tsx';
import { SettingRow } from './SettingRow.tsx';
import css from './Settings.module.css';
import { useDraft, useSaving, type Saving } from './use-setting.ts';

const NUMBERS = ['intervalMs', 'timeoutMs', 'threshold'] as const;
type NumberMember = (typeof NUMBERS)[number];
const UNITS = { intervalMs: 'ms', timeoutMs: 'ms', threshold: 'amount' } as const;
const MEMBERS = ['path', ...NUMBERS];
const { enabled, path, intervalMs, timeoutMs, threshold } = APP_HEALTH;
const TITLES: Readonly<Record<string, string>> = { enabled, path, intervalMs, timeoutMs, threshold };

interface AppHealthDraft extends Readonly<Record<NumberMember, string>> {
  readonly enabled: boolean;
  readonly path: string;
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

function readMember(draft: AppHealthDraft, member: NumberMember): Read<number> {
  return readNumber(draft[member], UNITS[member]);
}

function mistakeOf(draft: AppHealthDraft, member: NumberMember): string | undefined {
  const read = readMember(draft, member);
  return read.ok ? undefined : read.mistake;
}

/** The draft with its numbers read, where they can be. */
function meaningOf(draft: AppHealthDraft): unknown {
  return NUMBERS.reduce<object>((all, member) => {
    const read = readMember(draft, member);
    return read.ok ? { ...all, [member]: read.value } : all;
  }, draft);
}

type AppHealth = Readonly<Record<NumberMember, number>> & Pick<AppHealthDraft, 'enabled' | 'path'>;

/** The value of the fields; undefined: one of them is no number. */
function valueOf(draft: AppHealthDraft): AppHealth | undefined {
  const [interval, timeout, threshold] = NUMBERS.map((member) => readMember(draft, member));
  if (interval?.ok !== true || timeout?.ok !== true || threshold?.ok !== true) return undefined;
  return {
    enabled: draft.enabled,
    path: draft.path.trim(),
    intervalMs: interval.value,
    timeoutMs: timeout.value,
    threshold: threshold.value,
  };
}

/** A switch, four fields, and what they mean. */
export function AppHealthSetting({ item }: SettingProps): ReactElement {
  const saving = useSaving(item, MEMBERS);
  const { draft, set, isChanged, discard, elsewhere } = useDraft(item, write, meaningOf);
  const value = valueOf(draft);
  return (
    <SettingRow
      isGroup
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      elsewhere={elsewhere}
      titleOf={(member) => TITLES[member] ?? member}
      mistake={NUMBERS.map((member) => mistakeOf(draft, member)).find((each) => each !== undefined)}
      onSave={() => {
        if (value !== undefined) void saving.save(value);
      }}
    >
      <AppHealthFields
        draft={draft}
        isFixed={item.origin === 'flag'}
        saving={saving}
        onChange={(next) => {
          saving.clearError();
          set({ ...draft, ...next });
        }}
      />
      <Meaning enabled={draft.enabled} value={value} />
    </SettingRow>
  );
}

interface AppHealthFieldsProps {
  readonly draft: AppHealthDraft;
  /** True: a flag of the command line sets the value. */
  readonly isFixed: boolean;
  readonly saving: Saving;
  readonly onChange: (change: Partial<AppHealthDraft>) => void;
}

function AppHealthFields({ draft, isFixed, saving, onChange }: AppHealthFieldsProps): ReactElement {
  return (
    <>
      {isFixed ? (
        <p>
          {APP_HEALTH.enabled}: {draft.enabled ? SETTINGS.on : SETTINGS.off}
        </p>
      ) : (
        <Checkbox
          label={APP_HEALTH.enabled}
          checked={draft.enabled}
          onChange={(enabled) => onChange({ enabled })}
        />
      )}
      <div className={css.members}>
        <TextField
          mono
          label={APP_HEALTH.path}
          error={saving.errorAt('path')}
          value={draft.path}
          readOnly={isFixed}
          onChange={(path) => onChange({ path })}
        />
        {NUMBERS.map((member) => (
          <TextField
            key={member}
            mono
            label={APP_HEALTH[member]}
            hint={APP_HEALTH.hints[member]}
            error={mistakeOf(draft, member) ?? saving.errorAt(member)}
            value={draft[member]}
            readOnly={isFixed}
            onChange={(text) => onChange({ [member]: text })}
          />
        ))}
      </div>
    </>
  );
}

/** What the value means; nothing while a field is no number. */
function Meaning({
  enabled,
  value,
}: {
  readonly enabled: boolean;
  readonly value: AppHealth | undefined;
}): ReactElement | null {
  if (!enabled) return <p className={css.meaning}>{APP_HEALTH.off}</p>;
  if (value === undefined) return null;
  return (
    <p className={css.meaning}>
      {fill(APP_HEALTH.on, {
        path: value.path,
        interval: duration(value.intervalMs),
        timeout: duration(value.timeoutMs),
        n: value.threshold,
      })}
    </p>
  );
}
