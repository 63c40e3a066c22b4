/** The identity service of the embedded router: clients with their roles, keys, and token requests. */
import type { ReactElement } from 'react';
import type { IdentityStatus } from '../../../core/contract/event-router/local-router-status.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { IDENTITY } from './copy/local-router.ts';
import { TOKENS } from './copy/event-router.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';

const MINUTE_MS = 60_000;

/** Tables of clients, keys and requests. */
export function IdentityPanel(): ReactElement {
  const { eventRouter } = useConsole();
  return (
    <Panel title={IDENTITY.title}>
      <Known of={eventRouter.tokens} loading={TOKENS.loading} failed={TOKENS.failed}>
        {({ identity }) =>
          identity === undefined ? (
            <p className={css.muted}>{IDENTITY.none}</p>
          ) : (
            <>
              {identity.clockSkewMs !== 0 && (
                <p role="status" className={css.warning}>
                  {fill(IDENTITY.skewed, { n: identity.clockSkewMs / MINUTE_MS })}
                </p>
              )}
              <Clients identity={identity} />
              <p className={css.muted}>
                {fill(IDENTITY.keys, {
                  kids: identity.keys
                    .map(({ kid, current }) => (current ? `${kid} (${IDENTITY.signs})` : kid))
                    .join(', '),
                })}
              </p>
              <Requests identity={identity} />
            </>
          )
        }
      </Known>
    </Panel>
  );
}

function Clients({ identity }: { readonly identity: IdentityStatus }): ReactElement {
  const { columns } = IDENTITY;
  return (
    <DataTable
      dense
      label={IDENTITY.clients}
      columns={[columns.client, columns.tenant, columns.secrets, columns.grants]}
      rows={identity.clients.map((client) => ({
        id: `${client.tenantId} ${client.clientId}`,
        cells: [
          <div key="client">
            <strong>{client.displayName}</strong>
            <p className={css.value}>{client.clientId}</p>
          </div>,
          <bdi key="tenant" className={css.value}>
            {client.tenantId}
          </bdi>,
          client.secrets.map(({ hint }) => hint).join(', ') || VIEWS_COMMON.none,
          client.grants.length === 0 ? (
            VIEWS_COMMON.none
          ) : (
            <ul key="grants">
              {client.grants.map(({ role, scope }) => (
                <li key={`${role} ${scope}`} className={css.wrapped}>
                  {fill(IDENTITY.grant, { role, scope })}
                </li>
              ))}
            </ul>
          ),
        ],
      }))}
    />
  );
}

function Requests({ identity }: { readonly identity: IdentityStatus }): ReactElement | null {
  if (identity.requests.length === 0) return null;
  const { columns } = IDENTITY;
  return (
    <DataTable
      dense
      label={IDENTITY.requests}
      columns={[columns.time, columns.client, columns.audience, columns.status, columns.error]}
      whole={[0]}
      rows={identity.requests.map((one, index) => ({
        id: `${one.at} ${index}`,
        isBad: one.status !== 200,
        cells: [
          <time key="time" dateTime={one.at} title={utcTime(one.at)}>
            {clockTime(one.at)}
          </time>,
          <bdi key="client" className={css.value}>
            {one.clientId}
          </bdi>,
          <bdi key="audience" className={css.value}>
            {one.audience ?? VIEWS_COMMON.dash}
          </bdi>,
          one.status,
          [one.error, one.code].filter((part) => part !== undefined).join(' ') || VIEWS_COMMON.dash,
        ],
      }))}
    />
  );
}
