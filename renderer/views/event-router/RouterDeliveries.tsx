/** What the embedded router has to deliver and has delivered, with its own attempts and waits. */
import { useState, type ReactElement } from 'react';
import { DELIVERY_STATES, type DeliveryState } from '../../../core/contract/delivery.ts';
import type { RouterDeliveryRow } from '../../../core/contract/local-router.ts';
import { Button } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { useNow } from '../../components/clock.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { TextField } from '../../components/Fields.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { ROUTER_DELIVERIES } from '../../copy/local-router.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { clockSeconds, count, duration, utcTime } from '../../format/quantity.ts';
import { useConsole, useParam } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { RouterDeliveryDetail } from './RouterDeliveryDetail.tsx';

const ANY = 'any';

function stateOf(value: string): DeliveryState | undefined {
  return DELIVERY_STATES.find((each) => each === value);
}

/** Filters, table, and the one that is open. */
export function RouterDeliveries(): ReactElement {
  const { eventRouter, places } = useConsole();
  const opened = useParam('d');
  const [listing, setListing] = useState(eventRouter.listing());
  const [state = ANY] = listing.states ?? [];
  const narrow = (next: typeof listing): void => {
    setListing(next);
    eventRouter.list(next);
  };
  return (
    <Panel
      title={ROUTER_DELIVERIES.title}
      acts={
        <>
          <TextField
            bare
            type="search"
            label={ROUTER_DELIVERIES.find}
            placeholder={ROUTER_DELIVERIES.find}
            value={listing.text ?? ''}
            onChange={(text) => {
              const { text: _, ...rest } = listing;
              narrow(text === '' ? rest : { ...rest, text });
            }}
          />
          <Choice
            label={ROUTER_DELIVERIES.state}
            value={state}
            options={[
              { value: ANY, title: ROUTER_DELIVERIES.anyState },
              ...DELIVERY_STATES.map((value) => ({ value, title: CHIP_WORDS[value] })),
            ]}
            onChange={(next) => {
              const { states: _, ...rest } = listing;
              const chosen = stateOf(next);
              narrow(chosen === undefined ? rest : { ...rest, states: [chosen] });
            }}
          />
        </>
      }
    >
      <Known
        of={eventRouter.deliveries}
        loading={ROUTER_DELIVERIES.loading}
        failed={ROUTER_DELIVERIES.failed}
      >
        {({ items, total }) =>
          items.length === 0 ? (
            <p className={css.muted}>
              {listing.text === undefined && listing.states === undefined
                ? ROUTER_DELIVERIES.none
                : ROUTER_DELIVERIES.noMatch}
            </p>
          ) : (
            <>
              <Table rows={items} opened={opened} onOpen={(d) => places.change({ d })} />
              <p className={css.muted}>
                {fill(ROUTER_DELIVERIES.shown, { n: count(items.length), total: count(total) })}
              </p>
            </>
          )
        }
      </Known>
      {opened !== undefined && (
        <RouterDeliveryDetail
          key={opened}
          deliveryId={opened}
          onClose={() => places.change({ d: undefined })}
        />
      )}
    </Panel>
  );
}

interface TableProps {
  readonly rows: readonly RouterDeliveryRow[];
  readonly opened: string | undefined;
  readonly onOpen: (deliveryId: string) => void;
}

function Table({ rows, opened, onOpen }: TableProps): ReactElement {
  const { columns } = ROUTER_DELIVERIES;
  return (
    <DataTable
      dense
      label={ROUTER_DELIVERIES.title}
      columns={[
        columns.event,
        columns.type,
        columns.subject,
        columns.subscription,
        columns.state,
        columns.attempts,
        columns.last,
        columns.next,
        columns.expires,
        columns.rule,
      ]}
      whole={[4, 7, 8]}
      rows={rows.map((row) => ({
        id: row.deliveryId,
        isChosen: row.deliveryId === opened,
        cells: [
          <Button
            key="event"
            kind="quiet"
            aria-label={fill(ROUTER_DELIVERIES.open, { id: row.eventId })}
            onClick={() => onOpen(row.deliveryId)}
          >
            <bdi>{row.eventId}</bdi>
          </Button>,
          <bdi key="type">{row.eventType}</bdi>,
          <bdi key="subject">{row.subject ?? VIEWS_COMMON.dash}</bdi>,
          row.subscriptionName,
          <Chip key="state" kind={row.state} />,
          fill(ROUTER_DELIVERIES.attemptsOf, { n: row.attempts, max: row.maxAttempts }),
          lastAnswer(row),
          <Until key="next" at={row.nextAttemptAt} />,
          <time key="expires" dateTime={row.expiresAt} title={utcTime(row.expiresAt)}>
            {clockSeconds(row.expiresAt)}
          </time>,
          <code key="rule">{row.rule}</code>,
        ],
      }))}
    />
  );
}

/** The outcome names what went wrong; an answer that delivered has none. */
function lastAnswer({ lastOutcome, lastStatus, state }: RouterDeliveryRow): string {
  const parts = state === 'processed' ? [lastStatus] : [lastOutcome, lastStatus];
  return parts.filter((part) => part !== undefined).join(' ') || VIEWS_COMMON.dash;
}

/** A time to come: when, and how long that is. */
function Until({ at }: { readonly at: string | undefined }): ReactElement {
  const now = useNow(at !== undefined);
  if (at === undefined) return <>{VIEWS_COMMON.dash}</>;
  const left = Date.parse(at) - now;
  return (
    <time dateTime={at} title={utcTime(at)}>
      {clockSeconds(at)}
      {left > 0 && <span aria-hidden> ({duration(left)})</span>}
    </time>
  );
}
