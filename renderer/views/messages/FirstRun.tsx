/** The list before the first publish: what Sidelight is, three ways to start, commands to copy. */
import { Copy, Send, Waypoints } from 'lucide-react';
import { Link } from 'wouter';
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { FIRST_RUN } from '../../copy/messages.ts';
import { TAPS } from '../../copy/taps.ts';
import { Checkbox } from '../../components/Fields.tsx';
import { later } from '../../components/later.tsx';
import { commandOf } from '../../keys/commands.ts';
import { sendSamples, whyNoSamples } from '../../keys/frame-commands.ts';
import { copiedTarget } from '../../format/component.ts';
import { sampleCurl } from '../../format/curl.ts';
import { sidecarTarget } from '../../format/sidecar-target.ts';
import type { AppRow } from '../../../core/contract/subscription.ts';
import { PROFILES } from '../../../core/contract/profile.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './FirstRun.module.css';
import { WatchedApps } from './WatchedApps.tsx';

const ConnectApp = later(async () => (await import('./ConnectApp.tsx')).ConnectApp);
const TapDialog = later(async () => (await import('../../components/connect/TapDialog.tsx')).TapDialog);
const AppSnippets = later(
  async () => (await import('./AppSnippets.tsx')).AppSnippets,
  <div className={css.snippets} />,
);

const BODY = '{"orderId":1,"total":120}';

/** The sentence with the addresses: an app may have been turned to one of its own since the start. */
function whereOf({ mock, app }: Pick<AppRow, 'mock' | 'app'>): string {
  if (mock) return FIRST_RUN.where;
  return app === undefined ? FIRST_RUN.whereNone : FIRST_RUN.whereReal;
}

/** The empty list. */
export function FirstRun(): ReactElement {
  const console = useConsole();
  const system = useSelected(console.connection, (state) => state.system);
  const hidden = useSelected(console.ui, ({ firstRunHidden }) => firstRunHidden);
  const { value: subscriptions } = useResource(console.topology.subscriptions);
  const { value: components } = useResource(console.topology.components);
  const { value: taps } = useResource(console.topology.taps);
  const { value: apps } = useResource(console.topology.apps);
  const started = system?.apps[0];
  const app = apps?.items.find(({ appId }) => appId === started?.appId) ?? started;
  const watched = taps?.items ?? [];
  // The copied command must work, so it uses a topic with a subscription on a running component.
  const loaded = components?.items ?? system?.components ?? [];
  const target = copiedTarget(subscriptions?.items ?? [], loaded, app?.appId);
  const profileName = system?.profile ?? 'sidecar';
  const profile = PROFILES[profileName];
  const { token } = sidecarTarget({ apps: app === undefined ? [] : [app], profile: profileName }, undefined);
  const curl = app === undefined ? '' : sampleCurl(app.sidecar, target, BODY, token);
  if (app === undefined && watched.length > 0) return <WatchedApps taps={watched} />;
  return (
    <div className={css.page}>
      <p className={css.what}>{FIRST_RUN.what}</p>
      <h2 className={css.title}>{FIRST_RUN.title}</h2>
      {app !== undefined && (
        <p className={css.where}>{fill(whereOf(app), { sidecar: app.sidecar, app: app.app })}</p>
      )}
      <Ways discoveryPath={profile.discoveryPath} />
      {curl !== '' && !hidden && (
        <>
          <div className={css.part}>
            <h3 className={css.head}>{FIRST_RUN.shell}</h3>
            <Button icon={Copy} onClick={() => void console.acting.copy(curl, token)}>
              {FIRST_RUN.copy}
            </Button>
            <pre className={css.code} aria-label={FIRST_RUN.curlLabel} tabIndex={0}>
              {curl}
            </pre>
            {token !== undefined && (
              <p className={css.token}>{fill(FIRST_RUN.token, { variable: token.variable })}</p>
            )}
          </div>
          <div className={css.part}>
            <h3 className={css.head}>{FIRST_RUN.own}</h3>
            <AppSnippets discovery={profile.discoveryPath} pubsub={target.pubsubname} />
          </div>
          <Checkbox
            label={FIRST_RUN.hide}
            checked={hidden}
            onChange={(firstRunHidden) => console.ui.setState({ firstRunHidden })}
          />
        </>
      )}
    </div>
  );
}

/** Three ways to start, side by side. */
function Ways({ discoveryPath }: { readonly discoveryPath: string }): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(console.commands.store, (state) => state.pending.has('samples'));
  const hasMock = useSelected(console.connection, () => whyNoSamples(console) === undefined);
  return (
    <div className={css.ways}>
      <section className={css.way} aria-label={FIRST_RUN.sampleHead}>
        <h3>{FIRST_RUN.sampleHead}</h3>
        <p>{hasMock ? FIRST_RUN.sampleText : FIRST_RUN.tryText}</p>
        <div className={css.actions}>
          {hasMock && (
            <Button
              kind="primary"
              icon={Send}
              off={away}
              pending={pending}
              onClick={() => void sendSamples(console)}
            >
              {FIRST_RUN.send}
            </Button>
          )}
          <Button kind={hasMock ? 'plain' : 'primary'} onClick={() => commandOf('publish')?.run(console)}>
            {FIRST_RUN.open}
          </Button>
        </div>
      </section>
      <section className={css.way} aria-label={FIRST_RUN.connectHead}>
        <h3>{FIRST_RUN.connectHead}</h3>
        <p>{fill(FIRST_RUN.connectText, { method: 'GET', path: discoveryPath })}</p>
        {discoveryPath === PROFILES.sidecar.discoveryPath && <Stock />}
        <div className={css.address}>
          <ConnectApp />
        </div>
        <Link href="/settings?s=apps">{FIRST_RUN.settings}</Link>
      </section>
      <Watch />
    </div>
  );
}

/** How to tap a sidecar, from here or from a shell. */
function Watch(): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const [asked, setAsked] = useState(false);
  return (
    <section className={css.way} aria-label={FIRST_RUN.watchHead}>
      <h3>{FIRST_RUN.watchHead}</h3>
      <p>{FIRST_RUN.watchText}</p>
      <Button icon={Waypoints} off={away} onClick={() => setAsked(true)}>
        {TAPS.open}
      </Button>
      <p>{FIRST_RUN.watchShell}</p>
      <code className={css.command}>{FIRST_RUN.watchCommand}</code>
      <Button icon={Copy} onClick={() => void console.acting.copy(FIRST_RUN.watchCommand)}>
        {FIRST_RUN.copy}
      </Button>
      {asked && <TapDialog onClose={() => setAsked(false)} />}
    </section>
  );
}

/** The flag stays in one line: broken after its hyphens it reads as two words. */
function Stock(): ReactElement {
  const { before, flag, after } = FIRST_RUN.connectStock;
  return (
    <p>
      {before}
      <code className={css.flag}>{flag}</code>
      {after}
    </p>
  );
}
