/** Sets where an app with a mock app gets its deliveries: at the mock app, or at an address of its own. */
import { useId, useState, type FormEvent, type ReactElement } from 'react';
import { theApp } from '../../../core/contract/app-text.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { Button } from '../Button.tsx';
import { TextField } from '../Fields.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { SETTINGS } from '../../copy/settings.ts';
import { APPS } from '../../copy/settings-host.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { addressesWith, wholeAddress } from '../../format/addresses.ts';
import css from './AppAddress.module.css';

export interface AppAddressProps {
  readonly app: AppRow;
  readonly addresses: SettingItem;
}

/** A field and two buttons. */
export function AppAddress({ app, addresses }: AppAddressProps): ReactElement {
  const { call, settings, toasts, topology } = useConsole();
  const away = useAway(ACT_WHY.away);
  const id = useId();
  const [text, setText] = useState(app.mock ? '' : (app.app ?? ''));
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const byFlag = addresses.origin === 'flag' ? SETTINGS.byFlagHint : undefined;

  async function turn(url: string | undefined): Promise<void> {
    setPending(true);
    setError(undefined);
    try {
      // The shown setting may be older than the removal of an app, so it is read again.
      const { items } = await call('settings.get', {});
      const now = items.find(({ key }) => key === addresses.key)?.value;
      const value = addressesWith(now, app.appId, url);
      settings.accept(await call('settings.set', { key: addresses.key, value }));
      topology.onChange();
      const words = { app: theApp(app.appId), url };
      toasts.done(fill(url === undefined ? APPS.turnedBack : APPS.turned, words));
      // What was typed before the host answered stays.
      setText((now) => (now === text ? (url ?? '') : now));
    } catch (reason) {
      setError(asFailure(reason).message);
    } finally {
      setPending(false);
    }
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (away === undefined && byFlag === undefined && text.trim() !== '') void turn(wholeAddress(text));
  }

  return (
    <form aria-labelledby={id} className={css.form} onSubmit={onSubmit}>
      <span id={id} className="visually-hidden">
        {fill(APPS.addressOf, { app: theApp(app.appId) })}
      </span>
      <TextField
        mono
        label={APPS.deliverTo}
        hint={APPS.deliverToHint}
        error={error}
        placeholder={APPS.example}
        readOnly={byFlag !== undefined}
        value={text}
        onChange={(next) => {
          setError(undefined);
          setText(next);
        }}
      />
      <div className={css.bar}>
        <Button
          type="submit"
          pending={pending}
          off={away ?? byFlag ?? (text.trim() === '' ? APPS.noAddress : undefined)}
        >
          {APPS.useAddress}
        </Button>
        {!app.mock && (
          <Button pending={pending} off={away ?? byFlag} onClick={() => void turn(undefined)}>
            {APPS.useMock}
          </Button>
        )}
      </div>
    </form>
  );
}
