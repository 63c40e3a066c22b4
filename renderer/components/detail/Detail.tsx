/** The open message: head, acts and tabs. */
import { memo, Suspense, type ReactElement, type ReactNode } from 'react';
import { foremost } from '../../../core/contract/attention.ts';
import type { Delivery, MessageDetail, MessageRow } from '../../../core/contract/message.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button } from '../Button.tsx';
import { later } from '../later.tsx';
import { Boundary, Empty, Failed, Loading } from '../States.tsx';
import { TabBar, type TabDefinition } from '../TabBar.tsx';
import { DETAIL, TABS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { count } from '../../format/quantity.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { rowOfDetail } from '../../keys/subjects.ts';
import { useConsole, useParam } from '../../state/context.ts';
import { contentKey } from '../../state/payloads.ts';
import type { DetailState } from '../../state/detail.ts';
import { useSelected } from '../../state/store.ts';
import { AttemptsTab } from './AttemptsTab.tsx';
import { DataTab } from './DataTab.tsx';
import css from './Detail.module.css';
import { BackToList, DetailHead, titleOf, type DetailHeadProps } from './DetailHead.tsx';
import { NotesTab } from './NotesTab.tsx';

const EnvelopeTab = later(async () => (await import('./EnvelopeTab.tsx')).EnvelopeTab);
const RouteTab = later(async () => (await import('./RouteTab.tsx')).RouteTab);
const TimelineTab = later(async () => (await import('./TimelineTab.tsx')).TimelineTab);

/** Files of the tabs that the first load does not have. */
export const FETCH_TABS = [EnvelopeTab.fetch, RouteTab.fetch, TimelineTab.fetch];

const TAB_IDS = ['data', 'envelope', 'attempts', 'route', 'timeline', 'notes'] as const;

/** The delivery in the address, else the one that needs attention most. */
export function chosenDelivery(message: MessageDetail, deliveryId: string | undefined): Delivery | undefined {
  const named = message.deliveries.find((delivery) => delivery.deliveryId === deliveryId);
  return named ?? foremost(message.deliveries);
}

/** The panel in each of its states. */
export function Detail({ narrow }: { readonly narrow: boolean }): ReactElement {
  const console = useConsole();
  const { status, failure, messageId, endedBy, ...shown } = useSelected(
    console.detail.store,
    (state) => state,
  );
  const limit = useSelected(console.connection, ({ runtime }) => runtime?.limit);
  const asked = useParam('m');
  // A message that was loaded before is drawn with the first frame, and updated by the answer.
  const value = asked === undefined || asked === messageId ? shown.value : console.detail.kept(asked);
  const message = value !== undefined && value.messageId === (asked ?? messageId) ? value : undefined;
  // The first frame shows the row of the list; the message itself is loading.
  const isComing = message === undefined && (status === 'loading' || messageId !== asked);
  const row = isComing && asked !== undefined ? console.messages.rows.rowOf(asked) : undefined;
  const known = message ?? row;
  if (known === undefined) {
    return (
      <section className={css.panel} id={ANCHORS.detail} tabIndex={-1} aria-label={DETAIL.empty}>
        {narrow && (
          <div className={css.back}>
            <BackToList />
          </div>
        )}
        {status === 'loading' && <Loading text={DETAIL.loading} />}
        {status === 'idle' && <NothingOpen />}
        {status === 'gone' && <Empty title={goneText(endedBy, limit)}>{!narrow && <CloseButton />}</Empty>}
        {status === 'failed' && (
          <Failed
            text={fill(DETAIL.failed, { message: whyNotRead(failure) })}
            again={console.detail.refresh}
          />
        )}
      </section>
    );
  }
  return (
    <section
      className={css.panel}
      id={ANCHORS.detail}
      tabIndex={-1}
      aria-label={titleOf(known)}
      aria-busy={isComing || undefined}
      data-keys="messages"
    >
      <Open
        message={message}
        row={row}
        narrow={narrow}
        gone={message !== undefined && status === 'gone' ? goneText(endedBy, limit) : undefined}
      />
    </section>
  );
}

function goneText(endedBy: DetailState['endedBy'], limit: number | undefined): string {
  if (endedBy === 'removed') return DETAIL.gone.removed;
  if (endedBy === undefined || limit === undefined) return DETAIL.gone.unknown;
  return fill(DETAIL.gone.limit, { limit: count(limit) });
}

function CloseButton(): ReactElement {
  const { navigation } = useConsole();
  return (
    <Button onClick={() => navigation.change({ m: undefined, d: undefined, t: undefined })}>
      {DETAIL.close}
    </Button>
  );
}

function NothingOpen(): ReactElement {
  return (
    <Empty title={DETAIL.empty}>
      <ul>
        {DETAIL.emptyHints.map(({ keys, says }) => (
          <li key={keys}>
            <kbd>{keys}</kbd> {says}
          </li>
        ))}
      </ul>
    </Empty>
  );
}

/** The tabs of a message; the address has the open one. */
function DetailTabs({ tabs }: { readonly tabs: readonly TabDefinition[] }): ReactElement {
  const { navigation } = useConsole();
  const tab = useParam('t') ?? 'data';
  return (
    <div className={css.tabs}>
      <TabBar
        label={DETAIL.tabs}
        tabs={tabs}
        value={tabs.some(({ id }) => id === tab) ? tab : 'data'}
        onChange={(t) => navigation.change({ t }, { replace: true })}
      />
    </div>
  );
}

/** The tabs while the message loads. */
function comingTabs(row: MessageRow): readonly TabDefinition[] {
  const attempts = foremost(row.deliveries)?.attempts ?? 0;
  return TAB_IDS.map((id) => ({
    id,
    title: TABS[id],
    ...(id === 'attempts' ? { amount: attempts } : {}),
    panel: () => <Loading text={DETAIL.loading} rows={0} />,
  }));
}

function tabsOf(
  message: MessageDetail,
  delivery: Delivery | undefined,
  gone: string | undefined,
): readonly TabDefinition[] {
  return [
    {
      id: 'data',
      title: TABS.data,
      // Reading a long payload and filling its editor again takes longer than anybody waits for a tab.
      keptFor: message.payloadApart === true ? contentKey(message) : undefined,
      panel: () => <DataTab message={message} delivery={delivery} />,
    },
    {
      id: 'envelope',
      title: TABS.envelope,
      panel: () => (
        <Later>
          <EnvelopeTab message={message} />
        </Later>
      ),
    },
    {
      id: 'attempts',
      title: TABS.attempts,
      amount: delivery?.attempts.length ?? 0,
      panel: () => <AttemptsTab message={message} delivery={delivery} />,
    },
    {
      id: 'route',
      title: TABS.route,
      panel: () => (
        <Later>
          <RouteTab message={message} delivery={delivery} />
        </Later>
      ),
    },
    {
      id: 'timeline',
      title: TABS.timeline,
      panel: () => (
        <Later>
          <TimelineTab message={message} delivery={delivery} />
        </Later>
      ),
    },
    {
      id: 'notes',
      title: TABS.notes,
      panel: () => <NotesTab key={message.messageId} message={message} gone={gone} />,
    },
  ];
}

/** A tab whose code is loaded when it is first opened, so that the first screen comes sooner. */
function Later({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <Boundary>
      <Suspense fallback={<Loading text={DETAIL.loading} rows={0} />}>{children}</Suspense>
    </Boundary>
  );
}

interface OpenProps extends Pick<DetailHeadProps, 'message' | 'narrow' | 'gone'> {
  /** The row of a message that is still loading. */
  readonly row: MessageRow | undefined;
}

/** Content of the panel. It is drawn again for a new answer of the host, not for each step of the request. */
const Open = memo(function Open({ message, row, narrow, gone }: OpenProps): ReactElement | null {
  const chosen = useParam('d');
  const delivery = message && chosenDelivery(message, chosen);
  const shown = message === undefined ? row : rowOfDetail(message);
  if (shown === undefined) return null;
  return (
    <>
      <DetailHead row={shown} message={message} delivery={delivery} narrow={narrow} gone={gone} />
      <DetailTabs tabs={message === undefined ? comingTabs(shown) : tabsOf(message, delivery, gone)} />
    </>
  );
});
