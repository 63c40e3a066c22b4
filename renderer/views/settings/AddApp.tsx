/** Adds an app with its own sidecar at run time. */
import { Plus } from 'lucide-react';
import { useId, useState, type FormEvent, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { TextField } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { APPS } from '../../copy/settings-host.ts';
import { wholeAddress } from '../../format/addresses.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import page from '../page.module.css';
import css from './Settings.module.css';

type Field = 'appId' | 'url' | 'sidecarPort';
const FIELD_NAMES: readonly Field[] = ['appId', 'url', 'sidecarPort'];
const NOTHING = { appId: '', url: '', sidecarPort: '' };

/** Three fields and a button; a refusal of the host is shown at its field. */
export function AddApp(): ReactElement {
  const { call, settings, toasts, topology } = useConsole();
  const away = useAway(ACT_WHY.away);
  const id = useId();
  const [draft, changeDraft] = useLeftState('new app', NOTHING);
  const [error, setError] = useState<{ readonly at: Field; readonly text: string }>();
  const [pending, setPending] = useState(false);
  const off = away ?? (draft.appId.trim() === '' ? APPS.noId : undefined);
  const edit = (at: Field, text: string): void => {
    changeDraft((now) => ({ ...now, [at]: text }));
    if (error?.at === at) setError(undefined);
  };
  const errorAt = (at: Field): string | undefined => (error?.at === at ? error.text : undefined);

  async function add(): Promise<void> {
    const [appId, url, port] = FIELD_NAMES.map((at) => draft[at].trim());
    if (port !== '' && !/^\d{1,5}$/.test(port ?? '')) {
      setError({ at: 'sidecarPort', text: fill(APPS.badPort, { text: port }) });
      return;
    }
    setPending(true);
    setError(undefined);
    try {
      const { sidecar } = await call('apps.add', {
        appId: appId ?? '',
        ...(url === undefined || url === '' ? {} : { url: wholeAddress(url) }),
        ...(port === '' ? {} : { sidecarPort: Number(port) }),
      });
      toasts.done(fill(APPS.added, { app: appId, sidecar }));
      // What was typed before the host answered stays, with the fields to which it belongs.
      changeDraft((now) => (FIELD_NAMES.every((at) => now[at] === draft[at]) ? NOTHING : now));
      // Adding an app sets its address, and removes one that was left over.
      void settings.refresh();
    } catch (reason) {
      const { message, field } = asFailure(reason);
      setError({ at: FIELD_NAMES.find((at) => at === field) ?? 'appId', text: message });
    } finally {
      setPending(false);
      topology.onChange();
    }
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (off === undefined && !pending) void add();
  }

  return (
    <form aria-labelledby={id} className={cx(page.box, css.addApp)} onSubmit={onSubmit}>
      <h2 id={id}>{APPS.add}</h2>
      <p className={css.meaning}>{APPS.addHint}</p>
      <NewAppFields draft={draft} onEdit={edit} errorAt={errorAt} />
      <div className={page.bar}>
        <Button type="submit" icon={Plus} pending={pending} off={off}>
          {APPS.addButton}
        </Button>
      </div>
    </form>
  );
}

interface NewAppFieldsProps {
  readonly draft: Readonly<Record<Field, string>>;
  readonly onEdit: (at: Field, text: string) => void;
  /** The host's refusal of a field. */
  readonly errorAt: (at: Field) => string | undefined;
}

function NewAppFields({ draft, onEdit, errorAt }: NewAppFieldsProps): ReactElement {
  return (
    <div className={css.newApp}>
      <TextField
        mono
        label={APPS.appId}
        hint={APPS.appIdHint}
        error={errorAt('appId')}
        value={draft.appId}
        onChange={(text) => onEdit('appId', text)}
      />
      <TextField
        mono
        label={APPS.address}
        hint={APPS.newAddressHint}
        error={errorAt('url')}
        placeholder={APPS.example}
        value={draft.url}
        onChange={(text) => onEdit('url', text)}
      />
      <TextField
        mono
        inputMode="numeric"
        label={APPS.sidecarPort}
        hint={APPS.sidecarPortHint}
        error={errorAt('sidecarPort')}
        placeholder={APPS.portExample}
        value={draft.sidecarPort}
        onChange={(text) => onEdit('sidecarPort', text)}
      />
    </div>
  );
}
