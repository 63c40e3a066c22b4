/** One setting while it is edited: its draft, saving it, and the host's refusal. */
import { useState } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { fill } from '../../copy/fill.ts';
import { SETTINGS } from '../../copy/settings.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { textOf } from './setting-kinds.ts';

export interface Draft<D> {
  readonly draft: D;
  readonly set: (next: D) => void;
  readonly isChanged: boolean;
  readonly discard: () => void;
}

/** The fields of a value, which change when the value changes elsewhere or was saved. */
export function useDraft<D>(value: unknown, write: (value: unknown) => D): Draft<D> {
  const kept = JSON.stringify(value);
  const [state, setState] = useState(() => ({ kept, draft: write(value) }));
  const present = state.kept === kept ? state : { kept, draft: write(value) };
  if (present !== state) setState(present);
  return {
    draft: present.draft,
    set: (draft) => setState({ kept, draft }),
    isChanged: JSON.stringify(present.draft) !== JSON.stringify(write(value)),
    discard: () => setState({ kept, draft: write(value) }),
  };
}

export interface Saving {
  /** Saves the value; null removes the one that was set here. Never rejects: a refusal is in `error`. */
  readonly save: (value: unknown) => Promise<void>;
  readonly error: string | undefined;
  readonly pending: boolean;
  readonly clearError: () => void;
}

/** Focuses the first field of a row, before its focused button disappears. */
export function keepFocus(row: Element | null | undefined): void {
  if (document.activeElement?.tagName !== 'BUTTON' || row?.contains(document.activeElement) !== true) return;
  row.querySelector<HTMLElement>('input, textarea')?.focus();
}

/** Saves one setting. */
export function useSaving({ key }: SettingItem): Saving {
  const { call, settings, toasts } = useConsole();
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  return {
    error,
    pending,
    clearError: () => setError(undefined),
    async save(value) {
      const setting = textOf(key).title;
      const form = document.activeElement?.closest('form');
      setPending(true);
      try {
        const answer = await call('settings.set', { key, value });
        setError(undefined);
        keepFocus(form);
        settings.accept(answer);
        toasts.done(fill(SETTINGS.saved, { setting }));
      } catch (reason) {
        const message = clause(asFailure(reason).message);
        setError(fill(SETTINGS.notSaved, { setting, message }));
      } finally {
        setPending(false);
      }
    },
  };
}
