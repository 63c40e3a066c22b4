/** Deliveries of the embedded router, waiting and ended, with their own attempts and waits. */
import { useState, type ReactElement } from 'react';
import { DELIVERY_STATES, type DeliveryState } from '../../../core/contract/delivery.ts';
import type { DeliveriesResult } from '../../../core/contract/event-router/methods.ts';
import type { LocalRouterStatus } from '../../../core/contract/event-router/local-router-status.ts';
import type { RouterDeliveryRow } from '../../../core/contract/event-router/local-router.ts';
import { Button } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { useNow } from '../../components/clock.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { TextField } from '../../components/Fields.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { ROUTER_DELIVERIES } from './copy/local-router.ts';
import { CHIP_WORDS } from '../../copy/states.ts';
import { clockSeconds, utcTime } from '../../format/clock-time.ts';
import { count, duration } from '../../format/quantity.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { ROUTER_PAGE, type RouterListing } from './state.ts';
import { BulkActs } from './BulkActs.tsx';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { RouterDeliveryDetail } from './RouterDeliveryDetail.tsx';

const ANY = 'any';

function stateOf(value: string): DeliveryState | undefined {
  return DELIVERY_STATES.find((each) => each === value);
}

/** Counts, filters, the table, and the open delivery. */
export function RouterDeliveries({ router }: { readonly router: LocalRouterStatus }): ReactElement {
  const { eventRouter, navigation } = useConsole();
  const opened = useParam('d');
  const [listing, setListing] = useState(eventRouter.listing());
  const [state = ANY] = listing.states ?? [];
  /** Changes the filter, and starts at the newest delivery again. */
  const narrow = (wanted: RouterListing): void => {
    const { older: _, ...next } = wanted;
    setListing(next);
    eventRouter.list(next);
  };
  const choose = (chosen: DeliveryState | undefined): void => {
    const { states: _, ...rest } = listing;
    narrow(chosen === undefined ? rest : { ...rest, states: [chosen] });
  };
  const turn = (older: readonly string[]): void => {
    const { older: _, ...rest } = listing;
    const next = older.length === 0 ? rest : { ...rest, older };
    setListing(next);
    eventRouter.list(next);
  };
  return (
    <Panel
      title={ROUTER_DELIVERIES.title}
      acts={
        <>
          <TextField
            hideLabel
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
            onChange={(next) => choose(stateOf(next))}
          />
        </>
      }
    >
      <Counts router={router} state={state} onChoose={choose} />
      <Known
        of={eventRouter.deliveries}
        loading={ROUTER_DELIVERIES.loading}
        failed={ROUTER_DELIVERIES.failed}
      >
        {(result) =>
          result.items.length === 0 && listing.older === undefined ? (
            <p className={css.muted}>
              {listing.text === undefined && listing.states === undefined
                ? ROUTER_DELIVERIES.none
                : ROUTER_DELIVERIES.noMatch}
            </p>
          ) : (
            <>
              <Table rows={result.items} opened={opened} onOpen={(d) => navigation.change({ d })} />
              <Pages result={result} older={listing.older ?? []} onTurn={turn} />
              <BulkActs listing={listing} total={result.total} />
            </>
          )
        }
      </Known>
      {opened !== undefined && (
        <RouterDeliveryDetail
          key={opened}
          deliveryId={opened}
          onClose={() => navigation.change({ d: undefined })}
        />
      )}
    </Panel>
  );
}

interface CountsProps {
  readonly router: LocalRouterStatus;
  readonly state: string;
  readonly onChoose: (state: DeliveryState | undefined) => void;
}

/** Number of deliveries in each state; a click shows them. */
function Counts({ router, state, onChoose }: CountsProps): ReactElement | null {
  const present = DELIVERY_STATES.filter((each) => (router.counts[each] ?? 0) > 0);
  if (present.length === 0) return null;
  return (
    <div role="group" aria-label={ROUTER_DELIVERIES.counts} className={css.head}>
      {present.map((each) => (
        <Button
          key={each}
          kind="quiet"
          className={css.tight}
          aria-pressed={each === state}
          onClick={() => onChoose(each === state ? undefined : each)}
        >
          <Chip kind={each} amount={count(router.counts[each] ?? 0)} />
        </Button>
      ))}
    </div>
  );
}

interface PagesProps {
  readonly result: DeliveriesResult;
  /** Cursors of the earlier pages, the oldest step last. */
  readonly older: readonly string[];
  readonly onTurn: (older: readonly string[]) => void;
}

function Pages({ result, older, onTurn }: PagesProps): ReactElement {
  const { items, total, nextCursor } = result;
  const first = older.length * ROUTER_PAGE + 1;
  const isWhole = older.length === 0 && nextCursor === null;
  return (
    <div className={css.head}>
      <span role="status" className={css.muted}>
        {fill(isWhole ? ROUTER_DELIVERIES.shown : ROUTER_DELIVERIES.range, {
          n: count(items.length),
          first: count(first),
          last: count(first + items.length - 1),
          total: count(total),
        })}
      </span>
      {!isWhole && (
        <>
          <Button
            off={older.length === 0 ? ROUTER_DELIVERIES.isNewest : undefined}
            onClick={() => onTurn(older.slice(0, -1))}
          >
            {ROUTER_DELIVERIES.newer}
          </Button>
          <Button
            off={nextCursor === null ? ROUTER_DELIVERIES.isOldest : undefined}
            onClick={() => nextCursor !== null && onTurn([...older, nextCursor])}
          >
            {ROUTER_DELIVERIES.older}
          </Button>
        </>
      )}
    </div>
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
        columns.state,
        columns.attempts,
        columns.last,
        columns.next,
        columns.type,
        columns.subject,
        columns.subscription,
        columns.expires,
        columns.rule,
      ]}
      whole={[1, 2, 4, 8]}
      folded={[4, 5, 6, 7, 8, 9]}
      rows={rows.map((row) => ({
        id: row.deliveryId,
        isChosen: row.deliveryId === opened,
        cells: [
          <Button
            key="event"
            kind="quiet"
            className={css.tight}
            aria-label={fill(ROUTER_DELIVERIES.open, { id: row.eventId })}
            onClick={() => onOpen(row.deliveryId)}
          >
            <bdi className={css.shortId} title={row.eventId}>
              {row.eventId}
            </bdi>
          </Button>,
          <Chip key="state" kind={row.state} />,
          fill(ROUTER_DELIVERIES.attemptsOf, { n: row.attempts, max: row.maxAttempts }),
          lastAnswer(row),
          <Until key="next" at={row.nextAttemptAt} />,
          <bdi key="type">{row.eventType}</bdi>,
          <bdi key="subject">{row.subject ?? VIEWS_COMMON.dash}</bdi>,
          row.subscriptionName,
          <time key="expires" dateTime={row.expiresAt} title={utcTime(row.expiresAt)}>
            {clockSeconds(row.expiresAt)}
          </time>,
          <code key="rule">{row.rule}</code>,
        ],
      }))}
    />
  );
}

/** The outcome and the code of a failure; a successful answer has none. */
function lastAnswer({ lastOutcome, lastStatus, lastCode, state }: RouterDeliveryRow): string {
  const parts = state === 'processed' ? [lastStatus] : [lastOutcome, lastStatus, lastCode];
  return parts.filter((part) => part !== undefined).join(' ') || VIEWS_COMMON.dash;
}

/** A future time, and the time until then. */
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
