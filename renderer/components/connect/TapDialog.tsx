/** Tap a running sidecar: where app and sidecar are, then the lines to change. */
import { useState, type FormEvent, type ReactElement } from 'react';
import type { TapRow } from '../../../core/contract/tap.ts';
import { Button } from '../Button.tsx';
import { TextField } from '../Fields.tsx';
import { Overlay } from '../Overlay.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { TAPS } from '../../copy/taps.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { TapLines } from './TapLines.tsx';
import css from './Taps.module.css';

const FIELDS = [
  { at: 'appId', label: TAPS.appId, hint: undefined, example: undefined },
  { at: 'appUrl', label: TAPS.appUrl, hint: TAPS.appUrlHint, example: TAPS.appExample },
  { at: 'sidecarUrl', label: TAPS.sidecarUrl, hint: TAPS.sidecarUrlHint, example: TAPS.sidecarExample },
  { at: 'sidecarGrpc', label: TAPS.sidecarGrpc, hint: TAPS.sidecarGrpcHint, example: TAPS.grpcExample },
] as const;
type Place = (typeof FIELDS)[number]['at'];
type Draft = Readonly<Record<Place, string>>;

const NOTHING: Draft = { appId: '', appUrl: '', sidecarUrl: '', sidecarGrpc: '' };

interface Adding {
  readonly pending: boolean;
  readonly error: { readonly at: Place; readonly text: string } | undefined;
  /** Resolves with the tap; undefined: it was refused, and `error` says why. */
  readonly add: (draft: Draft) => Promise<TapRow | undefined>;
  readonly clearError: () => void;
}

function useAdding(): Adding {
  const { call, topology } = useConsole();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Adding['error']>();

  async function add(draft: Draft): Promise<TapRow | undefined> {
    const [appId, appUrl, sidecarUrl, sidecarGrpc] = FIELDS.map(({ at }) => draft[at].trim());
    setPending(true);
    setError(undefined);
    try {
      return await call('taps.add', {
        appId: appId ?? '',
        appUrl: appUrl ?? '',
        ...(sidecarUrl === '' || sidecarUrl === undefined ? {} : { sidecarUrl }),
        ...(sidecarGrpc === '' || sidecarGrpc === undefined ? {} : { sidecarGrpc }),
      });
    } catch (reason) {
      const { message, field } = asFailure(reason);
      setError({ at: FIELDS.find(({ at }) => at === field)?.at ?? 'appId', text: message });
      return undefined;
    } finally {
      setPending(false);
      topology.onChange();
    }
  }

  return { pending, error, add, clearError: () => setError(undefined) };
}

export function TapDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const away = useAway(ACT_WHY.away);
  const [draft, setDraft] = useState(NOTHING);
  const [tap, setTap] = useState<TapRow>();
  const { pending, error, add, clearError } = useAdding();
  const isComplete = draft.appId.trim() !== '' && draft.appUrl.trim() !== '';
  const off = away ?? (isComplete ? undefined : TAPS.incomplete);

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (off === undefined && !pending) void add(draft).then(setTap);
  }

  if (tap !== undefined) {
    return (
      <Overlay title={TAPS.title} onClose={onClose} foot={<Button onClick={onClose}>{TAPS.close}</Button>}>
        <div className={css.form}>
          <p role="status">{fill(TAPS.added, { app: tap.appId })}</p>
          <TapLines tap={tap} />
        </div>
      </Overlay>
    );
  }
  return (
    <Overlay title={TAPS.title} onClose={onClose}>
      <form className={css.form} onSubmit={onSubmit}>
        <p>{TAPS.hint}</p>
        {FIELDS.map(({ at, label, hint, example }) => (
          <TextField
            key={at}
            mono
            label={label}
            hint={hint}
            placeholder={example}
            error={error?.at === at ? error.text : undefined}
            value={draft[at]}
            onChange={(text) => {
              clearError();
              setDraft({ ...draft, [at]: text });
            }}
          />
        ))}
        <div>
          <Button type="submit" kind="primary" pending={pending} off={off}>
            {TAPS.add}
          </Button>
        </div>
      </form>
    </Overlay>
  );
}
