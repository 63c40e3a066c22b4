/** The section Apps: every app with its addresses and the result of its discovery. */
import { Trash2 } from 'lucide-react';
import { useState, type ReactElement, type ReactNode } from 'react';
import { Facts } from '../../components/Facts.tsx';
import type { SettingItem } from '../../../core/contract/settings.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import { Button } from '../../components/Button.tsx';
import { DiscoverAgain } from '../../components/DiscoverAgain.tsx';
import { Question } from '../../components/Overlay.tsx';
import { Empty, Loaded } from '../../components/States.tsx';
import { theApp } from '../../../core/contract/app-text.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { HEALTH } from '../../copy/health.ts';
import { APPS } from '../../copy/settings-host.ts';
import { ProblemList } from '../../components/ProblemList.tsx';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import page from '../page.module.css';
import { channelOf, instanceKey } from '../../format/apps.ts';
import { count } from '../../format/quantity.ts';
import { discoveryText } from '../../format/discovery.ts';
import { TapsPart } from './taps/TapsPart.tsx';
import { AddApp } from './AddApp.tsx';
import { AppAddress } from '../../components/connect/AppAddress.tsx';
import css from './Settings.module.css';

export interface AppsProps {
  /** The setting `app.address`; undefined: the host does not have it. */
  readonly addresses: SettingItem | undefined;
  readonly children: ReactNode;
}

/** One card per app, then the settings. */
export function Apps({ addresses, children }: AppsProps): ReactElement {
  return (
    <div className={page.stack}>
      <section aria-label={APPS.list} className={css.group}>
        <AppList addresses={addresses} />
        <AddApp />
        <TapsPart />
      </section>
      {children}
    </div>
  );
}

function AppList({ addresses }: Pick<AppsProps, 'addresses'>): ReactElement {
  const { topology } = useConsole();
  const { value, failure } = useResource(topology.apps);
  const { value: taps } = useResource(topology.taps);
  return (
    <Loaded
      value={value}
      failure={failure}
      loading={APPS.loading}
      failed={APPS.failed}
      again={() => void topology.apps.refresh()}
      rows={2}
    >
      {({ items }) =>
        items.length === 0 ? (
          <Empty title={(taps?.items.length ?? 0) > 0 ? APPS.onlyTaps : APPS.none} />
        ) : (
          <ul className={css.apps}>
            {items.map((app) => (
              <li key={instanceKey(app)}>
                <AppCard app={app} addresses={addresses} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

interface Removing {
  readonly pending: boolean;
  readonly remove: () => Promise<void>;
}

function useRemoving(id: string): Removing {
  const { call, settings, toasts, topology } = useConsole();
  const [pending, setPending] = useState(false);

  async function remove(): Promise<void> {
    setPending(true);
    try {
      const { unfinished: n } = await call('apps.remove', { appId: id });
      toasts.done(fill(n === 0 ? APPS.removed : APPS.removedUnfinished, { app: id, n: count(n) }));
    } catch (reason) {
      toasts.failed(asFailure(reason).message);
    } finally {
      setPending(false);
      topology.onChange();
      // The app's address was removed with it, and the next change of another one must not restore it.
      void settings.refresh();
    }
  }

  return { pending, remove };
}

function AppCard({ app, addresses }: Pick<AppsProps, 'addresses'> & { readonly app: AppRow }): ReactElement {
  const away = useAway(ACT_WHY.away);
  const { pending, remove } = useRemoving(app.appId);
  const [asked, setAsked] = useState(false);
  const { appId: id } = app;
  const isFixed = app.mockUrl === undefined || addresses === undefined;

  return (
    <div className={page.box}>
      <h2>
        <bdi>{id}</bdi>
      </h2>
      <Facts
        facts={[
          [APPS.sidecar, <code key="sidecar">{app.sidecar}</code>],
          [
            app.mock ? APPS.mockAddress : APPS.address,
            <Address key="app" url={app.app} from={app.addressFrom} isFixed={isFixed} />,
          ],
          [APPS.channel, HEALTH.channels[channelOf(app)]],
          [APPS.discovery, discoveryText(app.discovery, app.problems)],
        ]}
      />
      {!isFixed && addresses !== undefined && <AppAddress app={app} addresses={addresses} />}
      <ProblemList problems={app.problems} label={fill(APPS.problems, { app: id })} />
      <div className={page.bar}>
        <DiscoverAgain appId={id} />
        {app.added === true && (
          <Button
            icon={Trash2}
            off={away}
            pending={pending}
            aria-label={fill(APPS.removeOf, { app: theApp(id) })}
            onClick={() => setAsked(true)}
          >
            {APPS.remove}
          </Button>
        )}
        {asked && (
          <Question
            danger
            title={fill(APPS.removeTitle, { app: theApp(id) })}
            text={fill(APPS.removeText, { sidecar: app.sidecar })}
            yes={APPS.removeYes}
            onYes={() => void remove()}
            onClose={() => setAsked(false)}
          />
        )}
      </div>
    </div>
  );
}

interface AddressProps {
  /** Undefined: the app has no address. */
  readonly url: string | undefined;
  /** What gave it at the start. */
  readonly from?: string | undefined;
  /** True: the address cannot be changed here. */
  readonly isFixed: boolean;
}

/** The address at which the app gets its deliveries, and whether a person can change it here. */
export function Address({ url, from, isFixed }: AddressProps): ReactElement {
  if (url === undefined) return <>{APPS.noneKind}</>;
  return (
    <>
      <code>{url}</code>
      {isFixed && (
        <span className={page.muted}>
          {' '}
          · {from === undefined ? APPS.fixed : fill(APPS.fixedBy, { from })}
        </span>
      )}
    </>
  );
}
