/** One setting of the host: its value, where it comes from, and how to change it. */
import { useState, type ReactElement } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { Button } from '../../components/Button.tsx';
import { TextArea, TextField } from '../../components/Fields.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { SETTINGS, SETTING_MEANINGS } from '../../copy/settings.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import css from './Settings.module.css';

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : JSON.stringify(value);
}

/** The value that a text stands for, in the type that the setting has now. */
function readAs(text: string, like: unknown): { readonly ok: boolean; readonly value: unknown } {
  if (typeof like === 'string') return { ok: true, value: text };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false, value: undefined };
  }
}

/** A field with "Save" once it is changed. */
export function SettingField({ item }: { readonly item: SettingItem }): ReactElement {
  const { call, settings, toasts } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { key, value, origin } = item;
  const [text, setText] = useState(() => textOf(value));
  const [error, setError] = useState<string>();
  const read = readAs(text, value);
  const isChanged = text !== textOf(value);
  const isFixed = origin === 'flag';
  const isLong = typeof value === 'object' && value !== null;

  async function save(next: unknown): Promise<void> {
    try {
      const answer = await call('settings.set', { key, value: next });
      setError(undefined);
      settings.accept(answer);
      toasts.done(fill(SETTINGS.saved, { setting: key }));
    } catch (reason) {
      setError(
        fill(SETTINGS.notSaved, { setting: key, message: asFailure(reason).message.replace(/\.$/, '') }),
      );
    }
  }

  const shared = {
    label: key,
    hint: SETTING_MEANINGS[key],
    error: read.ok ? error : SETTINGS.notJson,
    value: text,
    readOnly: isFixed,
    onChange: setText,
  };
  return (
    <div className={css.setting}>
      {isLong ? (
        <TextArea {...shared} rows={Math.min(10, text.split('\n').length + 1)} />
      ) : (
        <TextField mono {...shared} />
      )}
      <div className={css.ends}>
        <span className={css.origin}>{isFixed ? SETTINGS.byFlag : SETTINGS.origins[origin]}</span>
        {isChanged && (
          <Button
            kind="primary"
            off={away ?? (read.ok ? undefined : SETTINGS.notJson)}
            onClick={() => void save(read.value)}
          >
            {SETTINGS.save}
          </Button>
        )}
        {origin === 'here' && (
          <Button off={away} hint={SETTINGS.resetHint} onClick={() => void save(null)}>
            {SETTINGS.reset}
          </Button>
        )}
      </div>
    </div>
  );
}
