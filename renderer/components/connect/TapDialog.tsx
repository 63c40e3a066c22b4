/** A dialog that taps a running sidecar: first the addresses of app and sidecar, then the lines to change. */
import { useId, useState, type FormEvent, type ReactElement } from 'react';
import type { NewTap, TapRow } from '../../../core/contract/tap.ts';
import { Button } from '../Button.tsx';
import { TextField } from '../Fields.tsx';
import { CancelButton } from '../CancelButton.tsx';
import { useDiffers } from '../use-differs.ts';
import { Overlay } from '../Overlay.tsx';
import { useNoteSent } from '../own-dialog.ts';
import { ProblemList } from '../ProblemList.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { TAPS } from '../../copy/taps.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { TapLines } from './TapLines.tsx';
import css from './Taps.module.css';

const FIELDS = [
  { at: 'appId', label: TAPS.appId, hint: undefined, example: undefined },
  { at: 'appUrl', label: TAPS.appUrl, hint: TAPS.appUrlHint, example: TAPS.appExample },
  { at: 'sidecarUrl', label: TAPS.sidecarUrl, hint: TAPS.sidecarUrlHint, example: TAPS.sidecarExample },
  { at: 'sidecarGrpc', label: TAPS.sidecarGrpc, hint: TAPS.sidecarGrpcHint, example: TAPS.grpcExample },
] as const;
/** Ports of the tap itself. */
const PORTS = [
  { at: 'appPort', label: TAPS.appPort, hint: TAPS.appPortHint, example: undefined },
  { at: 'sidecarPort', label: TAPS.sidecarPort, hint: TAPS.sidecarPortHint, example: undefined },
  { at: 'grpcPort', label: TAPS.grpcPort, hint: TAPS.grpcPortHint, example: undefined },
] as const;
type Field = (typeof FIELDS)[number]['at'] | (typeof PORTS)[number]['at'];
type FieldFacts = (typeof FIELDS)[number] | (typeof PORTS)[number];
type Draft = Readonly<Record<Field, string>>;

const NOTHING: Draft = {
  appId: '',
  appUrl: '',
  sidecarUrl: '',
  sidecarGrpc: '',
  appPort: '',
  sidecarPort: '',
  grpcPort: '',
};

const FIELD_NAMES: readonly Field[] = [...FIELDS, ...PORTS].map(({ at }) => at);
const MAX_PORT = 65_535;

/** The first field whose text is not a port; undefined: every filled field is valid. */
function wrongPort(draft: Draft): Field | undefined {
  return PORTS.find(({ at }) => {
    const text = draft[at].trim();
    return text !== '' && (!/^\d{1,5}$/.test(text) || Number(text) > MAX_PORT);
  })?.at;
}

/** The parameters of `taps.add`; the host chooses the empty ones. */
function wishOf(draft: Draft): NewTap {
  const { appId, appUrl, ...others } = draft;
  const given = Object.entries(others).flatMap(([name, text]) => {
    const value = text.trim();
    return value === '' ? [] : [[name, PORTS.some(({ at }) => at === name) ? Number(value) : value] as const];
  });
  return { appId: appId.trim(), appUrl: appUrl.trim(), ...Object.fromEntries(given) };
}

interface Adding {
  readonly pending: boolean;
  readonly error: { readonly at: Field; readonly text: string } | undefined;
  /** Adds a tap. Undefined: it was refused, and `error` says why. */
  readonly add: (draft: Draft) => Promise<TapRow | undefined>;
  readonly clearError: () => void;
}

function useAdding(): Adding {
  const { call, topology } = useConsole();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Adding['error']>();

  async function add(draft: Draft): Promise<TapRow | undefined> {
    const wrong = wrongPort(draft);
    if (wrong !== undefined) {
      setError({ at: wrong, text: TAPS.noPort });
      return undefined;
    }
    setPending(true);
    setError(undefined);
    try {
      return await call('taps.add', wishOf(draft));
    } catch (reason) {
      const { message, field } = asFailure(reason);
      setError({ at: FIELD_NAMES.find((at) => at === field) ?? 'appId', text: message });
      return undefined;
    } finally {
      setPending(false);
      topology.onChange();
    }
  }

  return { pending, error, add, clearError: () => setError(undefined) };
}

export function TapDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { toasts } = useConsole();
  const away = useAway(ACT_WHY.away);
  const id = useId();
  const [draft, setDraft] = useState(NOTHING);
  const noteSent = useNoteSent(draft);
  const isFilled = useDiffers(draft);
  const [tap, setTap] = useState<TapRow>();
  const { pending, error, add, clearError } = useAdding();
  const isComplete = draft.appId.trim() !== '' && draft.appUrl.trim() !== '';
  const off = away ?? (isComplete ? undefined : TAPS.incomplete);

  function fieldOf({ at, label, hint, example }: FieldFacts): ReactElement {
    return (
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
    );
  }

  async function submit(): Promise<void> {
    const mayClose = noteSent();
    const added = await add(draft);
    if (added === undefined) return;
    if (mayClose()) setTap(added);
    else toasts.done(fill(TAPS.addedBehind, { app: added.appId }));
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (off === undefined && !pending) void submit();
  }

  if (tap !== undefined) return <Added tap={tap} onClose={onClose} />;
  return (
    <Overlay
      title={TAPS.title}
      onClose={onClose}
      isFilled={isFilled}
      foot={
        <>
          <CancelButton />
          <Button type="submit" form={id} kind="primary" pending={pending} off={off}>
            {TAPS.add}
          </Button>
        </>
      }
    >
      <form id={id} className={css.form} onSubmit={onSubmit}>
        <p>{TAPS.hint}</p>
        {FIELDS.map(fieldOf)}
        <details open={PORTS.some(({ at }) => at === error?.at) || undefined}>
          <summary>{TAPS.ports}</summary>
          <div className={css.form}>{PORTS.map(fieldOf)}</div>
        </details>
      </form>
    </Overlay>
  );
}

/** The lines to change, and what is wrong with the addresses that were given: nobody may listen there. */
function Added({ tap, onClose }: { readonly tap: TapRow; readonly onClose: () => void }): ReactElement {
  const { topology } = useConsole();
  const { value: taps } = useResource(topology.taps);
  const { appId: app } = tap;
  const now = taps?.items.find(({ appId }) => appId === app) ?? tap;
  return (
    <Overlay title={TAPS.title} onClose={onClose} foot={<Button onClick={onClose}>{TAPS.close}</Button>}>
      <div className={css.form}>
        <p role="status">{fill(TAPS.added, { app })}</p>
        <TapLines tap={now} />
        <ProblemList
          problems={now.problems.map((message) => ({ message, severity: 'warning' as const }))}
          label={fill(TAPS.problems, { app })}
        />
      </div>
    </Overlay>
  );
}
