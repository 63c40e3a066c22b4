/** The retry policy as fields, with its waits in a sentence. */
import type { ReactElement } from 'react';
import { TextField } from '../../components/Fields.tsx';
import { RETRY } from '../../copy/settings.ts';
import { RETRY_MEMBERS, readMember, readPolicy, retryTexts } from './drafts.ts';
import type { SettingProps } from './PlainSettings.tsx';
import { retryText } from './retry-words.ts';
import { SettingRow } from './SettingRow.tsx';
import css from './Settings.module.css';
import { useDraft, useSaving } from './use-setting.ts';

const HINTS: Readonly<Record<string, string>> = RETRY.hints;
const TITLES: Readonly<Record<string, string>> = RETRY.members;

/** Five numbers. */
export function RetrySetting({ item }: SettingProps): ReactElement {
  const saving = useSaving(item, RETRY_MEMBERS);
  const { draft, set, isChanged, discard, elsewhere } = useDraft(
    item,
    retryTexts,
    (texts) => readPolicy(texts) ?? texts,
  );
  const policy = readPolicy(draft);
  const reads = RETRY_MEMBERS.map((member) => ({ member, read: readMember(member, draft[member]) }));
  const mistakes = new Map(reads.flatMap(({ member, read }) => (read.ok ? [] : [[member, read.mistake]])));
  return (
    <SettingRow
      isGroup
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      elsewhere={elsewhere}
      titleOf={(member) => TITLES[member] ?? member}
      mistake={[...mistakes.values()][0]}
      onSave={() => {
        if (policy !== undefined) void saving.save(policy);
      }}
    >
      <div className={css.members}>
        {RETRY_MEMBERS.map((member) => (
          <TextField
            key={member}
            mono
            label={RETRY.members[member]}
            hint={HINTS[member]}
            error={mistakes.get(member) ?? saving.errorAt(member)}
            value={draft[member]}
            readOnly={item.origin === 'flag'}
            onChange={(text) => {
              saving.clearError();
              set({ ...draft, [member]: text });
            }}
          />
        ))}
      </div>
      {policy !== undefined && <p>{retryText(policy)}</p>}
      <p className={css.meaning}>{RETRY.afterwards}</p>
    </SettingRow>
  );
}
