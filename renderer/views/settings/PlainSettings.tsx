/** Settings with one field: a number, one of a few words, lines, or JSON. */
import type { ReactElement } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { otherText } from '../../components/ChangedElsewhere.tsx';
import { Radios, TextArea, TextField } from '../../components/Fields.tsx';
import { SETTINGS, SETTING_WORDS } from '../../copy/settings.ts';
import { numberText, readNumber, type Unit } from '../../format/written-number.ts';
import { readJson, readLines } from './drafts.ts';
import { easierText, textOf } from './setting-kinds.ts';
import { SettingRow } from './SettingRow.tsx';
import css from './Settings.module.css';
import { useDraft, useSaving } from './use-setting.ts';

export interface SettingProps {
  readonly item: SettingItem;
}

/** Text below a number: its value in a larger unit while it is typed without one, what it means, and its own unit. */
function numberHint(draft: string, unit: Unit, meaning: string): string {
  const read = readNumber(draft, unit);
  const isBare = /^\s*\d+\s*$/.test(draft);
  const easier = read.ok && isBare ? easierText(read.value, unit) : undefined;
  const said = easier === undefined ? meaning : `${easier} · ${meaning}`;
  return `${said} ${SETTINGS.alone[unit]}`.trim();
}

/** A number, shown and taken with its unit. */
export function NumberSetting({ item, unit }: SettingProps & { readonly unit: Unit }): ReactElement {
  const { title, meaning } = textOf(item.key);
  const saving = useSaving(item);
  const { draft, set, isChanged, discard, elsewhere } = useDraft(
    item,
    (value) => numberText(value, unit),
    (text) => {
      const number = readNumber(text, unit);
      return number.ok ? number.value : text;
    },
  );
  const read = readNumber(draft, unit);
  const mistake = read.ok ? undefined : read.mistake;
  return (
    <SettingRow
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      elsewhere={elsewhere}
      mistake={mistake}
      onSave={() => {
        if (read.ok) void saving.save(read.value);
      }}
    >
      <TextField
        mono
        inputMode={unit === 'amount' ? 'decimal' : undefined}
        className={css.short}
        label={title}
        hint={numberHint(draft, unit, meaning)}
        error={mistake ?? saving.error}
        value={draft}
        readOnly={item.origin === 'flag'}
        onChange={(next) => {
          saving.clearError();
          set(next);
        }}
      />
    </SettingRow>
  );
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A choice of one of a few words. */
export function WordsSetting({ item }: SettingProps): ReactElement {
  const { title, meaning } = textOf(item.key);
  const saving = useSaving(item);
  const { draft, set, isChanged, discard, elsewhere } = useDraft(item, wordOf);
  const words = SETTING_WORDS[item.key] ?? {};
  const canChoose = item.origin !== 'flag' && Object.hasOwn(words, draft);
  return (
    <SettingRow
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      elsewhere={elsewhere}
      onSave={() => void saving.save(draft)}
      isGroup={canChoose}
    >
      {canChoose ? (
        <Radios
          hideLabel
          label={title}
          value={draft}
          options={Object.entries(words).map(([word, name]) => ({ value: word, title: name }))}
          onChange={(next) => {
            saving.clearError();
            set(next);
          }}
        />
      ) : (
        <TextField
          readOnly
          label={title}
          hint={meaning}
          value={words[draft] ?? draft}
          onChange={() => undefined}
        />
      )}
    </SettingRow>
  );
}

function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join('\n') : JSON.stringify(value);
}

/** A list, one element per line. */
export function ListSetting({ item }: SettingProps): ReactElement {
  const { title, meaning } = textOf(item.key);
  const saving = useSaving(item);
  const { draft, set, isChanged, discard, elsewhere } = useDraft(item, linesOf);
  return (
    <SettingRow
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      elsewhere={elsewhere}
      wordsOf={({ other }) => otherText(readLines(String(other)).join(', '))}
      onSave={() => void saving.save(readLines(draft))}
    >
      <TextArea
        label={title}
        hint={meaning}
        error={saving.error}
        rows={Math.min(8, draft.split('\n').length + 1)}
        className={css.lines}
        value={draft}
        readOnly={item.origin === 'flag'}
        onChange={(next) => {
          saving.clearError();
          set(next);
        }}
      />
    </SettingRow>
  );
}

/** Any value, as JSON. */
export function JsonSetting({ item }: SettingProps): ReactElement {
  const { title, meaning } = textOf(item.key);
  const saving = useSaving(item);
  const { draft, set, isChanged, discard, elsewhere } = useDraft(item, (value) =>
    JSON.stringify(value, null, 2),
  );
  const read = readJson(draft);
  const mistake = read.ok ? undefined : read.mistake;
  return (
    <SettingRow
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      elsewhere={elsewhere}
      mistake={mistake}
      onSave={() => {
        if (read.ok) void saving.save(read.value);
      }}
    >
      <TextArea
        label={title}
        hint={meaning}
        error={mistake ?? saving.error}
        rows={Math.min(10, draft.split('\n').length + 1)}
        className={css.lines}
        value={draft}
        readOnly={item.origin === 'flag'}
        onChange={(next) => {
          saving.clearError();
          set(next);
        }}
      />
    </SettingRow>
  );
}
