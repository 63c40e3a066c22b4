/** The setting of the event router: a field for each member, in groups. */
import type { ReactElement } from 'react';
import { otherText } from '../../components/ChangedElsewhere.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Checkbox, Field, TextArea, TextField } from '../../components/Fields.tsx';
import { SETTINGS } from '../../copy/settings.ts';
import { ROUTER, ROUTER_GROUPS } from '../../copy/settings-router.ts';
import { readLines } from './drafts.ts';
import type { SettingProps } from './PlainSettings.tsx';
import {
  readRouter,
  ROUTER_FIELDS,
  routerMistakes,
  routerTexts,
  textOfField,
  type RouterField,
  type RouterGroup,
} from './router-fields.ts';
import { SettingRow } from './SettingRow.tsx';
import css from './Settings.module.css';
import { useDraft, useSaving, type ElsewhereIn } from './use-setting.ts';

const GROUPS = Object.keys(ROUTER_GROUPS) as readonly RouterGroup[];
const PATHS = ROUTER_FIELDS.map(({ path }) => path);

function titleOf(path: string): string {
  const field = ROUTER_FIELDS.find((each) => each.path === path);
  return field === undefined ? path : textOfField(field).title;
}

/** A word by its title, and lines beside each other; undefined: the text stands as it is. */
export function routerWordsOf({ member, other }: Pick<ElsewhereIn, 'member' | 'other'>): string | undefined {
  const field = ROUTER_FIELDS.find((each) => each.path === member);
  if (field === undefined || typeof other !== 'string') return undefined;
  if (['lines', 'ports', 'rules'].includes(field.kind)) return otherText(readLines(other).join(', '));
  return textOfField(field).words?.[other];
}

/** One form: its fields are saved together, as one value. */
export function EventRouterSetting({ item }: SettingProps): ReactElement {
  const saving = useSaving(item, PATHS);
  const { draft, set, isChanged, discard, elsewhere } = useDraft(item, routerTexts, (texts) =>
    routerMistakes(texts, item.value).size > 0 ? texts : readRouter(texts, item.value),
  );
  const mistakes = routerMistakes(draft, item.value);
  return (
    <SettingRow
      isGroup
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      elsewhere={elsewhere}
      titleOf={titleOf}
      wordsOf={routerWordsOf}
      mistake={[...mistakes.values()][0]}
      onSave={() => void saving.save(readRouter(draft, item.value))}
    >
      <p className={css.meaning}>{ROUTER.about}</p>
      {GROUPS.map((group) => (
        <fieldset key={group} className={css.part}>
          <legend>{ROUTER_GROUPS[group]}</legend>
          <div className={css.wideMembers}>
            {ROUTER_FIELDS.filter((field) => field.group === group).map((field) => (
              <Member
                key={field.path}
                field={field}
                text={draft[field.path] ?? ''}
                error={mistakes.get(field.path) ?? saving.errorAt(field.path)}
                isFixed={item.origin === 'flag'}
                onChange={(text) => {
                  saving.clearError();
                  set({ ...draft, [field.path]: text });
                }}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </SettingRow>
  );
}

interface MemberProps {
  readonly field: RouterField;
  readonly text: string;
  readonly error: string | undefined;
  /** True: a flag of this run sets it. */
  readonly isFixed: boolean;
  readonly onChange: (text: string) => void;
}

function Member({ field, text, error, isFixed, onChange }: MemberProps): ReactElement {
  const { title, hint, words = {} } = textOfField(field);
  const off = isFixed ? SETTINGS.byFlagHint : undefined;
  const common = { label: title, hint, error, value: text, readOnly: isFixed, onChange };
  switch (field.kind) {
    case 'switch':
      return (
        <Checkbox
          label={title}
          hint={hint}
          off={off}
          checked={text === 'true'}
          onChange={(on) => onChange(String(on))}
        />
      );
    case 'words':
      return (
        <Field label={title} hint={hint} error={error}>
          {({ id }) => (
            <Choice
              id={id}
              wide
              label={title}
              off={off}
              value={text}
              options={Object.entries(words).map(([value, name]) => ({ value, title: name }))}
              onChange={onChange}
            />
          )}
        </Field>
      );
    case 'lines':
    case 'ports':
    case 'rules':
      return <TextArea {...common} rows={Math.min(8, text.split('\n').length + 1)} className={css.lines} />;
    case 'number':
    case 'text':
      return <TextField {...common} mono />;
  }
}
