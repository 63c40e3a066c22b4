/** The two probes of each app's sidecar, the apps, and facts of this run. */
import { Unplug } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Result } from '../../../core/contract/console.ts';
import { Facts } from '../../components/Facts.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty, Loaded } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { FRAME } from '../../copy/frame.ts';
import { HEALTH } from '../../copy/health.ts';
import { useConsole, useProfileInUse, useResource } from '../../state/context.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { count, size } from '../../format/quantity.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { channelOf, kindOf, oncePerId, probeWord } from '../../format/apps.ts';
import { componentsAway } from '../../format/component.ts';
import { discoveryText } from '../../format/discovery.ts';
import { AppHealth } from './AppHealth.tsx';
import css from './Health.module.css';

/** Probes of the chosen app, or of all; then apps and facts. */
export function HealthTab(): ReactElement {
  const { topology } = useConsole();
  const { value, failure } = useResource(topology.apps);
  return (
    <Loaded
      value={value}
      failure={failure}
      loading={HEALTH.loading}
      failed={HEALTH.appsFailed}
      again={() => void topology.apps.refresh()}
    >
      {(known) => <Known value={known} />}
    </Loaded>
  );
}

function Known({ value }: { readonly value: Result<'apps.list'> }): ReactElement {
  const { topology, ui } = useConsole();
  const chosen = useSelected(ui, (state) => state.appId);
  const { value: taps } = useResource(topology.taps);
  const shown = oncePerId(value.items).filter(({ appId }) => chosen === '' || appId === chosen);
  if (shown.length === 0)
    return <Empty title={(taps?.items.length ?? 0) > 0 ? HEALTH.onlyTaps : HEALTH.noApp} />;
  return (
    <div className={page.body}>
      <div className={page.stack}>
        <LostServers />
        {shown.map((app) => (
          <AppHealth key={app.appId} app={app} isNamed={shown.length > 1} />
        ))}
        <section className={page.stack} aria-label={HEALTH.apps}>
          <h2>{HEALTH.apps}</h2>
          <DataTable
            label={HEALTH.appTable}
            whole={[1, 2]}
            folded={[1, 2]}
            columns={Object.values(HEALTH.columns)}
            rows={value.items.map((app) => ({
              id: `${app.appId} ${app.app}`,
              cells: [
                <span key="app" className={css.app}>
                  <strong>
                    <bdi>{app.appId}</bdi>
                  </strong>
                  <span className={page.muted}>{kindOf(app)}</span>
                </span>,
                <code key="sidecar">{app.sidecar}</code>,
                <code key="address">{app.app}</code>,
                HEALTH.channels[channelOf(app)],
                probeWord(app.appHealth),
              ],
              below: <span className={page.muted}>{discoveryText(app.discovery, app.problems)}</span>,
            }))}
          />
        </section>
        <About />
      </div>
    </div>
  );
}

/** Components whose server was connected and is away. No probe includes that. */
function LostServers(): ReactElement {
  const { topology, ui } = useConsole();
  const { value } = useResource(topology.components);
  const away = componentsAway(
    value?.items ?? [],
    useSelected(ui, ({ appId }) => appId),
  );
  return (
    <div role="status" className={css.lost}>
      {away > 0 && <h2>{fill(FRAME.componentsAway, { n: away })}</h2>}
      {(value?.items ?? []).map(({ name, scopes, file, lost }) =>
        lost === undefined ? null : (
          <p key={`${name} ${file ?? ''} ${scopes.join()}`} className={css.simulated}>
            <Unplug aria-hidden size={16} />
            <span>
              {fill(HEALTH.lost, {
                name,
                time: clockSeconds(lost.since),
                reason: lost.reason,
                n: count(lost.tries),
              })}{' '}
              {lost.nextTryAt !== undefined && fill(HEALTH.lostNext, { time: clockSeconds(lost.nextTryAt) })}
            </span>
          </p>
        ),
      )}
    </div>
  );
}

const NOT_KEPT = 'not-kept';

function About(): ReactElement | null {
  const { connection } = useConsole();
  const system = useSelected(connection, (state) => state.system);
  const kept = useSelected(connection, ({ runtime }) => runtime?.kept ?? 0);
  const keptBytes = useSelected(connection, ({ runtime }) => runtime?.keptBytes ?? 0);
  const profile = useProfileInUse();
  if (system === undefined) return null;
  const { version, dataDir, ephemeral, banners } = system;
  const isKept = !ephemeral && banners.every(({ id }) => id !== NOT_KEPT);
  const folder = dataDir === undefined ? HEALTH.onDisk : fill(HEALTH.inFolder, { folder: dataDir });
  const facts = [
    [HEALTH.version, version],
    [HEALTH.profile, profile],
    [HEALTH.data, isKept ? folder : HEALTH.notKept],
    [HEALTH.size, fill(HEALTH.sizeOf, { size: size(keptBytes), n: count(kept) })],
    [HEALTH.console, window.location.origin],
  ] as const;
  return (
    <section className={page.stack} aria-label={HEALTH.about}>
      <h2>{HEALTH.about}</h2>
      <Facts facts={facts} />
    </section>
  );
}
